import assert from 'node:assert/strict';
import { test } from 'node:test';

import { areaName } from '../analysis.js';
import { stepScale } from '../charts.js';
import { clockText } from '../clocks.js';
import { judge, MISTAKE } from '../evaluation.js';
import { neighbour } from '../keyboard.js';
import { isLinkable } from '../link.js';
import { numbered } from '../lists.js';
import { texts } from '../texts.js';
import { childrenByVisits } from '../tree.js';

test('arrow keys go to the nearest thing that way', () => {
  const points = [
    [0, 0],
    [10, 0],
    [20, 1],
    [10, 10],
  ];
  assert.equal(neighbour(points, [0, 0], 'ArrowRight'), 1);
  assert.equal(neighbour(points, [10, 0], 'ArrowDown'), 3);
  assert.equal(neighbour(points, [0, 0], 'ArrowLeft'), -1);
});

test('an address that says which game it is can be given to others', () => {
  assert.ok(isLinkable('#/review?record=7&at=3'));
  assert.ok(isLinkable('#/review?at=3&packed=abc'));
  assert.ok(isLinkable('#/review/k3f9?at=3'));
  assert.ok(!isLinkable('#/review?at=3') && !isLinkable('#/review'));
});

test('clocks show tenths when time is short', () => {
  assert.equal(clockText(75.2), '1:15');
  assert.equal(clockText(9.38), '9.3');
  assert.equal(clockText(60), '1:00');
});

const analysis = {
  action: 'a',
  value: 0.5,
  payoffs: null,
  actions: [
    { action: 'a', value: 0.5 },
    { action: 'b', value: 0.5 - MISTAKE },
    { action: 'c', value: 0.4 },
  ],
};

test('an action worth clearly less than the best is a mistake', () => {
  assert.ok(judge(3, 1, 'b', 2, analysis).mistake);
  assert.ok(!judge(3, 1, 'c', 2, analysis).mistake);
  assert.ok(!judge(3, 1, 'a', 2, analysis).mistake);
  assert.ok(!judge(3, 1, 'unknown', 2, analysis).mistake);
});

test('without payoffs the value of the mover counts', () => {
  assert.deepEqual(judge(0, 1, 'a', 2, analysis).payoffs, [-0.5, 0.5]);
  assert.deepEqual(judge(0, 1, 'a', 3, analysis).payoffs, [null, 0.5, null]);
});

test('who has no choice says nothing about the game', () => {
  const forced = { action: 'a', value: 0, payoffs: null, actions: [{ action: 'a', value: 0 }] };
  assert.deepEqual(judge(0, 1, 'a', 2, forced).payoffs, [null, null]);
  const silent = { action: 'a', value: null, payoffs: null, actions: [] };
  assert.deepEqual(judge(0, 0, 'a', 2, silent).payoffs, [null, null]);
  assert.deepEqual(judge(0, 1, 'a', 2, { ...forced, payoffs: [1, -1] }).payoffs, [1, -1]);
});

test('a curve begins with the first decision', () => {
  const { x, stepAt } = stepScale(40, 60, 10, 200);
  assert.deepEqual([x(0), x(40), x(50), x(60)], [10, 10, 110, 210]);
  assert.deepEqual([stepAt(0), stepAt(10), stepAt(112), stepAt(999)], [40, 40, 50, 60]);
  assert.equal(stepScale(0, 0, 10, 200).x(0), 10);
});

test('only what players do is numbered', () => {
  const log = [{ seat: null }, { seat: 2 }, { seat: null }, { seat: 0 }];
  assert.deepEqual(
    numbered(log).map(({ move }) => move),
    [null, 1, null, 2],
  );
});

test('places of cards are named after seats', () => {
  assert.equal(areaName('hand-1', ['Ann', 'Ben']), 'Ben');
  assert.equal(areaName('hand-7', ['Ann', 'Ben']), 'hand-7');
  assert.equal(areaName('stock', ['Ann', 'Ben']), 'stock');
});

test('the most visited children come first', () => {
  const nodes = [
    { parent: null, visits: 9 },
    { parent: 0, visits: 2 },
    { parent: 0, visits: 6 },
    { parent: 2, visits: 1 },
  ];
  assert.deepEqual(childrenByVisits(nodes), [[2, 1], [], [3], []]);
});

test('games are called as people call them', () => {
  assert.equal(texts.gameName('connect-four'), 'Connect Four');
  assert.equal(texts.gameName('just4fun'), 'Just 4 Fun');
});

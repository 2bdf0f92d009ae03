import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clockText } from '../clocks.js';
import { judge, MISTAKE } from '../evaluation.js';
import { neighbour } from '../keyboard.js';
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

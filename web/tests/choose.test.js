import assert from 'node:assert/strict';
import { test } from 'node:test';

import { buttons, click, nextPicks, nextStep, possible, verdict } from '../choose.js';

const choice = (action, ...picks) => ({ action, picks });
const thing = (key, pick = key) => ({ key, pick });
const actions = (choices) => choices.map(({ action }) => action);

const MOVES = [choice('e2e3', 'e2', 'e3'), choice('e2e4', 'e2', 'e4'), choice('d2d4', 'd2', 'd4')];
const SUMS = [
  choice('5', '5'),
  choice('7', '7'),
  choice('7+7', '7', '7'),
  choice('5+7', '5', '7'),
  choice('5+7+7', '5', '7', '7'),
];

test('nothing chosen leaves everything possible', () => {
  assert.deepEqual(possible(MOVES, []), MOVES);
  assert.deepEqual([...nextPicks(MOVES, [])].sort(), ['d2', 'd4', 'e2', 'e3', 'e4']);
});

test('a pick narrows down, in any order', () => {
  assert.deepEqual(actions(possible(MOVES, ['e2'])), ['e2e3', 'e2e4']);
  assert.deepEqual([...nextPicks(MOVES, ['e2'])], ['e3', 'e4']);
  assert.deepEqual(actions(possible(MOVES, ['e4', 'e2'])), ['e2e4']);
});

test('picks count: two sevens need two', () => {
  assert.deepEqual(actions(possible(SUMS, ['7', '7'])), ['7+7', '5+7+7']);
  assert.ok(nextPicks(SUMS, ['7']).has('7'));
  assert.ok(!nextPicks(SUMS, ['7', '7']).has('7'));
});

test('the only complete choice is sent at once', () => {
  assert.deepEqual(verdict(MOVES, ['e4', 'e2']), { send: 'e2e4', offers: [] });
  assert.equal(verdict(SUMS, ['7', '5', '7']).send, '5+7+7');
});

test('a complete choice that others contain is offered', () => {
  const { send, offers } = verdict(SUMS, ['7']);
  assert.equal(send, null);
  assert.deepEqual(actions(offers), ['7']);
});

test('choices with the same picks are told apart by their texts', () => {
  const { send, offers } = verdict([choice('one', 'A', 'x'), choice('eleven', 'x', 'A')], ['A', 'x']);
  assert.equal(send, null);
  assert.deepEqual(actions(offers), ['one', 'eleven']);
});

test('nothing is sent or offered before a pick', () => {
  assert.deepEqual(verdict([choice('pass')], []), { send: null, offers: [] });
  assert.deepEqual(actions(buttons([choice('pass'), ...MOVES])), ['pass']);
});

test('a click chooses and a second one takes back', () => {
  const things = ['e2', 'e3', 'e4', 'd2', 'd4'].map((pick) => thing(pick));
  const chosen = click(MOVES, [], thing('e2'), things);
  assert.deepEqual(chosen, [thing('e2')]);
  assert.deepEqual(click(MOVES, chosen, thing('e2'), things), []);
});

test('a thing that does not fit replaces what is in its way', () => {
  const things = ['e2', 'e3', 'e4', 'd2', 'd4'].map((pick) => thing(pick));
  assert.deepEqual(click(MOVES, [thing('e2')], thing('d2'), things), [thing('d2')]);
  assert.deepEqual(click(MOVES, [thing('e2')], thing('a1'), things), [thing('e2')]);
});

test('equal cards are chosen one by one', () => {
  const things = [thing('first', '7'), thing('second', '7'), thing('five', '5')];
  const one = click(SUMS, [], things[0], things);
  const two = click(SUMS, one, things[1], things);
  assert.deepEqual(two, [things[0], things[1]]);
  assert.deepEqual(click(SUMS, two, things[0], things), [things[1]]);
  assert.deepEqual(click(SUMS, one, things[0], things), []);
});

test('the only thing with a pick that is needed twice counts twice', () => {
  const jumps = [choice('there and back', 'a', 'b', 'a'), choice('there', 'a', 'b')];
  const things = [thing('a'), thing('b')];
  const chosen = click(jumps, [thing('a'), thing('b')], thing('a'), things);
  assert.deepEqual(
    chosen.map(({ pick }) => pick),
    ['a', 'b', 'a'],
  );
});

test('the next step is the first kind that every choice still needs', () => {
  const kinds = { card: new Set(['5', '7']), own: new Set(['e2']), site: new Set(['f5', 'f12', 'e4']) };
  const cards = [
    { action: '5', picks: ['5', 'f5'] },
    { action: '5+7', picks: ['5', '7', 'f12'] },
  ];
  assert.deepEqual(nextStep(cards, [], kinds), { name: 'card', picks: new Set(['5', '7']) });
  assert.deepEqual(nextStep(cards, ['5'], kinds), { name: null, picks: new Set(['f5', '7', 'f12']) });
  const pieces = [{ action: 'e2e4', picks: ['e2', 'e4'] }];
  assert.deepEqual(nextStep(pieces, [], kinds), { name: 'own', picks: new Set(['e2']) });
  assert.deepEqual(nextStep(pieces, ['e2'], kinds), { name: 'site', picks: new Set(['e4']) });
  assert.deepEqual(nextStep([], [], kinds), { name: null, picks: new Set() });
});

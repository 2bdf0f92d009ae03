import assert from 'node:assert/strict';
import { test } from 'node:test';

import { boardChanges, cardChanges, picksInText } from '../changes.js';

/** A row of sites; each is a list of [seat, count]. */
function row(...sites) {
  return {
    sites: sites.map((pieces, x) => ({
      pick: `s${x}`,
      x,
      y: 0,
      pieces: pieces.map(([seat, count]) => ({ seat, count })),
    })),
  };
}

test('a piece that goes and comes has moved', () => {
  const { moved, appeared, vanished, touched } = boardChanges(row([[0, 1]], [], []), row([], [], [[0, 1]]));
  assert.deepEqual(moved, [{ from: 0, to: 2, seat: 0 }]);
  assert.deepEqual([appeared, vanished], [[], []]);
  assert.deepEqual([...touched].sort(), [0, 2]);
});

test('a captured piece vanishes', () => {
  const { moved, vanished } = boardChanges(row([[0, 1]], [[1, 1]]), row([], [[0, 1]]));
  assert.deepEqual(moved, [{ from: 0, to: 1, seat: 0 }]);
  assert.deepEqual(vanished, [{ from: 1, seat: 1 }]);
});

test('a new piece appears, also on a stack', () => {
  assert.deepEqual(boardChanges(row([]), row([[1, 1]])).appeared, [{ to: 0, seat: 1 }]);
  assert.deepEqual(boardChanges(row([[1, 2]]), row([[1, 3]])).appeared, [{ to: 0, seat: 1 }]);
});

test('the nearest piece of a kind is the one that moved', () => {
  const { moved } = boardChanges(row([[0, 1]], [], [], [[0, 1]]), row([], [[0, 1]], [[0, 1]], []));
  assert.deepEqual(moved, [
    { from: 0, to: 1, seat: 0 },
    { from: 3, to: 2, seat: 0 },
  ]);
});

test('without a board before nothing has changed', () => {
  assert.equal(boardChanges(null, row([[0, 1]])).touched.size, 0);
});

const open = (rank, from) => ({ face: { rank, suit: 'hearts' }, from });
const closed = { face: null };
const area = (name, cards, seat) => ({ name, seat, cards });

test('a card that is played goes from the hand to the trick', () => {
  const before = [area('trick', []), area('hand-0', [open('7'), open('K')], 0)];
  const after = [area('trick', [open('K', 0)]), area('hand-0', [open('7')], 0)];
  assert.deepEqual(cardChanges(before, after), [
    { from: { area: 'hand-0', index: 1 }, to: { area: 'trick', index: 0 } },
  ]);
});

test('a hidden card comes from the hand of the one who played it', () => {
  const before = [area('trick', []), area('hand-1', [closed, closed], 1), area('hand-2', [closed, closed], 2)];
  const after = [area('trick', [open('K', 2)]), area('hand-1', [closed, closed], 1), area('hand-2', [closed], 2)];
  assert.deepEqual(cardChanges(before, after), [
    { from: { area: 'hand-2', index: 1 }, to: { area: 'trick', index: 0 } },
  ]);
});

test('a drawn card comes from the stock, one from nowhere from nowhere', () => {
  const drawn = cardChanges(
    [area('stock', [closed, closed]), area('hand', [])],
    [area('stock', [closed]), area('hand', [open('3')])],
  );
  assert.deepEqual(drawn, [{ from: { area: 'stock', index: 1 }, to: { area: 'hand', index: 0 } }]);
  assert.deepEqual(cardChanges([area('hand', [])], [area('hand', [open('3')])]), [
    { from: null, to: { area: 'hand', index: 0 } },
  ]);
});

test('cards that only change their order do not move', () => {
  assert.deepEqual(cardChanges([area('hand', [open('3'), open('4')])], [area('hand', [open('4'), open('3')])]), []);
});

test('an action names the picks that it is made of', () => {
  const picks = ['e2', 'e4', 'c2', 'a1', 'a10'];
  assert.deepEqual(picksInText('e2e4', picks), ['e2', 'e4']);
  assert.deepEqual(picksInText('c2-e4', picks), ['c2', 'e4']);
  assert.deepEqual(picksInText('a10', picks), ['a10']);
  assert.deepEqual(picksInText('pass', picks), []);
});

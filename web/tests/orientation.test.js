import assert from 'node:assert/strict';
import { test } from 'node:test';

import { quarterTurns, turned } from '../orientation.js';

const at = (x, y, seat) => ({ x, y, pieces: [{ seat, count: 1 }] });
const square = { width: 8, height: 8, sites: [at(4, 0.5, 0), at(7.5, 4, 1), at(4, 7.5, 2), at(0.5, 4, 3)] };

test('own pieces come to the bottom', () => {
  for (const seat of [0, 1, 2, 3]) {
    const { x, y } = square.sites[seat];
    assert.deepEqual(turned(square, quarterTurns(square, seat), x, y), [4, 7.5]);
  }
});

test('boards that are not square are turned by halves only', () => {
  const star = { width: 13, height: 15, sites: [at(12, 7, 0), at(6, 1, 1)] };
  assert.equal(quarterTurns(star, 0), 0);
  assert.equal(quarterTurns(star, 1), 2);
});

test('pieces on all sides, none, or no viewer leave the board as it is', () => {
  const around = { width: 8, height: 8, sites: [at(4, 0.5, 0), at(4, 7.5, 0)] };
  assert.equal(quarterTurns(around, 0), 0);
  assert.equal(quarterTurns(square, 7), 0);
  assert.equal(quarterTurns(square, null), 0);
  assert.equal(quarterTurns(null, 0), 0);
});

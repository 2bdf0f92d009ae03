import assert from 'node:assert/strict';
import { test } from 'node:test';

import { optionsOf, playerCounts } from '../rules.js';

test('lists and short ranges are chosen from, the rest is typed', () => {
  assert.deepEqual(optionsOf('draw|mover_wins'), ['draw', 'mover_wins']);
  assert.deepEqual(optionsOf('2..4'), ['2', '3', '4']);
  assert.equal(optionsOf('1..60000'), null);
  assert.equal(optionsOf('a name'), null);
});

test('how many can play is in the rules', () => {
  const players = { name: 'players', values: '2|4' };
  assert.deepEqual(playerCounts({ players: 2, parameters: [players] }), [2, 4]);
  assert.deepEqual(playerCounts({ players: 3, parameters: [] }), [3]);
});

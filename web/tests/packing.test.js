import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pack, unpack } from '../packing.js';

const record = {
  game: 'just4fun',
  rules: { players: '3' },
  seats: ['Ann', '<b>'],
  actions: ['1+2', '7'],
  reason: 'line',
};

test('a record survives the way through an address', async () => {
  const letters = await pack({ ...record, clocks: [1, 2] });
  assert.match(letters, /^[\w-]+$/);
  assert.deepEqual(await unpack(letters), record);
});

test('what is too long for an address is not packed', async () => {
  const actions = Array.from({ length: 9000 }, (_, n) => `${(n * 7919) % 10007}x${(n * 104729) % 9973}`);
  assert.equal(await pack({ game: 'long', actions }), null);
});

test('broken letters are refused', async () => {
  await assert.rejects(unpack('nothing-of-this-kind'));
});

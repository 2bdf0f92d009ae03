import assert from 'node:assert/strict';
import { test } from 'node:test';

import { levelsFor, middleLevel, unusualRules } from '../levels.js';

const game = {
  hidden: true,
  parameters: [{ name: 'players', default: '2' }],
  levels: [
    { name: 'Beginner', agent: 'random', agent_for_any_rules: 'random' },
    { name: 'Easy', agent: 'ismcts:iterations=100', agent_for_any_rules: 'ismcts:iterations=100' },
    { name: 'Strong', agent: 'network:model=some/net', agent_for_any_rules: 'ismcts:iterations=1000' },
  ],
};

test('networks play under the usual rules only', () => {
  assert.equal(levelsFor(game, {}), game.levels);
  assert.equal(levelsFor(game, { players: '2' }), game.levels);
  const agents = levelsFor(game, { players: '3' }).map(({ agent }) => agent);
  assert.deepEqual(agents, ['random', 'ismcts:iterations=100', 'ismcts:iterations=1000']);
});

test('rules are unusual if they differ from the defaults', () => {
  assert.deepEqual(unusualRules(game, undefined), []);
  assert.deepEqual(unusualRules(game, { players: '4' }), game.parameters);
});

test('the middle level is neither the weakest nor the strongest', () => {
  assert.equal(middleLevel(game), 1);
});

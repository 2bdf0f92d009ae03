import assert from 'node:assert/strict';
import { test } from 'node:test';

import { distinct, judgeOf, levelsFor, middleLevel, searchLevel, unusualRules } from '../levels.js';

const game = {
  hidden: true,
  parameters: [
    { name: 'players', default: '2' },
    { name: 'board', default: 'original' },
  ],
  levels: [
    { name: 'Beginner', agent: 'random', elsewhere: [], agent_for_any_rules: 'random' },
    { name: 'Easy', agent: 'ismcts:iterations=100', elsewhere: [], agent_for_any_rules: 'ismcts:iterations=100' },
    {
      name: 'Strong',
      agent: 'network:model=some/net',
      elsewhere: [{ rules: { players: '4' }, agent: 'network:model=some/four' }],
      agent_for_any_rules: 'ismcts:iterations=1000',
    },
  ],
};

test('networks play under the rules that they know only', () => {
  const agents = (rules) => levelsFor(game, rules).map(({ agent }) => agent);
  assert.equal(levelsFor(game, {}), game.levels);
  assert.equal(levelsFor(game, { players: '2' }), game.levels);
  assert.deepEqual(agents({ players: '3' }), ['random', 'ismcts:iterations=100', 'ismcts:iterations=1000']);
  assert.equal(agents({ players: '4' })[2], 'network:model=some/four');
  assert.equal(agents({ players: '4', board: 'original' })[2], 'network:model=some/four');
  assert.equal(agents({ players: '4', board: 'random' })[2], 'ismcts:iterations=1000');
  assert.equal(agents({ board: 'random' })[2], 'ismcts:iterations=1000');
});

test('rules are unusual if they differ from the defaults', () => {
  assert.deepEqual(unusualRules(game, undefined), []);
  assert.deepEqual(unusualRules(game, { players: '4' }), game.parameters.slice(0, 1));
});

/** What judges a whole game where these are the levels. */
const judges = (...agents) => judgeOf(agents.map((agent) => ({ agent })));

test('the strongest who tells values and is quick judges a whole game', () => {
  assert.equal(judges('random', 'mcts:iterations=5000', 'puct:model=a,iterations=200'), 'puct:model=a,iterations=200');
  assert.equal(judges('ismcts:iterations=500', 'ismcts:iterations=10000'), 'ismcts:iterations=10000');
  assert.equal(judges('mcts:iterations=500', 'alphabeta:time=50ms', 'alphabeta:time=300ms'), 'alphabeta:time=50ms');
  assert.equal(judges('network:model=a', 'ispuct:model=a,iterations=3000,determinizations=20'), 'network:model=a');
  assert.equal(judges('random', 'ismcts:iterations=300', 'rules'), 'ismcts:iterations=300');
  assert.equal(judges('ismcts:iterations=200', 'cfr'), 'ismcts:iterations=200');
  assert.equal(judges('alphabeta:time=50ms', 'rules'), 'alphabeta:time=50ms', 'there is nobody else');
  assert.equal(judges('ismcts:iterations=500', 'ispuct:model=a,iterations=100,sure=0.95'), 'ismcts:iterations=500');
  assert.equal(judges('random', 'rules'), 'rules', 'there is nobody else');
});

test('the strongest who keeps a tree explains', () => {
  const explains = (...agents) => searchLevel(agents.map((agent) => ({ agent })));
  assert.equal(explains('random', 'mcts:iterations=500', 'puct:model=a,iterations=200'), 2);
  assert.equal(explains('random', 'ismcts:iterations=300', 'rules'), 1);
  assert.equal(explains('mcts:iterations=50', 'mcts:iterations=500', 'alphabeta:time=50ms'), 1);
  assert.equal(explains('ismcts:iterations=500', 'ispuct:model=a,iterations=100,sure=0.95'), 0);
  assert.equal(explains('random', 'rules'), 1, 'there is nobody else');
});

test('equal names are numbered, others are not', () => {
  assert.deepEqual(distinct(['Easy', 'Strong', 'Easy']), ['Easy 1', 'Strong', 'Easy 2']);
  assert.deepEqual(distinct(['Easy', null, null, 'Medium']), ['Easy', null, null, 'Medium']);
});

test('the middle level is neither the weakest nor the strongest', () => {
  assert.equal(middleLevel(game), 1);
});

// Opponents by strength.

/** Iterations of a search that stands in for a network, from the weakest level to the strongest. */
const ITERATIONS = [50, 300, 1000, 5000, 30_000];

/** A middle level: not so weak that it bores, not so strong that a newcomer has no chance. */
export function middleLevel(game) {
  return Math.floor((game.levels.length - 1) / 2);
}

/** The parameters of the rules that are not the usual ones. */
export function unusualRules(game, rules) {
  return game.parameters.filter(({ name, default: usual }) => (rules?.[name] ?? usual) !== usual);
}

/** The opponents under these rules. Networks know the usual rules only: under others a search stands in for them. */
export function levelsFor(game, rules) {
  if (unusualRules(game, rules).length === 0) return game.levels;
  const search = game.hidden ? 'ismcts' : 'mcts';
  return game.levels.map((level, n) =>
    level.agent.includes('model=') ? { ...level, agent: `${search}:iterations=${ITERATIONS[n]}` } : level,
  );
}

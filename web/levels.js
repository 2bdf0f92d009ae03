// Opponents by strength.

/** A middle level: not so weak that it bores, not so strong that a newcomer has no chance. */
export function middleLevel(game) {
  return Math.floor((game.levels.length - 1) / 2);
}

/** The parameters of the rules that are not the usual ones. */
export function unusualRules(game, rules) {
  return game.parameters.filter(({ name, default: usual }) => (rules?.[name] ?? usual) !== usual);
}

/** The opponents under these rules. */
export function levelsFor(game, rules) {
  if (unusualRules(game, rules).length === 0) return game.levels;
  return game.levels.map((level) => ({ ...level, agent: level.agent_for_any_rules }));
}

// Opponents by strength.

/** A middle level: not so weak that it bores, not so strong that a newcomer has no chance. */
export function middleLevel(game) {
  return Math.floor((game.levels.length - 1) / 2);
}

/** Agents that play what they are sure of at once have looked at nothing else there. */
const looksAtAll = ({ agent }) => !agent.includes('sure=');
/** Agents that tell what actions are worth; scripts and tables of strategies do not. */
const tellsValues = (level) => /iterations=|time=|model=/.test(level.agent) && looksAtAll(level);
const isSlow = ({ agent }) =>
  agent.includes('time=') || (agent.includes('model=') && Number(agent.match(/iterations=(\d+)/)?.[1] ?? 0) >= 3000);

/**
 * The agent that judges all decisions of a game: what a weak one calls a mistake is noise, so the strongest that
 * tells values. If that one takes its time, which adds up over a game, the next one.
 */
export function judgeOf(levels) {
  const judges = levels.filter(tellsValues);
  const strongest = judges.at(-1);
  const judge = strongest && isSlow(strongest) ? (judges.at(-2) ?? strongest) : strongest;
  return (judge ?? levels.at(-1))?.agent ?? '';
}

/** The number of the strongest level that searches, and so has a tree and values to show; else of the strongest. */
export function searchLevel(levels) {
  const found = levels.findLastIndex((level) => level.agent.includes('iterations=') && looksAtAll(level));
  return found === -1 ? levels.length - 1 : found;
}

/** Equal names get numbers, so that people can tell who is who; null is nobody's. */
export function distinct(names) {
  const alike = (name) => names.filter((other) => other === name).length;
  const before = (name, index) => names.slice(0, index).filter((other) => other === name).length;
  return names.map((name, index) => (name !== null && alike(name) > 1 ? `${name} ${before(name, index) + 1}` : name));
}

/** The parameters of the rules that are not the usual ones. */
export function unusualRules(game, rules) {
  return game.parameters.filter(({ name, default: usual }) => (rules?.[name] ?? usual) !== usual);
}

/** The opponents under these rules. */
export function levelsFor(game, rules) {
  const unusual = unusualRules(game, rules).map(({ name }) => name);
  if (unusual.length === 0) return game.levels;
  const isHere = (elsewhere) =>
    Object.keys(elsewhere.rules).length === unusual.length &&
    unusual.every((name) => elsewhere.rules[name] === rules[name]);
  return game.levels.map((level) => ({
    ...level,
    agent: level.elsewhere.find(isHere)?.agent ?? level.agent_for_any_rules,
  }));
}

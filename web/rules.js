// Fields for the parameters of a game's rules.

import { field, h, select } from './dom.js';

/** Ranges with more values than this are typed. */
const MOST_OPTIONS = 12;

/** `element` holds all fields, `fields` each by name, `value()` the parameters that differ from their defaults. */
export function ruleFields(game, given = {}, onchange = () => {}) {
  const controls = game.parameters.map((parameter) => [
    parameter,
    control(parameter, given[parameter.name] ?? parameter.default, onchange),
  ]);
  const fields = new Map(
    controls.map(([{ name, values, meaning }, input]) => [
      name,
      field(label(name), input, optionsOf(values) ? meaning : `${meaning} (${values})`),
    ]),
  );
  return {
    element: h('div', { class: 'rule-fields' }, [...fields.values()]),
    fields,
    value: () =>
      Object.fromEntries(
        controls
          .filter(([parameter, input]) => input.value.trim() !== parameter.default)
          .map(([{ name }, input]) => [name, input.value.trim()]),
      ),
  };
}

function label(name) {
  return name[0].toUpperCase() + name.slice(1).replaceAll('_', ' ');
}

function control({ values }, value, onchange) {
  const options = optionsOf(values);
  if (options === null) return h('input', { value, onchange });
  return select(
    options.map((option) => [option, option]),
    value,
    onchange,
  );
}

/** `draw|mover_wins` and short ranges such as `2..4` are lists to choose from; null for anything else. */
export function optionsOf(values) {
  const [, low, high] = values.match(/^(\d+)\.\.(\d+)$/) ?? [];
  if (low !== undefined && high - low < MOST_OPTIONS)
    return Array.from({ length: high - low + 1 }, (_, n) => String(Number(low) + n));
  return values.includes('|') ? values.split('|') : null;
}

/** All numbers of players that the rules allow. */
export function playerCounts(game) {
  const values = game.parameters.find(({ name }) => name === 'players')?.values;
  return ((values && optionsOf(values)) ?? [game.players]).map(Number);
}

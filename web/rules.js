// Fields for the parameters of a game's rules.

import { field, h, select } from './dom.js';

/** The fields, and the parameters that differ from their defaults. */
export function ruleFields(game, given = {}, onchange = () => {}) {
  const controls = game.parameters.map((parameter) => [
    parameter,
    control(parameter, given[parameter.name] ?? parameter.default, onchange),
  ]);
  return {
    element: h(
      'div',
      { class: 'rule-fields' },
      controls.map(([{ name, values, meaning }, input]) =>
        field(name.replaceAll('_', ' '), input, `${meaning} (${values})`),
      ),
    ),
    value: () =>
      Object.fromEntries(
        controls
          .map(([{ name }, input]) => [name, input.value.trim()])
          .filter(([name, value]) => value !== defaultOf(game, name)),
      ),
  };
}

function defaultOf(game, name) {
  return game.parameters.find((parameter) => parameter.name === name).default;
}

/** `draw|mover_wins` is a list to choose from; anything else is typed. */
function control({ values }, value, onchange) {
  const options = values.split('|');
  if (options.length > 1)
    return select(
      options.map((option) => [option, option]),
      value,
      onchange,
    );
  return h('input', { value, onchange });
}

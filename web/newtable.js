// The dialog that opens a table: who sits where, how strong, which rules.

import { post, seatTokens } from './api.js';
import { button, field, h, replace, select } from './dom.js';
import { drawingOf } from './drawings.js';
import { levelsFor } from './levels.js';
import { ruleFields } from './rules.js';
import { SeatChoices } from './seatchoices.js';
import { texts } from './texts.js';

const NAME = 'meeple-name';

export function personName() {
  return localStorage.getItem(NAME) || texts.newTable.someone;
}

export function askNewTable(game) {
  const name = h('input', {
    value: localStorage.getItem(NAME) ?? '',
    maxlength: 40,
    autocomplete: 'nickname',
    placeholder: texts.newTable.someone,
  });
  const seats = new SeatChoices(game);
  const rules = ruleFields(game, {}, () => countSeats());
  /** Rules may be for more or fewer players. */
  const countSeats = async () => {
    problem.textContent = '';
    try {
      const { scene } = await post('/positions', { game: game.name, rules: rules.value(), actions: [] });
      seats.resize(scene.seats.length);
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const clock = new ClockChoice();
  const problem = h('p', { class: 'problem', role: 'alert' });

  const start = async (event) => {
    event.preventDefault();
    localStorage.setItem(NAME, name.value.trim());
    try {
      const request = {
        game: game.name,
        rules: rules.value(),
        seats: seats.value(name.value.trim() || texts.newTable.someone, levelsFor(game, rules.value())),
        ...clock.value(),
      };
      const { table, tokens } = await post('/tables', request);
      seatTokens.keep(table.id, tokens.find(Boolean));
      dialog.close();
      location.hash = `#/table/${table.id}`;
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const dialog = h(
    'dialog',
    { class: 'new-table', onclose: () => dialog.remove() },
    h(
      'form',
      { onsubmit: start },
      h(
        'div',
        { class: 'dialog-head' },
        drawingOf(game),
        h('div', {}, h('h2', {}, texts.gameName(game.name)), h('p', {}, game.about)),
      ),
      seats.levels,
      h('div', { class: 'field-row' }, rules.fields.get('players'), field(texts.newTable.name, name)),
      seats.element,
      h('details', {}, h('summary', {}, texts.newTable.more), clock.element, rules.element),
      problem,
      h(
        'div',
        { class: 'buttons' },
        h('button', { class: 'primary large', autofocus: true }, texts.newTable.start),
        button(texts.cancel, () => dialog.close(), { class: 'quiet' }),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

class ClockChoice {
  constructor() {
    const number = (value, least) => h('input', { type: 'number', value, min: least, max: 86400, step: 1 });
    this.kind = select(Object.entries(texts.newTable.clocks), 'none', () => this.update());
    [this.perMove, this.seconds, this.increment] = [number(30, 1), number(300, 1), number(5, 0)];
    this.timeout = select(Object.entries(texts.newTable.timeouts), 'random');
    this.details = h('div', { class: 'field-row' });
    this.element = h('div', {}, field(texts.newTable.clock, this.kind), this.details);
  }

  update() {
    const fields = {
      none: [],
      move: [field(texts.newTable.perMove, this.perMove)],
      fischer: [field(texts.newTable.seconds, this.seconds), field(texts.newTable.increment, this.increment)],
    }[this.kind.value];
    replace(this.details, fields, fields.length ? field(texts.newTable.timeout, this.timeout) : null);
  }

  value() {
    const clock = {
      none: { kind: 'none' },
      move: { kind: 'move', seconds: Number(this.perMove.value) },
      fischer: { kind: 'fischer', seconds: Number(this.seconds.value), increment: Number(this.increment.value) },
    }[this.kind.value];
    return { clock, timeout: this.timeout.value };
  }
}

// The dialog that opens a table: who sits where, how strong, which rules.

import { post, seatTokens } from './api.js';
import { button, field, h, replace, select } from './dom.js';
import { drawingOf } from './drawings.js';
import { seatIcon } from './pieces.js';
import { ruleFields } from './rules.js';
import { texts } from './texts.js';

const NAME = 'meeple-name';

export function personName() {
  return localStorage.getItem(NAME) || texts.newTable.someone;
}

/** A middle level: not so weak that it bores, not so strong that a newcomer has no chance. */
export function middleLevel(game) {
  return Math.floor((game.levels.length - 1) / 2);
}

export function askNewTable(game) {
  const name = h('input', {
    value: localStorage.getItem(NAME) ?? '',
    maxlength: 40,
    autocomplete: 'nickname',
    placeholder: texts.newTable.someone,
  });
  const seats = new SeatChoices(game);
  const rules = ruleFields(game);
  const clock = new ClockChoice();
  const problem = h('p', { class: 'problem', role: 'alert' });

  const start = async (event) => {
    event.preventDefault();
    localStorage.setItem(NAME, name.value.trim());
    try {
      const request = {
        game: game.name,
        rules: rules.value(),
        seats: seats.value(name.value.trim()),
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
      field(texts.newTable.name, name),
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

/** One choice of strength for all opponents, and below it one for each seat. */
class SeatChoices {
  constructor(game) {
    this.game = game;
    const level = `level/${middleLevel(game)}`;
    this.kinds = Array.from({ length: game.players }, (_, seat) => (seat === 0 ? 'me' : level));
    this.texts = Array(game.players).fill('');
    this.levels = h(
      'fieldset',
      { class: 'levels' },
      h('legend', {}, texts.newTable.strength),
      game.levels.map(({ name }, n) =>
        h(
          'label',
          {},
          h('input', {
            type: 'radio',
            name: 'level',
            checked: `level/${n}` === level,
            onchange: () => this.setAll(`level/${n}`),
          }),
          h('span', {}, name),
        ),
      ),
    );
    this.element = h('fieldset', { class: 'seat-choices' });
    this.update();
  }

  setAll(kind) {
    this.kinds = this.kinds.map((old) => (old.startsWith('level/') ? kind : old));
    this.update();
  }

  /** The person sits on one seat only: who sat there before takes the other one. */
  set(seat, kind) {
    const mine = this.kinds.indexOf('me');
    if (kind === 'me' && mine >= 0) this.kinds[mine] = this.kinds[seat];
    this.kinds[seat] = kind;
    this.update();
  }

  update() {
    const options = [
      ['me', texts.newTable.me],
      ...this.game.levels.map(({ name }, n) => [`level/${n}`, name]),
      ['open', texts.newTable.open],
      ['agent', texts.newTable.agent],
      ['bot', texts.newTable.bot],
    ];
    replace(
      this.element,
      h('legend', {}, texts.newTable.seats),
      this.kinds.map((kind, seat) =>
        h(
          'div',
          { class: 'seat-choice' },
          seatIcon(seat),
          select(options, kind, ({ target }) => this.set(seat, target.value), {
            'aria-label': texts.newTable.seat(seat + 1),
          }),
          kind === 'agent' || kind === 'bot'
            ? h('input', {
                value: this.texts[seat],
                placeholder: kind === 'agent' ? texts.agentExample : texts.newTable.botName,
                'aria-label': texts.newTable[kind],
                oninput: ({ target }) => {
                  this.texts[seat] = target.value;
                },
              })
            : null,
        ),
      ),
    );
  }

  value(name) {
    return this.kinds.map((kind, seat) => {
      const text = this.texts[seat].trim();
      if (kind === 'me') return { kind: 'person', name: name || texts.newTable.someone };
      if (kind === 'agent') return { kind, agent: text, name: text };
      if (kind === 'bot') return { kind, name: text };
      if (kind === 'open') return { kind };
      const level = this.game.levels[Number(kind.split('/')[1])];
      return { kind: 'agent', agent: level.agent, name: level.name };
    });
  }
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

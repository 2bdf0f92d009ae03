// Who sits where at a new table.

import { h, replace, select } from './dom.js';
import { distinct, middleLevel } from './levels.js';
import { seatIcon } from './pieces.js';
import { texts } from './texts.js';

/** One choice of strength for all opponents, and below it one for each seat. */
export class SeatChoices {
  constructor(game) {
    this.game = game;
    const level = `level/${middleLevel(game)}`;
    this.level = level;
    this.kinds = [];
    this.texts = [];
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
    this.resize(game.players);
  }

  /** New seats have opponents of the chosen strength; the person keeps a seat. */
  resize(count) {
    const missing = Math.max(0, count - this.kinds.length);
    const sat = this.kinds.includes('me');
    this.kinds = [...this.kinds.slice(0, count), ...Array(missing).fill(this.level)];
    this.texts = [...this.texts.slice(0, count), ...Array(missing).fill('')];
    if (missing === count || (sat && !this.kinds.includes('me'))) this.kinds[0] = 'me';
    this.update();
  }

  setAll(kind) {
    this.level = kind;
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

  /** As the server wants them; `name` is the person's, `levels` are those of the rules. */
  value(name, levels) {
    const levelOf = (kind) => (kind.startsWith('level/') ? levels[Number(kind.split('/')[1])] : null);
    const names = distinct(this.kinds.map((kind) => levelOf(kind)?.name ?? null));
    return this.kinds.map((kind, seat) => {
      const text = this.texts[seat].trim();
      if (kind === 'me') return { kind: 'person', name };
      if (kind === 'agent') return { kind, agent: text, name: text };
      if (kind === 'bot') return { kind, name: text };
      if (kind === 'open') return { kind };
      return { kind: 'agent', agent: levelOf(kind).agent, name: names[seat] };
    });
  }
}

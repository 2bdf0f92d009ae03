// Actions as text: all that are legal, with a filter, and those that were played.

import { button, h, replace } from './dom.js';
import { seatIcon } from './pieces.js';
import { texts } from './texts.js';

/** More are found with the filter. */
const MOST_SHOWN = 200;

export class ActionList {
  constructor(choose) {
    this.choose = choose;
    this.choices = [];
    this.filter = h('input', {
      type: 'search',
      placeholder: texts.lists.filter,
      'aria-label': texts.lists.filter,
      oninput: () => this.update(),
    });
    this.summary = h('summary', {}, texts.lists.all(0));
    this.body = h('ul', { class: 'action-list' });
    this.element = h(
      'details',
      { class: 'panel', ontoggle: () => this.update() },
      this.summary,
      this.filter,
      this.body,
    );
  }

  show(choices) {
    this.choices = choices;
    this.summary.textContent = texts.lists.all(choices.length);
    this.update();
  }

  update() {
    if (!this.element.open) return;
    const wanted = this.filter.value.trim().toLowerCase();
    const found = this.choices.filter(({ action, label }) => `${action} ${label ?? ''}`.toLowerCase().includes(wanted));
    replace(
      this.body,
      found.slice(0, MOST_SHOWN).map(({ action, label }) =>
        h(
          'li',
          {},
          button(label ?? action, () => this.choose(action), { title: label ? action : null }),
        ),
      ),
      found.length > MOST_SHOWN ? h('li', { class: 'quiet-text' }, texts.lists.more(found.length - MOST_SHOWN)) : null,
    );
  }
}

/** Each line with the number of its move among those that are seen; what chance does is no move. */
export function numbered(log) {
  let moves = 0;
  return log.map((line) => ({ ...line, move: line.seat === null ? null : (moves += 1) }));
}

export class ActionLog {
  constructor() {
    this.body = h('ol', { class: 'action-log' });
    this.element = h('details', { class: 'panel', open: true }, h('summary', {}, texts.lists.log), this.body);
  }

  /** The newest first, so that it is seen without scrolling. */
  show(log, names) {
    replace(
      this.body,
      numbered(log)
        .toReversed()
        .map(({ move, seat, action, label }) =>
          h(
            'li',
            {},
            h('span', { class: 'log-number' }, move === null ? '' : String(move)),
            seat === null
              ? h('span', { class: 'quiet-text' }, texts.lists.chance)
              : [seatIcon(seat), h('span', { class: 'log-name' }, names[seat])],
            h('span', { class: 'log-action', title: label ? action : null }, label ?? action),
          ),
        ),
    );
  }
}

// The archive of finished games.

import { games, get } from './api.js';
import { button, field, h, replace, select } from './dom.js';
import { seatIcon } from './pieces.js';
import { StatusLine } from './status.js';
import { texts } from './texts.js';

const PAGE = 50;

export async function open(host) {
  const catalogue = await games();
  const status = new StatusLine();
  const list = h('ul', { class: 'rows' });
  const more = button(texts.games.more, () => load(), { hidden: true });
  let last = null;
  const load = () =>
    status.watch(async () => {
      const query = new URLSearchParams({ limit: PAGE });
      if (choice.value) query.set('game', choice.value);
      if (last !== null) query.set('before', last);
      const { records } = await get(`/records?${query}`);
      list.append(...records.map(recordRow));
      last = records.at(-1)?.id ?? last;
      more.hidden = records.length < PAGE;
      if (list.childElementCount === 0) list.append(h('li', { class: 'quiet-text' }, texts.games.none));
    });
  const choice = select(
    [['', texts.games.all], ...catalogue.map(({ name }) => [name, texts.gameName(name)])],
    '',
    () => {
      last = null;
      replace(list);
      load();
    },
  );
  replace(
    host,
    h('h1', {}, texts.games.title),
    h(
      'div',
      { class: 'field-row' },
      field(texts.setup.game, choice),
      h('a', { class: 'button', href: '#/review' }, texts.games.fromFile),
    ),
    status.element,
    list,
    more,
  );
  await load();
}

function recordRow({ id, game, seats, result, length, added }) {
  return h(
    'li',
    { class: 'row' },
    h(
      'div',
      { class: 'row-main' },
      h('strong', {}, texts.gameName(game)),
      h(
        'span',
        { class: 'row-seats' },
        seats.map((name, seat) => h('span', { class: 'row-seat' }, seatIcon(seat), name)),
      ),
      h(
        'span',
        { class: 'quiet-text' },
        [result, texts.home.moves(length), texts.date(added)].filter(Boolean).join(' · '),
      ),
    ),
    h('a', { class: 'button', href: `#/review?record=${encodeURIComponent(id)}` }, texts.games.review),
  );
}

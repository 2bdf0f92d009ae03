// All games to choose from, and the tables where something is going on.

import { games, get, post, seatTokens } from './api.js';
import { button, h, replace } from './dom.js';
import { drawingOf } from './drawings.js';
import { askNewTable, personName } from './newtable.js';
import { seatIcon } from './pieces.js';
import { repeat } from './repeat.js';
import { playerCounts } from './rules.js';
import { StatusLine } from './status.js';
import { texts } from './texts.js';

const REFRESH = 5000;
/** More tables are shown on request. */
const MOST_TABLES = 8;

export async function open(host, _, signal) {
  const tables = h('section');
  const status = new StatusLine();
  const catalogue = await games();
  replace(
    host,
    h('div', { class: 'intro' }, h('h1', {}, texts.home.title), h('p', {}, texts.home.lead)),
    h(
      'ul',
      { class: 'game-cards' },
      catalogue.map((game) => h('li', {}, gameCard(game))),
    ),
    status.element,
    tables,
  );
  const refresh = () => status.watch(async () => showTables(tables, (await get('/tables')).tables, status));
  await refresh();
  repeat(refresh, REFRESH, signal);
}

function gameCard(game) {
  return h(
    'button',
    { type: 'button', class: 'game-card', onclick: () => askNewTable(game) },
    drawingOf(game),
    h('span', { class: 'game-name' }, texts.gameName(game.name)),
    h('span', { class: 'game-about' }, game.about),
    h(
      'span',
      { class: 'game-tags' },
      texts.home.players(playerCounts(game)),
      game.hidden ? ` · ${texts.home.hidden}` : '',
    ),
  );
}

function showTables(section, tables, status) {
  const rows = inOrder(tables).map((table) => tableRow(table, status));
  const rest = rows.slice(MOST_TABLES);
  const isOpen = section.querySelector('details')?.open ?? false;
  if (rows.length === 0) replace(section);
  else
    replace(
      section,
      h('h2', {}, texts.home.tables),
      h('ul', { class: 'rows' }, rows.slice(0, MOST_TABLES)),
      rest.length
        ? h(
            'details',
            { class: 'more-tables', open: isOpen },
            h('summary', {}, texts.lists.more(rest.length)),
            h('ul', { class: 'rows' }, rest),
          )
        : null,
    );
}

const hasOpenSeat = ({ seats }) => seats.some(({ kind }) => kind === 'open');

/** One's own tables first, then those that wait for somebody; the newest first among equals. */
function inOrder(tables) {
  const rank = (table) => (seatTokens.of(table.id) ? 0 : hasOpenSeat(table) ? 1 : 2);
  return tables.toSorted((a, b) => rank(a) - rank(b));
}

function tableRow(table, status) {
  const mine = seatTokens.of(table.id);
  const openSeat = table.seats.findIndex(({ kind }) => kind === 'open');
  const goThere = h('a', { class: 'button', href: `#/table/${table.id}` }, mine ? texts.home.goBack : texts.home.watch);
  return h(
    'li',
    { class: 'row' },
    h(
      'div',
      { class: 'row-main' },
      h('strong', {}, texts.gameName(table.game)),
      h(
        'span',
        { class: 'row-seats' },
        table.seats.map((seat, n) => h('span', { class: 'row-seat' }, seatIcon(n), seat.name || texts.table.openSeat)),
      ),
      h(
        'span',
        { class: 'quiet-text' },
        texts.status[table.status] ?? table.status,
        ' · ',
        texts.home.moves(table.moves),
      ),
    ),
    h(
      'div',
      { class: 'buttons' },
      openSeat >= 0 && !mine
        ? button(texts.home.join, () => status.watch(() => join(table.id, openSeat)), { class: 'primary' })
        : null,
      goThere,
    ),
  );
}

async function join(table, seat) {
  const { token } = await post(`/tables/${table}/seats/${seat}`, { name: personName() });
  seatTokens.keep(table, token);
  location.hash = `#/table/${table}`;
}

// Competitions: agents and bots that play each other many times.

import { gameNamed, games, get, post } from './api.js';
import { intervalBar } from './charts.js';
import { button, field, h, replace, select } from './dom.js';
import { ruleFields } from './rules.js';
import { repeat } from './repeat.js';
import { StatusLine } from './status.js';
import { texts } from './texts.js';

const REFRESH = 5000;
/** As many as the server takes; of more than there are seats for, some meet at a time. */
const MOST_PLAYERS = 12;

export async function open(host, { id }, signal) {
  const status = new StatusLine();
  const content = h('div', { class: 'stack' });
  replace(host, h('h1', {}, texts.competitions.title), status.element, content);
  const refresh = () => status.watch(() => (id === null ? showAll(content) : showOne(content, id)));
  await refresh();
  if (id === null) host.append(await newCompetition());
  repeat(refresh, REFRESH, signal);
}

async function showAll(content) {
  const { competitions } = await get('/competitions');
  replace(
    content,
    competitions.length
      ? h('ul', { class: 'rows' }, competitions.map(competitionRow))
      : h('p', { class: 'quiet-text' }, texts.competitions.none),
  );
}

function competitionRow({ id, game, status, games: planned, done, players }) {
  return h(
    'li',
    { class: 'row' },
    h(
      'div',
      { class: 'row-main' },
      h('strong', {}, texts.gameName(game)),
      h('span', {}, players.map(({ name }) => name).join(', ')),
      h(
        'span',
        { class: 'quiet-text' },
        texts.status[status] ?? status,
        ' · ',
        texts.competitions.progress(done, planned),
      ),
    ),
    h('a', { class: 'button', href: `#/competitions/${encodeURIComponent(id)}` }, texts.competitions.standings),
  );
}

async function showOne(content, id) {
  const { competition } = await get(`/competitions/${encodeURIComponent(id)}`);
  const columns = texts.competitions.columns;
  const byRate = [...competition.players].sort((a, b) => b.win_rate - a.win_rate);
  replace(
    content,
    h('p', {}, h('a', { href: '#/competitions' }, texts.competitions.back)),
    h('h2', {}, texts.gameName(competition.game)),
    h(
      'p',
      { class: 'quiet-text' },
      texts.status[competition.status] ?? competition.status,
      ' · ',
      texts.competitions.progress(competition.done, competition.games),
    ),
    h('progress', {
      max: competition.games,
      value: competition.done,
      'aria-label': texts.competitions.progress(competition.done, competition.games),
    }),
    h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        { class: 'standings' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            columns.map((column, n) => h('th', { scope: 'col', class: n > 0 && n < 5 ? 'number' : '' }, column)),
          ),
        ),
        h(
          'tbody',
          {},
          byRate.map((player) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, player.name),
              [player.wins, player.draws, player.losses].map((count) => h('td', { class: 'number' }, String(count))),
              h('td', { class: 'number' }, `${(player.win_rate * 100).toFixed(1)} %`),
              h('td', { class: 'interval-cell' }, player.interval ? intervalBar(player.win_rate, player.interval) : ''),
            ),
          ),
        ),
      ),
    ),
    competition.tables?.length
      ? [
          h('h2', {}, texts.competitions.tables),
          h(
            'ul',
            { class: 'chips' },
            competition.tables.map((table) => h('li', {}, h('a', { href: `#/table/${table}` }, table))),
          ),
        ]
      : null,
  );
}

async function newCompetition() {
  const status = new StatusLine();
  const catalogue = await games();
  const players = [];
  const list = h('div', { class: 'competitors' });
  const rules = h('div');
  let ruleValues = () => ({});
  const count = h('input', { type: 'number', min: 1, max: 10000, value: 20 });
  const seed = h('input', { type: 'number', min: 0, value: 1 });
  const game = select(
    catalogue.map(({ name }) => [name, texts.gameName(name)]),
    catalogue[0].name,
    () => choose(),
  );

  const drawPlayers = () =>
    replace(
      list,
      players.map((player, n) =>
        h(
          'div',
          { class: 'seat-choice' },
          select(
            Object.entries(texts.competitions.kinds),
            player.kind,
            ({ target }) => {
              player.kind = target.value;
            },
            { 'aria-label': texts.competitions.kind },
          ),
          h('input', {
            value: player.text,
            spellcheck: 'false',
            placeholder: texts.agentExample,
            'aria-label': texts.competitions.player(n + 1),
            oninput: ({ target }) => {
              player.text = target.value;
            },
          }),
          button(
            '×',
            () => {
              players.splice(n, 1);
              drawPlayers();
            },
            { class: 'quiet', 'aria-label': texts.competitions.remove(n + 1) },
          ),
        ),
      ),
      button(
        texts.competitions.add,
        () => {
          players.push({ kind: 'agent', text: '' });
          drawPlayers();
        },
        { class: 'quiet', hidden: players.length >= MOST_PLAYERS },
      ),
    );
  const choose = async () => {
    const chosen = await gameNamed(game.value);
    players.splice(
      0,
      players.length,
      ...chosen.levels.slice(0, 2).map(({ agent }) => ({ kind: 'agent', text: agent })),
    );
    const fields = ruleFields(chosen);
    ruleValues = fields.value;
    replace(
      rules,
      chosen.parameters.length ? h('details', {}, h('summary', {}, texts.setup.rules), fields.element) : null,
    );
    drawPlayers();
  };
  await choose();

  const create = (event) => {
    event.preventDefault();
    return status.watch(async () => {
      const { competition } = await post('/competitions', {
        game: game.value,
        rules: ruleValues(),
        games: Number(count.value),
        seed: Number(seed.value),
        players: players.filter(({ text }) => text.trim()).map(({ kind, text }) => ({ [kind]: text.trim() })),
        clock: { kind: 'none' },
      });
      location.hash = `#/competitions/${encodeURIComponent(competition.id)}`;
    });
  };
  return h(
    'form',
    { class: 'panel stack new-competition', onsubmit: create },
    h('h2', {}, texts.competitions.create),
    field(texts.setup.game, game),
    h('fieldset', {}, h('legend', {}, texts.competitions.players), list),
    h('div', { class: 'field-row' }, field(texts.competitions.games, count), field(texts.competitions.seed, seed)),
    rules,
    status.element,
    h('div', { class: 'buttons' }, h('button', { class: 'primary' }, texts.competitions.start)),
  );
}

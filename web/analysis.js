// Asking an agent about a position, and all that it says: bars, statistics, search tree, beliefs.

import { postPatiently } from './api.js';
import { faceText } from './cards.js';
import { faceName } from './changes.js';
import { button, field, h, replace, select } from './dom.js';
import { levelsFor, searchLevel } from './levels.js';
import { seatClass, seatIcon } from './pieces.js';
import { texts } from './texts.js';
import { drawTree } from './tree.js';

const TREE = { depth: 5, visits: 2 };
/** Worlds sampled for beliefs about hidden cards. */
const WORLDS = 200;
const MOST_ACTIONS = 12;

export const number = (value, digits = 2) => (value === null || value === undefined ? '–' : value.toFixed(digits));

export class AnalysisPanel {
  /**
   * `game`, `label` of the button, `names()` of the seats, `rules()` and `position()` to analyse or null,
   * `words(action)` for what is best, `onResult(analysis)`. The strongest that searches is asked unless another is
   * chosen.
   */
  constructor({ game, label, names, rules, position, words = (action) => action, onResult = () => {} }) {
    Object.assign(this, { game, names, rules, position, words, onResult });
    this.agent = h('input', {
      spellcheck: 'false',
      'aria-label': texts.analysis.agent,
    });
    this.level = select(
      [...game.levels.map(({ name }, n) => [String(n), name]), ['', texts.analysis.other]],
      String(searchLevel(levelsFor(game, rules()))),
      () => this.useLevel(),
      { 'aria-label': texts.analysis.level },
    );
    this.agent.addEventListener('input', () => {
      this.level.value = '';
    });
    this.useLevel();
    this.runButton = button(label, () => this.run(), { class: 'primary' });
    this.result = h('div', { class: 'analysis-result', 'aria-live': 'polite' });
    this.element = h(
      'section',
      { class: 'panel analysis', 'aria-label': texts.analysis.title },
      h(
        'div',
        { class: 'analysis-controls' },
        this.runButton,
        h('span', { class: 'quiet-text' }, texts.analysis.by),
        this.level,
      ),
      h(
        'details',
        { class: 'agent-text' },
        h('summary', {}, texts.analysis.settings),
        field(texts.analysis.agent, this.agent),
      ),
      this.result,
    );
  }

  useLevel() {
    if (this.level.value !== '') this.agent.value = levelsFor(this.game, this.rules())[Number(this.level.value)].agent;
  }

  enable(possible) {
    this.runButton.disabled = !possible;
  }

  /** Another position: what was said is no longer true. */
  reset() {
    this.asked = null;
    replace(this.result);
  }

  async run() {
    const position = this.position();
    if (!position) return;
    this.useLevel();
    const asked = {};
    this.asked = asked;
    replace(this.result, h('p', { class: 'thinking' }, texts.analysis.thinking));
    try {
      const analysis = await postPatiently('/analysis', {
        ...position,
        agent: this.agent.value.trim(),
        tree: TREE,
        beliefs: this.game.hidden ? WORLDS : undefined,
      });
      if (this.asked !== asked) return;
      this.show(analysis);
      this.onResult(analysis);
    } catch (error) {
      if (this.asked === asked) replace(this.result, h('p', { class: 'problem' }, error.message));
    }
  }

  show(analysis) {
    const names = this.names();
    replace(
      this.result,
      h(
        'p',
        { class: 'best' },
        texts.analysis.best,
        ' ',
        h('strong', {}, this.words(analysis.action)),
        h('span', { class: 'quiet-text' }, ` ${texts.analysis.effort(analysis)}`),
      ),
      analysis.payoffs ? evaluationBars(analysis.payoffs, names) : null,
      h(
        'details',
        {
          class: 'why',
          open: this.whyOpen ?? false,
          ontoggle: ({ target }) => {
            this.whyOpen = target.open;
          },
        },
        h('summary', {}, texts.analysis.why),
        analysis.principal?.length
          ? h('p', {}, texts.analysis.line, ' ', h('span', { class: 'principal' }, analysis.principal.join(' ')))
          : null,
        statisticsTable(analysis),
        analysis.tree?.nodes?.length > 1
          ? [h('h3', {}, texts.analysis.tree), drawTree(analysis.tree.nodes)]
          : h('p', { class: 'quiet-text' }, texts.analysis.noTree),
        analysis.beliefs?.length ? [h('h3', {}, texts.analysis.beliefs), beliefTable(analysis.beliefs, names)] : null,
      ),
    );
  }
}

/** One bar for each seat, from its worst to its best payoff. */
export function evaluationBars(payoffs, names) {
  const scale = Math.max(1, ...payoffs.map(Math.abs));
  return h(
    'div',
    { class: 'evaluation' },
    payoffs.map((payoff, seat) => {
      const fill = h('span', { class: 'evaluation-fill' });
      const share = (payoff / scale) * 50;
      fill.style.left = `${Math.min(50, 50 + share)}%`;
      fill.style.width = `${Math.abs(share)}%`;
      return h(
        'div',
        { class: `evaluation-row ${seatClass(seat)}` },
        h('span', { class: 'evaluation-name' }, seatIcon(seat), names[seat]),
        h('span', { class: 'evaluation-track' }, fill),
        h('span', { class: 'number' }, `${payoff > 0 ? '+' : ''}${number(payoff)}`),
      );
    }),
  );
}

/** Columns that no action has anything for are left out. */
function statisticsTable({ actions }) {
  const most = Math.max(1, ...actions.map(({ visits }) => visits));
  const columns = [
    ['action', ({ action }) => action],
    ['visits', ({ visits }) => [meter(visits / most), String(visits)]],
    ['value', ({ value }) => number(value, 3)],
    ['prior', ({ prior }) => number(prior, 3)],
    ['availability', ({ availability }) => String(availability)],
    ['proven', ({ proven }) => (proven ? proven.map((payoff) => number(payoff, 1)).join(' / ') : '')],
  ].filter(([name]) => actions.some((action) => action[name] !== null && action[name] !== undefined));
  const rows = actions.map((action) =>
    h(
      'tr',
      {},
      columns.map(([name, cell]) => h('td', { class: name === 'action' ? '' : 'number' }, cell(action))),
    ),
  );
  const hidden = rows.slice(MOST_ACTIONS);
  hidden.forEach((row) => {
    row.hidden = true;
  });
  const table = h(
    'div',
    { class: 'scroll' },
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          columns.map(([name]) =>
            h(
              'th',
              { scope: 'col', title: texts.analysis.meaning[name], class: name === 'action' ? '' : 'number' },
              texts.analysis.columns[name],
            ),
          ),
        ),
      ),
      h('tbody', {}, rows),
    ),
  );
  if (hidden.length === 0) return table;
  return [
    table,
    button(
      texts.lists.more(hidden.length),
      ({ target }) => {
        hidden.forEach((row) => {
          row.hidden = false;
        });
        target.remove();
      },
      { class: 'quiet' },
    ),
  ];
}

function meter(share) {
  const fill = h('span', { class: 'meter-fill' });
  fill.style.width = `${Math.round(share * 100)}%`;
  return h('span', { class: 'meter', 'aria-hidden': 'true' }, fill);
}

/** A hand is called as who holds it. */
export function areaName(area, names) {
  const [, seat] = area.match(/^hand-(\d+)$/) ?? [];
  return names[seat] ?? area;
}

/** A row for each card, a column for each place where it may be. */
function beliefTable(beliefs, names) {
  const areas = [...new Set(beliefs.map(({ area }) => area))];
  const faces = new Map(beliefs.map(({ face }) => [faceName(face), face]));
  const count = new Map(beliefs.map((belief) => [`${faceName(belief.face)}@${belief.area}`, belief.count]));
  return h(
    'div',
    { class: 'scroll' },
    h(
      'table',
      { class: 'beliefs' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, texts.analysis.card),
          areas.map((area) => h('th', { scope: 'col', class: 'number' }, areaName(area, names))),
        ),
      ),
      h(
        'tbody',
        {},
        [...faces].map(([name, face]) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, faceText(face)),
            areas.map((area) => {
              const expected = count.get(`${name}@${area}`) ?? 0;
              return h('td', { class: 'number' }, meter(Math.min(1, expected)), number(expected));
            }),
          ),
        ),
      ),
    ),
  );
}

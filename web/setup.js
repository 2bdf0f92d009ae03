// A position or a view written by hand, drawn while one types, and analysed by any agent.

import { games, post } from './api.js';
import { AnalysisPanel } from './analysis.js';
import { field, h, replace, select } from './dom.js';
import { ruleFields } from './rules.js';
import { SceneView } from './scene.js';
import { StatusLine } from './status.js';
import { texts } from './texts.js';

/** Milliseconds without typing before the preview follows. */
const REST = 350;

export async function open(host, { id, query }) {
  const catalogue = await games();
  const game = catalogue.find(({ name }) => name === id) ?? catalogue[0];
  const choice = select(
    catalogue.map(({ name }) => [name, texts.gameName(name)]),
    game.name,
    ({ target }) => {
      location.hash = `#/setup/${target.value}`;
    },
  );
  const setup = new Setup(game, query);
  replace(
    host,
    h('h1', {}, texts.setup.title),
    h('p', {}, texts.setup.lead),
    h(
      'div',
      { class: 'table-layout' },
      h('div', { class: 'table-main' }, setup.status.element, setup.view.element),
      h('aside', { class: 'table-side' }, field(texts.setup.game, choice), setup.controls, setup.analysis.element),
    ),
  );
  if (setup.text.value) await setup.preview();
  else await setup.fill();
}

class Setup {
  constructor(game, query) {
    this.game = game;
    this.view = new SceneView();
    this.status = new StatusLine();
    this.names = Array.from({ length: game.players }, (_, seat) => texts.newTable.seat(seat + 1));
    this.rules = ruleFields(game, JSON.parse(query.get('rules') ?? '{}'), () => this.fill());
    this.kind = select(Object.entries(texts.setup.kinds), query.has('view') ? 'view' : 'position', () => this.fill());
    this.text = h('textarea', {
      rows: 5,
      spellcheck: 'false',
      value: query.get('view') ?? query.get('position') ?? '',
      oninput: () => this.typed(),
    });
    this.analysis = new AnalysisPanel({
      game,
      label: texts.analysis.run,
      names: () => this.names,
      position: () => this.position(),
    });
    this.controls = h(
      'div',
      { class: 'panel stack' },
      field(texts.setup.kind, this.kind),
      field(texts.setup.text, this.text, game.notation),
      game.parameters.length ? h('details', {}, h('summary', {}, texts.setup.rules), this.rules.element) : null,
    );
  }

  base() {
    return { game: this.game.name, rules: this.rules.value() };
  }

  position() {
    return { ...this.base(), [this.kind.value]: this.text.value.trim() };
  }

  /** The start of the game, as all see it or as the first seat does. */
  async fill() {
    const viewer = this.kind.value === 'view' ? 0 : 'all';
    const start = await this.status.watch(() => post('/positions', { ...this.base(), actions: [], viewer }));
    if (!start) return;
    this.text.value = start.text ?? '';
    this.show(start);
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.preview(), REST);
  }

  async preview() {
    const asked = this.text.value;
    const position = await this.status.watch(() =>
      post('/positions', { ...this.position(), viewer: this.kind.value === 'view' ? undefined : 'all' }),
    );
    if (position && asked === this.text.value) this.show(position);
  }

  show(position) {
    const turn = typeof position.turn === 'number' ? position.turn : null;
    this.view.show({
      scene: position.scene,
      render: position.render,
      viewer: null,
      turn,
      flip: false,
      seats: this.names.map((name) => ({ name })),
    });
    this.analysis.reset();
    this.analysis.enable(turn !== null);
  }
}

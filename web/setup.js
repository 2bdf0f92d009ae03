// A position or a view, written by hand or reached by playing moves, drawn at once and analysed by any agent.

import { games, post } from './api.js';
import { AnalysisPanel } from './analysis.js';
import { button, field, h, prose, replace, select } from './dom.js';
import { Picker } from './picker.js';
import { ruleFields } from './rules.js';
import { SceneView } from './scene.js';
import { StatusLine } from './status.js';
import { texts } from './texts.js';

/** Milliseconds without typing before the preview follows. */
const REST = 350;
/** The viewer that changes with every move. */
const MOVER = 'mover';

/** The first seat where chance is next or nobody. */
const moverOf = ({ turn }) => (typeof turn === 'number' ? turn : 0);

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
    h(
      'div',
      { class: 'table-head' },
      h('div', {}, h('h1', {}, texts.setup.title), h('p', { class: 'quiet-text' }, texts.setup.lead)),
    ),
    h(
      'div',
      { class: 'table-layout' },
      h('div', { class: 'table-main' }, setup.status.element, setup.view.element, setup.picker.element, setup.moves),
      h('aside', { class: 'table-side' }, field(texts.setup.game, choice), setup.controls, setup.analysis.element),
    ),
  );
  if (setup.text.value) await setup.preview();
  else await setup.restart();
}

class Setup {
  constructor(game, query) {
    this.game = game;
    this.names = [];
    /** The moves from the start that lead to what is shown; null if it was written. */
    this.actions = null;
    this.view = new SceneView();
    this.picker = new Picker(this.view, (action) => this.play([...this.actions, action]));
    this.status = new StatusLine();
    this.rules = ruleFields(game, JSON.parse(query.get('rules') ?? '{}'), () => this.restart());
    this.kind = select(Object.entries(texts.setup.kinds), query.has('view') ? 'view' : 'position', () =>
      this.restart(),
    );
    this.viewer = select([[MOVER, texts.setup.mover]], MOVER, () => this.play(this.actions ?? []));
    this.viewerField = field(texts.setup.viewer, this.viewer);
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
      rules: () => this.rules.value(),
      position: () => this.position(),
    });
    this.nothing = h('p', { class: 'quiet-text', hidden: true }, texts.setup.nobody);
    this.controls = h(
      'div',
      { class: 'panel stack' },
      field(texts.setup.kind, this.kind),
      this.viewerField,
      field(texts.setup.text, this.text, game.notation ? prose(game.notation) : null),
      game.parameters.length ? h('details', {}, h('summary', {}, texts.setup.rules), this.rules.element) : null,
      this.nothing,
    );
    this.moves = this.moveControls();
  }

  /** Taking moves back, and writing those that cannot be clicked, such as what chance does. */
  moveControls() {
    this.move = h('input', { spellcheck: 'false', placeholder: texts.setup.move, 'aria-label': texts.setup.move });
    this.back = button(texts.setup.back, () => this.play(this.actions.slice(0, -1)));
    const add = (event) => {
      event.preventDefault();
      this.play([...this.actions, this.move.value.trim()]);
    };
    return h(
      'form',
      { class: 'setup-moves', onsubmit: add },
      this.back,
      this.move,
      h('button', {}, texts.setup.add),
      button(texts.setup.restart, () => this.restart(), { class: 'quiet' }),
    );
  }

  base() {
    return { game: this.game.name, rules: this.rules.value() };
  }

  position() {
    return { ...this.base(), [this.kind.value]: this.text.value.trim() };
  }

  restart() {
    return this.play([]);
  }

  /** The position after these moves, as all see it or as one player does. */
  async play(actions) {
    const look = (viewer) => post('/positions', { ...this.base(), actions, viewer });
    const position = await this.status.watch(async () => {
      if (this.kind.value !== 'view') return look('all');
      return look(this.viewer.value === MOVER ? moverOf(await look(null)) : Number(this.viewer.value));
    });
    if (!position) return;
    this.actions = actions;
    this.text.value = position.text ?? '';
    this.move.value = '';
    this.show(position);
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
    if (!position || asked !== this.text.value) return;
    this.actions = null;
    this.show(position);
  }

  show(position) {
    const turn = typeof position.turn === 'number' ? position.turn : null;
    this.names = position.scene.seats.map((_, seat) => texts.newTable.seat(seat + 1));
    this.offerViewers();
    this.view.show({
      scene: position.scene,
      render: position.render,
      viewer: null,
      turn,
      turns: 0,
      seats: this.names.map((name) => ({ name })),
    });
    const canPlay = this.actions !== null && !position.over;
    this.picker.offer(canPlay ? position.choices : [], canPlay ? this.waitingFor(turn) : '');
    this.moves.classList.toggle('written', this.actions === null);
    this.back.disabled = !this.actions?.length;
    // Only who is to move can be asked what to do.
    const canAnalyse = turn !== null && (this.actions === null || position.choices.length > 0);
    this.nothing.hidden = turn !== null;
    this.analysis.reset();
    this.analysis.enable(canAnalyse);
  }

  /** Why nothing can be clicked, if nothing can. */
  waitingFor(turn) {
    return turn === null ? texts.setup.chance : texts.setup.otherMove(this.names[turn]);
  }

  /** A view that was written says itself whose it is. */
  offerViewers() {
    const { value } = this.viewer;
    const viewers = [[MOVER, texts.setup.mover], ...this.names.map((name, seat) => [String(seat), name])];
    replace(
      this.viewer,
      viewers.map(([key, text]) => h('option', { value: key }, text)),
    );
    this.viewer.value = viewers.some(([key]) => key === value) ? value : MOVER;
    this.viewerField.hidden = this.kind.value !== 'view' || this.actions === null;
  }
}

// A table: the scene as its viewer sees it, choosing an action, clocks, help, and the end.

import { gameNamed, get, post, seatTokens } from './api.js';
import { AnalysisPanel } from './analysis.js';
import { Clocks } from './clocks.js';
import { button, download, h, replace } from './dom.js';
import { unusualRules } from './levels.js';
import { copyLink } from './link.js';
import { ActionList, ActionLog } from './lists.js';
import { personName } from './newtable.js';
import { quarterTurns } from './orientation.js';
import { Picker } from './picker.js';
import { SceneView } from './scene.js';
import { StatusLine } from './status.js';
import { TableStream } from './stream.js';
import { texts } from './texts.js';

/** Milliseconds that a state is seen before the next one, so that people can follow fast opponents. */
const PACE = 550;
/** With more states waiting than this, none is waited for. */
const MOST_WAITING = 12;
const FLIP = 'meeple-flip-';

/** Whether the viewer's own time passes: then nothing may keep the viewer waiting. */
function clockRuns({ seat, turn, clocks, table }) {
  return seat !== null && seat === turn && table.status === 'playing' && Number.isFinite(clocks?.[seat]?.left);
}

/** Points, unless they only say who won. */
function scoresOf({ scores }) {
  return scores?.some((score) => Math.abs(score) > 1) ? texts.table.scores(scores) : null;
}

export async function open(host, { id }, signal) {
  const info = await get(`/tables/${encodeURIComponent(id)}`);
  const game = await gameNamed(info.game);
  const start = await post('/positions', { game: info.game, rules: info.rules, actions: [] });
  new Table(host, id, game, start.scene.board, signal).start();
}

class Table {
  /** `board` as it is when the game begins says which way round it lies. */
  constructor(host, id, game, board, signal) {
    Object.assign(this, { id, game, board, signal, state: null, waiting: [], paceTimer: null });
    this.view = new SceneView();
    this.picker = new Picker(this.view, (action) => this.act(action));
    this.clocks = new Clocks(signal);
    this.status = new StatusLine();
    this.list = new ActionList((action) => this.picker.act(action));
    this.log = new ActionLog();
    this.analysis = new AnalysisPanel({
      game,
      label: texts.table.hint,
      names: () => this.names(),
      rules: () => this.state?.table.rules,
      position: () => this.position(),
      words: (action) => this.state.choices?.find((choice) => choice.action === action)?.label ?? action,
      onResult: ({ action }) => this.picker.hint(action),
    });
    this.heading = h('div', { class: 'table-head' });
    this.banner = h('div', { class: 'banner', hidden: true });
    replace(
      host,
      this.heading,
      this.status.element,
      this.banner,
      h(
        'div',
        { class: 'table-layout' },
        h('div', { class: 'table-main' }, this.view.element, this.picker.element),
        h('aside', { class: 'table-side' }, this.analysis.element, this.list.element, this.log.element),
      ),
    );
    document.addEventListener('keydown', (event) => event.key === 'Escape' && this.picker.undo(), { signal });
  }

  start() {
    this.stream = new TableStream(
      this.id,
      seatTokens.of(this.id),
      {
        state: (state) => this.receive(state),
        error: ({ message }) => this.refused(message),
        connection: (up) => this.status.say(up ? '' : texts.table.reconnecting, !up),
      },
      this.signal,
    );
    this.signal.addEventListener('abort', () => clearTimeout(this.paceTimer));
  }

  /** Shows states one after the other, each for a while. */
  receive(state) {
    this.waiting.push({ ...state, received: performance.now() });
    const hurry = clockRuns(state) || this.waiting.length > MOST_WAITING;
    if (hurry) this.waiting.splice(0, this.waiting.length - 1);
    if (hurry) clearTimeout(this.paceTimer);
    if (hurry || this.paceTimer === null) this.showNext();
  }

  showNext() {
    this.paceTimer = null;
    const state = this.waiting.shift();
    if (!state) return;
    const moved = this.state && state.number !== this.state.number;
    this.show(state);
    if (moved || this.waiting.length) this.paceTimer = setTimeout(() => this.showNext(), PACE);
  }

  show(state) {
    const moved = state.number !== this.state?.number;
    this.state = state;
    this.turns = quarterTurns(this.board, state.seat);
    this.view.show({
      scene: state.scene,
      render: state.render,
      viewer: state.seat,
      turn: state.turn,
      turns: (this.turns + (this.flipped() ? 2 : 0)) % 4,
      seats: state.table.seats.map((seat, n) => this.seat(seat, n)),
      lastAction: state.log.at(-1)?.action,
    });
    this.clocks.show(this.view.clocks, state);
    this.offer();
    this.log.show(state.log, this.names());
    if (moved) this.analysis.reset();
    this.analysis.enable(this.position() !== null);
    this.analysis.element.hidden = Boolean(state.result);
    this.drawHeading();
    this.drawBanner();
    document.title = this.isMyTurn() ? texts.table.yourMoveTitle : `${texts.gameName(this.game.name)} – ${texts.title}`;
  }

  names() {
    return this.state.table.seats.map((seat, n) => seat.name || texts.newTable.seat(n + 1));
  }

  isMyTurn() {
    return this.state.seat !== null && this.state.turn === this.state.seat;
  }

  /** A seat beside its place; an open one can be taken. */
  seat(seat, n) {
    const canSit = seat.kind === 'open' && this.state.seat === null;
    return {
      name: seat.name || texts.table.openSeat,
      note: seat.agent && seat.agent !== seat.name ? texts.table.program : null,
      extra: canSit ? button(texts.table.sit, () => this.sit(n), { class: 'primary' }) : null,
    };
  }

  async sit(seat) {
    const joined = await this.status.watch(() => post(`/tables/${this.id}/seats/${seat}`, { name: personName() }));
    if (!joined) return;
    seatTokens.keep(this.id, joined.token);
    this.stream.use(joined.token);
  }

  act(action) {
    this.status.say('');
    this.list.show([]);
    if (!this.stream.send({ type: 'act', number: this.state.number, action })) this.refused(texts.table.reconnecting);
  }

  /** Nothing has changed: what was offered is offered again. */
  refused(message) {
    this.status.say(message, true);
    if (this.state) this.offer();
  }

  offer() {
    const choices = this.state.choices ?? [];
    this.picker.offer(choices, this.waitingFor());
    this.list.show(choices);
    this.list.element.hidden = choices.length === 0;
    this.picker.element.hidden = Boolean(this.state.result);
  }

  /** What the viewer waits for, if it is somebody. */
  waitingFor() {
    const { table, turn } = this.state;
    if (table.status === 'waiting') return texts.table.invite;
    return table.status === 'playing' && turn !== null ? texts.table.theirMove(this.names()[turn]) : '';
  }

  /** What may be analysed: the viewer's own view, or all actions where nothing is hidden. */
  position() {
    const { state } = this;
    if (!state || state.result || state.turn === null) return null;
    if (this.game.hidden && !this.isMyTurn()) return null;
    const base = { game: this.game.name, rules: state.table.rules };
    if (state.text) return { ...base, view: state.text };
    if (!this.game.hidden && state.log.length === state.number)
      return { ...base, actions: state.log.map(({ action }) => action) };
    return null;
  }

  flipped() {
    return localStorage.getItem(FLIP + this.game.name) === 'yes';
  }

  flip() {
    localStorage.setItem(FLIP + this.game.name, this.flipped() ? 'no' : 'yes');
    this.view.scene = null;
    this.show(this.state);
  }

  drawHeading() {
    const { table, seat, result, scene } = this.state;
    const running = table.status === 'playing' || table.status === 'paused';
    replace(
      this.heading,
      h('div', {}, h('h1', {}, texts.gameName(table.game)), h('p', { class: 'quiet-text' }, this.situation())),
      h(
        'div',
        { class: 'buttons' },
        scene?.board
          ? button(texts.table.flip, () => this.flip(), { class: 'quiet', title: texts.table.flipHelp })
          : null,
        running && seat !== null && table.status === 'playing'
          ? button(texts.table.pause, () => this.stream.send({ type: 'pause' }), { class: 'quiet' })
          : null,
        seat !== null && table.status === 'paused'
          ? button(texts.table.resume, () => this.stream.send({ type: 'resume' }), { class: 'primary' })
          : null,
        running && seat !== null && !result ? this.resignButton() : null,
        button(texts.table.link, ({ target }) => copyLink(target, this.status), {
          class: 'quiet',
          title: texts.table.linkHelp,
        }),
      ),
    );
  }

  /** How the game stands unless it is played, and the rules that are not the usual ones. */
  situation() {
    const { table } = this.state;
    const rules = unusualRules(this.game, table.rules).map(({ name }) => texts.rule(name, table.rules[name]));
    const status = table.status === 'playing' ? [] : [texts.status[table.status] ?? table.status];
    return [...status, ...rules].join(' · ');
  }

  /** Asks once more before it resigns. */
  resignButton() {
    return button(
      texts.table.resign,
      ({ target }) => {
        if (target.dataset.sure) this.stream.send({ type: 'resign' });
        target.dataset.sure = 'yes';
        target.textContent = texts.table.reallyResign;
      },
      { class: 'quiet' },
    );
  }

  drawBanner() {
    const { result, table, seat } = this.state;
    this.banner.hidden = !result;
    if (!result) return;
    replace(
      this.banner,
      h(
        'div',
        {},
        h('strong', {}, this.outcome(result)),
        h('p', { class: 'quiet-text' }, [result.reason, scoresOf(result)].filter(Boolean).join(' · ')),
      ),
      h(
        'div',
        { class: 'buttons' },
        seat !== null
          ? button(table.rematch ? texts.table.joinRematch : texts.table.rematch, () => this.rematch(), {
              class: 'primary',
            })
          : null,
        seat === null && table.rematch
          ? h('a', { class: 'button primary', href: `#/table/${table.rematch}` }, texts.table.watchRematch)
          : null,
        h('a', { class: 'button', href: this.reviewAddress() }, texts.table.review),
        button(texts.table.export, () => this.exportRecord(), { class: 'quiet' }),
      ),
    );
  }

  /** The record outlives the table. */
  reviewAddress() {
    const { record } = this.state.table;
    return record === null ? `#/review/${this.id}` : `#/review?record=${record}`;
  }

  outcome({ winners }) {
    if (!winners || winners.length === 0) return texts.table.draw;
    if (winners.includes(this.state.seat)) return texts.table.youWin;
    return texts.table.wins(winners.map((seat) => this.names()[seat]));
  }

  async rematch() {
    const next = await this.status.watch(() => post(`/tables/${this.id}/rematch`, {}, seatTokens.of(this.id)));
    if (!next) return;
    seatTokens.keep(next.table.id, next.token);
    location.hash = `#/table/${next.table.id}`;
  }

  async exportRecord() {
    const record = await this.status.watch(() => get(`/tables/${this.id}/record`));
    if (record) download(`${this.game.name}-${this.id}.json`, record);
  }
}

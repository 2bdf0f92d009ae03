// A finished game step by step: from its table, from the archive or from a file.

import { gameNamed, get, post, postPatiently } from './api.js';
import { AnalysisPanel } from './analysis.js';
import { EvaluationCurve } from './charts.js';
import { button, download, field, h, replace, select } from './dom.js';
import { Evaluation } from './evaluation.js';
import { judgeOf, levelsFor } from './levels.js';
import { copyLink, isLinkable, namesRecord } from './link.js';
import { pack, unpack } from './packing.js';
import { seatIcon } from './pieces.js';
import { SceneView } from './scene.js';
import { StatusLine } from './status.js';
import { texts } from './texts.js';

export async function open(host, { id, query }, signal) {
  if (query.has('packed')) await startReview(host, await unpacked(query.get('packed')), query, signal);
  else if (query.has('record')) await startReview(host, await get(recordPath(query)), query, signal);
  else if (id) await startReview(host, await recordOfTable(id, query), query, signal);
  else askRecord(host, signal);
}

const recordPath = (query) => `/records/${encodeURIComponent(query.get('record'))}`;

/** Tables are closed some time after their game: from here on the address names the record. */
async function recordOfTable(id, query) {
  const table = `/tables/${encodeURIComponent(id)}`;
  const [record, info] = await Promise.all([get(`${table}/record`), get(table)]);
  if (info.record !== null) query.set('record', info.record);
  return record;
}

async function unpacked(letters) {
  try {
    return await unpack(letters);
  } catch {
    throw new Error(texts.review.badLink);
  }
}

/** A record by file or by pasting. */
function askRecord(host, signal) {
  const status = new StatusLine();
  const use = (text) =>
    status.watch(async () => {
      const record = parseRecord(text);
      const packed = await pack(record);
      await startReview(host, record, new URLSearchParams(packed ? { packed } : {}), signal);
    });
  const pasted = h('textarea', {
    rows: 6,
    spellcheck: 'false',
    placeholder: '{"game": "kuhn-poker", "actions": ["K", "J", "bet", "fold"]}',
  });
  replace(
    host,
    h('h1', {}, texts.review.title),
    h('p', {}, texts.review.lead),
    field(
      texts.review.file,
      h('input', {
        type: 'file',
        accept: '.json,.jsonl',
        onchange: async ({ target }) => use(await target.files[0].text()),
      }),
    ),
    field(texts.review.paste, pasted),
    h(
      'div',
      { class: 'buttons' },
      button(texts.review.open, () => use(pasted.value), { class: 'primary' }),
    ),
    status.element,
  );
}

/** Many records are one per line; the first is taken. */
function parseRecord(text) {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(text.trim().split('\n')[0]);
  }
}

async function startReview(host, record, query, signal) {
  const game = await gameNamed(record.game);
  if (!game) throw new Error(texts.errors.unknownGame(record.game));
  const { log, scene } = await post('/positions', {
    game: record.game,
    rules: record.rules ?? {},
    actions: record.actions,
    viewer: 'all',
  });
  const review = new Review(host, { record, game, log, seats: scene.seats.length }, query, signal);
  await review.goTo(review.at);
}

class Review {
  /** `log` tells who did each action of the record, `seats` how many there are. */
  constructor(host, { record, game, log, seats }, query, signal) {
    Object.assign(this, { record, game, query, signal, positions: new Map() });
    this.movers = record.actions.map((_, step) => log.find(({ number }) => number === step)?.seat ?? null);
    this.labels = record.actions.map((action, step) => log.find(({ number }) => number === step)?.label ?? action);
    this.names = Array.from({ length: seats }, (_, seat) => record.seats?.[seat] ?? texts.newTable.seat(seat + 1));
    /** Where the deal is over and somebody decides for the first time. */
    this.first = Math.max(
      0,
      this.movers.findIndex((mover) => mover !== null),
    );
    this.at = Math.min(record.actions.length, Number(query.get('at') ?? this.first));
    this.viewer = query.get('viewer') ?? 'all';
    this.status = new StatusLine();
    this.view = new SceneView();
    this.curve = new EvaluationCurve(this.first, record.actions.length, (step) => this.goTo(step));
    this.evaluation = new Evaluation(this, (points) => this.showPoints(points));
    this.analysis = new AnalysisPanel({
      game,
      label: texts.analysis.run,
      names: () => this.names,
      rules: () => record.rules,
      position: () => this.position(this.at),
    });
    this.draw(host);
    document.addEventListener('keydown', (event) => this.keyPressed(event), { signal });
    signal.addEventListener('abort', () => this.evaluation.stop());
  }

  get length() {
    return this.record.actions.length;
  }

  draw(host) {
    this.slider = h('input', {
      type: 'range',
      min: 0,
      max: this.length,
      value: this.at,
      'aria-label': texts.review.step,
      oninput: () => this.goTo(Number(this.slider.value)),
    });
    this.caption = h('p', { class: 'caption', 'aria-live': 'polite' });
    this.mistakes = h('div', { class: 'mistakes' });
    this.invitation = h('p', { class: 'quiet-text' }, texts.review.invitation);
    this.curveBox = h('div', { hidden: true }, this.curveLegend(), this.curve.element);
    this.toSetup = h('a', { class: 'button' }, texts.review.toSetup);
    const viewers = [
      ['all', texts.review.all],
      ['spectator', texts.review.spectator],
      ...this.names.map((name, seat) => [String(seat), name]),
    ];
    const step = (sign, label, distance) =>
      button(sign, () => this.goTo(this.at + distance), { 'aria-label': label, title: label });
    this.evaluateButton = button(texts.review.evaluate, () => this.evaluation.toggle(), { class: 'primary' });
    this.evaluationAgent = h('input', {
      value: judgeOf(levelsFor(this.game, this.record.rules)),
      spellcheck: 'false',
    });
    replace(
      host,
      h(
        'div',
        { class: 'table-head' },
        h(
          'div',
          {},
          h('h1', {}, texts.review.of(texts.gameName(this.game.name))),
          h('p', { class: 'quiet-text' }, this.names.join(' – '), this.record.reason ? ` · ${this.record.reason}` : ''),
        ),
        h(
          'div',
          { class: 'buttons' },
          button(texts.table.link, ({ target }) => this.copyLink(target), {
            class: 'quiet',
            title: texts.table.linkHelp,
          }),
          button(texts.table.export, () => download(`${this.game.name}.json`, this.record), { class: 'quiet' }),
        ),
      ),
      this.status.element,
      h(
        'div',
        { class: 'table-layout' },
        h(
          'div',
          { class: 'table-main' },
          this.view.element,
          h(
            'div',
            { class: 'steps' },
            h(
              'div',
              { class: 'buttons' },
              step('|◀', texts.review.first, -this.length),
              step('◀', texts.review.back, -1),
              step('▶', texts.review.forward, 1),
              step('▶|', texts.review.last, this.length),
            ),
            this.slider,
          ),
          this.caption,
          this.evaluationPanel(),
        ),
        h(
          'aside',
          { class: 'table-side' },
          field(
            texts.review.viewer,
            select(viewers, this.viewer, ({ target }) => this.look(target.value)),
          ),
          this.analysis.element,
          this.toSetup,
        ),
      ),
    );
  }

  evaluationPanel() {
    return h(
      'section',
      { class: 'panel' },
      h('div', { class: 'panel-head' }, h('h2', {}, texts.review.curve), this.evaluateButton),
      this.invitation,
      this.curveBox,
      this.mistakes,
      h(
        'details',
        { class: 'agent-text' },
        h('summary', {}, texts.analysis.settings),
        field(texts.analysis.agent, this.evaluationAgent),
      ),
    );
  }

  curveLegend() {
    const seats = this.names.length === 2 ? [0] : this.names.map((_, seat) => seat);
    return h(
      'p',
      { class: 'legend' },
      seats.map((seat) => h('span', {}, seatIcon(seat), this.names[seat])),
      h('span', { class: 'quiet-text' }, texts.review.curveHelp),
    );
  }

  /** The position after this many actions, as a request names it. */
  position(step) {
    return { game: this.game.name, rules: this.record.rules ?? {}, actions: this.record.actions.slice(0, step) };
  }

  async load(step) {
    const viewer = { all: 'all', spectator: null }[this.viewer];
    const key = `${step}/${this.viewer}`;
    if (!this.positions.has(key)) {
      const request = post('/positions', {
        ...this.position(step),
        viewer: viewer === undefined ? Number(this.viewer) : viewer,
      });
      this.positions.set(key, request);
      request.catch(() => this.positions.delete(key));
    }
    return this.positions.get(key);
  }

  look(viewer) {
    this.viewer = viewer;
    this.view.scene = null;
    this.goTo(this.at);
  }

  async goTo(step) {
    this.at = Math.max(0, Math.min(this.length, step));
    const { at, viewer } = this;
    this.slider.value = at;
    this.curve.show(this.curve.points, at);
    this.analysis.reset();
    this.keepAddress();
    const shown = await this.status.watch(() => this.load(at));
    // Meanwhile somebody may have moved on.
    if (!shown || at !== this.at || viewer !== this.viewer) return;
    this.show(shown);
  }

  show(position) {
    const turn = typeof position.turn === 'number' ? position.turn : null;
    this.view.show({
      scene: position.scene,
      render: position.render,
      viewer: /^\d+$/.test(this.viewer) ? Number(this.viewer) : null,
      turn,
      turns: 0,
      seats: this.names.map((name) => ({ name })),
      lastAction: this.record.actions[this.at - 1],
    });
    this.analysis.enable(turn !== null);
    this.caption.textContent = this.captionOf(this.at);
    const kind = this.viewer === 'all' ? 'position' : 'view';
    const text = new URLSearchParams({
      rules: JSON.stringify(this.record.rules ?? {}),
      ...(position.text ? { [kind]: position.text } : {}),
    });
    this.toSetup.href = `#/setup/${this.game.name}?${text}`;
  }

  captionOf(step) {
    if (step === 0) return texts.review.start(this.length);
    const mover = this.movers[step - 1];
    return texts.review.after(
      step,
      this.length,
      mover === null ? texts.lists.chance : this.names[mover],
      this.labels[step - 1],
    );
  }

  keyPressed(event) {
    const distance = { ArrowLeft: -1, ArrowRight: 1, Home: -this.length, End: this.length }[event.key];
    if (!distance || event.target.matches('input, select, textarea')) return;
    event.preventDefault();
    this.goTo(this.at + distance);
  }

  /** The address names the position; nothing is loaded again for it. */
  keepAddress() {
    this.query.set('at', this.at);
    this.query.set('viewer', this.viewer);
    const path = namesRecord(this.query) ? '#/review' : location.hash.split('?')[0];
    history.replaceState(null, '', `${path}?${this.query}`);
  }

  copyLink(target) {
    if (isLinkable(location.hash)) copyLink(target, this.status);
    else this.status.say(texts.review.noLink, true);
  }

  /** What the evaluation asks for each decision. */
  analyse(step) {
    return postPatiently(
      '/analysis',
      { ...this.position(step), agent: this.evaluationAgent.value.trim() },
      this.signal,
    );
  }

  showPoints(points) {
    this.evaluateButton.textContent = this.evaluation.running
      ? texts.review.stop(points.length)
      : texts.review.evaluate;
    this.invitation.hidden = points.length > 0;
    this.curveBox.hidden = points.length === 0;
    this.curve.show(points, this.at);
    const found = points.filter(({ mistake }) => mistake);
    if (this.evaluation.problem) this.status.say(this.evaluation.problem, true);
    replace(
      this.mistakes,
      found.length
        ? h(
            'ul',
            { class: 'rows' },
            found.map((point) => this.mistakeRow(point)),
          )
        : points.length
          ? h('p', { class: 'quiet-text' }, texts.review.noMistakes)
          : null,
    );
  }

  mistakeRow({ step, mover, played, best, loss }) {
    return h(
      'li',
      {},
      button([seatIcon(mover), ` ${texts.review.mistake(step + 1, played, best, loss)}`], () => this.goTo(step), {
        class: 'mistake',
      }),
    );
  }
}

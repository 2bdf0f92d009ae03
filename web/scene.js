// The whole table from a scene: the viewer at the bottom, the others around, board and cards between.

import { drawBoard } from './board.js';
import { cardLabel, drawArea } from './cards.js';
import { boardChanges, cardChanges, picksInText } from './changes.js';
import { h, replace } from './dom.js';
import { animateCards, animatePieces, rectangles } from './motion.js';
import { seatClass, seatIcon } from './pieces.js';
import { texts } from './texts.js';

/** Where seats sit for two, three and four players, from the viewer clockwise; more sit in one row. */
const PLACES = { 2: ['bottom', 'top'], 3: ['bottom', 'left', 'right'], 4: ['bottom', 'left', 'top', 'right'] };

export class SceneView {
  constructor() {
    this.element = h('div', { class: 'scene' });
    /** What can be clicked: {key, pick, element}. */
    this.things = [];
    /** The elements of the clocks, by seat. */
    this.clocks = [];
    this.scene = null;
    this.areas = new Map();
    /** What had the focus last, unless it went elsewhere on purpose. */
    this.focusedKey = null;
    this.element.addEventListener('focusin', ({ target }) => {
      this.focusedKey = target.dataset.key ?? null;
    });
    this.element.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget) this.focusedKey = null;
    });
  }

  /**
   * `shown`: scene, render (drawn where there is no scene), viewer (or null), turn, flip,
   * seats [{name, note, extra}], lastAction (its text, used if nothing was shown before).
   */
  show(shown) {
    const before = { scene: this.scene, rectangles: rectangles(this.areas) };
    this.draw(shown);
    const changes = boardChanges(before.scene?.board, shown.scene?.board);
    this.markLast(changes.touched, shown.lastAction);
    if (before.scene) {
      animatePieces(this.sites, changes);
      animateCards(this.areas, before.rectangles, cardChanges(before.scene.areas, shown.scene?.areas));
    }
    this.scene = shown.scene;
  }

  draw({ scene, render, viewer, turn, flip, seats }) {
    this.things = [];
    this.sites = [];
    this.areas.clear();
    const bottom = viewer ?? 0;
    const relative = (seat) => (seat - bottom + seats.length) % seats.length;
    const places = PLACES[seats.length] ?? ['bottom', ...Array(Math.max(0, seats.length - 1)).fill('row')];
    const areas = (scene?.areas ?? []).map((area) => ({
      ...area,
      element: this.drawArea(area, relative, seats.length),
    }));

    const ofSeat = (seat) => areas.filter((area) => area.seat === seat).map(({ element }) => element);
    const seatPlace = (seat) =>
      h(
        'section',
        { class: `place place-${places[relative(seat)]}`, 'aria-label': seats[seat].name },
        this.drawSeat(seat, seats[seat], scene?.seats[seat], turn === seat, viewer === seat),
        ofSeat(seat),
      );
    const all = seats.map((_, n) => (bottom + n) % seats.length);
    this.clocks = [];
    const free = areas.filter(({ seat }) => seat === undefined || seat === null);
    const onlyPiles = free.length > 0 && free.every(({ kind }) => kind === 'pile');
    const centre = h(
      'div',
      { class: scene?.board && onlyPiles ? 'centre centre-beside' : 'centre' },
      scene?.facts?.length ? h('ul', { class: 'facts' }, scene.facts.map(remark)) : null,
      scene?.board ? this.drawBoard(scene.board, flip, seats) : null,
      free.length
        ? h(
            'div',
            { class: 'free-areas' },
            free.map(({ element }) => element),
          )
        : null,
      !scene?.board && areas.length === 0 && render ? h('pre', { class: 'render' }, render) : null,
    );
    this.element.classList.toggle('with-cards', areas.length > 0);
    this.element.classList.toggle(
      'around',
      !scene?.board && areas.length > 0 && (seats.length === 3 || seats.length === 4),
    );
    replace(
      this.element,
      h('div', { class: 'others' }, all.slice(1).map(seatPlace)),
      centre,
      all.length ? seatPlace(bottom) : null,
    );
  }

  drawBoard(plan, flip, seats) {
    const { svg, sites } = drawBoard(plan, flip);
    this.sites = sites;
    plan.sites.forEach((site, index) => {
      const pieces = (site.pieces ?? []).map(({ seat, count, mark }) =>
        texts.table.piece(seats[seat]?.name ?? seat, count, mark),
      );
      this.addThing(
        `site/${index}`,
        site.pick,
        sites[index].element,
        [site.pick, site.text, ...pieces].filter(Boolean).join(', '),
      );
    });
    return svg;
  }

  drawArea(area, relative, seatCount) {
    const drawn = drawArea(area, (seat) => relative(seat) / seatCount);
    this.areas.set(area.name, drawn);
    area.cards.forEach((card, index) => {
      if (card.pick && drawn.cards[index])
        this.addThing(`card/${area.name}/${index}`, card.pick, drawn.cards[index], cardLabel(card.face));
    });
    return drawn.element;
  }

  addThing(key, pick, element, label) {
    Object.assign(element.dataset, { key, pick });
    element.setAttribute('role', 'img');
    element.setAttribute('aria-label', label);
    this.things.push({ key, pick, element });
  }

  drawSeat(seat, { name, note, extra }, state, onTurn, isViewer) {
    const clock = h('span', { class: 'clock', hidden: true });
    this.clocks[seat] = clock;
    return h(
      'div',
      { class: `seat ${seatClass(seat)} ${onTurn ? 'on-turn' : ''}` },
      h(
        'div',
        { class: 'seat-who' },
        seatIcon(seat),
        h(
          'div',
          { class: 'seat-words' },
          h('span', { class: 'seat-name' }, name, isViewer ? h('span', { class: 'you' }, texts.table.you) : null),
          note ? h('span', { class: 'seat-note' }, note) : null,
          onTurn ? h('span', { class: 'turn' }, texts.table.toMove) : null,
        ),
      ),
      state?.facts?.length ? h('ul', { class: 'facts' }, state.facts.map(remark)) : null,
      state?.score ? h('span', { class: 'score', title: texts.table.score }, state.score) : null,
      clock,
      extra,
    );
  }

  /** Marks the sites of the last move: those that changed, else those that its text names. */
  markLast(touched, action) {
    const sites = this.things.filter(({ key }) => key.startsWith('site/'));
    let last = [...touched].map((index) => this.sites[index].element);
    if (!this.scene && action) {
      const named = picksInText(
        action,
        sites.map(({ pick }) => pick),
      );
      last = sites.filter(({ pick }) => named.includes(pick)).map(({ element }) => element);
    }
    last.forEach((element) => element.classList.add('last'));
  }
}

function remark({ name, value }) {
  return h('li', {}, h('span', { class: 'fact-name' }, name), ' ', h('span', { class: 'fact-value' }, value));
}

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
    /** What can be clicked: {key, kind, pick, element, name}; kinds are card, own (with pieces of whoever chooses) and site. */
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
   * `shown`: scene, render (drawn where there is no scene), viewer (or null), turn, turns (quarters by which
   * the board is turned), seats [{name, note, extra}], lastAction (its text, used if nothing was shown before).
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

  draw({ scene, render, viewer, turn, turns, seats }) {
    Object.assign(this, { things: [], sites: [], clocks: [] });
    this.areas.clear();
    const bottom = viewer ?? 0;
    const relative = (seat) => (seat - bottom + seats.length) % seats.length;
    const places = PLACES[seats.length] ?? ['bottom', ...Array(Math.max(0, seats.length - 1)).fill('row')];
    const areas = (scene?.areas ?? []).map((area) => ({
      ...area,
      element: this.drawArea(area, relative, seats.length),
    }));
    const seatPlace = (seat) =>
      h(
        'section',
        { class: `place place-${places[relative(seat)]}`, 'aria-label': seats[seat].name },
        this.drawSeat(seat, seats[seat], scene?.seats[seat], turn === seat, relationOf(scene, viewer, seat)),
        areas.filter((area) => area.seat === seat).map(({ element }) => element),
      );
    const free = areas.filter(({ seat }) => seat === undefined || seat === null);
    const isInMiddle = ({ kind }) => !scene.board && (kind === 'trick' || free.every((area) => area.kind !== 'trick'));
    const all = seats.map((_, n) => (bottom + n) % seats.length);
    this.element.className = `scene ${layoutOf(scene, seats.length)}`;
    replace(
      this.element,
      this.drawOthers(all.slice(1).map(seatPlace)),
      scene?.facts?.length
        ? h(
            'ul',
            { class: 'facts scene-facts' },
            scene.facts.map((fact) => remark(fact, seats)),
          )
        : null,
      h(
        'div',
        { class: 'centre' },
        scene?.board ? this.drawBoard(scene.board, turns, seats, viewer ?? turn) : null,
        free.filter(isInMiddle).map(({ element }) => element),
        !scene?.board && areas.length === 0 && render ? h('pre', { class: 'render' }, render) : null,
      ),
      all.length ? seatPlace(bottom) : null,
      h(
        'div',
        { class: 'aside' },
        free.filter((area) => !isInMiddle(area)).map(({ element }) => element),
      ),
    );
  }

  /** How many they are says how much room the cards of each have. */
  drawOthers(places) {
    const others = h('div', { class: 'others' }, places);
    others.style.setProperty('--others', Math.max(1, places.length));
    return others;
  }

  /** `chooser` is the seat whose pieces are own ones. */
  drawBoard(plan, turns, seats, chooser) {
    const { svg, sites } = drawBoard(plan, turns);
    this.sites = sites;
    plan.sites.forEach((site, index) => {
      const pieces = site.pieces ?? [];
      const names = pieces.map(({ seat, count, mark }) => texts.table.piece(seats[seat]?.name ?? seat, count, mark));
      this.addThing(
        `site/${index}`,
        pieces.some(({ seat }) => seat === chooser) ? 'own' : 'site',
        site.pick,
        sites[index].element,
        [site.pick, site.text, ...names].filter(Boolean).join(', '),
      );
    });
    return svg;
  }

  drawArea(area, relative, seatCount) {
    const drawn = drawArea(area, (seat) => relative(seat) / seatCount);
    this.areas.set(area.name, drawn);
    area.cards.forEach((card, index) => {
      if (card.pick && drawn.cards[index])
        this.addThing(`card/${area.name}/${index}`, 'card', card.pick, drawn.cards[index], cardLabel(card.face));
    });
    return drawn.element;
  }

  addThing(key, kind, pick, element, label) {
    Object.assign(element.dataset, { key, pick });
    element.setAttribute('role', 'img');
    element.setAttribute('aria-label', label);
    this.things.push({ key, kind, pick, element, name: kind === 'card' ? label : pick });
  }

  /** `relation` is what the seat is to the viewer: 'you', 'partner' or null. */
  drawSeat(seat, { name, note, extra }, state, onTurn, relation) {
    const isViewer = relation === 'you';
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
          h('span', { class: 'seat-name' }, name),
          relation && !(isViewer && onTurn) ? h('span', { class: 'relation' }, texts.table[relation]) : null,
          note ? h('span', { class: 'seat-note' }, note) : null,
          onTurn ? h('span', { class: 'turn' }, isViewer ? texts.table.yourTurn : texts.table.toMove) : null,
        ),
      ),
      state?.score ? h('span', { class: 'score', title: texts.table.score }, state.score) : null,
      state?.facts?.length
        ? h(
            'ul',
            { class: 'facts' },
            state.facts.map((fact) => remark(fact, [])),
          )
        : null,
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

function relationOf(scene, viewer, seat) {
  if (viewer === seat) return 'you';
  const team = scene?.seats[seat]?.team;
  return team !== undefined && team === scene.seats[viewer]?.team ? 'partner' : null;
}

/** The class that says how boards, cards and seats are put together. */
function layoutOf(scene, seatCount) {
  const hasCards = scene?.areas?.length > 0;
  if (scene?.board) return hasCards ? 'board-and-cards' : 'only-board';
  if (!hasCards) return '';
  return seatCount === 3 || seatCount === 4 ? 'only-cards around' : 'only-cards';
}

/** Facts number seats from 0; people read their names. */
function remark({ name, value }, seats) {
  const [, seat] = value.match(/^seat (\d+)$/) ?? [];
  const shown = seats[seat]?.name ?? value;
  return h('li', {}, h('span', { class: 'fact-name' }, name), ' ', h('span', { class: 'fact-value' }, shown));
}

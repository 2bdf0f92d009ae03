// Cards and areas of cards. A card is a small SVG in a button, so that it can be chosen by keyboard.

import { faceName } from './changes.js';
import { h, s } from './dom.js';
import { seatIcon } from './pieces.js';
import { texts } from './texts.js';

const SUITS = {
  hearts: 'M0 9C-5 4-9 1-9-4-9-7-7-9-4.500-9-2.500-9-1-8 0-6 1-8 2.500-9 4.500-9 7-9 9-7 9-4 9 1 5 4 0 9Z',
  diamonds: 'M0-10 7.500 0 0 10-7.500 0Z',
  spades:
    'M0-10C5-5 9-2 9 3 9 6 7 7.500 4.500 7.500 3 7.500 1.800 7 1 6L2.500 10H-2.500L-1 6C-1.800 7-3 7.500-4.500 7.500-7 7.500-9 6-9 3-9-2-5-5 0-10Z',
  clubs:
    'M0-10A4.300 4.300 0 0 1 3.500-3.200 4.300 4.300 0 1 1 1.200 4.200L2.500 10H-2.500L-1.200 4.200A4.300 4.300 0 1 1-3.500-3.200 4.300 4.300 0 0 1 0-10Z',
};

function suitSymbol(suit, x, y, scale) {
  return s('path', { class: 'card-suit', d: SUITS[suit], transform: `translate(${x} ${y}) scale(${scale})` });
}

/** The picture of a card, 60 by 84; face down without a face. */
export function cardGraphic(face) {
  const svg = s('svg', { class: 'card-graphic', viewBox: '0 0 60 84', 'aria-hidden': 'true' });
  svg.append(s('rect', { class: 'card-paper', x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 7 }));
  if (face) svg.append(...frontOf(face));
  else svg.append(...back());
  return svg;
}

function frontOf(face) {
  const rank = face.rank === 'T' ? '10' : face.rank;
  const isLong = rank.length > 2;
  const corner = s(
    'text',
    {
      class: isLong ? 'card-rank card-rank-long' : 'card-rank',
      x: face.suit ? 13 : 6,
      // Narrow letters rather than small ones.
      textLength: isLong ? 48 : null,
      lengthAdjust: isLong ? 'spacingAndGlyphs' : null,
      y: 22,
      'text-anchor': face.suit ? 'middle' : 'start',
    },
    rank,
  );
  if (!face.suit)
    return [
      corner,
      s('text', { class: 'card-middle', x: 30, y: 48, dy: '0.35em', 'text-anchor': 'middle' }, rank.slice(0, 2)),
    ];
  return [corner, suitSymbol(face.suit, 13, 34, 0.8), suitSymbol(face.suit, 36, 56, 1.6)];
}

function back() {
  return [
    s('rect', { class: 'card-back', x: 6, y: 6, width: 48, height: 72, rx: 4 }),
    s('path', { class: 'card-stripes', d: 'M8 8 52 76M52 8 8 76M30 7 53 42 30 77 7 42Z' }),
  ];
}

export function cardLabel(face) {
  if (!face) return texts.cards.hidden;
  const rank = texts.cards.ranks[face.rank] ?? face.rank;
  return face.suit ? texts.cards.name(rank, texts.cards.suits[face.suit]) : rank;
}

/** A card as an element; `suit` colours it. */
function cardElement(card) {
  const suit = card.face?.suit;
  return h(
    'button',
    {
      type: 'button',
      class: `card ${card.face ? 'card-front' : ''} ${suit ? `suit-${suit}` : ''}`,
      'aria-label': cardLabel(card.face),
      disabled: true,
    },
    cardGraphic(card.face),
  );
}

/**
 * Draws an area. `angleOf` gives the direction of a seat as the viewer sees the table, in turns
 * clockwise from the bottom. Returns the element and the card elements by index; those that lie under
 * others of a pile are missing.
 */
export function drawArea(area, angleOf) {
  const names = area.cards.map(({ face }) => (face ? faceName(face) : ''));
  const isDrawn = (index) => {
    if (area.kind === 'pile') return index === area.cards.length - 1;
    return area.kind !== 'heap' || names.indexOf(names[index]) === index;
  };
  const cards = area.cards.map((card, index) => (isDrawn(index) ? cardElement(card) : null));
  if (area.kind === 'heap') countEqual(cards, names);
  const body = h('div', { class: `cards cards-${area.kind}` }, cards.filter(Boolean));
  body.style.setProperty('--count', cards.length);
  body.style.setProperty('--open', names.filter(Boolean).length);
  if (cards.length === 0) body.append(h('span', { class: 'card card-place' }));
  if (area.kind === 'trick') layTrick(area, cards, angleOf);
  if (area.kind === 'hand' && area.cards.every(({ face }) => !face)) body.classList.add('cards-closed');
  const isClosed = body.classList.contains('cards-closed');
  const showCount = area.kind === 'pile' || area.kind === 'heap' || (isClosed && cards.length > 3);
  const title = h(
    'div',
    { class: 'area-title' },
    h('span', { class: 'area-name' }, area.title),
    showCount ? h('span', { class: 'count' }, String(cards.length)) : null,
  );
  return {
    element: h('div', { class: `area area-${area.kind}`, role: 'group', 'aria-label': area.title }, title, body),
    cards,
  };
}

/** Equal cards of a heap are one card with their number. */
function countEqual(cards, names) {
  cards.forEach((card, index) => {
    const count = names.filter((name) => name === names[index]).length;
    if (card && count > 1) card.append(h('span', { class: 'count' }, String(count)));
  });
}

/** Cards of a trick lie before those who played them. */
function layTrick(area, cards, angleOf) {
  area.cards.forEach(({ from }, index) => {
    if (from === undefined || from === null) return;
    const angle = angleOf(from) * 2 * Math.PI;
    const card = cards[index];
    card.classList.add('card-placed');
    card.style.left = `${(50 - Math.sin(angle) * 32).toFixed(1)}%`;
    card.style.top = `${(50 + Math.cos(angle) * 25).toFixed(1)}%`;
    card.append(seatIcon(from));
  });
}

/** A face in a line of text: its rank and a small symbol. */
export function faceText(face) {
  const rank = face.rank === 'T' ? '10' : face.rank;
  const symbol = face.suit
    ? s('svg', { class: 'suit-icon', viewBox: '-11 -11 22 22', 'aria-hidden': 'true' }, suitSymbol(face.suit, 0, 0, 1))
    : null;
  return h('span', { class: `face ${face.suit ? `suit-${face.suit}` : ''}`, title: faceName(face) }, rank, symbol);
}

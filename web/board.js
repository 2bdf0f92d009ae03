// A board as one SVG. Lengths of the plan are in fields; a field is UNIT long here.

import { s } from './dom.js';
import { turned } from './orientation.js';
import { pieceShape, polygon, seatClass } from './pieces.js';
import { texts } from './texts.js';

const UNIT = 100;
const MARGIN = 0.08;

/**
 * Draws a plan. Returns the SVG and for each site its element, its middle in the SVG's units, and
 * the elements of its pieces, which nothing else transforms, so that they can be animated.
 */
export function drawBoard(plan, turns) {
  const turn = (x, y) => turned(plan, turns, x, y);
  const svg = s('svg', {
    class: 'board',
    viewBox: viewBox(plan, turn),
    role: 'group',
    'aria-label': texts.table.board,
  });
  for (const [x1, y1, x2, y2] of plan.lines ?? []) {
    const [[ax, ay], [bx, by]] = [turn(x1, y1), turn(x2, y2)];
    svg.append(s('line', { class: 'board-line', x1: ax * UNIT, y1: ay * UNIT, x2: bx * UNIT, y2: by * UNIT }));
  }
  for (const { x, y, text } of plan.labels ?? []) {
    const [lx, ly] = turn(x, y);
    svg.append(s('text', { class: 'board-label', x: lx * UNIT, y: ly * UNIT, dy: '0.35em' }, text));
  }
  const sites = plan.sites.map((site) => {
    const [x, y] = turn(site.x, site.y);
    const drawn = drawSite(site, x * UNIT, y * UNIT);
    svg.append(drawn.element);
    return drawn;
  });
  keepTextReadable(svg);
  return { svg, sites };
}

function viewBox(plan, turn) {
  const labels = (plan.labels ?? []).map(({ x, y }) => turn(x, y));
  const xs = [-MARGIN, plan.width + MARGIN, ...labels.flatMap(([x]) => [x - 0.3, x + 0.3])];
  const ys = [-MARGIN, plan.height + MARGIN, ...labels.flatMap(([, y]) => [y - 0.3, y + 0.3])];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top].map((length) => length * UNIT).join(' ');
}

/** Tells the style sheet how many units a pixel has: no text gets smaller than 12 pixels. */
function keepTextReadable(svg) {
  const measure = () => {
    const { width, height } = svg.getBoundingClientRect();
    if (width === 0) return;
    const box = svg.viewBox.baseVal;
    svg.style.setProperty('--pixel', Math.max(box.width / width, box.height / height));
  };
  new ResizeObserver(measure).observe(svg);
}

function drawSite(site, x, y) {
  const size = site.size * UNIT;
  const pieces = site.pieces ?? [];
  const outline = shapeOf(site.shape, size);
  outline.setAttribute('class', 'site-shape');
  const tone = typeof site.tone === 'object' ? `tone-seat ${seatClass(site.tone.seat)}` : `tone-${site.tone}`;
  const element = s('g', { class: `site ${tone}`, transform: `translate(${x} ${y})` }, outline);
  // Pieces leave room for a text only in the corners of a square.
  const shifted = pieces.length > 0;
  const text = shifted && site.shape !== 'square' ? null : site.text;
  if (text) {
    element.append(
      s(
        'text',
        { class: shifted ? 'site-text site-text-small' : 'site-text', y: shifted ? -size * 0.34 : 0, dy: '0.35em' },
        text,
      ),
    );
  }
  if (!text || shifted) element.append(s('circle', { class: 'site-target', r: size * 0.13 }));
  const drawn = pieces.map((piece, n) => drawPiece(piece, n, pieces.length, size, Boolean(text)));
  element.append(...drawn.map(({ outer }) => outer));
  return { element, x, y, pieces: drawn.map(({ inner }) => inner) };
}

function shapeOf(shape, size) {
  if (shape === 'circle') return s('circle', { r: size * 0.48 });
  if (shape === 'hexagon') return s('polygon', { points: polygon(6, (size * 0.98) / Math.sqrt(3)) });
  return s('rect', { x: -size * 0.49, y: -size * 0.49, width: size * 0.98, height: size * 0.98, rx: size * 0.07 });
}

/** Places of the pieces of a stack on a site, from the bottom up, and their radius, in widths of the site. */
const STACKS = [
  { radius: 0.36, places: [[0, 0]] },
  {
    radius: 0.24,
    places: [
      [-0.2, 0.1],
      [0.2, -0.1],
    ],
  },
  {
    radius: 0.21,
    places: [
      [-0.22, 0.18],
      [0.22, 0.18],
      [0, -0.18],
    ],
  },
  {
    radius: 0.2,
    places: [
      [-0.22, 0.2],
      [0.22, 0.2],
      [-0.22, -0.22],
      [0.22, -0.22],
    ],
  },
];
const CROWD = { radius: 0.15, places: [-0.3, 0, 0.3].flatMap((y) => [-0.3, 0, 0.3].map((x) => [x, -y])) };

function drawPiece(piece, n, count, size, besideText) {
  const { radius, places } = STACKS[count - 1] ?? CROWD;
  const [x, y] = places[n % places.length];
  // A text above leaves less room.
  const shrink = besideText ? 0.82 : 1;
  const text = [piece.mark, piece.count > 1 ? String(piece.count) : null].filter(Boolean).join(' ');
  const inner = pieceShape(piece.seat, radius * size * shrink, text);
  const outer = s(
    'g',
    { transform: `translate(${x * size * shrink} ${(y * shrink + (besideText ? 0.1 : 0)) * size})` },
    inner,
  );
  return { inner, outer };
}

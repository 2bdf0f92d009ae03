// How the seats look: each has a colour (Okabe and Ito, in theme.css) and a shape of its own.

import { s } from './dom.js';

/** Regular polygon around the origin; `turn` 0 has a corner at the top. */
export function polygon(corners, radius, turn = 0) {
  const point = (n) => {
    const angle = ((n + turn) / corners) * 2 * Math.PI;
    return `${(Math.sin(angle) * radius).toFixed(2)},${(-Math.cos(angle) * radius).toFixed(2)}`;
  };
  return Array.from({ length: corners }, (_, n) => point(n)).join(' ');
}

const plus = (r) => {
  const [a, b] = [r * 0.45, r];
  return `${-a},${-b} ${a},${-b} ${a},${-a} ${b},${-a} ${b},${a} ${a},${a} ${a},${b} ${-a},${b} ${-a},${a} ${-b},${a} ${-b},${-a} ${-a},${-a}`;
};

const SHAPES = [
  (r) => s('circle', { r: r * 0.95 }),
  (r) => s('rect', { x: -r * 0.86, y: -r * 0.86, width: r * 1.72, height: r * 1.72, rx: r * 0.3 }),
  (r) => s('polygon', { points: polygon(4, r * 1.12) }),
  (r) => s('polygon', { points: polygon(3, r * 1.2), transform: `translate(0 ${r * 0.2})` }),
  (r) => s('polygon', { points: plus(r * 0.95) }),
  (r) => s('polygon', { points: polygon(6, r) }),
  (r) => s('polygon', { points: polygon(5, r * 1.05, 0.5) }),
  (r) => s('ellipse', { rx: r, ry: r * 0.7 }),
];

/** The class that sets a seat's colours. */
export function seatClass(seat) {
  return `seat-${seat % SHAPES.length}`;
}

/** A piece of a seat around the origin, with a text on it. */
export function pieceShape(seat, radius, text) {
  const shape = SHAPES[seat % SHAPES.length](radius);
  shape.setAttribute('class', 'piece-shape');
  return s(
    'g',
    { class: `piece ${seatClass(seat)}` },
    shape,
    text ? s('text', { class: 'piece-text', dy: '0.35em' }, text) : null,
  );
}

/** A seat's shape to stand beside its name. */
export function seatIcon(seat) {
  return s('svg', { class: 'seat-icon', viewBox: '-12 -12 24 24', 'aria-hidden': 'true' }, pieceShape(seat, 8));
}

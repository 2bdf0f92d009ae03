// Small charts in SVG, drawn in pixels so that their texts keep their size.

import { h, s } from './dom.js';
import { seatClass } from './pieces.js';
import { texts } from './texts.js';

const HEIGHT = 160;
const EDGE = 10;

/** Where steps from `first` to `last` lie between `edge` and `width` further on, and which step lies where. */
export function stepScale(first, last, edge, width) {
  const count = Math.max(1, last - first);
  const within = (step) => Math.min(last, Math.max(first, step));
  return {
    x: (step) => edge + ((within(step) - first) / count) * width,
    stepAt: (x) => within(first + Math.round(((x - edge) / width) * count)),
  };
}

/**
 * Expected payoffs over a game, from its first decision on. `points` are [{step, payoffs, mistake}] in order of steps; with two
 * seats whose payoffs cancel out one curve says it all. `onSelect(step)` is called by a click.
 */
export class EvaluationCurve {
  constructor(first, last, onSelect) {
    Object.assign(this, { first, last, onSelect, points: [], at: 0 });
    this.svg = s('svg', { class: 'curve', height: HEIGHT, role: 'img', 'aria-label': texts.review.curve });
    this.element = h('div', { class: 'curve-box' }, this.svg);
    this.svg.addEventListener('click', (event) => this.onSelect(this.stepAt(event)));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(points, at) {
    Object.assign(this, { points, at });
    this.draw();
  }

  stepAt(event) {
    const { left, width } = this.svg.getBoundingClientRect();
    return this.scale(width).stepAt(event.clientX - left);
  }

  scale(width) {
    return stepScale(this.first, this.last, EDGE, width - 2 * EDGE);
  }

  draw() {
    const width = this.element.clientWidth;
    if (width === 0) return;
    this.svg.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    const scale = Math.max(1, ...this.points.flatMap(({ payoffs }) => payoffs.map((payoff) => Math.abs(payoff ?? 0))));
    const { x } = this.scale(width);
    const y = (payoff) => HEIGHT / 2 - (payoff / scale) * (HEIGHT / 2 - EDGE);
    this.svg.replaceChildren(
      s('line', { class: 'curve-zero', x1: 0, x2: width, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      s('line', { class: 'curve-at', x1: x(this.at), x2: x(this.at), y1: 0, y2: HEIGHT }),
      ...this.seats().map((seat) => this.line(seat, x, y)),
      ...this.points
        .filter(({ mistake }) => mistake)
        .map(({ step, payoffs, mover }) =>
          s(
            'circle',
            {
              class: 'curve-mistake',
              cx: x(step),
              cy: y(payoffs[this.seats().includes(mover) ? mover : 0] ?? 0),
              r: 5,
            },
            s('title', {}, texts.review.mistakeAt(step)),
          ),
        ),
    );
  }

  seats() {
    const count = this.points[0]?.payoffs.length ?? 0;
    return count === 2 ? [0] : Array.from({ length: count }, (_, seat) => seat);
  }

  line(seat, x, y) {
    const known = this.points.filter(({ payoffs }) => payoffs[seat] !== null && payoffs[seat] !== undefined);
    const points = known.map(({ step, payoffs }) => `${x(step).toFixed(1)},${y(payoffs[seat]).toFixed(1)}`).join(' ');
    return s('polyline', { class: `curve-line ${seatClass(seat)}`, points });
  }
}

/** A share of games between 0 and 1 with its confidence interval. */
export function intervalBar(share, [low, high]) {
  const percent = (value) => `${(value * 100).toFixed(1)}%`;
  return s(
    'svg',
    {
      class: 'interval',
      height: 18,
      role: 'img',
      'aria-label': texts.competitions.interval(percent(low), percent(high)),
    },
    s('line', { class: 'interval-half', x1: '50%', x2: '50%', y1: 0, y2: 18 }),
    s('line', { class: 'interval-range', x1: percent(low), x2: percent(high), y1: 9, y2: 9 }),
    s('circle', { class: 'interval-mean', cx: percent(share), cy: 9, r: 5 }),
  );
}

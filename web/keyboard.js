// Arrow keys among things on a plane.

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The index of the nearest point that way, or -1. Points are [x, y] with y downwards. */
export function neighbour(points, from, key) {
  const [dx, dy] = STEPS[key];
  let best = -1;
  let least = Infinity;
  points.forEach(([x, y], index) => {
    const ahead = (x - from[0]) * dx + (y - from[1]) * dy;
    const aside = Math.abs((x - from[0]) * dy) + Math.abs((y - from[1]) * dx);
    // Straight ahead is better than nearer but aside.
    const cost = ahead + 2.5 * aside;
    if (ahead > 1 && cost < least) [best, least] = [index, cost];
  });
  return best;
}

/** Moves the focus among elements on an arrow key; tells whether it was one. */
export function moveFocus(event, elements) {
  if (!(event.key in STEPS) || elements.length === 0) return false;
  const middle = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const next = neighbour(elements.map(middle), middle(document.activeElement), event.key);
  elements[next]?.focus();
  return true;
}

// Which way round a board lies: the viewer's own pieces begin at the bottom. Pure functions.

/** How far from the middle the own pieces have to lie to be at a side, in heights of the board. */
const ASIDE = 0.2;

/** Quarter turns clockwise, 0 to 3; boards that are not square are turned by halves. */
export function quarterTurns(plan, seat) {
  const own = (plan?.sites ?? []).filter(({ pieces }) => pieces?.some((piece) => piece.seat === seat));
  if (seat === null || own.length === 0) return 0;
  const mean = (length) => own.reduce((sum, site) => sum + length(site), 0) / own.length;
  const x = mean((site) => site.x) / plan.width - 0.5;
  const y = mean((site) => site.y) / plan.height - 0.5;
  const isSquare = Math.abs(plan.width - plan.height) < 0.01;
  if (isSquare && Math.abs(x) > Math.abs(y) && Math.abs(x) > ASIDE) return x > 0 ? 1 : 3;
  return y < -ASIDE ? 2 : 0;
}

/** Where a point of a plan lies after these quarter turns. */
export function turned(plan, turns, x, y) {
  const { width, height } = plan;
  return [
    [x, y],
    [height - y, x],
    [width - x, height - y],
    [y, width - x],
  ][turns];
}

// Animation of moves. Nothing moves if the system asks for reduced motion.

const SLIDE = { duration: 320, easing: 'cubic-bezier(.3,.7,.3,1)' };
const APPEAR = [
  { opacity: 0, transform: 'scale(.6)' },
  { opacity: 1, transform: 'none' },
];

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Slides pieces that moved and lets new ones appear. */
export function animatePieces(sites, { moved, appeared }) {
  if (still()) return;
  for (const { from, to, seat } of moved) {
    const shift = `translate(${sites[from].x - sites[to].x}px, ${sites[from].y - sites[to].y}px)`;
    // Above everything it passes.
    sites[to].element.parentNode.append(sites[to].element);
    pieceOf(sites[to], seat)?.animate([{ transform: shift }, { transform: 'none' }], SLIDE);
  }
  for (const { to, seat } of appeared) pieceOf(sites[to], seat)?.animate(APPEAR, SLIDE);
}

/** The topmost piece of a seat on a site. */
function pieceOf(site, seat) {
  return site.pieces.findLast((piece) => piece.classList.contains(`seat-${seat}`));
}

/** Where the cards of all areas are on the screen. */
export function rectangles(areas) {
  const found = new Map();
  for (const [name, { element, cards }] of areas) {
    found.set(name, {
      whole: element.getBoundingClientRect(),
      cards: cards.map((card) => card?.getBoundingClientRect()),
    });
  }
  return found;
}

/** Slides cards from where they were; those from nowhere appear. */
export function animateCards(areas, before, changes) {
  if (still()) return;
  for (const { from, to } of changes) {
    const card = areas.get(to.area)?.cards[to.index];
    if (!card) continue;
    const old = from && (before.get(from.area)?.cards[from.index] ?? before.get(from.area)?.whole);
    if (!old) {
      card.animate([{ opacity: 0 }, { opacity: 1 }], SLIDE);
      continue;
    }
    const now = card.getBoundingClientRect();
    const x = old.left + old.width / 2 - now.left - now.width / 2;
    const y = old.top + old.height / 2 - now.top - now.height / 2;
    // A card of a trick is centred on its place by a transform of its own.
    card.animate([{ translate: `${x}px ${y}px` }, { translate: '0 0' }], SLIDE);
  }
}

// What moved between two scenes, for animation and for showing the last move. Pure functions.

const place = (site) => `${site.x},${site.y}`;

/** How many of each kind of piece are on a site: "seat/mark" to a number. */
function pieceCounts(site) {
  const counts = new Map();
  for (const piece of site?.pieces ?? []) {
    const kind = `${piece.seat}/${piece.mark ?? ''}`;
    counts.set(kind, (counts.get(kind) ?? 0) + piece.count);
  }
  return counts;
}

/** The sites where pieces of one kind went or came, one entry for each piece. */
function lossesAndGains(before, after) {
  const old = new Map(before.sites.map((site) => [place(site), site]));
  const byKind = new Map();
  after.sites.forEach((site, index) => {
    const was = pieceCounts(old.get(place(site)));
    const is = pieceCounts(site);
    for (const kind of new Set([...was.keys(), ...is.keys()])) {
      if (!byKind.has(kind)) byKind.set(kind, { losses: [], gains: [] });
      const more = (is.get(kind) ?? 0) - (was.get(kind) ?? 0);
      const list = more > 0 ? byKind.get(kind).gains : byKind.get(kind).losses;
      for (let n = 0; n < Math.abs(more); n += 1) list.push(index);
    }
  });
  return byKind;
}

function takeNearest(from, target, sites) {
  const distance = (index) => Math.hypot(sites[index].x - sites[target].x, sites[index].y - sites[target].y);
  const nearest = from.reduce((best, index, n) => (distance(index) < distance(from[best]) ? n : best), 0);
  return from.splice(nearest, 1)[0];
}

/**
 * Pieces that moved from one site to another, appeared or vanished, as indices of sites of `after`,
 * and all sites where anything changed.
 */
export function boardChanges(before, after) {
  const changes = { moved: [], appeared: [], vanished: [], touched: new Set() };
  if (!before || !after) return changes;
  for (const [kind, { losses, gains }] of lossesAndGains(before, after)) {
    const seat = Number(kind.split('/')[0]);
    [...losses, ...gains].forEach((index) => changes.touched.add(index));
    for (const to of gains) {
      if (losses.length === 0) changes.appeared.push({ to, seat });
      else changes.moved.push({ from: takeNearest(losses, to, after.sites), to, seat });
    }
    changes.vanished.push(...losses.map((from) => ({ from, seat })));
  }
  return changes;
}

export function faceName(face) {
  return face ? `${face.rank}${face.suit ? ` ${face.suit}` : ''}` : '';
}

/** Cards of `areas` that are not in the area of the same name in `others`, with their places. */
function cardsMissing(areas, others) {
  const missing = [];
  for (const area of areas) {
    const left = (others.find(({ name }) => name === area.name)?.cards ?? []).map(({ face }) => faceName(face));
    // In order, so that of several hidden cards the last ones are those that are missing.
    area.cards.forEach((card, index) => {
      const found = left.indexOf(faceName(card.face));
      if (found >= 0) left.splice(found, 1);
      else missing.push({ area: area.name, seat: area.seat, index, face: faceName(card.face), from: card.from });
    });
  }
  return missing;
}

/** From the surest to the vaguest sign that a card that came is one that went. */
const SIGNS = [
  (came, went) => came.face !== '' && came.face === went.face,
  (came, went) => went.face === '' && came.from !== undefined && came.from === went.seat,
  (came, went) => came.face === '' && went.face === '',
  (came, went) => came.face === '' || went.face === '',
];

/** Cards that went from one area to another, as {from, to} with area and index; `from` may be null. */
export function cardChanges(before, after) {
  const went = cardsMissing(before ?? [], after ?? []);
  const came = cardsMissing(after ?? [], before ?? []).map((to) => ({ from: null, to }));
  for (const sign of SIGNS) {
    for (const change of came.filter(({ from }) => from === null)) {
      const found = went.findIndex((card) => card.area !== change.to.area && sign(change.to, card));
      if (found >= 0) change.from = went.splice(found, 1)[0];
    }
  }
  const spot = (card) => card && { area: card.area, index: card.index };
  return came.map(({ from, to }) => ({ from: spot(from), to: spot(to) }));
}

/**
 * The picks that an action's text names one after the other, such as e2 and e4 in "e2e4" or "c2-e4";
 * none if there is anything else in it.
 */
export function picksInText(text, picks) {
  const longestFirst = [...new Set(picks)].filter(Boolean).sort((a, b) => b.length - a.length);
  const found = [];
  for (let rest = text; rest !== '';) {
    const pick = longestFirst.find((candidate) => rest.startsWith(candidate));
    if (pick) found.push(pick);
    else if (!/^[-+x>: ]/.test(rest)) return [];
    rest = rest.slice(pick ? pick.length : 1);
  }
  return found;
}

// An action is a handful of picks in any order. What is chosen so far narrows the legal actions down.
// Pure functions: `choices` are [{action, picks, label}], `chosen` are things [{key, pick}], oldest first.
// A thing has a key of its own because things that are alike, such as equal cards, share a pick.

function tally(picks) {
  const counts = new Map();
  for (const pick of picks) counts.set(pick, (counts.get(pick) ?? 0) + 1);
  return counts;
}

function contains(counts, smaller) {
  return [...smaller].every(([pick, count]) => (counts.get(pick) ?? 0) >= count);
}

/** The choices that contain these picks. */
export function possible(choices, picks) {
  const wanted = tally(picks);
  return choices.filter((choice) => contains(tally(choice.picks), wanted));
}

/** The picks that lead on towards some choice. */
export function nextPicks(choices, picks) {
  const wanted = tally(picks);
  const next = new Set();
  for (const choice of possible(choices, picks)) {
    for (const [pick, count] of tally(choice.picks)) {
      if (count > (wanted.get(pick) ?? 0)) next.add(pick);
    }
  }
  return next;
}

/** What is left of a choice after these picks. */
function remaining(choice, picks) {
  const left = tally(choice.picks);
  for (const pick of picks) left.set(pick, left.get(pick) - 1);
  return [...left].filter(([, count]) => count > 0).map(([pick]) => pick);
}

/**
 * The next step to show: of `kinds` ({name: picks}) the first that is still needed, and its picks. If some
 * choices need it and some do not, `name` is null and all next picks are shown.
 */
export function nextStep(choices, picks, kinds) {
  const open = possible(choices, picks)
    .map((choice) => remaining(choice, picks))
    .filter((left) => left.length > 0);
  for (const [name, members] of Object.entries(kinds)) {
    const needing = open.filter((left) => left.some((pick) => members.has(pick)));
    if (needing.length === 0) continue;
    if (needing.length < open.length) break;
    return { name, picks: new Set(open.flat().filter((pick) => members.has(pick))) };
  }
  return { name: null, picks: new Set(open.flat()) };
}

/** Choices that need no picks at all: they are always buttons. */
export function buttons(choices) {
  return choices.filter((choice) => choice.picks.length === 0);
}

/**
 * What the picks amount to: `send` is the action that is meant without doubt, `offers` are actions
 * to confirm or to tell apart by their texts.
 */
export function verdict(choices, picks) {
  if (picks.length === 0) return { send: null, offers: [] };
  const left = possible(choices, picks);
  const complete = left.filter((choice) => choice.picks.length === picks.length);
  if (complete.length === 1 && left.length === 1) return { send: complete[0].action, offers: [] };
  return { send: null, offers: complete };
}

/**
 * What is chosen after a click. A chosen thing is taken back, unless its pick is needed once more and
 * nothing else has it. A thing that does not fit takes back as many of the last ones as are in its way.
 */
export function click(choices, chosen, thing, things) {
  const fits = (kept) =>
    nextPicks(
      choices,
      kept.map(({ pick }) => pick),
    ).has(thing.pick);
  const isChosen = ({ key }) => chosen.some((other) => other.key === key);
  if (isChosen(thing)) {
    const alike = things.filter(({ pick }) => pick === thing.pick);
    if (fits(chosen) && alike.every(isChosen)) return [...chosen, thing];
    const last = chosen.findLastIndex(({ key }) => key === thing.key);
    return chosen.filter((_, index) => index !== last);
  }
  for (let kept = chosen; ; kept = kept.slice(0, -1)) {
    if (fits(kept)) return [...kept, thing];
    if (kept.length === 0) return chosen;
  }
}

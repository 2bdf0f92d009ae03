//! Plays of which only the number of cards and the sum are known: all ways to fill them from the
//! unseen cards, identical cards counted apart, equally likely.
//!
//! Each play is drawn on its own from its card combinations, with a rate for every card value, and
//! the plays are accepted together with the probability that makes every way equally likely. The
//! rates are those that accept most.

use meeple_core::{Player, Rng};

use super::cards::{Cards, HIGHEST_CARD, Multiset, copies, for_each_hand};
use super::state::{PILE, State};

/// Takes the plays, the cards left over and a weight; says whether to go on.
type Visitor<'a> = dyn FnMut(&[(Player, Cards)], Multiset, u64) -> bool + 'a;

const VALUES: usize = HIGHEST_CARD as usize + 1;

/// Rounds of fitting the rates; more gain nothing.
const FITTING_ROUNDS: usize = 40;

/// Steps of the search for a way to fill the plays of a text.
const SEARCH_TRIES: u32 = 20_000;

/// Draws to find one if the search does not end. Views of random games need some hundreds.
const SAMPLER_TRIES: u32 = 200_000;

#[derive(Clone, Debug)]
pub(super) struct HiddenPlays {
    plays: Vec<Play>,
    /// For each value and number of used cards: the probability to accept that.
    accept: [[f64; 5]; VALUES],
    /// The factor by which the best that can still be accepted shrinks with that card.
    bound_step: [[f64; 5]; VALUES],
}

/// One play and what it may have been.
#[derive(Clone, Debug)]
struct Play {
    player: Player,
    /// Each with the running sum of its weights.
    options: Vec<(Cards, f64)>,
    /// Ways to choose the cards if nothing else were hidden; `None` for the viewer's own plays, which
    /// use no unseen cards.
    ways: Option<u64>,
}

impl HiddenPlays {
    /// The hidden plays of a shown state; the viewer's own are known.
    pub(super) fn prepare(shown: &State, viewer: Option<Player>, unseen: Multiset) -> HiddenPlays {
        let mut plays: Vec<Play> = shown
            .hidden_plays()
            .map(|(player, cards)| {
                if viewer == Some(player) {
                    return Play { player, options: vec![(cards, 1.0)], ways: None };
                }
                let (options, ways) = options(cards, unseen);
                Play { player, options, ways: Some(ways) }
            })
            .collect();
        let rates = fit_rates(&mut plays, unseen);
        let accept = acceptance(unseen, &rates);
        HiddenPlays { plays, accept, bound_step: accept.map(bound_steps) }
    }

    /// Fills in the plays and takes their cards out of `unseen`.
    pub(super) fn sample_into(&self, state: &mut State, unseen: &mut Multiset, rng: &mut Rng) {
        let mut chosen = [Cards::one(0); PILE];
        let left = loop {
            if let Some(left) = self.attempt(&mut chosen, *unseen, rng) {
                break left;
            }
        };
        *unseen = left;
        state.clear_hidden_plays();
        for (play, &cards) in self.plays.iter().zip(&chosen) {
            state.push_hidden_play(play.player, cards);
        }
    }

    /// Draws all plays; `None` if the cards do not suffice or the draw is not accepted. Stops as
    /// soon as that is certain.
    #[inline]
    fn attempt(&self, chosen: &mut [Cards; PILE], mut unseen: Multiset, rng: &mut Rng) -> Option<Multiset> {
        let mut used = [0u8; VALUES];
        let threshold = rng.unit();
        let mut bound = 1.0;
        for (play, chosen) in self.plays.iter().zip(chosen) {
            *chosen = play.draw(rng);
            if play.is_known() {
                continue;
            }
            for value in chosen.values() {
                if unseen.count(value) == 0 {
                    return None;
                }
                unseen.remove(value);
                let used = &mut used[usize::from(value)];
                *used += 1;
                bound *= self.bound_step[usize::from(value)][usize::from(*used)];
            }
            if threshold > bound * 1.000_001 {
                return None;
            }
        }
        let accept: f64 = (1..VALUES).map(|value| self.accept[value][usize::from(used[value])]).product();
        (threshold < accept).then_some(unseen)
    }

    /// An upper bound of the ways to fill the plays; `cards` becomes the number of those left.
    pub(super) fn most_ways(&self, cards: &mut usize) -> f64 {
        let mut ways = 1.0;
        for play in &self.plays {
            if let Some(own) = play.ways {
                ways *= own as f64;
                *cards -= play.options[0].0.values().count();
            }
        }
        ways
    }

    /// Visits every way with the cards left over and its weight, until the visitor says false.
    pub(super) fn for_each(&self, unseen: Multiset, visit: &mut Visitor<'_>) {
        self.extend(&mut Vec::new(), unseen, 1, visit);
    }

    fn extend(
        &self,
        chosen: &mut Vec<(Player, Cards)>,
        unseen: Multiset,
        weight: u64,
        visit: &mut Visitor<'_>,
    ) -> bool {
        let Some(play) = self.plays.get(chosen.len()) else {
            return visit(chosen, unseen, weight);
        };
        for &(cards, _) in &play.options {
            let left = if play.is_known() { Ok(unseen) } else { unseen.without(cards.values()) };
            let Ok(left) = left else { continue };
            let ways = if play.is_known() { 1 } else { ways(cards, unseen) };
            chosen.push((play.player, cards));
            let go_on = self.extend(chosen, left, weight.saturating_mul(ways), visit);
            chosen.pop();
            if !go_on {
                return false;
            }
        }
        true
    }

    /// Replaces the hidden plays of a state.
    pub(super) fn write(state: &mut State, plays: &[(Player, Cards)]) {
        state.clear_hidden_plays();
        plays.iter().for_each(|&(player, cards)| state.push_hidden_play(player, cards));
    }
}

impl Play {
    fn is_known(&self) -> bool {
        self.ways.is_none()
    }

    fn draw(&self, rng: &mut Rng) -> Cards {
        if let [(cards, _)] = self.options[..] {
            return cards;
        }
        let total = self.options[self.options.len() - 1].1;
        let point = rng.unit() * total;
        let index = self.options.partition_point(|&(_, sum)| sum <= point);
        self.options[index.min(self.options.len() - 1)].0
    }

    /// The weight of a combination: the product over its values of rate^n / n!.
    fn weigh(&mut self, rates: &[f64; VALUES]) {
        let mut sum = 0.0;
        for (cards, running) in &mut self.options {
            let mut weight = 1.0;
            let mut run = (0, 0.0);
            for value in cards.values() {
                run = if run.0 == value { (value, run.1 + 1.0) } else { (value, 1.0) };
                weight *= rates[usize::from(value)] / run.1;
            }
            sum += weight;
            *running = sum;
        }
    }

    /// Adds how many cards of each value the play uses on average.
    fn add_means(&self, used: &mut [f64; VALUES]) {
        let total = self.options.last().map_or(1.0, |&(_, sum)| sum);
        let mut before = 0.0;
        for &(cards, sum) in &self.options {
            cards.values().for_each(|value| used[usize::from(value)] += (sum - before) / total);
            before = sum;
        }
    }
}

/// All combinations with as many cards and the same sum, and in how many ways they can be chosen.
fn options(veiled: Cards, unseen: Multiset) -> (Vec<(Cards, f64)>, u64) {
    let candidates = candidates(veiled, unseen);
    assert!(!candidates.is_empty(), "no unseen cards fit a hidden play");
    let all_ways = candidates.iter().map(|&cards| ways(cards, unseen)).sum();
    (candidates.into_iter().map(|cards| (cards, 0.0)).collect(), all_ways)
}

/// The number of ways to choose these cards, identical cards counted apart.
fn ways(cards: Cards, from: Multiset) -> u64 {
    let mut ways = 1;
    let mut run = (0, 0);
    for value in cards.values() {
        run = if run.0 == value { (value, run.1 + 1) } else { (value, 0) };
        ways = ways * (u64::from(from.count(value)) - run.1) / (run.1 + 1);
    }
    ways
}

/// The rates that accept most draws, by descent. The logarithm of the number of draws for an
/// accepted one is convex in the logarithms of the rates; its gradient is the mean use of a value
/// less the use that is accepted most often.
fn fit_rates(plays: &mut [Play], unseen: Multiset) -> [f64; VALUES] {
    let mut rates = [1.0; VALUES];
    for value in (1..=HIGHEST_CARD).filter(|&value| unseen.count(value) > 0) {
        rates[usize::from(value)] = 0.5 + 0.5 * f64::from(unseen.count(value));
    }
    for round in 0..=FITTING_ROUNDS {
        plays.iter_mut().filter(|play| !play.is_known()).for_each(|play| play.weigh(&rates));
        if round == FITTING_ROUNDS {
            break;
        }
        let mut used = [0.0; VALUES];
        plays.iter().filter(|play| !play.is_known()).for_each(|play| play.add_means(&mut used));
        let step = 0.6 / (1.0 + round as f64 / 6.0);
        for value in 1..=HIGHEST_CARD {
            let rate = &mut rates[usize::from(value)];
            // c!/(c-u)! / rate^u grows with u as long as c - u >= rate.
            let accepted_most = (f64::from(unseen.count(value)) - *rate + 1.0).floor().max(0.0);
            let change = (step * (accepted_most - used[usize::from(value)])).clamp(-0.5, 0.5);
            // The exponential of the change, nearly, and the same on every machine.
            *rate *= (1.0 + change / 2.0) / (1.0 - change / 2.0);
        }
    }
    rates
}

/// With c cards of a value and u of them used there are c!/(c-u)! ways where the draws have
/// rate^u; the quotient, divided by its greatest value, is accepted.
fn acceptance(unseen: Multiset, rates: &[f64; VALUES]) -> [[f64; 5]; VALUES] {
    let mut accept = [[1.0; 5]; VALUES];
    for value in 1..=HIGHEST_CARD {
        let quotients = &mut accept[usize::from(value)];
        let count = unseen.count(value);
        debug_assert!(count <= copies(value));
        for used in 1..5 {
            let left = f64::from(count) - (used as f64 - 1.0);
            quotients[used] = if left > 0.0 { quotients[used - 1] * left / rates[usize::from(value)] } else { 0.0 };
        }
        let greatest = quotients.iter().copied().fold(0.0, f64::max);
        quotients.iter_mut().for_each(|quotient| *quotient /= greatest);
    }
    accept
}

/// With the best that is still possible after each number of cards: its quotients.
fn bound_steps(accept: [f64; 5]) -> [f64; 5] {
    let best = |used: usize| accept[used..].iter().copied().fold(0.0, f64::max);
    std::array::from_fn(|used| if used == 0 || best(used - 1) == 0.0 { 1.0 } else { best(used) / best(used - 1) })
}

/// Whether the unseen cards can fill all hidden plays and leave cards that are `enough`. Decided by
/// search; where that takes too long, by whether the sampler finds a way.
pub(super) fn is_possible(
    shown: &State,
    viewer: Option<Player>,
    unseen: Multiset,
    enough: &dyn Fn(Multiset) -> bool,
) -> bool {
    let hidden = shown.hidden_plays().filter(|&(player, _)| viewer != Some(player));
    let mut plays: Vec<Vec<Cards>> = hidden.map(|(_, cards)| candidates(cards, unseen)).collect();
    plays.sort_by_key(Vec::len);
    let mut tries = SEARCH_TRIES;
    match fits(&plays, unseen, enough, &mut tries) {
        Some(possible) => possible,
        None => {
            let plays = HiddenPlays::prepare(shown, viewer, unseen);
            let mut chosen = [Cards::one(0); PILE];
            let mut rng = Rng::from_seed(0);
            (0..SAMPLER_TRIES).any(|_| plays.attempt(&mut chosen, unseen, &mut rng).is_some_and(enough))
        }
    }
}

/// `None` if the tries do not suffice to decide it.
fn fits(plays: &[Vec<Cards>], unseen: Multiset, enough: &dyn Fn(Multiset) -> bool, tries: &mut u32) -> Option<bool> {
    let Some((first, rest)) = plays.split_first() else { return Some(enough(unseen)) };
    let mut possible: Vec<(Cards, Multiset)> =
        first.iter().filter_map(|&cards| Some((cards, unseen.without(cards.values()).ok()?))).collect();
    // Values of which many are left first.
    possible.sort_by_key(|&(cards, _)| std::cmp::Reverse(ways(cards, unseen)));
    for (_, left) in possible {
        *tries = tries.checked_sub(1)?;
        if fits(rest, left, enough, tries)? {
            return Some(true);
        }
    }
    Some(false)
}

fn candidates(veiled: Cards, unseen: Multiset) -> Vec<Cards> {
    let mut candidates = Vec::new();
    for_each_hand(unseen, veiled.values().count(), &mut |values, _| {
        if values.iter().sum::<u8>() == veiled.sum() {
            candidates.push(Cards::new(values));
        }
    });
    candidates
}

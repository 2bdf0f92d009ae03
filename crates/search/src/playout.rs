//! How a game is played from a leaf of the tree to its end.
//!
//! `random` is uniform. An n-gram average (thesis 002, section 5.4; NAST, and MAST for n = 1)
//! remembers for every sequence of n actions the mean reward of the player of the last one, and
//! prefers what did well before.

use meeple_core::rng::mix;
use meeple_core::{Game, Payoffs, Player, Rng, Turn, playout};

use crate::Reward;
use crate::logarithm::ln;

/// Which actions a playout prefers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Playout {
    /// Uniform over the legal actions.
    Random,
    /// By the mean rewards of sequences of actions.
    Ngrams {
        /// Actions in a sequence, 1..=8; 1 is MAST.
        length: usize,
        policy: Policy,
    },
}

/// How mean rewards become a choice. A sequence that was never seen counts as a win.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// With this probability uniform over all, else uniform over the best (0.2 in thesis 002).
    EpsilonGreedy(f64),
    /// In proportion to exp(mean / τ) (τ = 1 in thesis 002).
    Gibbs(f64),
    /// In proportion to the mean, counted from the lowest possible reward.
    Roulette,
    /// The best mean + c sqrt(ln N / n), unseen ones first (c = 0.7 in thesis 002).
    Ucb1(f64),
}

/// Entries of the table of sequences: 24 bytes each.
const TABLE: usize = 1 << 16;

/// What a playout came to, for every seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth {
    pub(crate) payoffs: Payoffs,
    pub(crate) rewards: Payoffs,
}

/// What is kept between the playouts of a search.
#[derive(Debug)]
pub(crate) struct Playouts {
    kind: Playout,
    reward: Reward,
    /// The lowest and the highest reward.
    range: (f64, f64),
    /// By key modulo its length; a new sequence takes the place of an older one.
    table: Vec<Entry>,
    /// Of the search: entries of earlier ones do not count.
    search: u64,
    /// All decisions since the root: who, and what. Kept if `remembers`.
    history: Vec<(Player, u32)>,
    remembers: bool,
    /// Of the actions at hand, scratch space.
    means: Vec<f64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    reward: f64,
    count: u32,
}

impl Playouts {
    pub(crate) fn new<G: Game>(game: &G, kind: Playout, reward: Reward) -> Playouts {
        let entries = if kind == Playout::Random { 0 } else { TABLE };
        let range = reward.range(game);
        Playouts {
            kind,
            reward,
            range,
            table: vec![Entry::default(); entries],
            search: 0,
            history: Vec::new(),
            remembers: kind != Playout::Random,
            means: Vec::new(),
        }
    }

    /// Forgets what was learned in the search before.
    pub(crate) fn new_search(&mut self) {
        self.search += 1;
    }

    /// Keeps the decisions of every game for [`Playouts::history`], whatever the kind.
    pub(crate) fn remember(&mut self) {
        self.remembers = true;
    }

    /// All decisions of the game since the root: who, and what.
    pub(crate) fn history(&self) -> &[(Player, u32)] {
        &self.history
    }

    pub(crate) fn new_iteration(&mut self) {
        self.history.clear();
    }

    /// Notes an action taken in the tree.
    #[inline]
    pub(crate) fn record(&mut self, player: Player, code: u32) {
        if self.remembers {
            self.history.push((player, code));
        }
    }

    /// Plays to the end and learns from it.
    #[inline]
    pub(crate) fn play<G: Game>(
        &mut self,
        game: &G,
        state: &mut G::State,
        actions: &mut Vec<G::Action>,
        rng: &mut Rng,
    ) -> Worth {
        self.finish(game, state, actions, rng);
        let payoffs = game.payoffs(state);
        let rewards = self.reward.at_end(game, state, &payoffs);
        self.learn(&rewards);
        Worth { payoffs, rewards }
    }

    fn finish<G: Game>(&mut self, game: &G, state: &mut G::State, actions: &mut Vec<G::Action>, rng: &mut Rng) {
        let Playout::Ngrams { length, policy } = self.kind else {
            match self.remembers {
                true => self.finish_at_random(game, state, actions, rng),
                false => drop(playout::finish(game, state, actions, rng)),
            }
            return;
        };
        loop {
            match game.turn(state) {
                Turn::Over => return,
                Turn::Chance => game.play_chance(state, rng),
                Turn::Player(player) => {
                    game.legal_actions(state, actions);
                    let chosen = match actions.len() {
                        1 => 0,
                        _ => self.choose(game, player, actions, length, policy, rng),
                    };
                    self.history.push((player, game.action_code(actions[chosen])));
                    game.apply(state, actions[chosen]);
                }
            }
        }
    }

    fn finish_at_random<G: Game>(
        &mut self,
        game: &G,
        state: &mut G::State,
        actions: &mut Vec<G::Action>,
        rng: &mut Rng,
    ) {
        loop {
            match game.turn(state) {
                Turn::Over => return,
                Turn::Chance => game.play_chance(state, rng),
                Turn::Player(player) => {
                    let action = game.random_action(state, actions, rng);
                    self.record(player, game.action_code(action));
                    game.apply(state, action);
                }
            }
        }
    }

    /// Adds the rewards of the players to every sequence of the game.
    fn learn(&mut self, rewards: &Payoffs) {
        let Playout::Ngrams { length, .. } = self.kind else { return };
        for end in length..=self.history.len() {
            let (player, code) = self.history[end - 1];
            let key = self.key(self.context(end - 1, length), player, code);
            let entry = &mut self.table[key as usize % TABLE];
            if entry.key != key {
                *entry = Entry { key, reward: 0.0, count: 0 };
            }
            entry.reward += f64::from(rewards[player]);
            entry.count += 1;
        }
    }

    fn choose<G: Game>(
        &mut self,
        game: &G,
        player: Player,
        actions: &[G::Action],
        length: usize,
        policy: Policy,
        rng: &mut Rng,
    ) -> usize {
        let uniform = |rng: &mut Rng| rng.below(actions.len() as u32) as usize;
        if self.history.len() + 1 < length {
            return uniform(rng);
        }
        if let Policy::EpsilonGreedy(epsilon) = policy
            && rng.unit() < epsilon
        {
            return uniform(rng);
        }
        let mut means = std::mem::take(&mut self.means);
        means.clear();
        let (lowest, highest) = self.range;
        let context = self.context(self.history.len(), length);
        let entries = actions.iter().map(|&action| self.entry(self.key(context, player, game.action_code(action))));
        match policy {
            Policy::EpsilonGreedy(_) => means.extend(entries.map(|entry| entry.mean(highest))),
            Policy::Gibbs(temperature) => {
                means.extend(entries.map(|entry| libm::exp(entry.mean(highest) / temperature)))
            }
            Policy::Roulette => means.extend(entries.map(|entry| entry.mean(highest) - lowest)),
            Policy::Ucb1(c) => {
                let all = ln(entries.clone().map(|entry| entry.count).sum());
                means.extend(entries.map(|entry| entry.bound(c, all)));
            }
        }
        let chosen = match policy {
            Policy::EpsilonGreedy(_) | Policy::Ucb1(_) => best(&means, rng),
            Policy::Gibbs(_) | Policy::Roulette => in_proportion(&means, rng),
        };
        self.means = means;
        chosen
    }

    /// A key of the actions before the one at `place`, as many as belong to its sequence.
    fn context(&self, place: usize, length: usize) -> u64 {
        let before = &self.history[place + 1 - length..place];
        before.iter().fold(self.search, |key, &(_, code)| mix(key ^ u64::from(code)))
    }

    fn key(&self, context: u64, player: Player, code: u32) -> u64 {
        mix(context.wrapping_add((player as u64 + 1) << 32) ^ u64::from(code))
    }

    fn entry(&self, key: u64) -> Entry {
        let entry = self.table[key as usize % TABLE];
        if entry.key == key { entry } else { Entry::default() }
    }
}

impl Entry {
    /// A sequence that was never seen counts as the highest reward.
    fn mean(&self, highest: f64) -> f64 {
        if self.count == 0 { highest } else { self.reward / f64::from(self.count) }
    }

    /// The upper confidence bound, where `all` is ln of all visits.
    fn bound(&self, c: f64, all: f64) -> f64 {
        if self.count == 0 {
            f64::INFINITY
        } else {
            self.mean(f64::INFINITY) + c * (all / f64::from(self.count)).sqrt()
        }
    }
}

/// The place of the highest value, any of equals.
fn best(values: &[f64], rng: &mut Rng) -> usize {
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let equals = values.iter().filter(|&&value| value == highest).count() as u32;
    let wanted = if equals == 1 { 0 } else { rng.below(equals) as usize };
    let mut places = (0..values.len()).filter(|&place| values[place] == highest);
    places.nth(wanted).expect("one of them is the highest")
}

/// A place with a probability in proportion to its value; any if all are 0.
fn in_proportion(values: &[f64], rng: &mut Rng) -> usize {
    let sum: f64 = values.iter().sum();
    if sum <= 0.0 {
        return rng.below(values.len() as u32) as usize;
    }
    let mut left = rng.unit() * sum;
    for (place, &value) in values.iter().enumerate() {
        left -= value;
        if left < 0.0 {
            return place;
        }
    }
    values.len() - 1 // rounding
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(choose: impl Fn(&mut Rng) -> usize, place: usize) -> f64 {
        let mut rng = Rng::from_seed(1);
        (0..20_000).filter(|_| choose(&mut rng) == place).count() as f64 / 20_000.0
    }

    #[test]
    fn choices_have_their_shares() {
        assert_eq!(share(|rng| best(&[0.0, 2.0, 1.0], rng), 1), 1.0);
        assert!((share(|rng| best(&[2.0, 2.0, 1.0], rng), 0) - 0.5).abs() < 0.02);
        assert!((share(|rng| in_proportion(&[1.0, 3.0], rng), 1) - 0.75).abs() < 0.02);
        assert!((share(|rng| in_proportion(&[0.0, 0.0], rng), 1) - 0.5).abs() < 0.02);
    }
}

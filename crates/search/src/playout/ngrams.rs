//! Mean rewards of sequences of actions (NAST; MAST for sequences of one; thesis 002, section 5.4).
//!
//! For every sequence of n actions the mean reward of the player of the last one is kept, wherever
//! in the game it was played.

use meeple_core::rng::mix;
use meeple_core::{Payoffs, Player, Rng};

use super::pick::{best, in_proportion};
use crate::logarithm::ln;

/// How mean rewards become a choice. A sequence that was never seen counts as the highest reward.
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

/// Entries of the table: 24 bytes each.
const TABLE: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct Ngrams {
    length: usize,
    policy: Policy,
    /// The lowest and the highest reward.
    range: (f64, f64),
    /// By key modulo its length; a new sequence takes the place of an older one.
    table: Vec<Entry>,
    /// Counts searches: entries of earlier ones are as good as empty.
    search: u32,
    /// Of the actions at hand, scratch space.
    values: Vec<f64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    reward: f64,
    count: u32,
    search: u32,
}

impl Ngrams {
    pub(super) fn new(length: usize, policy: Policy, range: (f64, f64)) -> Ngrams {
        Ngrams { length, policy, range, table: vec![Entry::default(); TABLE], search: 0, values: Vec::new() }
    }

    pub(super) fn new_search(&mut self) {
        self.search += 1;
    }

    /// Adds the rewards of the players to every sequence of the game.
    pub(super) fn learn(&mut self, history: &[(Player, u32)], rewards: &Payoffs) {
        for end in self.length..=history.len() {
            let (player, code) = history[end - 1];
            let key = key(self.context(&history[..end - 1]), player, code);
            let entry = &mut self.table[key as usize % TABLE];
            if entry.key != key || entry.search != self.search {
                *entry = Entry { key, reward: 0.0, count: 0, search: self.search };
            }
            entry.reward += f64::from(rewards[player]);
            entry.count += 1;
        }
    }

    /// A place in the list of actions of `player`, given by their codes.
    pub(super) fn choose(
        &mut self,
        history: &[(Player, u32)],
        player: Player,
        codes: impl ExactSizeIterator<Item = u32> + Clone,
        rng: &mut Rng,
    ) -> usize {
        let explore = matches!(self.policy, Policy::EpsilonGreedy(epsilon) if rng.unit() < epsilon);
        if explore || history.len() + 1 < self.length {
            return rng.below(codes.len() as u32) as usize;
        }
        self.value(history, player, codes);
        match self.policy {
            Policy::EpsilonGreedy(_) | Policy::Ucb1(_) => best(&self.values, rng),
            Policy::Gibbs(_) | Policy::Roulette => in_proportion(&self.values, rng),
        }
    }

    /// Fills in what the policy makes of each action.
    fn value(&mut self, history: &[(Player, u32)], player: Player, codes: impl Iterator<Item = u32> + Clone) {
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        let (lowest, highest) = self.range;
        let context = self.context(history);
        let entries = codes.map(|code| self.entry(key(context, player, code)));
        match self.policy {
            Policy::EpsilonGreedy(_) => values.extend(entries.map(|entry| entry.mean(highest))),
            Policy::Gibbs(temperature) => {
                values.extend(entries.map(|entry| libm::exp((entry.mean(highest) - highest) / temperature)));
            }
            Policy::Roulette => values.extend(entries.map(|entry| entry.mean(highest) - lowest)),
            Policy::Ucb1(c) => {
                let all = ln(entries.clone().map(|entry| entry.count).sum());
                values.extend(entries.map(|entry| entry.bound(c, all)));
            }
        }
        self.values = values;
    }

    /// A key of the actions before, as many as belong to a sequence.
    fn context(&self, history: &[(Player, u32)]) -> u64 {
        let before = &history[history.len() + 1 - self.length..];
        before.iter().fold(0, |key, &(_, code)| mix(key ^ u64::from(code)))
    }

    fn entry(&self, key: u64) -> Entry {
        let entry = self.table[key as usize % TABLE];
        if entry.key == key && entry.search == self.search { entry } else { Entry::default() }
    }
}

fn key(context: u64, player: Player, code: u32) -> u64 {
    mix(context.wrapping_add((player as u64 + 1) << 32) ^ u64::from(code))
}

impl Entry {
    /// With nothing to average, the highest reward.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_remembered_for_their_last_player() {
        let mut ngrams = Ngrams::new(2, Policy::EpsilonGreedy(0.0), (-1.0, 1.0));
        ngrams.learn(&[(0, 7), (1, 8), (0, 9)], &[1.0, -1.0, 0.0, 0.0, 0.0, 0.0]);
        let entry = |ngrams: &Ngrams, before: u32, player: Player, code: u32| {
            ngrams.entry(key(ngrams.context(&[(0, before)]), player, code))
        };
        assert_eq!(entry(&ngrams, 7, 1, 8).mean(1.0), -1.0);
        assert_eq!(entry(&ngrams, 8, 0, 9).mean(1.0), 1.0);
        assert_eq!(entry(&ngrams, 7, 0, 8).count, 0, "another player");
        assert_eq!(entry(&ngrams, 9, 1, 8).count, 0, "another action before");
        ngrams.new_search();
        assert_eq!(entry(&ngrams, 7, 1, 8).count, 0, "an earlier search");
    }

    #[test]
    fn what_did_well_is_preferred() {
        let rewards = |first: f32| [first, 0.0, 0.0, 0.0, 0.0, 0.0];
        for policy in [Policy::EpsilonGreedy(0.2), Policy::Gibbs(0.5), Policy::Roulette, Policy::Ucb1(0.1)] {
            let mut ngrams = Ngrams::new(1, policy, (-1.0, 1.0));
            for _ in 0..100 {
                ngrams.learn(&[(0, 1)], &rewards(0.9));
                ngrams.learn(&[(0, 2)], &rewards(-0.9));
            }
            let mut rng = Rng::from_seed(1);
            let first = (0..1000).filter(|_| ngrams.choose(&[], 0, [1u32, 2].into_iter(), &mut rng) == 0).count();
            assert!(first > 800, "{policy:?}: {first}");
        }
    }
}

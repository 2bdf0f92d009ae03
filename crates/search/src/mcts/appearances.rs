//! How games ended in which an action appeared at any time below a node ("all moves as first").
//!
//! The statistics of the root, by player and action, are those of progressive history.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use meeple_core::rng::mix;
use meeple_core::{Payoffs, Player};

/// The most entries of the table, 16 bytes each.
const MOST: usize = 1 << 20;
/// Places that remember the actions of one game.
const SEEN: usize = 1 << 10;

/// By a hash of node, player and action: a new one takes the place of an older one. Threads that
/// meet in an entry may lose a count.
#[derive(Debug)]
pub(crate) struct Appearances {
    entries: Vec<Entry>,
    /// Of the search: entries of earlier ones do not count.
    search: u64,
}

#[derive(Debug, Default)]
struct Entry {
    tag: AtomicU32,
    count: AtomicU32,
    /// The bits of an f64.
    reward: AtomicU64,
}

/// Which actions of the game at hand were counted: each counts once.
#[derive(Debug)]
pub(crate) struct Seen {
    keys: Vec<u64>,
    game: u64,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen { keys: vec![0; SEEN], game: 0 }
    }
}

impl Seen {
    fn is_new(&mut self, player: Player, code: u32) -> bool {
        let action = mix(u64::from(code) << 8 | player as u64);
        let place = &mut self.keys[action as usize % SEEN];
        let key = action ^ mix(self.game);
        std::mem::replace(place, key) != key
    }
}

impl Appearances {
    /// A table that takes at most so many bytes.
    pub(crate) fn new(bytes: usize) -> Appearances {
        let entries = (bytes / size_of::<Entry>()).clamp(1, MOST);
        Appearances { entries: (0..entries).map(|_| Entry::default()).collect(), search: 0 }
    }

    pub(crate) fn new_search(&mut self) {
        self.search += 1;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    /// Adds a finished game: `actions` since the root, and the nodes that learn with their depths.
    pub(crate) fn learn(&self, nodes: &[(u32, usize)], actions: &[(Player, u32)], rewards: &Payoffs, seen: &mut Seen) {
        seen.game += 1;
        // From the end, so that every node counts an action that comes again after it.
        for (depth, &(player, code)) in actions.iter().enumerate().rev() {
            if seen.is_new(player, code) {
                for &(node, _) in nodes.iter().filter(|&&(_, above)| above <= depth) {
                    self.add(self.key(node, player, code), f64::from(rewards[player]));
                }
            }
        }
    }

    /// In how many games below a node the action appeared, and their mean reward for the player.
    #[inline]
    pub(crate) fn get(&self, node: u32, player: Player, code: u32) -> Option<(f64, f64)> {
        let key = self.key(node, player, code);
        let entry = self.entry(key);
        if entry.tag.load(Relaxed) != self.tag(key) {
            return None;
        }
        let count = f64::from(entry.count.load(Relaxed));
        Some((count, f64::from_bits(entry.reward.load(Relaxed)) / count))
    }

    fn add(&self, key: u64, reward: f64) {
        let entry = self.entry(key);
        let known = entry.tag.load(Relaxed) == self.tag(key);
        let (count, sum) = match known {
            true => (entry.count.load(Relaxed), f64::from_bits(entry.reward.load(Relaxed))),
            false => (0, 0.0),
        };
        entry.tag.store(self.tag(key), Relaxed);
        entry.count.store(count + 1, Relaxed);
        entry.reward.store((sum + reward).to_bits(), Relaxed);
    }

    #[inline]
    fn key(&self, node: u32, player: Player, code: u32) -> u64 {
        mix(mix(u64::from(node) << 32 | u64::from(code)) ^ player as u64)
    }

    #[inline]
    fn entry(&self, key: u64) -> &Entry {
        &self.entries[(((key >> 32) * self.entries.len() as u64) >> 32) as usize]
    }

    /// Tells keys and searches apart. The place of an entry does not depend on the search, so that
    /// every search meets the same collisions. Never 0, which is an empty entry.
    #[inline]
    fn tag(&self, key: u64) -> u32 {
        (key as u32 ^ mix(self.search) as u32) | 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::zero_sum;

    #[test]
    fn an_action_counts_once_for_every_node_above_it() {
        let appearances = Appearances::new(1 << 16);
        let mut seen = Seen::default();
        let actions = [(0, 7), (1, 8), (0, 9), (1, 8)];
        appearances.learn(&[(0, 0), (5, 2)], &actions, &zero_sum(0.5), &mut seen);
        assert_eq!(appearances.get(0, 1, 8), Some((1.0, -0.5)));
        assert_eq!(appearances.get(5, 1, 8), Some((1.0, -0.5)), "it came again below the second node");
        assert_eq!(appearances.get(5, 0, 9), Some((1.0, 0.5)));
        assert_eq!(appearances.get(5, 0, 7), None);
        assert_eq!(appearances.get(0, 1, 7), None);
        appearances.learn(&[(0, 0)], &actions, &zero_sum(-1.0), &mut seen);
        assert_eq!(appearances.get(0, 0, 7), Some((2.0, -0.25)));
    }

    #[test]
    fn another_search_begins_with_nothing() {
        let mut appearances = Appearances::new(1 << 16);
        appearances.learn(&[(0, 0)], &[(0, 7)], &zero_sum(1.0), &mut Seen::default());
        appearances.new_search();
        assert_eq!(appearances.get(0, 0, 7), None);
    }
}

//! Positions that were solved before.

use meeple_core::{MAX_PLAYERS, Payoffs};

/// Entries: 40 bytes each.
const ENTRIES: usize = 1 << 15;

/// How a stored value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    rewards: Payoffs,
    bound: Bound,
}

/// By key modulo its length; a new position takes the place of an older one.
pub(super) struct Transpositions(Vec<Entry>);

const EMPTY: Entry = Entry { key: 0, rewards: [0.0; MAX_PLAYERS], bound: Bound::Exact };

impl Transpositions {
    pub(super) fn new() -> Transpositions {
        Transpositions(vec![EMPTY; ENTRIES])
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(EMPTY);
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.0.len() * size_of::<Entry>()) as u64
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<(Payoffs, Bound)> {
        let entry = &self.0[key as usize % ENTRIES];
        (entry.key == key).then_some((entry.rewards, entry.bound))
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, rewards: Payoffs, bound: Bound) {
        self.0[key as usize % ENTRIES] = Entry { key, rewards, bound };
    }
}

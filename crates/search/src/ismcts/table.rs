//! The statistics of a search: edges, each an action at an information set, in one hash table.
//!
//! An information set may have hundreds of actions of which a few dozen are legal in the world at
//! hand, so lists of siblings are too long to walk: Just 4 Fun with 100,000 iterations runs 8 times
//! faster with the table.

use meeple_core::rng::mix;

/// The edge that stands for all for which there is no memory; its statistics mean nothing.
pub(super) const NOWHERE: u32 = 0;

/// What identifies the edge of an action, or of a group of actions, at a node. Two of a million
/// edges are confused in one of 10^7 searches.
#[inline]
pub(super) fn edge_key(node: u64, code: u32) -> u64 {
    mix(node ^ u64::from(code))
}

/// What is known about an action at a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    pub(super) key: u64,
    /// The sum of rewards of the player who chooses the action.
    pub(super) reward: f64,
    pub(super) visits: u32,
    /// How often the action was legal when its node was visited.
    pub(super) available: u32,
}

/// Open addressing with linear probing, at most half full.
#[derive(Debug)]
pub(super) struct Table {
    edges: Vec<Edge>,
    /// Numbers of edges; [`NOWHERE`] is empty.
    slots: Vec<u32>,
    most_edges: usize,
}

impl Table {
    /// A table that never takes more than about `bytes`.
    pub(super) fn new(bytes: usize) -> Table {
        let most_edges = (bytes / (size_of::<Edge>() + 4 * size_of::<u32>())).clamp(2, u32::MAX as usize / 4);
        Table { edges: vec![Edge::default()], slots: vec![NOWHERE; 1 << 12], most_edges }
    }

    /// Forgets everything; keeps the memory.
    pub(super) fn clear(&mut self) {
        self.edges.truncate(1);
        self.slots.fill(NOWHERE);
    }

    pub(super) fn len(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.edges.len() >= self.most_edges
    }

    pub(super) fn is_half_full(&self) -> bool {
        2 * self.edges.len() >= self.most_edges
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.edges.len() * size_of::<Edge>() + self.slots.len() * size_of::<u32>()) as u64
    }

    #[inline]
    pub(super) fn edge(&self, number: u32) -> &Edge {
        &self.edges[number as usize]
    }

    #[inline]
    pub(super) fn edge_mut(&mut self, number: u32) -> &mut Edge {
        &mut self.edges[number as usize]
    }

    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        let mut slot = self.first_slot(key);
        loop {
            let number = self.slots[slot];
            if number == NOWHERE {
                return None;
            }
            if self.edges[number as usize].key == key {
                return Some(number);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// A new edge, available once; [`NOWHERE`] if memory is used up.
    pub(super) fn add(&mut self, key: u64) -> u32 {
        self.add_with(key, 1)
    }

    /// A new edge that has not been available yet.
    pub(super) fn add_unavailable(&mut self, key: u64) -> u32 {
        self.add_with(key, 0)
    }

    fn add_with(&mut self, key: u64, available: u32) -> u32 {
        if self.is_full() {
            return NOWHERE;
        }
        if 2 * self.edges.len() >= self.slots.len() {
            self.grow();
        }
        let number = self.edges.len() as u32;
        self.edges.push(Edge { key, reward: 0.0, visits: 0, available });
        self.enter(number);
        number
    }

    fn enter(&mut self, number: u32) {
        let mut slot = self.first_slot(self.edges[number as usize].key);
        while self.slots[slot] != NOWHERE {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = number;
    }

    fn grow(&mut self) {
        self.slots = vec![NOWHERE; 2 * self.slots.len()];
        for number in 1..self.edges.len() as u32 {
            self.enter(number);
        }
    }

    #[inline]
    fn first_slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }
}

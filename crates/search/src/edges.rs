//! Statistics of actions at nodes that are known by a key, in one hash table.
//!
//! A node is a number of 64 bits, so several trees live side by side, and a node costs nothing
//! before one of its actions has been tried. An information set may have hundreds of actions of
//! which a few dozen are legal in the world at hand, so lists of siblings would be too long to walk:
//! Just 4 Fun with 100,000 iterations runs 8 times faster with the table.

use meeple_core::rng::mix;

/// The edge that stands for all for which there is no memory; its statistics mean nothing.
pub(crate) const NOWHERE: u32 = 0;

/// The root of one of several trees.
#[inline]
pub(crate) fn root_key(tree: usize) -> u64 {
    mix(tree as u64 + 1)
}

/// The key of an action, or of a group of actions, at a node; also the node that it leads to. Two of
/// a million edges are confused in one of 10^7 searches.
#[inline]
pub(crate) fn edge_key(node: u64, code: u32) -> u64 {
    mix(node ^ u64::from(code))
}

/// The node after something that is known by a key of 64 bits.
#[inline]
pub(crate) fn node_after(node: u64, seen: u64) -> u64 {
    mix(node.rotate_left(23) ^ mix(seen.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}

/// What is known about an action at a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edge {
    pub(crate) key: u64,
    /// The sum of rewards of the player who chooses the action.
    pub(crate) reward: f64,
    pub(crate) visits: u32,
    /// How often the action was legal when its node was visited.
    pub(crate) available: u32,
}

impl Edge {
    pub(crate) fn mean(&self) -> f64 {
        self.reward / f64::from(self.visits)
    }
}

/// Open addressing with linear probing, at most half full.
#[derive(Debug)]
pub(crate) struct Edges {
    edges: Vec<Edge>,
    /// Numbers of edges; [`NOWHERE`] is empty.
    slots: Vec<u32>,
    most: usize,
}

impl Edges {
    /// A table that never takes more than about `bytes`.
    pub(crate) fn new(bytes: usize) -> Edges {
        let most = (bytes / (size_of::<Edge>() + 4 * size_of::<u32>())).clamp(2, u32::MAX as usize / 4);
        Edges { edges: vec![Edge::default()], slots: vec![NOWHERE; 1 << 12], most }
    }

    /// Forgets everything; keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.edges.truncate(1);
        self.slots.fill(NOWHERE);
    }

    pub(crate) fn len(&self) -> usize {
        self.edges.len()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.edges.len() >= self.most
    }

    pub(crate) fn is_half_full(&self) -> bool {
        2 * self.edges.len() >= self.most
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.edges.len() * size_of::<Edge>() + self.slots.len() * size_of::<u32>()) as u64
    }

    #[inline]
    pub(crate) fn edge(&self, number: u32) -> &Edge {
        &self.edges[number as usize]
    }

    /// Counts that the action was legal when its node was visited.
    #[inline]
    pub(crate) fn make_available(&mut self, number: u32) {
        self.edges[number as usize].available += 1;
    }

    /// Counts a visit with its reward for the player who chose the action.
    #[inline]
    pub(crate) fn update(&mut self, number: u32, reward: f64) {
        let edge = &mut self.edges[number as usize];
        edge.visits += 1;
        edge.reward += reward;
    }

    #[inline]
    pub(crate) fn find(&self, key: u64) -> Option<u32> {
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
    pub(crate) fn add(&mut self, key: u64) -> u32 {
        self.add_with(key, 1)
    }

    /// A new edge that has not been available yet.
    pub(crate) fn add_unavailable(&mut self, key: u64) -> u32 {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_found_again() {
        let mut edges = Edges::new(1 << 20);
        let key = |node: usize, code: u32| edge_key(root_key(node), code);
        for node in 0..100 {
            for code in 0..100 {
                assert_eq!(edges.find(key(node, code)), None);
                let number = edges.add(key(node, code));
                edges.update(number, f64::from(node as u32 * 100 + code));
            }
        }
        for node in 0..100 {
            for code in 0..100 {
                let number = edges.find(key(node, code)).unwrap();
                assert_eq!(edges.edge(number).mean(), f64::from(node as u32 * 100 + code));
            }
        }
        edges.clear();
        assert_eq!(edges.find(key(1, 1)), None);
    }

    #[test]
    fn memory_is_bounded() {
        let mut edges = Edges::new(1 << 16);
        let added = (0..100_000).filter(|&code| edges.add(edge_key(1, code)) != NOWHERE).count();
        assert!(added > 1000 && edges.bytes() <= 1 << 16, "{added} edges, {} bytes", edges.bytes());
        assert!(edges.is_full());
    }
}

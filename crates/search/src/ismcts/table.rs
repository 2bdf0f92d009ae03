//! The tree of information sets: which child an action leads to is found in one hash table.
//!
//! A node may have hundreds of children of which a few dozen are legal in the world at hand, so
//! lists of siblings are too long to walk: Just 4 Fun with 100,000 iterations runs 8 times faster
//! with the table.

use meeple_core::rng::mix;

pub(crate) const ROOT: u32 = 0;

/// What is known about the action that leads here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The sum of rewards of the player who chose the action.
    pub(crate) reward: f64,
    pub(crate) visits: u32,
    /// How often the action was legal when its parent was visited.
    pub(crate) available: u32,
    parent: u32,
    pub(crate) code: u32,
}

/// Open addressing with linear probing, at most half full.
#[derive(Debug)]
pub(crate) struct Table {
    nodes: Vec<Node>,
    /// Numbers of nodes; 0 is empty, because the root is nobody's child.
    slots: Vec<u32>,
    most_nodes: usize,
}

impl Table {
    /// A table with the root alone, which never takes more than about `bytes`.
    pub(crate) fn new(bytes: usize) -> Table {
        let most_nodes = (bytes / (size_of::<Node>() + 4 * size_of::<u32>())).clamp(2, u32::MAX as usize / 4);
        let mut table = Table { nodes: Vec::new(), slots: vec![0; 1 << 12], most_nodes };
        table.clear();
        table
    }

    /// Forgets all but an unvisited root; keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node { reward: 0.0, visits: 0, available: 0, parent: 0, code: 0 });
        self.slots.fill(0);
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.nodes.len() >= self.most_nodes
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.nodes.len() * size_of::<Node>() + self.slots.len() * size_of::<u32>()) as u64
    }

    #[inline]
    pub(crate) fn node(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether a node is a child of another.
    pub(crate) fn is_child(&self, number: u32, parent: u32) -> bool {
        number != ROOT && self.nodes[number as usize].parent == parent
    }

    #[inline]
    pub(crate) fn child(&self, parent: u32, code: u32) -> Option<u32> {
        let mut slot = self.first_slot(parent, code);
        loop {
            let number = self.slots[slot];
            if number == 0 {
                return None;
            }
            let node = &self.nodes[number as usize];
            if node.parent == parent && node.code == code {
                return Some(number);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// A new child, or `None` if memory is used up.
    pub(crate) fn add_child(&mut self, parent: u32, code: u32) -> Option<u32> {
        if self.is_full() {
            return None;
        }
        if 2 * self.nodes.len() >= self.slots.len() {
            self.grow();
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { reward: 0.0, visits: 0, available: 1, parent, code });
        self.enter(number);
        Some(number)
    }

    fn enter(&mut self, number: u32) {
        let Node { parent, code, .. } = self.nodes[number as usize];
        let mut slot = self.first_slot(parent, code);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = number;
    }

    fn grow(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        for number in 1..self.nodes.len() as u32 {
            self.enter(number);
        }
    }

    #[inline]
    fn first_slot(&self, parent: u32, code: u32) -> usize {
        mix(u64::from(parent) << 32 | u64::from(code)) as usize & (self.slots.len() - 1)
    }
}

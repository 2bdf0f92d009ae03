//! The tree: nodes in one arena, the children of a node side by side.
//!
//! All children of a node are made at once. A node takes 32 bytes, and 4 for each number that its
//! estimate needs.

use std::ops::Range;

use meeple_core::{Game, PayoffSum, Payoffs, Player};

use crate::Reward;
use crate::proof::Proof;

pub(crate) const ROOT: usize = 0;

/// There is always room for so many nodes, so that a root can have its children.
const LEAST: usize = 1 << 12;

/// Who is to move where nobody looked yet.
const UNKNOWN: u8 = u8::MAX;
/// Who is to move where the game is over.
const OVER: u8 = u8::MAX - 1;

/// What is known about the position after an action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The sum of rewards of the player who chose the action.
    pub(crate) reward: f64,
    pub(crate) visits: u32,
    /// The first of the children.
    first: u32,
    pub(crate) code: u32,
    pub(crate) prior: f32,
    children: u16,
    /// Visits under way.
    pub(crate) pending: u16,
    pub(crate) proof: Proof,
    mover: u8,
}

impl Node {
    fn new(code: u32, prior: f32) -> Node {
        let (first, children) = (0, 0);
        Node { reward: 0.0, visits: 0, first, code, prior, children, pending: 0, proof: Proof::UNKNOWN, mover: UNKNOWN }
    }

    #[inline]
    pub(crate) fn children(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.children)
    }

    #[inline]
    pub(crate) fn is_expanded(&self) -> bool {
        self.children > 0
    }

    /// The player to move, at a node with children.
    #[inline]
    pub(crate) fn mover(&self) -> Player {
        debug_assert!(self.mover < OVER);
        usize::from(self.mover)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.mover == OVER
    }

    pub(crate) fn set_over(&mut self) {
        self.mover = OVER;
    }
}

#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) estimates: Estimates,
    most: usize,
}

impl Tree {
    /// A tree that holds the root alone and never takes more than about `bytes`.
    pub(crate) fn new(bytes: usize, estimates: Estimates) -> Tree {
        let most = (bytes / (size_of::<Node>() + estimates.bytes_per_node())).clamp(LEAST, u32::MAX as usize);
        let mut tree = Tree { nodes: Vec::new(), estimates, most };
        tree.clear();
        tree
    }

    /// Forgets all but an unvisited root; keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(0, 1.0));
        self.estimates.resize(1);
    }

    /// Adds the children of a node, with even priors. False if there is no room: then the node
    /// stays a leaf.
    pub(crate) fn expand(&mut self, index: usize, mover: Player, codes: impl ExactSizeIterator<Item = u32>) -> bool {
        let (first, count) = (self.nodes.len(), codes.len());
        if first + count > self.most || count > usize::from(u16::MAX) {
            return false;
        }
        self.make_room(count);
        let prior = 1.0 / count as f32;
        self.nodes.extend(codes.map(|code| Node::new(code, prior)));
        self.estimates.resize(first + count);
        let node = &mut self.nodes[index];
        (node.first, node.children, node.mover) = (first as u32, count as u16, mover as u8);
        true
    }

    /// Doubles the arena, but not beyond the bound.
    fn make_room(&mut self, count: usize) {
        if self.nodes.capacity() < self.nodes.len() + count {
            let wanted = (2 * self.nodes.len()).max(1024).min(self.most).max(self.nodes.len() + count);
            self.nodes.reserve_exact(wanted - self.nodes.len());
            self.estimates.reserve(wanted);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + self.estimates.bytes_per_node())
    }

    /// Keeps a node with all that is below it, as the new root. Children stand behind their
    /// parents, so that every group of siblings moves towards the beginning, in order.
    pub(crate) fn keep(&mut self, index: usize) {
        let mut groups = vec![(index as u32, 1u16)];
        let mut next = 0;
        while next < groups.len() {
            let (first, count) = groups[next];
            let parents = &self.nodes[first as usize..first as usize + usize::from(count)];
            groups.extend(parents.iter().filter(|node| node.is_expanded()).map(|node| (node.first, node.children)));
            next += 1;
        }
        groups.sort_unstable();
        let mut end = 0;
        let starts: Vec<u32> = groups
            .iter()
            .map(|&(_, count)| {
                end += u32::from(count);
                end - u32::from(count)
            })
            .collect();
        for (&(from, count), &to) in groups.iter().zip(&starts) {
            for offset in 0..usize::from(count) {
                let mut node = self.nodes[from as usize + offset];
                if node.is_expanded() {
                    let group = groups.binary_search(&(node.first, node.children)).expect("its children are kept");
                    node.first = starts[group];
                }
                self.nodes[to as usize + offset] = node;
                self.estimates.copy(from as usize + offset, to as usize + offset);
            }
        }
        self.nodes.truncate(end as usize);
        self.estimates.resize(end as usize);
    }
}

/// What positions seem to be worth, on the scale of the reward: nothing, one number for each node
/// if one of two players gets what the other does not, or else one for each player.
#[derive(Clone, Debug)]
pub(crate) struct Estimates {
    numbers: Vec<f32>,
    stride: usize,
    /// Of both players, where one number is kept.
    sum: f32,
}

impl Estimates {
    pub(crate) fn new<G: Game>(game: &G, reward: Reward, wanted: bool) -> Estimates {
        let info = game.info();
        let (stride, sum) = match info.payoff_sum {
            _ if !wanted => (0, 0.0),
            PayoffSum::Constant(sum) if info.players == 2 => {
                let half = reward.of_payoffs(game, &[0.5 * sum; meeple_core::MAX_PLAYERS]);
                (1, half[0] + half[1])
            }
            _ => (info.players, 0.0),
        };
        Estimates { numbers: Vec::new(), stride, sum }
    }

    pub(crate) fn are_kept(&self) -> bool {
        self.stride > 0
    }

    #[inline]
    pub(crate) fn value(&self, node: usize, player: Player) -> f32 {
        match (self.stride, player) {
            (0, _) => 0.0,
            (1, 0) => self.numbers[node],
            (1, _) => self.sum - self.numbers[node],
            (stride, _) => self.numbers[node * stride + player],
        }
    }

    pub(crate) fn set(&mut self, node: usize, rewards: &Payoffs) {
        let stride = self.stride;
        self.numbers[node * stride..(node + 1) * stride].copy_from_slice(&rewards[..stride]);
    }

    /// The best of the children for the player to move becomes the estimate of their parent.
    /// Returns whether that changes it.
    pub(crate) fn back_up(&mut self, node: usize, children: Range<usize>, mover: Player) -> bool {
        let mut best = children.start;
        for child in children {
            if self.value(child, mover) > self.value(best, mover) {
                best = child;
            }
        }
        let same = self.of(best) == self.of(node);
        self.copy(best, node);
        !same
    }

    fn of(&self, node: usize) -> &[f32] {
        &self.numbers[node * self.stride..(node + 1) * self.stride]
    }

    fn copy(&mut self, from: usize, to: usize) {
        self.numbers.copy_within(from * self.stride..(from + 1) * self.stride, to * self.stride);
    }

    fn resize(&mut self, nodes: usize) {
        self.numbers.resize(nodes * self.stride, 0.0);
    }

    fn reserve(&mut self, nodes: usize) {
        self.numbers.reserve_exact((nodes * self.stride).saturating_sub(self.numbers.len()));
    }

    fn bytes_per_node(&self) -> usize {
        self.stride * size_of::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimates(stride: usize) -> Estimates {
        Estimates { numbers: Vec::new(), stride, sum: 0.0 }
    }

    #[test]
    fn a_kept_part_is_the_same() {
        let mut tree = Tree::new(1 << 20, estimates(2));
        assert!(tree.expand(ROOT, 0, [1, 2, 3].into_iter()));
        assert!(tree.expand(1, 1, [11, 12].into_iter()));
        assert!(tree.expand(2, 1, [21, 22].into_iter()));
        let [a, b] = [tree.nodes[1].children(), tree.nodes[2].children()];
        assert!(tree.expand(b.end - 1, 0, [221].into_iter()) && tree.expand(a.start, 0, [111].into_iter()));
        assert!(tree.expand(b.start, 0, [211, 212].into_iter()));
        for node in 0..tree.nodes.len() {
            tree.estimates.set(node, &[tree.nodes[node].code as f32, 0.5, 0.0, 0.0, 0.0, 0.0]);
        }
        tree.keep(2);
        let codes = |index: usize| tree.nodes[index].children().map(|child| tree.nodes[child].code).collect::<Vec<_>>();
        let first = tree.nodes[ROOT].children().start;
        assert_eq!((tree.nodes[ROOT].code, codes(ROOT)), (2, vec![21, 22]));
        assert_eq!((codes(first), codes(first + 1)), (vec![211, 212], vec![221]));
        assert_eq!(tree.nodes.len(), 6);
        for (index, node) in tree.nodes.iter().enumerate() {
            assert_eq!(tree.estimates.value(index, 0), node.code as f32);
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut tree = Tree::new(10_000 * 36, estimates(1));
        assert!(tree.expand(ROOT, 0, 0..9_999u32));
        assert!(!tree.expand(1, 1, 0..1u32));
        assert!(!tree.nodes[1].is_expanded());
        assert_eq!(tree.bytes(), 360_000);
        assert_eq!(size_of::<Node>(), 32);
    }
}

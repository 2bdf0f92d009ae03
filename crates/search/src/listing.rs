//! Which nodes of a tree are shown: those with the most visits, parents before their children.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use meeple_core::TreeLimits;

/// Takes children of listed nodes and gives back what is to be listed next. Never holds more than about twice the
/// nodes that are wanted.
pub(crate) struct Listing<T> {
    limits: TreeLimits,
    open: BinaryHeap<Open<T>>,
    offered: u64,
    listed: usize,
}

struct Open<T> {
    /// Visits, and among equals what was offered first.
    rank: (u64, Reverse<u64>),
    depth: u32,
    node: T,
}

impl<T> PartialEq for Open<T> {
    fn eq(&self, other: &Open<T>) -> bool {
        self.rank == other.rank
    }
}

impl<T> Eq for Open<T> {}

impl<T> PartialOrd for Open<T> {
    fn partial_cmp(&self, other: &Open<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Open<T> {
    fn cmp(&self, other: &Open<T>) -> Ordering {
        self.rank.cmp(&other.rank)
    }
}

impl<T> Listing<T> {
    /// The root is listed in any case.
    pub(crate) fn new(limits: TreeLimits, root: T) -> Listing<T> {
        let limits = TreeLimits { nodes: limits.nodes.max(1), ..limits };
        let root = Open { rank: (u64::MAX, Reverse(0)), depth: 0, node: root };
        Listing { limits, open: BinaryHeap::from([root]), offered: 0, listed: 0 }
    }

    /// A node that is wanted if it is not too deep, and among the most visited.
    pub(crate) fn offer(&mut self, depth: u32, visits: u64, node: T) {
        if depth > self.limits.depth || visits < self.limits.visits {
            return;
        }
        self.offered += 1;
        self.open.push(Open { rank: (visits, Reverse(self.offered)), depth, node });
        if self.open.len() > self.limits.nodes.saturating_mul(2) {
            let mut open = std::mem::take(&mut self.open).into_vec();
            open.select_nth_unstable_by_key(self.limits.nodes, |open| Reverse(open.rank));
            open.truncate(self.limits.nodes);
            self.open = open.into();
        }
    }

    /// The next node with its depth, until there are enough.
    pub(crate) fn next(&mut self) -> Option<(u32, T)> {
        if self.listed == self.limits.nodes {
            return None;
        }
        self.listed += 1;
        self.open.pop().map(|open| (open.depth, open.node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The visits of what is listed, where node n has the children 2n and 2n + 1 with half its visits and a third.
    fn list(limits: TreeLimits) -> (Vec<u64>, usize) {
        let mut listing = Listing::new(limits, 1 << 20);
        let (mut visits, mut most) = (Vec::new(), 0);
        while let Some((depth, node)) = listing.next() {
            visits.push(node);
            listing.offer(depth + 1, node / 3, node / 3);
            listing.offer(depth + 1, node / 2, node / 2);
            most = most.max(listing.open.len());
        }
        (visits, most)
    }

    #[test]
    fn the_most_visited_nodes_are_listed() {
        let (all, _) = list(TreeLimits { depth: 8, visits: 0, nodes: usize::MAX });
        assert_eq!(all.len(), 511);
        let (few, most) = list(TreeLimits { depth: 8, visits: 0, nodes: 20 });
        assert_eq!(few, all[..20]);
        assert!(few.is_sorted_by(|a, b| a >= b) && most <= 40, "{few:?}, {most} held");
        let (visited, _) = list(TreeLimits { depth: 8, visits: 1 << 16, nodes: usize::MAX });
        assert!(visited.len() > 10 && visited.iter().all(|&visits| visits >= 1 << 16));
        assert_eq!(list(TreeLimits { depth: 0, visits: 0, nodes: 0 }).0, [1 << 20]);
    }
}

//! The tree as plain data.

use meeple_core::{Game, Player, SearchTree, TreeLimits, TreeNode};

use super::search::Search;
use super::tree::ROOT;
use crate::listing::Listing;

/// The place of a parent in the list, and who was to move there; none for the root.
type From = Option<(u32, Player)>;

impl<G: Game> Search<G> {
    /// The tree of the last decision.
    pub(super) fn view(&self, game: &G, limits: TreeLimits) -> SearchTree<G::Action> {
        let mut listing = Listing::new(limits, (ROOT, None));
        let mut nodes = Vec::new();
        while let Some((depth, (index, from))) = listing.next() {
            let node = &self.tree.nodes[index];
            if node.is_expanded() {
                let below = Some((nodes.len() as u32, node.mover()));
                for child in node.children() {
                    listing.offer(depth + 1, u64::from(self.tree.nodes[child].visits), (child, below));
                }
            }
            nodes.push(self.view_of(game, index, from));
        }
        SearchTree { nodes }
    }

    fn view_of(&self, game: &G, index: usize, from: From) -> TreeNode<G::Action> {
        let node = &self.tree.nodes[index];
        let report = from.map(|(_, player)| self.action_report(game, index, player));
        TreeNode {
            parent: from.map(|(place, _)| place),
            action: report.as_ref().map(|report| report.action),
            player: from.map(|(_, player)| player),
            visits: u64::from(node.visits),
            availability: None,
            value: report
                .filter(|report| report.visits > 0 || report.proven.is_some())
                .map(|report| report.value_for_mover),
            prior: from.map(|_| node.prior),
            proven: self.proofs.payoffs(node.proof).copied(),
        }
    }
}

//! The tree as plain data.

use meeple_core::{Game, Player, SearchTree, TreeLimits, TreeNode};

use super::search::Search;
use super::tree::ROOT;

impl<G: Game> Search<G> {
    /// The tree of the last decision, level by level.
    pub(super) fn view(&self, game: &G, limits: TreeLimits) -> SearchTree<G::Action> {
        let mut nodes = vec![self.view_of(game, ROOT, None)];
        // Where a listed node stands in the tree, and its depth.
        let mut listed = vec![(ROOT, 0)];
        let mut place = 0;
        while let Some(&(index, depth)) = listed.get(place) {
            let node = &self.tree.nodes[index];
            if depth < limits.depth && node.is_expanded() {
                for child in node.children().filter(|&child| u64::from(self.tree.nodes[child].visits) >= limits.visits)
                {
                    nodes.push(self.view_of(game, child, Some((place as u32, node.mover()))));
                    listed.push((child, depth + 1));
                }
            }
            place += 1;
        }
        SearchTree { nodes }
    }

    /// `from` is the place of the parent and who was to move there.
    fn view_of(&self, game: &G, index: usize, from: Option<(u32, Player)>) -> TreeNode<G::Action> {
        let node = &self.tree.nodes[index];
        let report = from.map(|(_, player)| self.action_report(game, index, player));
        TreeNode {
            parent: from.map(|(place, _)| place),
            action: report.as_ref().map(|report| report.action),
            player: from.map(|(_, player)| player),
            visits: u64::from(node.visits),
            value: report
                .filter(|report| report.visits > 0 || report.proven.is_some())
                .map(|report| report.value_for_mover),
            prior: from.map(|_| node.prior),
            proven: self.proofs.payoffs(node.proof).copied(),
        }
    }
}

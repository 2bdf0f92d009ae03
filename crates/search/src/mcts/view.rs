//! The tree as plain data.

use meeple_core::{Game, Player, SearchTree, TreeLimits, TreeNode, Turn};

use super::Mcts;
use super::node::Node;

/// A node whose children are still to be listed.
struct Open<S> {
    /// In the tree, and in the list.
    node: u32,
    place: u32,
    state: S,
    depth: u32,
}

impl<G: Game> Mcts<G> {
    /// The tree of the last decision, level by level.
    pub(super) fn view(&self, game: &G, limits: TreeLimits) -> Option<SearchTree<G::Action>> {
        let state = self.state.clone()?;
        let root = self.trees[0].root;
        let mut nodes = vec![self.view_of(game, root, None)];
        let mut open = std::collections::VecDeque::from([Open { node: root, place: 0, state, depth: 0 }]);
        while let Some(Open { node, place, state, depth }) = open.pop_front() {
            let (Turn::Player(player), true) = (game.turn(&state), depth < limits.depth) else { continue };
            let tree = &self.trees[0].tree;
            tree.each_child(tree.node(node), |child, known| {
                if u64::from(known.visits()) < limits.visits {
                    return;
                }
                let mut after = state.clone();
                game.apply(&mut after, game.action_from_code(known.code()));
                open.push_back(Open { node: child, place: nodes.len() as u32, state: after, depth: depth + 1 });
                nodes.push(self.view_of(game, child, Some((place, player))));
            });
        }
        Some(SearchTree { nodes })
    }

    /// `from` is the place of the parent and who was to move there.
    fn view_of(&self, game: &G, index: u32, from: Option<(u32, Player)>) -> TreeNode<G::Action> {
        let tree = &self.trees[0].tree;
        let node: &Node = tree.node(index);
        let proven = self.proofs.payoffs(tree.proof(index)).copied();
        let mean =
            (node.visits() > 0).then(|| node.reward() / f64::from(node.visits())).filter(|mean| mean.is_finite());
        let value = from.and_then(|(_, player)| match proven {
            Some(payoffs) => Some(f64::from(self.settings.tree.reward.of_payoffs(game, &payoffs)[player])),
            None => mean,
        });
        TreeNode {
            parent: from.map(|(place, _)| place),
            action: from.map(|_| game.action_from_code(node.code())),
            player: from.map(|(_, player)| player),
            visits: u64::from(node.visits()),
            value,
            prior: None,
            proven,
        }
    }
}

//! The tree as plain data.

use meeple_core::{Game, Player, SearchTree, TreeLimits, TreeNode, Turn};

use super::Mcts;
use super::node::Node;
use crate::listing::Listing;

/// The place of a parent in the list, and who was to move there; none for the root.
type From = Option<(u32, Player)>;

impl<G: Game> Mcts<G> {
    /// The tree of the last decision.
    pub(super) fn view(&self, game: &G, limits: TreeLimits) -> Option<SearchTree<G::Action>> {
        let tree = &self.trees[0].tree;
        let mut listing = Listing::new(limits, (self.trees[0].root, None));
        let (mut nodes, mut states) = (Vec::new(), Vec::new());
        while let Some((depth, (index, from))) = listing.next() {
            let node = tree.node(index);
            let state = self.state_at(game, &states, node, from)?;
            if let Turn::Player(player) = game.turn(&state) {
                let below = Some((nodes.len() as u32, player));
                tree.each_child(node, |child, known| {
                    listing.offer(depth + 1, u64::from(known.visits()), (child, below));
                });
            }
            nodes.push(self.view_of(game, index, from));
            states.push(state);
        }
        Some(SearchTree { nodes })
    }

    /// `states` are those of the nodes that are listed.
    fn state_at(&self, game: &G, states: &[G::State], node: &Node, from: From) -> Option<G::State> {
        let Some((parent, _)) = from else { return self.state.clone() };
        let mut state = states[parent as usize].clone();
        game.apply(&mut state, game.action_from_code(node.code()));
        Some(state)
    }

    fn view_of(&self, game: &G, index: u32, from: From) -> TreeNode<G::Action> {
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
            availability: None,
            value,
            prior: None,
            proven,
        }
    }
}

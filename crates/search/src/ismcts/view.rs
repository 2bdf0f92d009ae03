//! The tree as plain data.

use std::collections::HashMap;

use meeple_core::{Game, Rng, SearchTree, TreeLimits, TreeNode, Turn, Worlds};

use super::groups::code;
use super::search::{ROOT, Search};
use crate::edges::edge_key;

/// Worlds in which it is looked up what can be done. Rare actions may be missed.
const WORLDS: u32 = 200;

/// The tree as far as it is known.
struct Listed<A> {
    nodes: Vec<TreeNode<A>>,
    /// The places of edges, by key.
    places: HashMap<u64, u32>,
}

/// A node, as it is come to in one world.
struct Here<S> {
    state: S,
    arrived: u64,
    place: u32,
    depth: u32,
}

impl<G: Game> Search<G> {
    /// What was found from the root of these worlds, which is that of the last decision. An action
    /// that several paths share stands where it was met first.
    pub(super) fn view(
        &self,
        game: &G,
        worlds: &dyn Worlds<State = G::State>,
        limits: TreeLimits,
    ) -> SearchTree<G::Action> {
        let mut rng = Rng::from_seed(0);
        let root =
            TreeNode { parent: None, action: None, player: None, visits: 0, value: None, prior: None, proven: None };
        let mut listed = Listed { nodes: vec![root], places: HashMap::new() };
        let mut world = game.initial_state();
        for _ in 0..WORLDS {
            worlds.sample_into(&mut world, &mut rng);
            let here = Here { state: world.clone(), arrived: ROOT, place: 0, depth: 0 };
            self.list(game, here, limits, &mut listed, &mut rng);
        }
        let visits = |node: &&TreeNode<G::Action>| node.parent == Some(0);
        listed.nodes[0].visits = listed.nodes.iter().filter(visits).map(|node| node.visits).sum();
        SearchTree { nodes: listed.nodes }
    }

    /// Adds what lies below a node in one world.
    fn list(&self, game: &G, here: Here<G::State>, limits: TreeLimits, listed: &mut Listed<G::Action>, rng: &mut Rng) {
        let Here { mut state, arrived, place, depth } = here;
        while game.turn(&state) == Turn::Chance {
            game.play_chance(&mut state, rng);
        }
        let (Turn::Player(player), true) = (game.turn(&state), depth < limits.depth) else { return };
        let node = self.node_key(game, &state, player, arrived);
        let mut actions = Vec::new();
        game.legal_actions(&state, &mut actions);
        for action in actions {
            let key = edge_key(node, code(game, self.groups(game), action));
            let Some(edge) = self.edges.find(key).map(|number| *self.edges.edge(number)) else { continue };
            if u64::from(edge.visits) < limits.visits.max(1) {
                continue;
            }
            let child = *listed.places.entry(key).or_insert_with(|| {
                listed.nodes.push(TreeNode {
                    parent: Some(place),
                    action: Some(action),
                    player: Some(player),
                    visits: u64::from(edge.visits),
                    value: Some(edge.reward / f64::from(edge.visits)),
                    prior: None,
                    proven: None,
                });
                listed.nodes.len() as u32 - 1
            });
            let mut next = state.clone();
            game.apply(&mut next, action);
            self.list(game, Here { state: next, arrived: key, place: child, depth: depth + 1 }, limits, listed, rng);
        }
    }
}

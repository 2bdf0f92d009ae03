//! The steps that a walk down a tree is made of.

use meeple_core::agent::ActionReport;
use meeple_core::{Game, Player, Rng, Turn};

use crate::edges::{Edge, Edges, edge_key};

/// Who is to move once pending chance is drawn; `None` at the end of the game.
#[inline]
pub(crate) fn next_player<G: Game>(game: &G, state: &mut G::State, rng: &mut Rng) -> Option<Player> {
    loop {
        match game.turn(state) {
            Turn::Over => return None,
            Turn::Chance => game.play_chance(state, rng),
            Turn::Player(player) => return Some(player),
        }
    }
}

/// The legal actions at a node. Kept as a buffer.
#[derive(Debug)]
pub(crate) struct Options<A> {
    /// Those with an edge, and the edge.
    known: Vec<(u32, A)>,
    untried: Vec<A>,
}

impl<A> Default for Options<A> {
    fn default() -> Options<A> {
        Options { known: Vec::new(), untried: Vec::new() }
    }
}

impl<A: Copy> Options<A> {
    /// Sorts the legal actions; those with an edge count as available.
    #[inline]
    pub(crate) fn look_up<G: Game<Action = A>>(&mut self, game: &G, edges: &mut Edges, node: u64, actions: &[A]) {
        self.known.clear();
        self.untried.clear();
        for &action in actions {
            match edges.find(edge_key(node, game.action_code(action))) {
                Some(number) => {
                    edges.make_available(number);
                    self.known.push((number, action));
                }
                None => self.untried.push(action),
            }
        }
    }

    /// An action that was never tried, without an edge, as long as there are any and memory for
    /// them; else the one with the highest mean + `bound`, the first of equals.
    #[inline]
    pub(crate) fn select(&self, edges: &Edges, bound: impl Fn(&Edge) -> f64, rng: &mut Rng) -> (Option<u32>, A) {
        if !self.untried.is_empty() && (self.known.is_empty() || !edges.is_full()) {
            return (None, *rng.choose(&self.untried));
        }
        let mut best = (f64::NEG_INFINITY, self.known[0]);
        for &option in &self.known {
            let edge = edges.edge(option.0);
            let score = edge.mean() + bound(edge);
            if score > best.0 {
                best = (score, option);
            }
        }
        (Some(best.1.0), best.1.1)
    }
}

/// What is known about the actions at a node that were tried, in the given order.
pub(crate) fn tried<G: Game>(
    game: &G,
    edges: &Edges,
    node: u64,
    actions: &[G::Action],
) -> Vec<(Edge, ActionReport<G::Action>)> {
    let edge = |&action: &G::Action| {
        let edge = edges.edge(edges.find(edge_key(node, game.action_code(action)))?);
        let report = ActionReport {
            action,
            visits: u64::from(edge.visits),
            availability: None,
            payoffs: None,
            value_for_mover: edge.mean(),
            prior: None,
            share: None,
            proven: None,
        };
        Some((*edge, report))
    };
    actions.iter().filter_map(edge).collect()
}

//! Agents decide from a view. None of them is ever handed a state.

use crate::{Game, Rng};

/// A player of one game.
pub trait Agent<G: Game>: Send {
    /// An action of the viewer, who is to move.
    fn decide(&mut self, game: &G, view: &G::View, rng: &mut Rng) -> G::Action;
}

/// Uniform over the legal actions.
#[derive(Clone, Debug)]
pub struct RandomAgent<A> {
    actions: Vec<A>,
}

impl<A> Default for RandomAgent<A> {
    fn default() -> Self {
        RandomAgent { actions: Vec::new() }
    }
}

impl<G: Game> Agent<G> for RandomAgent<G::Action> {
    fn decide(&mut self, game: &G, view: &G::View, rng: &mut Rng) -> G::Action {
        game.view_actions(view, &mut self.actions);
        *rng.choose(&self.actions)
    }
}

//! What a player makes of the behaviour of the others.

use crate::{Game, Worlds};

/// Worlds that are not equally likely: those that explain the play of the others better weigh more.
pub trait Belief<G: Game>: Send + Sync {
    /// The worlds that a view allows, sampled by what is believed.
    fn worlds(&self, game: &G, view: &G::View) -> Box<dyn Worlds<State = G::State>>;
}

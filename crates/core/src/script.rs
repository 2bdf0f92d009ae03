//! Players that follow rules written by hand.

use crate::{Game, Rng};

/// Rules that choose an action from what the player to move knows.
pub trait Script<G: Game>: Send + Sync {
    fn choose(&self, game: &G, view: &G::View, rng: &mut Rng) -> G::Action;
}

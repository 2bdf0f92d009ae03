//! Guesses at how a position will end, made without search.

use crate::{Game, Player};

/// What a position is worth. Searches call it at every leaf, so it should be cheap.
pub trait Heuristic<G: Game>: Send + Sync {
    /// The payoff that `player` may expect, within -1..=1, of a position that is not over. Between
    /// two players with opposite payoffs the value for one is the negative of the other's.
    fn value(&self, game: &G, state: &G::State, player: Player) -> f32;
}

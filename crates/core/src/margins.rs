//! By how much a finished game was won or lost.

use crate::{Game, Payoffs};

/// Rewards finer than winning or losing. Higher is better for the seat, whatever the game's own
/// scores mean.
pub trait Margins<G: Game>: Send + Sync {
    /// Own score against that of the others, on the game's own scale. The state is over.
    fn difference(&self, game: &G, state: &G::State) -> Payoffs;

    /// The largest difference that can occur, either way.
    fn largest(&self, game: &G) -> f32;

    /// The difference in the steps -4, -2, -1, 0, 1, 2, 4 of thesis 002, section 5.3.
    fn steps(&self, game: &G, state: &G::State) -> Payoffs;
}

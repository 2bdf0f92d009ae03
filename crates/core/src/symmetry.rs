//! Transformations of states, views and actions under which a game stays the same.

use crate::Game;

pub trait Symmetries<G: Game>: Send + Sync {
    /// How many there are; number 0 changes nothing.
    fn count(&self) -> usize;

    fn state(&self, symmetry: usize, state: &G::State) -> G::State;

    fn view(&self, symmetry: usize, view: &G::View) -> G::View;

    /// The action that does in the transformed state what `action` does in `state`.
    fn action(&self, symmetry: usize, state: &G::State, action: G::Action) -> G::Action;
}

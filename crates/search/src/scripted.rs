//! A player that follows the rules a game's author wrote by hand.

use meeple_core::agent::{Agent, Budget, Decision};
use meeple_core::{Game, Rng, Script};

/// Plays by a script of the game; it does not search.
pub struct Scripted<G: Game> {
    script: Box<dyn Script<G>>,
}

impl<G: Game> std::fmt::Debug for Scripted<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scripted")
    }
}

impl<G: Game> Scripted<G> {
    pub fn new(script: Box<dyn Script<G>>) -> Scripted<G> {
        Scripted { script }
    }
}

impl<G: Game> Agent<G> for Scripted<G> {
    fn decide(&mut self, game: &G, view: &G::View, _: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        Decision::plain(self.script.choose(game, view, rng))
    }
}

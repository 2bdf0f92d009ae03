//! Information-set Monte Carlo tree search (single observer, Cowling et al. 2012; thesis 002,
//! algorithm 3; thesis 000, algorithm 4.1).
//!
//! Every iteration takes a world that the view allows and walks down one tree that all worlds
//! share: of a node's actions only those count that are legal in that world, and each remembers how
//! often it was available. Chance is drawn on the way and is no node of its own. Where nodes are
//! identified by what the mover knows rather than by the path, the tree is a graph.

mod engine;
mod groups;
mod priors;
mod report;
mod schedule;
mod selection;
mod settings;
mod view;

use std::fmt;
use std::sync::Arc;

use meeple_core::agent::{Agent, Budget, CheatingAgent, Decision};
use meeple_core::{Belief, Game, Known, Rng, SearchTree, TreeLimits};

use crate::Evaluator;
use engine::Engine;

pub use settings::{IsmctsSettings, Keys, Puct, Reuse, Selection};

/// Searches the worlds that its view allows.
pub struct Ismcts<G: Game> {
    engine: Engine<G>,
    belief: Option<Arc<dyn Belief<G>>>,
}

impl<G: Game> fmt::Debug for Ismcts<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ismcts")
    }
}

impl<G: Game> Ismcts<G> {
    /// All worlds are equally likely.
    pub fn new(game: &G, settings: impl Into<IsmctsSettings<G>>) -> Ismcts<G> {
        let settings = settings.into();
        assert!(settings.keys != Keys::State, "the root has one key in all worlds");
        Ismcts { engine: Engine::new(game, settings), belief: None }
    }

    /// Worlds are as likely as a belief makes them.
    pub fn with_belief(self, belief: Arc<dyn Belief<G>>) -> Ismcts<G> {
        Ismcts { belief: Some(belief), ..self }
    }

    /// New nodes get value and priors from an evaluator. Only with PUCT.
    pub fn with_evaluator(mut self, evaluator: Box<dyn Evaluator<G>>) -> Ismcts<G> {
        assert!(self.engine.settings.selection != Selection::Ucb1, "UCB1 has no use for priors");
        self.engine.evaluator = Some(evaluator);
        self
    }
}

impl<G: Game> Agent<G> for Ismcts<G> {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        match &self.belief {
            None => self.engine.decide(game, &game.worlds(view), limit, rng),
            Some(belief) => self.engine.decide(game, &*belief.worlds(game, view), limit, rng),
        }
    }

    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn tree(&self, game: &G, view: &G::View, limits: TreeLimits) -> Option<SearchTree<G::Action>> {
        Some(self.engine.view(game, &game.worlds(view), limits))
    }
}

/// The same search with the truth as its only world.
pub struct Cheating<G: Game>(Engine<G>);

impl<G: Game> fmt::Debug for Cheating<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cheating")
    }
}

impl<G: Game> Cheating<G> {
    pub fn new(game: &G, settings: impl Into<IsmctsSettings<G>>) -> Cheating<G> {
        Cheating(Engine::new(game, settings.into()))
    }
}

impl<G: Game> CheatingAgent<G> for Cheating<G> {
    fn decide(&mut self, game: &G, state: &G::State, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        self.0.decide(game, &Known(state.clone()), limit, rng)
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn tree(&self, game: &G, state: &G::State, limits: TreeLimits) -> Option<SearchTree<G::Action>> {
        Some(self.0.view(game, &Known(state.clone()), limits))
    }
}

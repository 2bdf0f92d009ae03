//! Information-set Monte Carlo tree search (single observer, Cowling et al. 2012; thesis 002,
//! algorithm 3; thesis 000, algorithm 4.1).
//!
//! Every iteration takes a world that the view allows and walks down one tree that all worlds
//! share: of a node's actions only those count that are legal in that world, and each remembers how
//! often it was available. Chance is drawn on the way and is no node of its own. Where nodes are
//! identified by what the mover knows rather than by the path, the tree is a graph.

mod groups;
mod priors;
mod report;
mod schedule;
mod search;
mod selection;
mod settings;
mod view;

use std::fmt;
use std::sync::Arc;

use meeple_core::agent::{Agent, Budget, CheatingAgent, Decision, Opinion};
use meeple_core::{Belief, Game, Known, Rng, SearchTree, TreeLimits, Turn, Worlds};

use crate::worlds::worlds;
use crate::{Evaluation, Evaluator};

pub use search::Search;
pub use settings::{Ahead, IsmctsSettings, Keys, Mixture, Puct, Reuse, Selection};

/// Searches the worlds that its view allows.
pub struct Ismcts<G: Game>(Player<G>);

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
        Ismcts(Player::new(game, settings))
    }

    /// Worlds are as likely as a belief makes them.
    pub fn with_belief(mut self, belief: Arc<dyn Belief<G>>) -> Ismcts<G> {
        self.0.search.belief = Some(belief);
        self
    }

    /// New nodes get value and priors from an evaluator. Only with PUCT.
    pub fn with_evaluator(self, evaluator: Box<dyn Evaluator<G>>) -> Ismcts<G> {
        Ismcts(self.0.with_evaluator(evaluator))
    }

    /// Where another player than the searching one is to move, another evaluator says how, and what it is worth. Only with
    /// an evaluator.
    pub fn with_others(mut self, evaluator: Box<dyn Evaluator<G>>) -> Ismcts<G> {
        assert!(self.0.evaluator.is_some(), "the own evaluator comes first");
        self.0.others = Some(evaluator);
        self
    }
}

impl<G: Game> Agent<G> for Ismcts<G> {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        self.0.decide(game, worlds(game, view, self.0.search.belief.as_ref()), limit, rng)
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn tree(&self, game: &G, view: &G::View, limits: TreeLimits) -> Option<SearchTree<G::Action>> {
        Some(self.0.search.view(game, &game.worlds(view), limits))
    }

    fn opinion(&mut self, game: &G, view: &G::View, rng: &mut Rng) -> Option<Opinion<G::Action>> {
        self.0.evaluator.as_mut()?.opinion(game, view, rng)
    }
}

/// The same search with the truth as its only world.
pub struct Cheating<G: Game>(Player<G>);

impl<G: Game> fmt::Debug for Cheating<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cheating")
    }
}

impl<G: Game> Cheating<G> {
    pub fn new(game: &G, settings: impl Into<IsmctsSettings<G>>) -> Cheating<G> {
        Cheating(Player::new(game, settings.into()))
    }

    /// New nodes get value and priors from an evaluator, which is shown what the player to move knows. Only with PUCT.
    pub fn with_evaluator(self, evaluator: Box<dyn Evaluator<G>>) -> Cheating<G> {
        Cheating(self.0.with_evaluator(evaluator))
    }
}

impl<G: Game> CheatingAgent<G> for Cheating<G> {
    fn decide(&mut self, game: &G, state: &G::State, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        self.0.decide(game, Box::new(Known(state.clone())), limit, rng)
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn tree(&self, game: &G, state: &G::State, limits: TreeLimits) -> Option<SearchTree<G::Action>> {
        Some(self.0.search.view(game, &Known(state.clone()), limits))
    }
}

/// A [`Search`] with its own evaluator, if it has one.
struct Player<G: Game> {
    search: Search<G>,
    evaluator: Option<Box<dyn Evaluator<G>>>,
    /// For positions in which others are to move, if they are not taken for such players as the searching one.
    others: Option<Box<dyn Evaluator<G>>>,
    requests: Vec<G::State>,
    evaluations: Vec<Evaluation>,
    /// Made in this game.
    decisions: u32,
}

impl<G: Game> Player<G> {
    fn new(game: &G, settings: IsmctsSettings<G>) -> Player<G> {
        let search = Search::new(game, settings);
        Player { search, evaluator: None, others: None, requests: Vec::new(), evaluations: Vec::new(), decisions: 0 }
    }

    fn with_evaluator(self, evaluator: Box<dyn Evaluator<G>>) -> Player<G> {
        Player { search: self.search.with_evaluations(), evaluator: Some(evaluator), ..self }
    }

    fn decide(
        &mut self,
        game: &G,
        worlds: Box<dyn Worlds<State = G::State>>,
        limit: &Budget,
        rng: &mut Rng,
    ) -> Decision<G::Action> {
        self.decisions += 1;
        self.search.begin(game, worlds, limit, rng);
        while self.search.gather(game, &mut self.requests, rng) {
            if let (Some(evaluator), Some(request)) = (&mut self.evaluator, self.requests.first()) {
                let is_own = game.turn(request) == Turn::Player(self.search.viewer);
                let evaluator = self.others.as_mut().filter(|_| !is_own).unwrap_or(evaluator);
                evaluator.evaluate(game, &self.requests, &mut self.evaluations, rng);
                self.search.apply(game, &self.evaluations[0], rng);
                self.requests.clear();
            }
        }
        self.search.decide(game, self.decisions, rng)
    }

    fn new_game(&mut self) {
        self.decisions = 0;
        self.search.new_game();
    }
}

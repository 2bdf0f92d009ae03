//! Monte Carlo tree search that knows something about actions before it looks at them, for games
//! with perfect information and without chance.
//!
//! When a leaf is visited all its children are made and valued at once. So the choice among them
//! can rest on priors (PUCT), on the estimates of a heuristic (progressive bias), and on estimates
//! backed up by minimax beside the mean rewards (implicit minimax). [`crate::mcts`] makes one child
//! in each iteration, which is faster where nothing is known about actions.
//!
//! Each node counts for the player who chose the action that leads to it, and estimates are kept
//! for every player who needs one of his own, so any number of players works (max^n).
//!
//! | thesis 001 | growth | weight | α | bias | more |
//! |---|---|---|---|---|---|
//! | 3.3 progressive bias | `Ucb1` | `One` | 0 | W | |
//! | 3.4 implicit minimax | `Ucb1` | `One` | fixed | 0 | `minimax` |
//! | 6.1, 6.2 PUCT | `Puct` | `Priors` | 0 | 0 | |
//! | 6.4 | `Ucb1` | `Softmax(C)` | fixed | 0 | `minimax`, exploration 1 |
//! | 6.6 | `Ucb1` | `One` | falling | 0 | `minimax` |
//! | 6.7 | `Ucb1` | `Softmax(C)` | falling | 0 | `minimax`, exploration 1 |
//! | 7.1 | `Ucb1` | `One` | fixed | W | `minimax` |
//! | 7.2 | `Ucb1` | `One` | fixed | 0 | `minimax`, `grave` |
//! | 7.3 | `Constant` | `Softmax(C)` | fixed | 0 | `minimax`, exploration 1 |
//! | 7.4 | `Root` | `Softmax(C)` | fixed | 0 | `minimax`, exploration 1 |
//! | 7.5 | `Inverse` | `Softmax(C)` | fixed | 0 | `minimax`, exploration 1 |
//!
//! Where the print differs from what was meant, this is the meaning: progressive bias is added
//! outside the root of 3.3 and 7.1, 6.1 and 6.2 have the factor C sqrt(N), and β of 7.2 counts the
//! games of the reference node.
//!
//! MCTS_POC (section 6.4) is `Leaf::Playout` with any of these rules; MCTS_NIM is
//! `Leaf::Evaluator`.

mod back_up;
mod leaf;
mod report;
mod reuse;
mod roots;
mod score;
mod search;
mod settings;
mod tree;
mod view;

use meeple_core::agent::{Agent, Budget, Decision, Opinion};
use meeple_core::{Game, Rng, SearchTree, TreeLimits, Worlds};

use crate::clock::Clock;
use crate::evaluator::{Evaluation, Evaluator};

pub(crate) use score::softmax;
pub use search::Search;
pub use settings::{
    FirstPlay, Grave, Growth, Influence, InformedSettings, Leaf, Noise, Priors, Rescale, Selection, Top, Weight,
};

/// An agent of one [`Search`] with its own evaluator.
pub struct Informed<G: Game> {
    search: Search<G>,
    evaluator: Box<dyn Evaluator<G>>,
    requests: Vec<G::State>,
    evaluations: Vec<Evaluation>,
    /// Made in this game.
    decisions: u32,
}

impl<G: Game> std::fmt::Debug for Informed<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Informed")
    }
}

impl<G: Game> Informed<G> {
    pub fn new(game: &G, settings: InformedSettings<G>, evaluator: Box<dyn Evaluator<G>>) -> Informed<G> {
        let search = Search::new(game, settings);
        Informed { search, evaluator, requests: Vec::new(), evaluations: Vec::new(), decisions: 0 }
    }

    /// Gathers up to a batch of leaves, while the clock allows. A walk that meets a leaf that
    /// already waits is begun again in the next batch; `granted` says that the clock has counted it.
    fn gather(&mut self, game: &G, clock: &mut Clock, granted: &mut bool, rng: &mut Rng) -> usize {
        let mut gathered = 0;
        while gathered < self.search.settings.batch {
            if !*granted {
                *granted = !self.search.is_decided() && clock.tick_at(self.search.nodes());
            }
            if !*granted || !self.search.gather(game, &mut self.requests, rng) {
                break;
            }
            *granted = false;
            gathered += 1;
        }
        gathered
    }

    /// Has evaluated what was asked for, and carries it into the tree.
    fn apply(&mut self, game: &G, rng: &mut Rng) {
        self.evaluations.clear();
        if !self.requests.is_empty() {
            self.evaluator.evaluate(game, &self.requests, &mut self.evaluations, rng);
        }
        self.search.apply(game, &self.evaluations, rng);
        self.requests.clear();
    }
}

impl<G: Game> Agent<G> for Informed<G> {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        self.decisions += 1;
        let mut root = game.initial_state();
        game.worlds(view).sample_into(&mut root, rng); // with perfect information there is one
        let mut clock = Clock::start(self.search.settings.tree.budget.and(limit));
        self.search.begin(game, &root, &[], rng);
        if !self.search.is_ready() {
            self.search.gather(game, &mut self.requests, rng);
            self.apply(game, rng);
        }
        let mut granted = false;
        while self.gather(game, &mut clock, &mut granted, rng) > 0 {
            self.apply(game, rng);
        }
        let mut decision = self.search.decide(game, self.decisions, rng);
        (decision.report.iterations, decision.report.time) = (clock.done(), clock.elapsed());
        decision
    }

    fn new_game(&mut self) {
        self.decisions = 0;
        self.search.forget();
    }

    fn tree(&self, game: &G, _: &G::View, limits: TreeLimits) -> Option<SearchTree<G::Action>> {
        self.search.is_ready().then(|| self.search.view(game, limits))
    }

    fn opinion(&mut self, game: &G, view: &G::View, rng: &mut Rng) -> Option<Opinion<G::Action>> {
        self.evaluator.opinion(game, view, rng)
    }
}

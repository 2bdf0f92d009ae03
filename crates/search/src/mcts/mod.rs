//! Monte Carlo tree search for games with perfect information and without chance (UCT).
//!
//! One iteration walks down the tree by the selection rule, adds one child, plays the game to the
//! end and adds the reward to every node on the way. Which child is added first is as random as a
//! playout: one that prefers some actions is asked. Each node counts for the player who chose the
//! action that leads to it, so any number of players works (max^n).

pub(crate) mod appearances;
mod leaves;
mod node;
mod parallel;
mod report;
mod rooted;
mod search;
mod select;
mod settings;
mod tree;
mod view;
mod worker;

use std::time::Duration;

use meeple_core::agent::{Agent, Budget, Decision};
use meeple_core::{Game, Rng, SearchTree, TreeLimits, Turn, Worlds};

use crate::clock::{Clock, SharedClock};
use crate::proof::Proofs;
use rooted::Rooted;
use search::Search;
use select::Selector;
pub use settings::{MctsSettings, Parallel, Reuse, Selection};
use worker::Worker;

/// Chunks of nodes that a thread takes at once, if there are several.
const CHUNKS_AT_ONCE: u32 = 32;

#[derive(Debug)]
pub struct Mcts<G: Game> {
    settings: MctsSettings<G>,
    selector: Selector,
    proofs: Proofs,
    /// One, or one for each thread with [`Parallel::Root`].
    trees: Vec<Rooted<G>>,
    /// One for each thread.
    workers: Vec<Worker<G>>,
    /// Where the last decision was made.
    state: Option<G::State>,
    /// Made in this game.
    decisions: u32,
}

impl<G: Game> Mcts<G> {
    pub fn new(game: &G, settings: impl Into<MctsSettings<G>>) -> Mcts<G> {
        let mut settings: MctsSettings<G> = settings.into();
        settings.solver &= !settings.tree.reward.needs_margins();
        let memory = settings.tree.memory;
        let selector = Selector::new(&settings, settings.tree.reward.range(game), memory / 4);
        let trees = if settings.parallel == Parallel::Root { settings.threads } else { 1 };
        let bytes = (memory - selector.bytes() as usize) / trees;
        let with_squares = settings.selection == Selection::Ucb1Tuned;
        let shared = settings.threads > 1 && settings.parallel == Parallel::Tree;
        let chunks = if shared { CHUNKS_AT_ONCE } else { 1 };
        Mcts {
            trees: (0..trees).map(|_| Rooted::new(&settings, bytes, with_squares)).collect(),
            workers: (0..settings.threads).map(|_| Worker::new(game, &settings, chunks)).collect(),
            selector,
            proofs: Proofs::new(&game.info()),
            settings,
            state: None,
            decisions: 0,
        }
    }

    /// Searches until the budget is used up or nothing is left to find out. Returns the iterations
    /// and the time.
    fn search(&mut self, game: &G, state: &G::State, budget: Budget, rng: &mut Rng) -> (u64, Duration) {
        self.selector.new_search();
        self.workers.iter_mut().for_each(Worker::new_search);
        let searches: Vec<Search<'_, G>> = self
            .trees
            .iter()
            .map(|rooted| Search {
                game,
                state,
                root: rooted.root,
                tree: &rooted.tree,
                proofs: &self.proofs,
                selector: &self.selector,
                settings: &self.settings,
            })
            .collect();
        let workers = &mut self.workers[..];
        let (mut clock, shared) = (Clock::start(budget), SharedClock::start(budget));
        let iterations = match (self.settings.threads, self.settings.parallel) {
            (1, _) => parallel::alone(&searches[0], &mut workers[0], &mut clock, rng),
            (_, Parallel::Tree) => parallel::together::<true, G>(&searches, workers, &shared, rng),
            (_, Parallel::Root) => parallel::together::<false, G>(&searches, workers, &shared, rng),
            (_, Parallel::Leaf) => leaves::at_leaves(&searches[0], workers, &mut clock, rng),
        };
        (iterations, clock.elapsed())
    }
}

impl<G: Game> Agent<G> for Mcts<G> {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        self.decisions += 1;
        let mut state = game.initial_state();
        game.worlds(view).sample_into(&mut state, rng); // with perfect information there is one
        let Turn::Player(mover) = game.turn(&state) else { unreachable!("an agent is asked when it is to move") };
        let reuse = self.settings.reuse;
        self.trees.iter_mut().for_each(|rooted| rooted.start(game, &state, reuse));
        let mut actions = Vec::new();
        game.legal_actions(&state, &mut actions);
        let decision = match actions[..] {
            [only] => Decision::forced(only),
            _ => {
                let spent = self.search(game, &state, self.settings.tree.budget.and(limit), rng);
                self.report(game, mover, spent, rng)
            }
        };
        let code = game.action_code(decision.action);
        self.trees.iter_mut().for_each(|rooted| rooted.chose(code));
        self.state = Some(state);
        decision
    }

    fn new_game(&mut self) {
        self.decisions = 0;
        self.state = None;
        self.trees.iter_mut().for_each(Rooted::new_game);
    }

    /// With [`Parallel::Root`] the tree of the first thread.
    fn tree(&self, game: &G, _: &G::View, limits: TreeLimits) -> Option<SearchTree<G::Action>> {
        self.view(game, limits)
    }
}

//! A player that solves the game before it plays.

use std::collections::{HashMap, HashSet};

use meeple_core::agent::{ActionReport, Agent, Budget, Decision, Report};
use meeple_core::game_tree::{GameTree, TreeError};
use meeple_core::{Game, Rng};

use super::{Algorithm, Solver};

/// Plays the average strategy of CFR+, which it finds before its first decision: in the long run nobody wins against it
/// more than its exploitability.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    tree: GameTree,
    iterations: u64,
    /// The probabilities of the actions by the text of the view; empty before the first decision.
    strategy: HashMap<String, Vec<f64>>,
}

impl Equilibrium {
    /// An error if the game cannot be written out within `limit` histories, or a view does not tell what its
    /// player remembers.
    pub fn new<G: Game>(game: &G, iterations: u64, limit: usize) -> Result<Equilibrium, TreeError> {
        let tree = GameTree::new(game, limit)?;
        let views: HashSet<&str> = tree.sets.iter().map(|set| &*set.view).collect();
        if views.len() < tree.sets.len() {
            return Err(TreeError(format!("the views of {} forget what happened before", game.info().name)));
        }
        Ok(Equilibrium { tree, iterations, strategy: HashMap::new() })
    }

    fn solve(&mut self) {
        let mut solver = Solver::new(&self.tree, Algorithm::Plus, 0);
        for _ in 0..self.iterations {
            solver.iterate();
        }
        let average = solver.average();
        self.strategy = self.tree.sets.iter().map(|set| (set.view.clone(), average.at(set).to_vec())).collect();
    }
}

impl<G: Game> Agent<G> for Equilibrium {
    fn decide(&mut self, game: &G, view: &G::View, _: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        if self.strategy.is_empty() {
            self.solve();
        }
        let mut actions = Vec::new();
        game.view_actions(view, &mut actions);
        // A position that was set up by hand need not be one of the game.
        let uniform = || vec![1.0 / actions.len() as f64; actions.len()];
        let known = self.strategy.get(&GameTree::view_text(game, view));
        let probabilities = known.cloned().unwrap_or_else(uniform);
        let mut left = rng.unit();
        let chosen = probabilities.iter().position(|probability| {
            left -= probability;
            left < 0.0
        });
        // The sum may fall short of 1 by rounding.
        let chosen = chosen.unwrap_or(actions.len() - 1);
        let reports = actions
            .iter()
            .zip(&probabilities)
            .map(|(&action, &share)| ActionReport { share: Some(share as f32), ..ActionReport::unsearched(action) });
        let report = Report { actions: reports.collect(), ..Report::default() };
        Decision { action: actions[chosen], report }
    }
}

//! A player that solved the game before it sat down.

use std::collections::HashMap;

use meeple_core::agent::{ActionReport, Agent, Budget, Decision, Report};
use meeple_core::game_tree::{GameTree, TreeError};
use meeple_core::{Game, Rng};

use super::{Algorithm, Solver};

/// Plays the average strategy of CFR+: in the long run nobody wins against it more than its exploitability.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// The probabilities of the actions by the text of the view.
    strategy: HashMap<String, Vec<f64>>,
}

impl Equilibrium {
    /// An error if the game cannot be written out within `limit` histories, or a view does not tell what its
    /// player remembers.
    pub fn new<G: Game>(game: &G, iterations: u64, limit: usize) -> Result<Equilibrium, TreeError> {
        let tree = GameTree::new(game, limit)?;
        let mut solver = Solver::new(&tree, Algorithm::Plus, 0);
        for _ in 0..iterations {
            solver.iterate();
        }
        let average = solver.average();
        let strategy: HashMap<_, _> =
            tree.sets.iter().map(|set| (set.view.clone(), average.at(set).to_vec())).collect();
        if strategy.len() < tree.sets.len() {
            return Err(TreeError(format!("the views of {} forget what happened before", game.info().name)));
        }
        Ok(Equilibrium { strategy })
    }
}

impl<G: Game> Agent<G> for Equilibrium {
    fn decide(&mut self, game: &G, view: &G::View, _: &Budget, rng: &mut Rng) -> Decision<G::Action> {
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

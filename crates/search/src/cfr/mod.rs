//! Counterfactual regret minimisation: strategies for two players with opposite payoffs that come
//! as close to an equilibrium as one likes, for games small enough to be written out.
//!
//! [`Solver`] finds the strategies, [`exploitability`] measures any strategy, and [`of_agent`]
//! turns an agent into one; [`Equilibrium`] is an agent that plays one. Where a game is too large for that, use a search.

mod agent;
mod equilibrium;
mod plus;
mod response;
mod sampling;

use meeple_core::game_tree::{GameTree, InformationSet};

pub use agent::{AgentStrategies, of_agent};
pub use equilibrium::Equilibrium;
pub use response::{best_response, exploitability, value};

/// The probability of each action of each information set, of both players.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy(Vec<f64>);

impl Strategy {
    pub fn uniform(tree: &GameTree) -> Strategy {
        Strategy::proportional(tree, &vec![0.0; tree.actions])
    }

    /// In proportion to weights; negative ones count as 0, and without any the set is uniform.
    pub fn proportional(tree: &GameTree, weights: &[f64]) -> Strategy {
        let mut strategy = vec![0.0; tree.actions];
        for set in &tree.sets {
            match_weights(&weights[set.range()], &mut strategy[set.range()]);
        }
        Strategy(strategy)
    }

    /// The probabilities of the actions of a set.
    pub fn at(&self, set: &InformationSet) -> &[f64] {
        &self.0[set.range()]
    }
}

/// Regret matching.
fn match_weights(weights: &[f64], strategy: &mut [f64]) {
    let total: f64 = weights.iter().map(|weight| weight.max(0.0)).sum();
    let uniform = 1.0 / weights.len() as f64;
    for (probability, weight) in strategy.iter_mut().zip(weights) {
        *probability = if total > 0.0 { weight.max(0.0) / total } else { uniform };
    }
}

/// How regrets are minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// CFR+ (Tammelin 2014): the whole tree in each iteration, no negative regrets, players in turn,
    /// later strategies count more in the average.
    Plus,
    /// External sampling (Lanctot et al. 2009): all actions of one player, one of the other and of
    /// chance. Cheaper and noisier iterations.
    ExternalSampling,
}

/// The regrets and average strategies of both players on one tree.
#[derive(Debug)]
pub struct Solver<'a> {
    tree: &'a GameTree,
    method: Method,
}

#[derive(Debug)]
enum Method {
    Plus(plus::Plus),
    Sampling(sampling::Sampling),
}

impl<'a> Solver<'a> {
    /// The seed matters only to sampling.
    pub fn new(tree: &'a GameTree, algorithm: Algorithm, seed: u64) -> Solver<'a> {
        let method = match algorithm {
            Algorithm::Plus => Method::Plus(plus::Plus::new(tree)),
            Algorithm::ExternalSampling => Method::Sampling(sampling::Sampling::new(tree, seed)),
        };
        Solver { tree, method }
    }

    /// Both players improve once.
    pub fn iterate(&mut self) {
        match &mut self.method {
            Method::Plus(plus) => plus.iterate(self.tree),
            Method::Sampling(sampling) => sampling.iterate(self.tree),
        }
    }

    /// The average over all iterations, which approaches an equilibrium; the last strategy need not.
    pub fn average(&self) -> Strategy {
        match &self.method {
            Method::Plus(plus) => plus.average(self.tree),
            Method::Sampling(sampling) => sampling.average(self.tree),
        }
    }
}

/// A payoff of seat 0 as another seat sees it.
fn payoff_for(player: usize, payoff: f64) -> f64 {
    if player == 0 { payoff } else { -payoff }
}

//! A player that takes what its network suggests, without a search.

use meeple_core::agent::{ActionReport, Agent, Budget, Decision, Opinion, Report};
use meeple_core::{Game, Rng};

use crate::evaluator::NetworkEvaluator;
use crate::evaluator::look::Look;
use crate::model::{Model, ModelError};

/// Plays by the policy of a network, masked by what is legal (thesis 000, section 6.4).
#[derive(Debug)]
pub struct NetworkAgent<G: Game> {
    network: NetworkEvaluator<G>,
    temperature: f64,
}

impl<G: Game> NetworkAgent<G> {
    /// Policy indices are drawn in proportion to P^(1/τ), and then one of the actions that share it in proportion to
    /// its own probability; at 0 the most likely ones are taken. Refuses a network that was made for something else,
    /// or has no policy.
    pub fn new(game: &G, model: &Model, temperature: f64) -> Result<NetworkAgent<G>, ModelError> {
        Ok(NetworkAgent { network: NetworkEvaluator::with_policy(game, model)?, temperature })
    }

    /// The place of the action to take, by the probabilities of policy indices.
    fn choose(&self, look: &Look<G::Action>, rng: &mut Rng) -> usize {
        let count = look.priors.len();
        let prior = |action: usize| f64::from(look.priors[action]);
        let sharers = |action: usize| {
            let index = look.places[action].index;
            (0..count).filter(move |&other| look.places[other].index == index).map(prior)
        };
        let of_index = |action: usize| sharers(action).sum::<f64>();
        let highest = (0..count).map(of_index).fold(0.0, f64::max);
        let is_highest = |value: f64, highest: f64| value > highest * (1.0 - 1e-6);
        let weight = |action: usize| match self.temperature {
            0.0 if !is_highest(of_index(action), highest) => 0.0,
            0.0 => f64::from(u8::from(is_highest(prior(action), sharers(action).fold(0.0, f64::max)))),
            temperature => {
                libm::pow(of_index(action) / highest, 1.0 / temperature) * prior(action) / of_index(action).max(1e-300)
            }
        };
        let weights: Vec<f64> = (0..count).map(weight).collect();
        rng.weighted(&weights)
    }
}

impl<G: Game> Agent<G> for NetworkAgent<G> {
    /// The value of an action is that of the position.
    fn decide(&mut self, game: &G, view: &G::View, _: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        let look = self.network.look(game, view);
        let Look { mover, payoffs, .. } = look;
        let action = look.actions[self.choose(&look, rng)];
        let entry = |(&action, &prior): (&G::Action, &f32)| ActionReport {
            payoffs,
            value_for_mover: payoffs.map_or(0.0, |payoffs| f64::from(payoffs[mover])),
            prior: Some(prior),
            ..ActionReport::unsearched(action)
        };
        let mut actions: Vec<_> = look.actions.iter().zip(&look.priors).map(entry).collect();
        actions.sort_by(|a, b| b.prior.unwrap_or(0.0).total_cmp(&a.prior.unwrap_or(0.0)));
        let report = Report { actions, principal_variation: vec![action], nodes: 1, ..Report::default() };
        Decision { action, report }
    }

    fn opinion(&mut self, game: &G, view: &G::View, rng: &mut Rng) -> Option<Opinion<G::Action>> {
        Some(self.network.opinion_of(game, view, rng))
    }
}

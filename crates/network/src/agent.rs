//! A player that takes what its network suggests, without a search.

use meeple_core::agent::{ActionReport, Agent, Budget, CheatingAgent, Decision, Opinion, Report};
use meeple_core::{Game, Rng, Turn};

use crate::evaluator::look::Look;
use crate::evaluator::reading::unfit;
use crate::evaluator::{NetworkEvaluator, refuse_open};
use crate::model::{Model, ModelError};

/// Plays by the policy of a network, masked by what is legal (thesis 000, section 6.4).
#[derive(Debug)]
pub struct NetworkAgent<G: Game> {
    network: NetworkEvaluator<G>,
    temperature: f64,
}

impl<G: Game> NetworkAgent<G> {
    /// The policy indices are drawn at this temperature, and then one of the actions that share it. Refuses a network
    /// that was made for something else, or has no policy.
    pub fn new(game: &G, model: &Model, temperature: f64) -> Result<NetworkAgent<G>, ModelError> {
        refuse_open(model)?;
        Ok(NetworkAgent { network: NetworkEvaluator::with_policy(game, model)?, temperature })
    }
}

/// The same for a network that sees all cards.
#[derive(Debug)]
pub struct CheatingNetworkAgent<G: Game> {
    network: NetworkEvaluator<G>,
    temperature: f64,
}

impl<G: Game> CheatingNetworkAgent<G> {
    /// As [`NetworkAgent::new`]. Refuses a network that does not see all cards.
    pub fn new(game: &G, model: &Model, temperature: f64) -> Result<CheatingNetworkAgent<G>, ModelError> {
        match model.header.open {
            true => Ok(CheatingNetworkAgent { network: NetworkEvaluator::with_policy(game, model)?, temperature }),
            false => unfit("sees what the player to move sees and has nothing to cheat with: use network"),
        }
    }
}

/// Weights by which an action is drawn: a group of them in proportion to P^(1/τ), and one of the group in proportion to
/// its own probability; at 0 the most likely ones are taken.
pub(crate) fn weights(priors: &[f32], group: impl Fn(usize) -> u32, temperature: f64) -> Vec<f64> {
    let prior = |action: usize| f64::from(priors[action]);
    let group = &group;
    let members = |action: usize| (0..priors.len()).filter(move |&other| group(other) == group(action)).map(prior);
    let of_group = |action: usize| members(action).sum::<f64>();
    let highest = (0..priors.len()).map(of_group).fold(0.0, f64::max);
    let is_highest = |value: f64, highest: f64| value > highest * (1.0 - 1e-6);
    let weight = |action: usize| match temperature {
        0.0 if !is_highest(of_group(action), highest) => 0.0,
        0.0 => f64::from(u8::from(is_highest(prior(action), members(action).fold(0.0, f64::max)))),
        _ => libm::pow(of_group(action) / highest, 1.0 / temperature) * prior(action) / of_group(action).max(1e-300),
    };
    (0..priors.len()).map(weight).collect()
}

/// The value of an action is that of the position.
fn decision<A: Copy>(look: &Look<A>, temperature: f64, rng: &mut Rng) -> Decision<A> {
    let &Look { mover, payoffs, .. } = look;
    let weights = weights(&look.priors, |action| look.places[action].index, temperature);
    let action = look.actions[rng.weighted(&weights)];
    let entry = |(&action, &prior): (&A, &f32)| ActionReport {
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

impl<G: Game> Agent<G> for NetworkAgent<G> {
    fn decide(&mut self, game: &G, view: &G::View, _: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        decision(&self.network.look(game, view), self.temperature, rng)
    }

    fn opinion(&mut self, game: &G, view: &G::View, rng: &mut Rng) -> Option<Opinion<G::Action>> {
        Some(self.network.opinion_of(game, view, rng))
    }
}

impl<G: Game> CheatingAgent<G> for CheatingNetworkAgent<G> {
    fn decide(&mut self, game: &G, state: &G::State, _: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        let Turn::Player(mover) = game.turn(state) else { unreachable!("an agent is asked when it is to move") };
        let view = game.view(state, Some(mover));
        decision(&self.network.look_at(game, state, &view), self.temperature, rng)
    }
}

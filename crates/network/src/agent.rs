//! A player that takes what its network suggests, without a search.

use std::sync::Arc;

use meeple_core::agent::{ActionReport, Agent, Budget, Decision, Report};
use meeple_core::{Encoder, Game, Rng, Tensor, Turn, Worlds};

use crate::evaluator::reading::{Reading, unfit};
use crate::inference::{Compiled, Outputs, Runner};
use crate::model::{Model, ModelError};

/// Plays by the policy of a network, masked by what is legal (thesis 000, section 6.4).
pub struct NetworkAgent<G: Game> {
    encoder: Box<dyn Encoder<G>>,
    runner: Runner,
    reading: Reading,
    temperature: f64,
    input: Vec<f32>,
    outputs: Outputs,
    indices: Vec<u32>,
    actions: Vec<G::Action>,
    priors: Vec<f32>,
}

impl<G: Game> std::fmt::Debug for NetworkAgent<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NetworkAgent({}, temperature {})", self.encoder.name(), self.temperature)
    }
}

impl<G: Game> NetworkAgent<G> {
    /// Policy indices are drawn in proportion to P^(1/τ); at 0 the most likely one is taken. Among
    /// actions that share an index any is taken. Refuses a network that was made for something else,
    /// or has no policy.
    pub fn new(game: &G, model: &Model, temperature: f64) -> Result<NetworkAgent<G>, ModelError> {
        let encoder = model.header.encoder(game)?;
        let reading = Reading::new(&game.info(), model)?;
        if !reading.has_policy() {
            return unfit("has no policy to play by");
        }
        Ok(NetworkAgent {
            input: vec![0.0; encoder.shape().len()],
            encoder,
            runner: Runner::new(Arc::new(Compiled::new(model))),
            reading,
            temperature,
            outputs: Outputs::default(),
            indices: Vec::new(),
            actions: Vec::new(),
            priors: Vec::new(),
        })
    }

    /// Fills in the legal actions with their indices and priors.
    fn look_at(&mut self, game: &G, view: &G::View) {
        let mut input = Tensor::zeroed(self.encoder.shape(), &mut self.input);
        self.encoder.encode(game, view, &mut input);
        self.runner.run(&self.input, 1, &mut self.outputs);
        game.view_actions(view, &mut self.actions);
        self.indices.clear();
        let index = |&action: &G::Action| self.encoder.policy_index(game, view, action) as u32;
        self.indices.extend(self.actions.iter().map(index));
        self.reading.priors(&self.outputs, 0, &self.indices, &mut self.priors);
    }

    /// The place of the action to take, by the probabilities of policy indices.
    fn choose(&self, rng: &mut Rng) -> usize {
        let sharers = |place: usize| self.indices.iter().filter(|&&index| index == self.indices[place]).count() as f64;
        let likelihood = |place: usize| sharers(place) * f64::from(self.priors[place]);
        let highest = (0..self.priors.len()).map(likelihood).fold(0.0, f64::max);
        let weight = |place: usize| match likelihood(place) / highest {
            share if self.temperature == 0.0 => f64::from(u8::from(share > 1.0 - 1e-6)) / sharers(place),
            share => libm::pow(share, 1.0 / self.temperature) / sharers(place),
        };
        let weights: Vec<f64> = (0..self.priors.len()).map(weight).collect();
        let mut left = rng.unit() * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        drawn.unwrap_or_else(|| weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0))
    }
}

impl<G: Game> Agent<G> for NetworkAgent<G> {
    /// The value of an action is that of the position.
    fn decide(&mut self, game: &G, view: &G::View, _: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        self.look_at(game, view);
        let mut state = game.initial_state();
        game.worlds(view).sample_into(&mut state, &mut Rng::from_seed(0));
        let Turn::Player(mover) = game.turn(&state) else { unreachable!("an agent is asked when it is to move") };
        let payoffs = self.reading.payoffs(game, &self.outputs, 0, mover);
        let action = self.actions[self.choose(rng)];
        let entry = |(&action, &prior): (&G::Action, &f32)| ActionReport {
            payoffs,
            value_for_mover: payoffs.map_or(0.0, |payoffs| f64::from(payoffs[mover])),
            prior: Some(prior),
            ..ActionReport::unsearched(action)
        };
        let mut actions: Vec<_> = self.actions.iter().zip(&self.priors).map(entry).collect();
        actions.sort_by(|a, b| b.prior.unwrap_or(0.0).total_cmp(&a.prior.unwrap_or(0.0)));
        let report = Report { actions, principal_variation: vec![action], nodes: 1, ..Report::default() };
        Decision { action, report }
    }
}

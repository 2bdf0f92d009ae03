//! How the outputs of a network become payoffs of seats and probabilities of actions.

use meeple_core::{Encoder, Game, GameInfo, PayoffSum, Payoffs, Player};

use crate::description::{ValueHead, Values};
use crate::inference::Outputs;
use crate::model::{Model, ModelError};

/// Reads the rows of [`Outputs`] for one game and network.
#[derive(Debug)]
pub(crate) struct Reading {
    values: Option<ValueReading>,
    /// Policy outputs that are details.
    details: usize,
    /// The weights of the actions at hand that share each policy output. Empty without a policy head.
    shared: Vec<f32>,
}

/// The policy outputs of an action: its index, and the detail among actions with the same one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub index: u32,
    detail: u32,
}

impl Place {
    pub(crate) fn of<G: Game>(encoder: &dyn Encoder<G>, game: &G, view: &G::View, action: G::Action) -> Place {
        Place {
            index: encoder.policy_index(game, view, action) as u32,
            detail: encoder.policy_detail(game, view, action) as u32,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct ValueReading {
    outputs: Values,
    players: usize,
    /// The outputs that stand for -1 and 1.
    range: [f32; 2],
    /// Of the payoffs of all seats, where only the viewer's is given.
    sum: f32,
}

impl Reading {
    /// Refuses networks that value actions, and those that leave payoffs open.
    pub(crate) fn new(info: &GameInfo, model: &Model, details: usize) -> Result<Reading, ModelError> {
        if model.graph.has_action_input() {
            return unfit("values actions and has no opinion on positions");
        }
        let head = model.header.description.value.as_ref();
        let values = head.map(|head| ValueReading::new(info, head)).transpose()?;
        Ok(Reading { values, details, shared: vec![0.0; model.graph.policy_size()] })
    }

    pub(crate) fn has_values(&self) -> bool {
        self.values.is_some()
    }

    pub(crate) fn has_policy(&self) -> bool {
        !self.shared.is_empty()
    }

    /// What each seat may expect by a row whose input was seen by `viewer`.
    pub(crate) fn payoffs<G: Game>(&self, game: &G, outputs: &Outputs, row: usize, viewer: Player) -> Option<Payoffs> {
        let values = self.values?;
        Some(match values.outputs {
            Values::Viewer => values.of_sides(game, outputs.values[row], viewer),
            Values::Players => values.of_players(&outputs.values[row * values.players..], viewer),
        })
    }

    /// The probability of each action by a row: softmax over their distinct policy indices. Actions
    /// that share an index share its probability, by a softmax over their details. Nothing without a policy head.
    pub(crate) fn priors(&mut self, outputs: &Outputs, row: usize, places: &[Place], priors: &mut Vec<f32>) {
        self.weights(outputs, row, places, priors);
        let sum: f32 = priors.iter().sum();
        let even = 1.0 / places.len() as f32;
        // Logits that are no numbers say nothing.
        priors.iter_mut().for_each(|prior| *prior = if sum.is_finite() { *prior / sum } else { even });
    }

    /// As [`Reading::priors`] with a softmax over all indices, legal or not. The actions have what is
    /// theirs of it, which may be little.
    pub(crate) fn unmasked(&mut self, outputs: &Outputs, row: usize, places: &[Place], shares: &mut Vec<f32>) {
        let highest = self.weights(outputs, row, places, shares);
        let (logits, _) = self.logits(outputs, row);
        let sum: f32 = logits.iter().map(|logit| libm::expf(logit - highest)).sum();
        // Where only what is illegal has weight, the sum may be infinite.
        shares.iter_mut().for_each(|share| *share = if sum.is_finite() { *share / sum } else { 0.0 });
    }

    /// Those of the indices, and those of the details.
    fn logits<'a>(&self, outputs: &'a Outputs, row: usize) -> (&'a [f32], &'a [f32]) {
        let all = &outputs.policy[row * self.shared.len()..][..self.shared.len()];
        all.split_at(all.len() - self.details)
    }

    /// The exponential of each action's logit above the highest of them, divided among those that share
    /// it. Returns the highest. Nothing without a policy head.
    fn weights(&mut self, outputs: &Outputs, row: usize, places: &[Place], weights: &mut Vec<f32>) -> f32 {
        weights.clear();
        if !self.has_policy() {
            return 0.0;
        }
        let (logits, details) = self.logits(outputs, row);
        let highest = places.iter().map(|place| logits[place.index as usize]).fold(f32::NEG_INFINITY, f32::max);
        if details.is_empty() {
            weights.resize(places.len(), 1.0);
        } else {
            let detail = |place: &Place| details[place.detail as usize];
            let highest = places.iter().map(detail).fold(f32::NEG_INFINITY, f32::max);
            // Above 0, so that actions far below the others still share out the index that is theirs.
            weights.extend(places.iter().map(|place| libm::expf(detail(place) - highest).max(1e-30)));
        }
        for (place, &weight) in places.iter().zip(&*weights) {
            self.shared[place.index as usize] += weight;
        }
        for (place, weight) in places.iter().zip(&mut *weights) {
            let index = place.index as usize;
            *weight *= libm::expf(logits[index] - highest) / self.shared[index];
        }
        places.iter().for_each(|place| self.shared[place.index as usize] = 0.0);
        highest
    }
}

impl ValueReading {
    fn new(info: &GameInfo, head: &ValueHead) -> Result<ValueReading, ModelError> {
        let sum = match (head.outputs, info.payoff_sum) {
            (Values::Viewer, PayoffSum::Constant(sum)) if info.teams == 2 => sum,
            (Values::Viewer, _) if info.teams > 1 => {
                return unfit("gives a value for the viewer alone, which does not tell what all others get");
            }
            _ => 0.0,
        };
        Ok(ValueReading { outputs: head.outputs, players: info.players, range: head.range, sum })
    }

    fn payoff(&self, output: f32) -> f32 {
        let [low, high] = self.range;
        let payoff = 2.0 * (output - low) / (high - low) - 1.0;
        if payoff.is_nan() { 0.0 } else { payoff.clamp(-1.0, 1.0) }
    }

    /// Of the viewer's team and of the other one, which gets the rest.
    fn of_sides<G: Game>(&self, game: &G, output: f32, viewer: Player) -> Payoffs {
        let own = self.payoff(output);
        let is_partner = |player| game.team(player) == game.team(viewer);
        let partners = (0..self.players).filter(|&player| is_partner(player)).count();
        let other = (self.sum - partners as f32 * own) / (self.players - partners).max(1) as f32;
        let mut payoffs = Payoffs::default();
        for player in 0..self.players {
            payoffs[player] = if is_partner(player) { own } else { other };
        }
        payoffs
    }

    /// The first output belongs to the viewer.
    fn of_players(&self, outputs: &[f32], viewer: Player) -> Payoffs {
        let mut payoffs = Payoffs::default();
        for (step, &output) in outputs[..self.players].iter().enumerate() {
            payoffs[(viewer + step) % self.players] = self.payoff(output);
        }
        payoffs
    }
}

pub(crate) fn unfit<T>(why: &str) -> Result<T, ModelError> {
    Err(ModelError::Unfit(format!("the model {why}")))
}

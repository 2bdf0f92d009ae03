//! How the outputs of a network become payoffs of seats and probabilities of actions.

use meeple_core::{Game, GameInfo, PayoffSum, Payoffs, Player};

use crate::description::{ValueHead, Values};
use crate::inference::Outputs;
use crate::model::{Model, ModelError};

/// Reads the rows of [`Outputs`] for one game and network.
#[derive(Debug)]
pub(crate) struct Reading {
    values: Option<ValueReading>,
    /// How many of the actions at hand share each policy index. Empty without a policy head.
    sharers: Vec<u32>,
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
    pub(crate) fn new(info: &GameInfo, model: &Model) -> Result<Reading, ModelError> {
        if model.graph.has_action_input() {
            return unfit("values actions and has no opinion on positions");
        }
        let head = model.header.description.value.as_ref();
        let values = head.map(|head| ValueReading::new(info, head)).transpose()?;
        Ok(Reading { values, sharers: vec![0; model.graph.policy_size()] })
    }

    pub(crate) fn has_values(&self) -> bool {
        self.values.is_some()
    }

    pub(crate) fn has_policy(&self) -> bool {
        !self.sharers.is_empty()
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
    /// that share an index share its probability. Nothing without a policy head.
    pub(crate) fn priors(&mut self, outputs: &Outputs, row: usize, indices: &[u32], priors: &mut Vec<f32>) {
        self.weights(outputs, row, indices, priors);
        let sum: f32 = priors.iter().sum();
        let even = 1.0 / indices.len() as f32;
        // Logits that are no numbers say nothing.
        priors.iter_mut().for_each(|prior| *prior = if sum.is_finite() { *prior / sum } else { even });
    }
}

impl Reading {
    /// As [`Reading::priors`] with a softmax over all indices, legal or not. The actions have what is
    /// theirs of it, which may be little.
    pub(crate) fn unmasked(&mut self, outputs: &Outputs, row: usize, indices: &[u32], shares: &mut Vec<f32>) {
        let highest = self.weights(outputs, row, indices, shares);
        let logits = self.logits(outputs, row).iter();
        let sum: f32 = logits.map(|logit| libm::expf(logit - highest)).sum();
        // Where only what is illegal has weight, the sum may be infinite.
        shares.iter_mut().for_each(|share| *share = if sum.is_finite() { *share / sum } else { 0.0 });
    }

    fn logits<'a>(&self, outputs: &'a Outputs, row: usize) -> &'a [f32] {
        &outputs.policy[row * self.sharers.len()..][..self.sharers.len()]
    }

    /// The exponential of each action's logit above the highest of them, divided among those that share
    /// it. Returns the highest. Nothing without a policy head.
    fn weights(&mut self, outputs: &Outputs, row: usize, indices: &[u32], weights: &mut Vec<f32>) -> f32 {
        weights.clear();
        if !self.has_policy() {
            return 0.0;
        }
        let logits = self.logits(outputs, row);
        let highest = indices.iter().map(|&index| logits[index as usize]).fold(f32::NEG_INFINITY, f32::max);
        indices.iter().for_each(|&index| self.sharers[index as usize] += 1);
        let weight = |index: usize| libm::expf(logits[index] - highest) / self.sharers[index] as f32;
        weights.extend(indices.iter().map(|&index| weight(index as usize)));
        indices.iter().for_each(|&index| self.sharers[index as usize] = 0);
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

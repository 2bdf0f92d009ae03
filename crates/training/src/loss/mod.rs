//! What is wrong with the outputs of a network, and how that changes with each of them and with
//! each parameter. As in AlphaZero.jl, which thesis 000 uses: the weighted mean over the samples of
//! the error of the value (equation 3.5), the cross-entropy of the policy over legal actions, over
//! those that have a target for it, and a penalty for what it gives to others; and the decay of
//! weights. Policies that play alone have no targets: what they did becomes more or less likely by how
//! it turned out (`judged.rs`).

mod judged;

use meeple_network::{Graph, Outputs, Parameters, Role};
use serde::{Deserialize, Serialize};

use crate::gradients::sum_of_squares;
use crate::{Backend, Batch, Gradients, Noise};

/// How much each part of the loss counts; none is negative.
///
/// | field | part | default (AlphaZero.jl) |
/// |---|---|---|
/// | `value` | squared error, mean over the outputs of the value head | 1 |
/// | `policy` | cross-entropy between the target and the softmax over legal logits, in nats | 1 |
/// | `invalid` | what the softmax over all logits gives to illegal actions; not of judged decisions, which it would make ever surer: it lifts what is likely most | 1 |
/// | `decay` | sum of the squares of all weights, without biases and norms | 0.0001 |
/// | `ratio` | of judged decisions: a probability that has become so much higher or lower, as a share of what it was, is far enough from it | 0.2 (Schulman et al. 2017) |
/// | `entropy` | of judged decisions: the entropy of the policy, in nats, which the loss is less by | 0.01 (the same) |
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LossSettings {
    pub value: f32,
    pub policy: f32,
    pub invalid: f32,
    pub decay: f32,
    pub ratio: f32,
    pub entropy: f32,
}

impl Default for LossSettings {
    fn default() -> LossSettings {
        LossSettings { value: 1.0, policy: 1.0, invalid: 1.0, decay: 1e-4, ratio: 0.2, entropy: 0.01 }
    }
}

/// The loss of a batch, and what else is worth watching.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// The sum of the four parts.
    pub total: f32,
    /// The parts, each times its setting.
    pub value: f32,
    pub policy: f32,
    pub invalid: f32,
    pub decay: f32,
    /// Of the target of the policy, in nats: what its cross-entropy cannot fall below. Of judged decisions, that of the
    /// policy itself.
    pub entropy: f32,
    /// What the softmax over all logits gives to illegal actions, 0..1.
    pub illegal_mass: f32,
    /// Before it is clipped.
    pub gradient_norm: f32,
}

/// The loss of a batch, and its gradients without those of frozen filters.
pub fn gradients(
    backend: &mut dyn Backend,
    graph: &Graph,
    parameters: &Parameters,
    batch: &Batch,
    settings: &LossSettings,
    noise: &Noise,
    gradients: &mut Gradients,
) -> Losses {
    let mut losses = Losses::default();
    let mut slopes = |outputs: &Outputs| {
        let (of_outputs, slopes) = of_outputs(graph, batch, settings, outputs);
        losses = of_outputs;
        slopes
    };
    backend.gradients(parameters, batch, noise, &mut slopes, gradients);
    add_decay(graph, parameters, settings, &mut losses, Some(gradients));
    gradients.freeze(graph);
    losses.gradient_norm = gradients.norm(graph);
    losses
}

/// The loss of a batch after training, without a gradient norm.
pub fn losses(
    backend: &mut dyn Backend,
    graph: &Graph,
    parameters: &Parameters,
    batch: &Batch,
    settings: &LossSettings,
) -> Losses {
    let (mut losses, _) = of_outputs(graph, batch, settings, &backend.outputs(parameters, batch));
    add_decay(graph, parameters, settings, &mut losses, None);
    losses
}

/// The loss without the decay, and how it changes with each output.
pub fn of_outputs(graph: &Graph, batch: &Batch, settings: &LossSettings, outputs: &Outputs) -> (Losses, Outputs) {
    let mut slopes = Outputs { policy: vec![0.0; outputs.policy.len()], values: vec![0.0; outputs.values.len()] };
    let sum: f64 = batch.weights.iter().copied().map(f64::from).sum();
    let policy_sum = policy_weight(graph, batch);
    let invalid = if batch.judged.is_empty() { settings.invalid } else { 0.0 };
    let [mut value, mut policy, mut mass, mut entropy] = [0.0f64; 4];
    for (sample, &weight) in batch.weights.iter().enumerate() {
        let share = f64::from(weight) / sum;
        if graph.values() > 0 {
            let row = sample * graph.values()..(sample + 1) * graph.values();
            let factor = settings.value * share as f32;
            let error =
                value_error(&outputs.values[row.clone()], &batch.values[row.clone()], factor, &mut slopes.values[row]);
            value += share * f64::from(error);
        }
        if graph.policy.is_some() {
            let row = sample * graph.policy_size()..(sample + 1) * graph.policy_size();
            let target = Target { shares: &batch.policies[row.clone()], legal: &batch.legal[row.clone()] };
            let policy_share = if target.is_empty() { 0.0 } else { f64::from(weight) / policy_sum };
            let factors = [settings.policy * policy_share as f32, invalid * share as f32];
            let error = target.policy_error(&outputs.policy[row.clone()], factors, &mut slopes.policy[row]);
            policy += policy_share * f64::from(error.cross_entropy);
            mass += share * f64::from(error.illegal_mass);
            entropy += policy_share * f64::from(error.entropy);
        }
        if let Some(judged) = batch.judged.get(sample) {
            let row = sample * graph.policy_size()..(sample + 1) * graph.policy_size();
            let factor = settings.policy * share as f32;
            let error = judged::error(judged, settings, &outputs.policy[row.clone()], factor, &mut slopes.policy[row]);
            policy += share * f64::from(error.loss);
            entropy += share * f64::from(error.entropy);
        }
    }
    let mut losses = Losses {
        value: settings.value * value as f32,
        policy: settings.policy * policy as f32,
        invalid: invalid * mass as f32,
        entropy: entropy as f32,
        illegal_mass: mass as f32,
        ..Losses::default()
    };
    losses.total = losses.value + losses.policy + losses.invalid;
    (losses, slopes)
}

/// What the samples weigh together whose policy has a target.
fn policy_weight(graph: &Graph, batch: &Batch) -> f64 {
    if graph.policy.is_none() {
        return 0.0;
    }
    let targets = batch.policies.chunks_exact(graph.policy_size());
    let taught = targets.zip(&batch.weights).filter(|(shares, _)| shares.iter().any(|&share| share > 0.0));
    taught.map(|(_, &weight)| f64::from(weight)).sum()
}

/// The mean of the squares; their slopes times `factor`.
fn value_error(values: &[f32], targets: &[f32], factor: f32, slopes: &mut [f32]) -> f32 {
    let mut sum = 0.0;
    let count = values.len() as f32;
    for ((value, target), slope) in values.iter().zip(targets).zip(slopes) {
        let error = value - target;
        sum += error * error;
        *slope = factor * 2.0 * error / count;
    }
    sum / count
}

struct Target<'a> {
    shares: &'a [f32],
    legal: &'a [bool],
}

struct PolicyError {
    cross_entropy: f32,
    illegal_mass: f32,
    entropy: f32,
}

impl Target<'_> {
    fn is_empty(&self) -> bool {
        self.shares.iter().all(|&share| share == 0.0)
    }

    /// `factors` are those of the slopes of cross-entropy and illegal mass.
    fn policy_error(&self, logits: &[f32], factors: [f32; 2], slopes: &mut [f32]) -> PolicyError {
        let Target { shares, legal } = *self;
        let among = |wanted: bool| {
            logits.iter().zip(legal).filter(move |(_, legal)| **legal == wanted).map(|(logit, _)| *logit)
        };
        let legal_sum = LogSum::new(among(true));
        let illegal_sum = LogSum::new(among(false));
        let illegal_mass = illegal_sum.share_beside(legal_sum);
        let wanted: f32 = shares.iter().sum();

        let [mut cross_entropy, mut entropy] = [0.0f32; 2];
        for index in 0..logits.len() {
            let sums = if legal[index] { legal_sum } else { illegal_sum };
            // Of the softmax over the legal, or over the illegal logits.
            let part = libm::expf(logits[index] - sums.0);
            if legal[index] {
                let share = shares[index];
                slopes[index] =
                    factors[0] * (wanted * part - share) - factors[1] * part * (1.0 - illegal_mass) * illegal_mass;
                if share > 0.0 {
                    cross_entropy -= share * (logits[index] - legal_sum.0);
                    entropy -= share * libm::logf(share);
                }
            } else {
                slopes[index] = factors[1] * part * illegal_mass * (1.0 - illegal_mass);
            }
        }
        PolicyError { cross_entropy, illegal_mass, entropy }
    }
}

/// The logarithm of the sum of the powers of some logits.
#[derive(Clone, Copy)]
struct LogSum(f32);

impl LogSum {
    fn new(logits: impl Iterator<Item = f32> + Clone) -> LogSum {
        let highest = logits.clone().fold(f32::NEG_INFINITY, f32::max);
        LogSum(highest + libm::logf(logits.map(|logit| libm::expf(logit - highest)).sum()))
    }

    /// The part that these logits have in a softmax with others.
    fn share_beside(self, others: LogSum) -> f32 {
        match self.0 == f32::NEG_INFINITY {
            true => 0.0,
            false => 1.0 / (1.0 + libm::expf(others.0 - self.0)),
        }
    }
}

fn add_decay(
    graph: &Graph,
    parameters: &Parameters,
    settings: &LossSettings,
    losses: &mut Losses,
    mut gradients: Option<&mut Gradients>,
) {
    let mut sum = 0.0;
    for (number, info) in graph.parameters.iter().enumerate() {
        let Role::Weight { .. } = info.role else { continue };
        let values = &parameters.0[number];
        sum += sum_of_squares(values);
        if let (Some(gradients), true) = (&mut gradients, settings.decay != 0.0) {
            let slopes = gradients.0[number].iter_mut().zip(values);
            slopes.for_each(|(slope, value)| *slope += 2.0 * settings.decay * value);
        }
    }
    losses.decay = settings.decay * sum as f32;
    losses.total += losses.decay;
}

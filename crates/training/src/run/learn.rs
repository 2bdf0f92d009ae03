//! From samples to updates.

use std::sync::Arc;

use meeple_core::{Payoffs, Rng, Shape};
use meeple_network::description::ValueHead;
use meeple_network::samples::{Drawn, Sample};
use meeple_network::{Compiled, Graph, Model, Outputs, Ports, Runner, interleave};

use super::metrics::Calibration;
use crate::{Batch, Judged, Learner, LossSettings, Losses, StepError};

/// How the updates of an iteration go.
#[derive(Clone, Copy, Debug)]
pub(super) struct LearnSettings {
    pub(super) updates: u64,
    pub(super) batch: usize,
    pub(super) order: Order,
    pub(super) learning_rate: f64,
    pub(super) losses: LossSettings,
}

/// A position and what is to be learnt from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lesson<'a> {
    pub(super) sample: &'a Sample,
    /// What the value should say, in the order of [`Sample::payoffs`].
    pub(super) payoffs: Payoffs,
    /// How much better than expected a decision turned out that was drawn from the policy.
    pub(super) advantage: f32,
}

impl<'a> Lesson<'a> {
    /// As the game ended.
    pub(super) fn of(sample: &'a Sample) -> Lesson<'a> {
        Lesson { sample, payoffs: sample.payoffs, advantage: 0.0 }
    }
}

/// The order in which lessons are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Any of them at any time.
    Random,
    /// All of them, and then all again.
    Rounds,
}

/// What a network is shown of a position.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sight {
    /// What the viewer sees.
    Own,
    /// What is hidden as well.
    All(Ports),
}

impl Sight {
    /// Writes the input of a network with these ports.
    pub(super) fn write(self, sample: &Sample, ports: &Ports, input: &mut [f32], scratch: &mut Vec<f32>) {
        match self {
            Sight::Own => sample.input.unpack(input),
            Sight::All(viewer) => {
                scratch.resize(input.len(), 0.0);
                let (own, hidden) = scratch.split_at_mut(sample.input.len());
                sample.input.unpack(own);
                sample.hidden.unpack(hidden);
                let (seen, all) = (viewer.shape(), ports.shape());
                let unseen = Shape { channels: all.channels - seen.channels, vector: all.vector - seen.vector, ..seen };
                interleave([own, hidden], [seen, unseen], input);
            }
        }
    }
}

/// Takes the updates and says their mean losses; none if there is nothing to learn from. `stop` is asked after every
/// update.
pub(super) fn learn(
    learner: &mut Learner,
    lessons: &[Lesson<'_>],
    sight: Sight,
    value: Option<&ValueHead>,
    settings: &LearnSettings,
    rng: &mut Rng,
    stop: &dyn Fn() -> bool,
) -> Result<(Losses, u64), StepError> {
    let mut batch = Batch::default();
    let mut scratch = Vec::new();
    let mut rounds = Vec::new();
    let mut sums = Losses::default();
    let mut done = 0;
    let updates = if lessons.is_empty() { 0 } else { settings.updates };
    while done < updates && !stop() {
        let chosen = (0..settings.batch).map(|_| match settings.order {
            Order::Random => *rng.choose(lessons),
            Order::Rounds => {
                if rounds.is_empty() {
                    rounds.extend(0..lessons.len());
                    rng.shuffle(&mut rounds);
                }
                lessons[rounds.pop().expect("there are lessons")]
            }
        });
        fill(&mut batch, learner.graph(), sight, value, chosen, &mut scratch);
        add(&mut sums, &learner.step(&batch, &settings.losses, settings.learning_rate as f32)?);
        done += 1;
    }
    Ok((mean(&sums, done), done))
}

/// Puts lessons into a batch in the place of what it held.
fn fill<'a>(
    batch: &mut Batch,
    graph: &Graph,
    sight: Sight,
    value: Option<&ValueHead>,
    lessons: impl Iterator<Item = Lesson<'a>>,
    scratch: &mut Vec<f32>,
) {
    let Batch { count, inputs, policies, legal, values, weights, judged, .. } = batch;
    let (length, actions) = (graph.ports.shape().len(), graph.policy_size());
    *count = 0;
    [&mut *inputs, policies, values, weights].into_iter().for_each(Vec::clear);
    legal.clear();
    judged.clear();
    for Lesson { sample, payoffs, advantage } in lessons {
        *count += 1;
        inputs.resize(*count * length, 0.0);
        sight.write(sample, &graph.ports, &mut inputs[(*count - 1) * length..], scratch);
        if graph.policy.is_some() {
            let row = policies.len();
            policies.resize(row + actions, 0.0);
            legal.resize(row + actions, false);
            for (&index, &share) in sample.legal.iter().zip(&sample.policy) {
                policies[row + usize::from(index)] = if sample.drawn.is_none() { share } else { 0.0 };
                legal[row + usize::from(index)] = true;
            }
            if let Some(Drawn { choices, likelihood, .. }) = sample.drawn.as_deref() {
                judged.push(Judged { choices: choices.clone(), likelihood: *likelihood, advantage });
            }
        }
        if let Some(ValueHead { range: [low, high], .. }) = value {
            let payoffs = &payoffs[..graph.values()];
            values.extend(payoffs.iter().map(|payoff| low + (payoff + 1.0) / 2.0 * (high - low)));
        }
        weights.push(sample.weight);
    }
}

fn add(sums: &mut Losses, losses: &Losses) {
    let Losses { total, value, policy, invalid, decay, entropy, illegal_mass, gradient_norm } = sums;
    *total += losses.total;
    *value += losses.value;
    *policy += losses.policy;
    *invalid += losses.invalid;
    *decay += losses.decay;
    *entropy += losses.entropy;
    *illegal_mass += losses.illegal_mass;
    *gradient_norm += losses.gradient_norm;
}

fn mean(sums: &Losses, count: u64) -> Losses {
    let share = 1.0 / count.max(1) as f32;
    Losses {
        total: sums.total * share,
        value: sums.value * share,
        policy: sums.policy * share,
        invalid: sums.invalid * share,
        decay: sums.decay * share,
        entropy: sums.entropy * share,
        illegal_mass: sums.illegal_mass * share,
        gradient_norm: sums.gradient_norm * share,
    }
}

/// Positions that go through a network together.
const TOGETHER: usize = 1024;

/// What a network that is shown this much expects in positions, in the order of [`Sample::payoffs`]. Nothing without a value
/// head.
pub(super) fn expect(model: &Model, sight: Sight, samples: &[&Sample]) -> Vec<Payoffs> {
    let Some(ValueHead { range: [low, high], .. }) = model.header.description.value else { return Vec::new() };
    let mut runner = Runner::new(Arc::new(Compiled::new(model)));
    let ports = &model.graph.ports;
    let length = ports.shape().len();
    let (mut inputs, mut outputs, mut scratch) = (Vec::new(), Outputs::default(), Vec::new());
    let mut all = Vec::with_capacity(samples.len());
    for part in samples.chunks(TOGETHER) {
        inputs.resize(part.len() * length, 0.0);
        for (sample, input) in part.iter().zip(inputs.chunks_exact_mut(length)) {
            sight.write(sample, ports, input, &mut scratch);
        }
        runner.run(&inputs[..part.len() * length], part.len(), &mut outputs);
        for row in outputs.values.chunks_exact(model.graph.values()) {
            let mut payoffs = Payoffs::default();
            for (payoff, value) in payoffs.iter_mut().zip(row) {
                *payoff = (2.0 * (value - low) / (high - low) - 1.0).clamp(-1.0, 1.0);
            }
            all.push(payoffs);
        }
    }
    all
}

/// Positions that a network is asked about for its calibration.
const ASKED: usize = 4096;

/// What the network that played expected in some of the positions, and how the games ended.
pub(super) fn calibration(model: &Model, samples: &[Sample]) -> Calibration {
    let every = samples.len().div_ceil(ASKED).max(1);
    let asked: Vec<&Sample> = samples.iter().step_by(every).collect();
    let expected = expect(model, Sight::Own, &asked);
    let pairs = expected.iter().zip(&asked).map(|(expected, sample)| (expected[0], sample.payoffs[0]));
    Calibration::of(&pairs.collect::<Vec<_>>())
}

/// The mean entropy of the policies over that of the uniform one, where there is a choice and a search.
pub(super) fn policy_entropy(samples: &[Sample]) -> f64 {
    let with_choice = samples.iter().filter(|sample| sample.legal.len() > 1 && sample.targets().next().is_some());
    let (sum, count) = with_choice.fold((0.0, 0u64), |(sum, count), sample| {
        let entropy: f64 = sample.targets().map(|(_, share)| -f64::from(share) * libm::log(f64::from(share))).sum();
        (sum + entropy / libm::log(sample.legal.len() as f64), count + 1)
    });
    if count == 0 { 1.0 } else { sum / count as f64 }
}

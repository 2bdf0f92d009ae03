//! A second network that sees the cards of all seats, in training only. What it expects takes the place of a part of
//! the outcome in what the value learns: it has seen as much luck and hidden information as the cards tell, so its
//! word varies less than the outcome does, as long as it does not know the games by heart; and no network that plays
//! is ever shown it (asymmetric actor and critic, Pinto et al. 2018).

use std::sync::Arc;

use meeple_core::rng::mix;
use meeple_core::{Payoffs, Rng};
use meeple_network::description::{Description, ValueHead};
use meeple_network::samples::Sample;
use meeple_network::{Compiled, Graph, Header, Model, Outputs, Parameters, Ports, Runner};

use super::config::{Config, ConfigError};
use super::learn::{LearnSettings, Lesson, Sight, learn};
use super::{LEARNING, RunError, learner};
use crate::{Learner, Losses, StepError};

/// The network of the run without its policy, with the inputs of all seats.
#[derive(Debug)]
pub(super) struct Critic {
    learner: Learner,
    model: Model,
    share: f64,
}

/// Positions that are judged together.
const TOGETHER: usize = 1024;

impl Critic {
    /// `None` if the configuration has none. `hidden` is whether players have secrets.
    pub(super) fn new(
        config: &Config,
        header: &Header,
        hidden: bool,
        threads: usize,
    ) -> Result<Option<Critic>, RunError> {
        let share = config.learning.critic;
        if share == 0.0 {
            return Ok(None);
        }
        let complain = |why: &str| Err(ConfigError(format!("learning.critic: {why}")).into());
        if header.description.value.is_none() || header.description.action_input {
            return complain("the network has no value of positions");
        }
        if !hidden {
            return complain("everybody sees everything in this game");
        }
        if config.replay.merge != "none" {
            return complain("merged positions are seen by one seat only; set replay.merge to none");
        }
        let description = Description { policy: None, ..header.description.clone() };
        let Ports { channels, vector, players, .. } = header.ports;
        let ports = Ports { channels: channels * players, vector: vector * players, ..header.ports };
        let graph = Graph::new(&description, ports)?;
        let parameters = Parameters::initial(&graph, &mut Rng::stream(config.seed, LEARNING));
        let model = Model { header: Header { description, ports, ..header.clone() }, graph, parameters };
        let seeded = Config { seed: mix(config.seed), ..config.clone() };
        Ok(Some(Critic { learner: learner(&seeded, &model, threads)?, model, share }))
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.learner.to_bytes()
    }

    pub(super) fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.learner.restore(bytes)
    }

    /// Whether this is a sample with what all seats see.
    pub(super) fn can_read(&self, sample: &Sample) -> bool {
        sample.input.len() + sample.others.len() == self.model.graph.ports.shape().len()
    }

    /// Learns how the games ended.
    pub(super) fn learn(
        &mut self,
        samples: &[&Sample],
        settings: &LearnSettings,
        rng: &mut Rng,
        stop: &dyn Fn() -> bool,
    ) -> Result<Losses, StepError> {
        let lessons: Vec<Lesson<'_>> = samples.iter().map(|sample| Lesson::of(sample)).collect();
        let head = self.model.header.description.value.as_ref();
        learn(&mut self.learner, &lessons, Sight::All, head, settings, rng, stop).map(|(losses, _)| losses)
    }

    /// Outcomes with its own expectation mixed in, as what the network should expect.
    pub(super) fn teach<'a>(&self, samples: &[&'a Sample]) -> Vec<Lesson<'a>> {
        let model = Model { parameters: self.learner.parameters().clone(), ..self.model.clone() };
        let mut runner = Runner::new(Arc::new(Compiled::new(&model)));
        let ports = &model.graph.ports;
        let (length, values) = (ports.shape().len(), model.graph.values());
        let ValueHead { range: [low, high], .. } =
            model.header.description.value.clone().expect("a critic has a value head");
        let (mut inputs, mut outputs, mut scratch) = (Vec::new(), Outputs::default(), Vec::new());
        let mut lessons = Vec::with_capacity(samples.len());
        for part in samples.chunks(TOGETHER) {
            inputs.resize(part.len() * length, 0.0);
            for (sample, input) in part.iter().zip(inputs.chunks_exact_mut(length)) {
                Sight::All.write(sample, ports, input, &mut scratch);
            }
            runner.run(&inputs[..part.len() * length], part.len(), &mut outputs);
            for (sample, expected) in part.iter().zip(outputs.values.chunks_exact(values)) {
                let mut payoffs = sample.payoffs;
                for (payoff, value) in payoffs.iter_mut().zip(expected) {
                    let expected = (2.0 * (value - low) / (high - low) - 1.0).clamp(-1.0, 1.0);
                    *payoff = mixed(*payoff, expected, self.share as f32);
                }
                lessons.push(Lesson { sample, payoffs });
            }
        }
        lessons
    }
}

fn mixed(outcome: f32, expected: f32, share: f32) -> f32 {
    (1.0 - share) * outcome + share * expected
}

/// What all seats see as one input: the channels of one seat after those of the other, on every field, and their
/// vectors one after the other.
pub(super) fn interleave(seats: &[f32], ports: &Ports, input: &mut [f32]) {
    let players = ports.players;
    let length = seats.len() / players;
    let (channels, vector) = (ports.channels / players, ports.vector / players);
    let fields = ports.rows * ports.columns;
    let (planes, vectors) = input.split_at_mut(fields * ports.channels);
    for (seat, seen) in seats.chunks_exact(length).enumerate() {
        for field in 0..fields {
            let place = field * ports.channels + seat * channels;
            planes[place..place + channels].copy_from_slice(&seen[field * channels..(field + 1) * channels]);
        }
        vectors[seat * vector..(seat + 1) * vector].copy_from_slice(&seen[length - vector..]);
    }
}

/// Payoffs that nobody has mixed anything into.
impl<'a> Lesson<'a> {
    pub(super) fn of(sample: &'a Sample) -> Lesson<'a> {
        let payoffs: Payoffs = sample.payoffs;
        Lesson { sample, payoffs }
    }
}

#[cfg(test)]
mod tests {
    use meeple_core::Shape;

    use super::*;

    #[test]
    fn the_seats_lie_beside_each_other_on_every_field() {
        let one = Shape { vector: 1, ..Shape::planes(2, 1, 2) };
        let seats: Vec<f32> = (0..2 * one.len()).map(|number| number as f32).collect();
        let all = Shape { vector: 2, ..Shape::planes(4, 1, 2) };
        let mut input = vec![0.0; all.len()];
        interleave(&seats, &Ports::new(all, 1, 2), &mut input);
        assert_eq!(input, [0.0, 1.0, 5.0, 6.0, 2.0, 3.0, 7.0, 8.0, 4.0, 9.0]);
    }
}

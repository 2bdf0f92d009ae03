//! A second network that sees the cards of all seats, in training only. What it expects takes the place of a part of
//! the outcome in what the value learns, and decisions of a policy that plays alone are judged by it: it has seen as much
//! luck and hidden information as the cards tell, so its word varies less than the outcome does, as long as it does not
//! know the games by heart; and no network that plays is ever shown it (asymmetric actor and critic, Pinto et al. 2018).

use meeple_core::rng::mix;
use meeple_core::{Payoffs, Rng, Shape};
use meeple_network::description::{Description, ValueHead, Values};
use meeple_network::samples::Sample;
use meeple_network::{Graph, Header, Model, Parameters, Ports};

use super::config::{Config, ConfigError};
use super::learn::{LearnSettings, Lesson, Sight, expect, learn};
use super::{LEARNING, RunError, learner};
use crate::{Learner, Losses, StepError};

/// The network of the run without its policy, with what is hidden as a further input, and a value for every player.
#[derive(Debug)]
pub(super) struct Critic {
    learner: Learner,
    model: Model,
    /// Of the network that it helps.
    viewer: Ports,
    share: f64,
}

impl Critic {
    /// `None` if the configuration has none. `hidden` is the size of what players do not see, if they have secrets.
    pub(super) fn new(
        config: &Config,
        header: &Header,
        hidden: Option<Shape>,
        threads: usize,
    ) -> Result<Option<Critic>, RunError> {
        let share = config.learning.critic;
        if share == 0.0 {
            return Ok(None);
        }
        let complain = |why: &str| Err(ConfigError(format!("learning.critic: {why}")).into());
        let Some(value) = header.description.value.clone().filter(|_| !header.description.action_input) else {
            return complain("the network has no value of positions");
        };
        if header.open {
            return complain("the network sees all cards itself (open)");
        }
        let Some(hidden) = hidden else {
            return complain("everybody sees everything in this game");
        };
        if config.replay.merge != "none" {
            return complain("merged positions are seen by one seat only; set replay.merge to none");
        }
        let value = Some(ValueHead { outputs: Values::Players, ..value });
        let description = Description { policy: None, value, ..header.description.clone() };
        let viewer = header.ports;
        let ports = viewer.with_hidden(hidden);
        let graph = Graph::new(&description, ports)?;
        let parameters = Parameters::initial(&graph, &mut Rng::stream(config.seed, LEARNING));
        let model = Model { header: Header { description, ports, ..header.clone() }, graph, parameters };
        let seeded = Config { seed: mix(config.seed), ..config.clone() };
        Ok(Some(Critic { learner: learner(&seeded, &model, threads)?, model, viewer, share }))
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.learner.to_bytes()
    }

    pub(super) fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.learner.restore(bytes)
    }

    /// Whether it has learnt anything.
    pub(super) fn is_new(&self) -> bool {
        self.learner.steps() == 0
    }

    /// Whether this is a sample with what is hidden.
    pub(super) fn can_read(&self, sample: &Sample) -> bool {
        sample.input.len() + sample.hidden.len() == self.model.graph.ports.shape().len()
    }

    /// Learns what positions turned out to be worth.
    pub(super) fn learn(
        &mut self,
        samples: &[&Sample],
        settings: &LearnSettings,
        rng: &mut Rng,
        stop: &dyn Fn() -> bool,
    ) -> Result<Losses, StepError> {
        let lessons: Vec<Lesson<'_>> = samples.iter().map(|sample| Lesson::of(sample)).collect();
        let head = self.model.header.description.value.as_ref();
        learn(&mut self.learner, &lessons, Sight::All(self.viewer), head, settings, rng, stop).map(|(losses, _)| losses)
    }

    /// Outcomes with its own expectation mixed in, as what the network should expect.
    pub(super) fn teach<'a>(&self, samples: &[&'a Sample]) -> Vec<Lesson<'a>> {
        let expected = self.expect(samples);
        samples.iter().zip(&expected).map(|(sample, expected)| self.lesson(sample, expected)).collect()
    }

    /// What to learn where it expects this.
    pub(super) fn lesson<'a>(&self, sample: &'a Sample, expected: &Payoffs) -> Lesson<'a> {
        let mut lesson = Lesson::of(sample);
        let mix = |(payoff, expected): (&mut f32, &f32)| *payoff = mixed(*payoff, *expected, self.share as f32);
        lesson.payoffs.iter_mut().zip(expected).for_each(mix);
        lesson
    }

    /// What it expects in positions, in the order of [`Sample::payoffs`].
    pub(super) fn expect(&self, samples: &[&Sample]) -> Vec<Payoffs> {
        let model = Model { parameters: self.learner.parameters().clone(), ..self.model.clone() };
        expect(&model, Sight::All(self.viewer), samples)
    }
}

fn mixed(outcome: f32, expected: f32, share: f32) -> f32 {
    (1.0 - share) * outcome + share * expected
}

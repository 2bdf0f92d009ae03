//! What an iteration of a run teaches its network, and its critic if it has one.

use std::time::Instant;

use meeple_arena::Stop;
use meeple_core::Rng;
use meeple_network::description::ValueHead;
use meeple_network::samples::{self, Sample};

use super::config::Learning;
use super::judge::judge;
use super::learn::{LearnSettings, Lesson, Order, Sight, learn};
use super::metrics::Metrics;
use super::{LEARNING, Run, RunError};
use crate::{Learner, StepError};

impl Run {
    fn learn_settings(&self, iteration: u32, positions: u64) -> LearnSettings {
        let Learning { learning_rate, batch, reuse, updates, .. } = &self.config.learning;
        let batch = batch.at(iteration).round() as usize;
        let most = updates.as_ref().map_or(u64::MAX, |updates| updates.at(iteration).round() as u64);
        let wanted = (reuse.at(iteration) * positions as f64 / batch as f64).round().max(1.0) as u64;
        LearnSettings {
            updates: wanted.min(most),
            batch,
            order: if self.config.plays_alone(iteration) { Order::Rounds } else { Order::Random },
            learning_rate: learning_rate.at(iteration),
            losses: self.config.losses(iteration),
        }
    }

    /// The policy learns from how what it has just done turned out. The critic is asked before it learns the same, lest it
    /// know how these games ended. Where it has not learnt anything yet nobody can judge the policy, which waits for the
    /// next iteration: the entropy alone, whose steps Adam makes as large as any other, would spoil what it began with.
    pub(super) fn learn_from_decisions(
        &mut self,
        iteration: u32,
        samples: &[Sample],
        ends: &[usize],
        metrics: &mut Metrics,
        stop: &Stop,
    ) -> Result<(), RunError> {
        let settings = self.learn_settings(iteration, metrics.positions);
        let players = self.game.info().players;
        let lessons = match &self.critic {
            Some(critic) if critic.is_new() => Vec::new(),
            critic => judge(samples, ends, players, critic.as_ref(), self.config.learning.trace),
        };
        metrics.window = samples.len();
        let mut rng = Rng::from_seed(self.seed(iteration, LEARNING));
        if let Some(critic) = &mut self.critic {
            let samples: Vec<&Sample> = samples.iter().collect();
            let learnt = critic.learn(&samples, &settings, &mut rng, &|| stop.is_requested());
            metrics.critic = Some(learnt.map_err(|error| RunError::Step(iteration, error))?.value);
        }
        let head = self.header.description.value.as_ref();
        let done = update(&mut self.learner, head, &lessons, &settings, metrics, &mut rng, &|| stop.is_requested());
        done.map_err(|error| RunError::Step(iteration, error))
    }

    /// Policy and value learn from what searches found, and how games ended, over the last iterations.
    pub(super) fn learn_from_window(
        &mut self,
        iteration: u32,
        metrics: &mut Metrics,
        stop: &Stop,
    ) -> Result<(), RunError> {
        let settings = self.learn_settings(iteration, metrics.positions);
        let merged = match &*self.config.replay.merge {
            "none" => Vec::new(),
            _ => samples::merge(self.window.samples(), self.config.replay.weights.into()),
        };
        let samples: Vec<&Sample> =
            if merged.is_empty() { self.window.samples().collect() } else { merged.iter().collect() };
        metrics.window = samples.len();
        let mut rng = Rng::from_seed(self.seed(iteration, LEARNING));
        let lessons: Vec<Lesson<'_>> = match &mut self.critic {
            Some(critic) => {
                let learnt = critic.learn(&samples, &settings, &mut rng, &|| stop.is_requested());
                metrics.critic = Some(learnt.map_err(|error| RunError::Step(iteration, error))?.value);
                critic.teach(&samples)
            }
            None => samples.iter().map(|sample| Lesson::of(sample)).collect(),
        };
        let head = self.header.description.value.as_ref();
        let done = update(&mut self.learner, head, &lessons, &settings, metrics, &mut rng, &|| stop.is_requested());
        done.map_err(|error| RunError::Step(iteration, error))
    }
}

/// Takes the updates of an iteration, and notes what they were like.
fn update(
    learner: &mut Learner,
    head: Option<&ValueHead>,
    lessons: &[Lesson<'_>],
    settings: &LearnSettings,
    metrics: &mut Metrics,
    rng: &mut Rng,
    stop: &dyn Fn() -> bool,
) -> Result<(), StepError> {
    let started = Instant::now();
    let (losses, done) = learn(learner, lessons, Sight::Own, head, settings, rng, stop)?;
    metrics.learning_rate = settings.learning_rate;
    metrics.losses = losses;
    metrics.updates = done;
    metrics.updates_per_s = if done == 0 { 0.0 } else { done as f64 / started.elapsed().as_secs_f64() };
    metrics.reuse = match metrics.positions {
        0 => 0.0,
        positions => (done * settings.batch as u64) as f64 / positions as f64,
    };
    Ok(())
}

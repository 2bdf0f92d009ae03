//! The speed of a network, in use and in training.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use meeple_catalog::{SelfPlayer, Session};
use meeple_core::Rng;
use meeple_network::{Compiled, Model, Outputs, Runner};
use meeple_training::Batch;
use meeple_training::run::{Config, initial_model, learner};
use serde::Serialize;

use super::{NetworkArguments, Options};

#[derive(Serialize)]
pub(super) struct NetworkSpeed {
    pub(super) parameters: usize,
    /// States, or states with an action.
    pub(super) evaluations_per_s: f64,
    pub(super) updates_per_s: f64,
}

pub(super) fn measure(network: &NetworkArguments, options: &Options) -> anyhow::Result<NetworkSpeed> {
    let place = || network.config.display().to_string();
    let text = std::fs::read_to_string(&network.config).with_context(place)?;
    let config = Config::parse(&text).with_context(place)?;
    let player = meeple_catalog::self_player(&config.game, &config.rules)?;
    let model = initial_model(&config, &*player)?;
    let mut rng = Rng::from_seed(options.seed);
    let batch = network.batch as usize;
    let mut learner = learner(&config, &model, network.threads.into())?;
    let samples = Batch::random(&model.graph, batch, &mut rng);
    let losses = config.losses(1);
    let inputs = positions(&*player, &model, &config, batch)?;
    Ok(NetworkSpeed {
        parameters: model.parameters.count(),
        evaluations_per_s: batch as f64 * evaluations(&model, &inputs, batch, options.seconds / 2.0, &mut rng),
        updates_per_s: times_per_second(options.seconds / 2.0, || learner.step(&samples, &losses, 1e-4).map(drop))?,
    })
}

/// What the network sees in so many positions of random games: how fast it is depends on how much of that is 0.
fn positions(player: &dyn SelfPlayer, model: &Model, config: &Config, batch: usize) -> anyhow::Result<Vec<f32>> {
    let length = model.graph.ports.shape().len();
    let mut inputs = Vec::with_capacity(batch * length);
    for seed in 0.. {
        let plain = Session::plain(model, config.self_play_agent(1), 8, seed);
        let played = player.play(&Session { first: Some("random"), ..plain }, &mut |_| true)?;
        for sample in played.samples {
            if inputs.len() == batch * length {
                return Ok(inputs);
            }
            let begin = inputs.len();
            inputs.resize(begin + length, 0.0);
            sample.input.unpack(&mut inputs[begin..]);
        }
    }
    unreachable!("there is a game for every seed")
}

/// Batches per second.
fn evaluations(model: &Model, inputs: &[f32], batch: usize, seconds: f64, rng: &mut Rng) -> f64 {
    let mut runner = Runner::new(Arc::new(Compiled::new(model)));
    let length = model.graph.ports.shape().len();
    let mut outputs = Outputs::default();
    let measured = match model.graph.has_action_input() {
        false => times_per_second(seconds, || {
            runner.run(inputs, batch, &mut outputs);
            Ok::<_, std::convert::Infallible>(())
        }),
        true => {
            // Six actions of each state, as in Keezen.
            let states = batch.div_ceil(6);
            let counts: Vec<usize> = (0..states).map(|state| 6.min(batch - 6 * state)).collect();
            let actions: Vec<u32> = (0..batch).map(|_| rng.below(model.graph.ports.policy as u32)).collect();
            times_per_second(seconds, || {
                runner.run_actions(&inputs[..states * length], &counts, &actions, &mut outputs);
                Ok(())
            })
        }
    };
    match measured {
        Ok(rate) => rate,
        Err(never) => match never {},
    }
}

fn times_per_second<E>(seconds: f64, mut work: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    work()?; // whatever happens once
    let started = Instant::now();
    let mut done = 0u64;
    while started.elapsed().as_secs_f64() < seconds {
        work()?;
        done += 1;
    }
    Ok(done as f64 / started.elapsed().as_secs_f64())
}

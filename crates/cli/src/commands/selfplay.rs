//! `meeple selfplay`: games of a network against itself, as samples for training, and how fast they are.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use meeple_catalog::{SelfPlayer, Session};
use meeple_core::Rules;
use meeple_network::{Model, samples};
use meeple_training::run::{Config, initial_model};
use serde::Serialize;

use super::threads;
use crate::interrupt::{INTERRUPTED, stop_on_interrupt};
use crate::progress;

/// Let a network play against itself
#[derive(Args)]
#[command(after_help = "Examples:
  meeple selfplay just4fun/fieldnet --agent ispuct:iterations=150 --games 100
  meeple selfplay models/connect-four/residual.toml --agent puct:iterations=50 --games 200 --out samples.bin")]
pub(crate) struct Arguments {
    /// A network: a file, or a short name; or the configuration of a training run, for its network before training
    model: String,
    /// The search, puct or ispuct, with its settings
    #[arg(long)]
    agent: String,
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Games that each thread plays in lock-step
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=4096))]
    together: u16,
    /// Search the true state in the place of what the player knows
    #[arg(long)]
    true_state: bool,
    /// Write the samples to a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Speed {
    games: u64,
    positions: u64,
    simulations: u64,
    mean_length: f64,
    seconds: f64,
    games_per_s: f64,
    positions_per_s: f64,
    simulations_per_s: f64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (player, model) = network(&arguments.model)?;
    let session = Session {
        threads: threads(arguments.threads),
        together: arguments.together.into(),
        true_state: arguments.true_state,
        ..Session::plain(&model, arguments.agent.clone(), arguments.games, arguments.seed)
    };
    let stop = stop_on_interrupt();
    let bar = progress::counter();
    let started = Instant::now();
    let played = player.play(&session, &mut |games| {
        bar.set_position(games);
        !stop.is_requested()
    })?;
    let seconds = started.elapsed().as_secs_f64();
    bar.finish_and_clear();
    if let Some(file) = &arguments.out {
        samples::write(file, &played.samples)?;
    }
    let rate = |count: u64| count as f64 / seconds;
    let speed = Speed {
        games: played.games,
        positions: played.positions,
        simulations: played.simulations,
        mean_length: played.length,
        seconds,
        games_per_s: rate(played.games),
        positions_per_s: rate(played.positions),
        simulations_per_s: rate(played.simulations),
    };
    match arguments.json {
        true => println!("{}", serde_json::to_string(&speed)?),
        false => {
            println!("{} games of {:.1} moves in {seconds:.1} s", speed.games, speed.mean_length);
            println!("games per second          {:>14.1}", speed.games_per_s);
            println!("positions per second      {:>14.0}", speed.positions_per_s);
            println!("simulations per second    {:>14.0}", speed.simulations_per_s);
        }
    }
    Ok(ExitCode::from(if stop.is_requested() { INTERRUPTED } else { 0 }))
}

/// A trained network, or that of a configuration before training, and the game it plays.
fn network(name: &str) -> anyhow::Result<(Box<dyn SelfPlayer>, Model)> {
    if name.ends_with(".toml") {
        let text = std::fs::read_to_string(name).with_context(|| name.to_string())?;
        let config = Config::parse(&text).with_context(|| name.to_string())?;
        let player = meeple_catalog::self_player(&config.game, &config.rules)?;
        let model = initial_model(&config, &*player)?;
        return Ok((player, model));
    }
    let model = meeple_catalog::model(name)?;
    let rules = Rules::parse(&model.header.rules)?;
    Ok((meeple_catalog::self_player(&model.header.game, &rules)?, model))
}

//! `meeple bench`: speed, on one thread unless more are asked for.

mod network;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use meeple_core::agent::Budget;
use meeple_core::erased::{AnyGame, AnyPosition};
use meeple_core::{Rng, Turn};
use meeple_training::run::process_cpu_seconds;
use serde::Serialize;

use super::GameArguments;

/// Measure speed
#[derive(Args)]
#[command(after_help = "Example: meeple bench playouts connect-four --seconds 3")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Uniformly random games from the initial state, deal included
    #[command(after_help = "Example: meeple bench playouts hearts --seconds 3 --json")]
    Playouts {
        #[command(flatten)]
        game: GameArguments,
        #[command(flatten)]
        options: Options,
    },
    /// Preparing and sampling the worlds that a player cannot tell apart
    #[command(after_help = "Example: meeple bench determinize sueca --samples 1000")]
    Determinize {
        #[command(flatten)]
        game: GameArguments,
        #[command(flatten)]
        options: Options,
        /// Worlds to sample from each view
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        samples: u32,
    },
    /// Fresh searches at the first position with a choice, after a deal from --seed
    #[command(after_help = "Example: meeple bench search breakthrough --agent mcts:iterations=100000 --json")]
    Search {
        #[command(flatten)]
        game: GameArguments,
        /// The agent with its budget for one search
        #[arg(long)]
        agent: String,
        /// Threads of the agent, unless it says so itself
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        threads: u32,
        #[command(flatten)]
        options: Options,
    },
    /// A network before training, on random inputs: evaluations and updates
    #[command(after_help = "Example: meeple bench network models/just4fun/fieldnet.toml --batch 128 --threads 2")]
    Network {
        #[command(flatten)]
        network: NetworkArguments,
        #[command(flatten)]
        options: Options,
    },
}

/// A network on the command line.
#[derive(Args)]
struct NetworkArguments {
    /// The configuration of a training run, of which the network is taken
    config: PathBuf,
    /// Inputs that are evaluated together, and samples of an update
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=65536))]
    batch: u32,
    /// Threads of the updates; evaluations are those of one thread
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

#[derive(Args)]
struct Options {
    /// How long to measure
    #[arg(long, default_value_t = 3.0, value_parser = seconds, allow_negative_numbers = true)]
    seconds: f64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    match &arguments.what {
        What::Playouts { game, options } => {
            let game = game.build()?;
            let time = Duration::from_secs_f64(options.seconds);
            let speed = game.measure_playouts(time, &mut Rng::from_seed(options.seed), &cpu_seconds);
            if options.json {
                writeln!(out, "{}", serde_json::to_string(&speed)?)?;
            } else {
                writeln!(out, "{} random games of {:.1} moves", speed.games, speed.mean_length)?;
                writeln!(out, "games per second          {:>14.0}", speed.games_per_s)?;
                writeln!(out, "moves per second          {:>14.0}", speed.moves_per_s)?;
                writeln!(out, "through legal_actions     {:>14.0}", speed.moves_per_s_by_list)?;
                writeln!(out, "bytes of a state          {:>14}", speed.state_bytes)?;
            }
        }
        What::Search { game, agent, threads, options } => {
            let game = game.build()?;
            let speed = measure_search(&*game, &with_threads(agent, *threads), options)?;
            if options.json {
                writeln!(out, "{}", serde_json::to_string(&speed)?)?;
            } else {
                writeln!(out, "{} searches with {} nodes", speed.searches, speed.nodes)?;
                writeln!(out, "iterations per second     {:>14.0}", speed.iterations_per_s)?;
                writeln!(out, "bytes of a node           {:>14.1}", speed.bytes_per_node)?;
            }
        }
        What::Determinize { game, options, samples } => {
            let game = game.build()?;
            let time = Duration::from_secs_f64(options.seconds);
            let speed = game.measure_determinize(time, *samples, &mut Rng::from_seed(options.seed));
            if options.json {
                writeln!(out, "{}", serde_json::to_string(&speed)?)?;
            } else {
                writeln!(out, "{} views, {} worlds", speed.views, speed.worlds)?;
                writeln!(out, "preparing a view          {:>11.0} ns", speed.prepare_ns)?;
                writeln!(out, "sampling a world          {:>11.0} ns", speed.sample_ns)?;
            }
        }
        What::Network { network, options } => {
            let speed = network::measure(network, options)?;
            if options.json {
                writeln!(out, "{}", serde_json::to_string(&speed)?)?;
            } else {
                writeln!(out, "{} parameters, batches of {}", speed.parameters, network.batch)?;
                writeln!(out, "evaluations per second    {:>14.0}", speed.evaluations_per_s)?;
                writeln!(out, "updates per second        {:>14.1}", speed.updates_per_s)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct SearchSpeed {
    searches: u64,
    iterations_per_s: f64,
    /// Of the last search.
    nodes: u64,
    bytes_per_node: f64,
    cpu_s: f64,
}

/// Repeats fresh searches of one position.
fn measure_search(game: &dyn AnyGame, agent: &str, options: &Options) -> anyhow::Result<SearchSpeed> {
    let mut rng = Rng::from_seed(options.seed);
    let mut agent = game.agent(agent)?;
    let position = first_choice(game, &mut rng);
    let (started, cpu_started) = (Instant::now(), process_cpu_seconds());
    let (mut searches, mut iterations) = (0, 0);
    loop {
        agent.new_game();
        let report = position.decide(&mut agent, &Budget::NONE, &mut rng).report;
        searches += 1;
        iterations += report.iterations;
        if started.elapsed().as_secs_f64() >= options.seconds {
            return Ok(SearchSpeed {
                searches,
                iterations_per_s: iterations as f64 / started.elapsed().as_secs_f64(),
                nodes: report.nodes,
                bytes_per_node: report.bytes as f64 / report.nodes.max(1) as f64,
                cpu_s: process_cpu_seconds() - cpu_started,
            });
        }
    }
}

/// The agent with a number of threads, if it is not the usual one and not given.
fn with_threads(agent: &str, threads: u32) -> String {
    let given = agent.split([':', ',']).any(|setting| setting.trim_start().starts_with("threads="));
    match (threads, agent.split_once(':')) {
        _ if given => agent.to_string(),
        (1, _) => agent.to_string(),
        (_, None | Some((_, ""))) => format!("{}:threads={threads}", agent.trim_end_matches(':')),
        (_, Some(_)) => format!("{agent},threads={threads}"),
    }
}

/// The first position of a random game in which a player has two or more actions.
fn first_choice(game: &dyn AnyGame, rng: &mut Rng) -> Box<dyn AnyPosition> {
    let mut position = game.start();
    loop {
        let actions = position.actions();
        match position.turn() {
            Turn::Over => position = game.start(),
            Turn::Chance => drop(position.apply_chance(rng)),
            Turn::Player(_) if actions.len() > 1 => return position,
            Turn::Player(_) => position.apply(&actions[0]).expect("a listed action is legal"),
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("must be a number of seconds above 0, at most a day".to_string()),
    }
}

/// Processor time of this thread in seconds, or 0 where the system does not tell.
fn cpu_seconds() -> f64 {
    // The first field is the time on the processor in nanoseconds.
    let Ok(times) = std::fs::read_to_string("/proc/thread-self/schedstat") else { return 0.0 };
    times.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

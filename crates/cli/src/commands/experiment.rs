//! `meeple experiment`: matches written down in a file, beside the published figures they repeat.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use meeple_arena::{Comparison, Experiment, PlannedMatch, play_match};
use serde_json::json;

use super::BadUsage;
use crate::progress::{Progress, Shown};

/// Repeat published results
#[derive(Args)]
#[command(after_help = "Example: meeple experiment run experiments/card-baselines.toml --quick")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Play the matches of a file and print theirs beside ours
    #[command(after_help = "Example: meeple experiment run experiments/card-baselines.toml --quick\n\
        A line is printed as soon as its match is played.")]
    Run {
        file: PathBuf,
        /// Play few games, for a first impression
        #[arg(long)]
        quick: bool,
        /// Only the matches whose name contains this text
        #[arg(long, value_name = "TEXT", default_value = "")]
        only: String,
        /// Games to play at the same time [default: one for each core]
        #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
        /// Print one JSON object for each match
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let What::Run { file, quick, only, threads, json } = &arguments.what;
    let text = std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    let experiment =
        Experiment::parse(&text).map_err(|error| BadUsage(format!("{}: {}", file.display(), error.trim_end())))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.map_or(cores, usize::from);
    let chosen: Vec<&PlannedMatch> = experiment.matches.iter().filter(|planned| planned.name.contains(only)).collect();
    if chosen.is_empty() {
        return Err(BadUsage(format!("{}: no match is named like `{only}`", file.display())).into());
    }
    let mut out = std::io::stdout().lock();
    if !json {
        head(&mut out, &experiment)?;
    }
    for planned in chosen {
        let comparison = play(planned, *quick, threads)?;
        if *json {
            writeln!(out, "{}", json!(comparison))?;
        } else {
            row(&mut out, &comparison)?;
        }
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

fn play(planned: &PlannedMatch, quick: bool, threads: usize) -> anyhow::Result<Comparison> {
    let explain = || format!("match `{}`", planned.name);
    let game = meeple_catalog::game(&planned.game, &planned.rules).with_context(explain)?;
    let settings = planned.settings(quick, threads);
    let mut progress = Progress::new(settings.games);
    let result = play_match(&*game, &settings, &[], &mut Shown(&mut progress)).with_context(explain)?;
    progress.clear();
    Ok(planned.compare(&result))
}

fn head(out: &mut dyn Write, experiment: &Experiment) -> std::io::Result<()> {
    writeln!(out, "# {}\n\nPublished: {}.", experiment.title, experiment.source)?;
    if !experiment.remarks.is_empty() {
        writeln!(out, "{}", experiment.remarks.trim())?;
    }
    writeln!(out, "\n| match | theirs % | ours % | 95 % interval | games | agrees |\n|---|---|---|---|---|---|")
}

fn row(out: &mut dyn Write, comparison: &Comparison) -> std::io::Result<()> {
    let Comparison { name, published, win_rate, interval: [low, high], games, agrees, .. } = comparison;
    let theirs = published.map_or("-".to_string(), |published| published.to_string());
    let agrees = match agrees {
        None => "-",
        Some(true) => "yes",
        Some(false) => "no",
    };
    let [ours, low, high] = [win_rate, low, high].map(|rate| 100.0 * rate);
    writeln!(out, "| {name} | {theirs} | {ours:.1} | {low:.1} to {high:.1} | {games} | {agrees} |")
}

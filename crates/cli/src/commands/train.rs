//! `meeple train`: a network learns a game by playing against itself.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use meeple_core::Rules;
use meeple_training::run::{Metrics, Run, Scale, Watch, preset, with_seed};

use super::BadUsage;
use crate::interrupt::{INTERRUPTED, stop_on_interrupt};

/// Train a network by self-play
///
/// The run is a folder with its configuration, a line of figures for every iteration, curves, and
/// the network after each iteration. Ctrl-C, or the end of the power, loses at most the iteration
/// under way; --resume goes on.
#[derive(Args)]
#[command(after_help = "Examples:\n  meeple train connect-four --preset minutes\n  \
    meeple train models/tic-tac-toe/dense.toml\n  meeple train --resume runs/dense")]
pub(crate) struct Arguments {
    /// The configuration of a new run, or with --preset a game; with --resume the configuration that the run goes on by
    #[arg(required_unless_present = "resume")]
    config: Option<PathBuf>,
    /// Learn a game by a configuration that fits it and takes about so long on two cores
    #[arg(long, value_enum, conflicts_with = "resume")]
    preset: Option<ScaleName>,
    /// With --preset: parameters of the rules, for example board=37
    #[arg(long, value_name = "KEY=VALUE,..", requires = "preset")]
    rules: Option<String>,
    /// Go on with the run in this folder
    #[arg(long, value_name = "RUN")]
    resume: Option<PathBuf>,
    /// The folder of a new run [default: runs/ and the name of the configuration]
    #[arg(long, value_name = "FOLDER", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// The seed of a new run, in the place of the one in its configuration
    #[arg(long, conflicts_with = "resume")]
    seed: Option<u64>,
    /// Print the figures of each iteration as a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScaleName {
    Minutes,
    Hours,
    Days,
}

impl ScaleName {
    fn scale(self) -> Scale {
        match self {
            ScaleName::Minutes => Scale::Minutes,
            ScaleName::Hours => Scale::Hours,
            ScaleName::Days => Scale::Days,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let run = match (&arguments.config, &arguments.resume) {
        (config, Some(folder)) => {
            let config = config.as_deref().map(read).transpose()?;
            Run::resume(folder, config.as_deref())?
        }
        (Some(config), None) => create(config, arguments)?,
        (None, None) => return Err(BadUsage("name a configuration, or a run with --resume".to_string()).into()),
    };
    let folder = run.folder().path().to_path_buf();
    if !arguments.json {
        println!("{}: iteration {} of {}", folder.display(), run.iteration(), run.config().iterations);
    }
    let stop = stop_on_interrupt();
    let mut watch = Lines { json: arguments.json, bar: None };
    if let Some(diagnosis) = run.go(&stop, &mut watch)? {
        if !arguments.json {
            println!("{}", diagnosis.verdict);
            if let Some(advice) = diagnosis.advice.first() {
                println!("change first: {} {}", advice.finding, advice.change);
            }
            println!("see {}", folder.join("report.md").display());
        }
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("stopped; go on with: meeple train --resume {}", folder.display());
    Ok(ExitCode::from(INTERRUPTED))
}

fn read(config: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(config).with_context(|| config.display().to_string())
}

fn create(config: &Path, arguments: &Arguments) -> anyhow::Result<Run> {
    let mut text = match arguments.preset {
        Some(scale) => {
            let rules = Rules::parse(arguments.rules.as_deref().unwrap_or_default())?;
            preset(&config.to_string_lossy(), &rules, scale.scale())?
        }
        None => read(config)?,
    };
    if let Some(seed) = arguments.seed {
        text = with_seed(&text, seed).map_err(|error| BadUsage(format!("{}: {error}", config.display())))?;
    }
    let name = config.file_stem().unwrap_or_default();
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(name));
    Run::create(&folder, &text).with_context(|| config.display().to_string())
}

/// A line for each iteration, and on a terminal a bar over the games under way.
struct Lines {
    json: bool,
    bar: Option<ProgressBar>,
}

impl Watch for Lines {
    fn game(&mut self, done: u64, games: u64) {
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{bar:20} {pos}/{len} games, {per_sec}");
            ProgressBar::new(games).with_style(style.expect("the template is well formed"))
        });
        bar.set_position(done);
    }

    fn iteration(&mut self, metrics: &Metrics, line: &str) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        let mut out = std::io::stdout().lock();
        // A reader that is gone does not end the run.
        let _ = match self.json {
            true => writeln!(out, "{}", serde_json::to_string(metrics).expect("metrics are plain data")),
            false => writeln!(out, "{line}"),
        };
        for warning in &metrics.warnings {
            eprintln!("warning: {warning}");
        }
    }
}

//! `meeple experiment`: what is written down in a file, beside the published figures that it repeats.

mod measure;
mod report;
mod results;
mod run;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use meeple_arena::Experiment;

use super::BadUsage;

/// Repeat published results
#[derive(Args)]
#[command(after_help = "Example: meeple experiment run experiments/002-figure-6-3.toml --quick\n\
    Example: meeple experiment report --out results.md")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Run(run::Arguments),
    Report(report::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.what {
        What::Run(arguments) => run::run(arguments),
        What::Report(arguments) => report::run(arguments),
    }
}

fn load(file: &Path) -> anyhow::Result<Experiment> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    let explain = |error: String| BadUsage(format!("{}: {}", file.display(), error.trim_end()));
    Ok(Experiment::parse(&text).map_err(explain)?)
}

/// The name of the experiment that a file holds.
fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

//! `meeple check-game`: the laws of the contract on one game.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use meeple_core::laws::Laws;
use serde_json::json;

use super::GameArguments;

/// Check that a game keeps the laws of the contract
#[derive(Args)]
#[command(after_help = "Example: meeple check-game just4fun --games 100")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Random games to play
    #[arg(long, default_value_t = Laws::default().games, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    #[arg(long, default_value_t = Laws::default().seed)]
    seed: u64,
    /// Worlds to sample for each viewer of each position
    #[arg(long, default_value_t = Laws::default().worlds, value_parser = clap::value_parser!(u32).range(1..))]
    worlds: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.build()?;
    let laws = Laws { games: arguments.games, seed: arguments.seed, worlds: arguments.worlds };
    let mut out = std::io::stdout().lock();
    let report = match game.check(&laws) {
        Ok(report) => report,
        Err(broken) if arguments.json => {
            let broken = json!({"law": broken.law, "detail": broken.detail, "actions": broken.actions});
            writeln!(out, "{}", json!({"game": game.info().name, "broken": broken}))?;
            return Ok(ExitCode::FAILURE);
        }
        Err(broken) => return Err(broken.into()),
    };
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        writeln!(out, "{}: all laws hold", game.info().name)?;
        writeln!(
            out,
            "{} games, {} decisions, {} outcomes of chance, {} worlds, {} notations, {} encodings, {} symmetries",
            report.games,
            report.decisions,
            report.outcomes_of_chance,
            report.worlds,
            report.notations,
            report.encodings,
            report.symmetries
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

//! The command line of Meeple: reads arguments, calls the library, prints.

mod commands;
mod decision;
mod interrupt;
mod progress;
mod records;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use meeple_arena::MatchError;
use meeple_catalog::SessionError;
use meeple_core::agent::AgentError;
use meeple_core::game_tree::TreeError;
use meeple_core::{NotationError, RuleError};
use meeple_network::ModelError;
use meeple_store::StoreError;
use meeple_training::run::RunError;

use commands::{
    agents, analyze, bench, check_game, db, eval, experiment, export, games, matches, perft, play, replay, selfplay,
    serve, solve, tournament, train, tune,
};

/// Programs that play board and card games: they search, they learn, they are measured.
#[derive(Parser)]
#[command(
    name = "meeple",
    version,
    about,
    after_help = "Without a command: meeple serve, which opens a page to play on.\nExample: meeple play connect-four"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Games(games::Arguments),
    Agents(agents::Arguments),
    Serve(serve::Arguments),
    Play(play::Arguments),
    #[command(name = "match")]
    Match(matches::Arguments),
    Tournament(tournament::Arguments),
    Experiment(experiment::Arguments),
    Tune(tune::Arguments),
    Train(train::Arguments),
    Selfplay(selfplay::Arguments),
    Eval(eval::Arguments),
    Analyze(analyze::Arguments),
    Solve(solve::Arguments),
    Replay(replay::Arguments),
    Db(db::Arguments),
    Perft(perft::Arguments),
    CheckGame(check_game::Arguments),
    Bench(bench::Arguments),
    Export(export::Arguments),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        None => serve::run(&serve::Arguments::defaults()),
        Some(Command::Serve(arguments)) => serve::run(&arguments),
        Some(Command::Games(arguments)) => games::run(&arguments),
        Some(Command::Agents(arguments)) => agents::run(&arguments),
        Some(Command::Play(arguments)) => play::run(&arguments),
        Some(Command::Match(arguments)) => matches::run(&arguments),
        Some(Command::Tournament(arguments)) => tournament::run(&arguments),
        Some(Command::Eval(arguments)) => eval::run(&arguments),
        Some(Command::Experiment(arguments)) => experiment::run(&arguments),
        Some(Command::Tune(arguments)) => tune::run(&arguments),
        Some(Command::Analyze(arguments)) => analyze::run(&arguments),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        Some(Command::Db(arguments)) => db::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::CheckGame(arguments)) => check_game::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Train(arguments)) => train::run(&arguments),
        Some(Command::Selfplay(arguments)) => selfplay::run(&arguments),
        Some(Command::Export(arguments)) => export::run(&arguments),
    };
    match done {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(if is_bad_usage(&error) { 2 } else { 1 })
        }
    }
}

/// What was asked for does not exist or does not fit: nothing was tried.
fn is_bad_usage(error: &anyhow::Error) -> bool {
    error.is::<RuleError>()
        || error.is::<NotationError>()
        || error.is::<AgentError>()
        || error.is::<TreeError>()
        || matches!(error.downcast_ref(), Some(MatchError::Agents(_)))
        || matches!(error.downcast_ref(), Some(StoreError::Query(_) | StoreError::NoGame(_)))
        || error.is::<commands::BadUsage>()
        || error.is::<SessionError>()
        || matches!(error.downcast_ref(), Some(ModelError::Unfit(_)))
        || matches!(
            error.downcast_ref(),
            Some(RunError::Config(_) | RunError::Rules(_) | RunError::Match(MatchError::Agents(_)))
        )
}

/// The reader of our output has seen enough, as in `meeple games | head -1`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

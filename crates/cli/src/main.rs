//! The command line of Meeple: reads arguments, calls the library, prints.

mod commands;

use clap::{Parser, Subcommand};

use commands::{bench, check_game};

/// Programs that play board and card games: they search, they learn, they are measured.
#[derive(Parser)]
#[command(name = "meeple", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bench(bench::Arguments),
    CheckGame(check_game::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Bench(arguments) => bench::run(arguments),
        Command::CheckGame(arguments) => check_game::run(arguments),
    }
}

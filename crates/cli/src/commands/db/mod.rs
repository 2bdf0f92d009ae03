//! `meeple db`: games in a database, put in, asked about and taken out.

mod export;
mod import;
mod query;
mod show;
mod table;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Keep games in a database and ask about them in SQL
#[derive(Args)]
#[command(after_help = "Example: meeple db import games.db games.jsonl\n\
    Example: meeple db query games.db \"SELECT agent, win_rate FROM results\"\n\
    DB is a file (SQLite) or an address like postgres://user@host/name (PostgreSQL); docs/database.md\n\
    describes the tables.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Import(import::Arguments),
    Query(query::Arguments),
    Export(export::Arguments),
    Show(show::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.action {
        Action::Import(arguments) => import::run(arguments),
        Action::Query(arguments) => query::run(arguments),
        Action::Export(arguments) => export::run(arguments),
        Action::Show(arguments) => show::run(arguments),
    }
}

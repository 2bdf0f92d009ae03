//! `meeple db query`: SQL in, a table out.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use meeple_store::{Place, Store};
use serde_json::json;

use super::table;

/// Ask a database in SQL; it is opened for reading only
#[derive(Args)]
#[command(after_help = "Example: meeple db query games.db \"SELECT agent, games, win_rate FROM results\"\n\
    docs/database.md describes the tables and has ten queries to begin with.")]
pub(crate) struct Arguments {
    /// A file or the address of a server
    #[arg(value_name = "DB")]
    place: String,
    /// One query
    sql: String,
    /// Print one JSON object with columns and rows
    #[arg(long)]
    json: bool,
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let answer = Store::open_read_only(&Place::new(&arguments.place))?.query(&arguments.sql)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match (arguments.json, arguments.csv) {
        (true, _) => writeln!(out, "{}", json!({"columns": answer.columns, "rows": table::json_rows(&answer)}))?,
        (_, true) => table::write_csv(&mut out, &answer)?,
        _ => table::write_text(&mut out, &answer)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

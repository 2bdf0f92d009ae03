//! `meeple db export`: games out, as records.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use meeple_store::{Filter, Place, Store};

/// Print the records of a database, one JSON object per line
#[derive(Args)]
#[command(after_help = "Example: meeple db export games.db --game sueca --where \"length > 30\" > games.jsonl\n\
    The records are the ones that were added, to the letter.")]
pub(crate) struct Arguments {
    /// A file or the address of a server
    #[arg(value_name = "DB")]
    place: String,
    /// Only this game
    #[arg(long)]
    game: Option<String>,
    /// Only games with this condition over the columns of `games`
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut store = Store::open_read_only(&Place::new(&arguments.place))?;
    let filter = Filter { game: arguments.game.clone(), condition: arguments.condition.clone() };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for found in store.records(&filter) {
        writeln!(out, "{}", serde_json::to_string(&found?.1)?)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

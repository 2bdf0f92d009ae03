//! `meeple db show`: what a database holds, or one of its games.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use meeple_core::Record;
use meeple_store::{GameId, Place, Store, Table};
use serde_json::json;

use super::table;

const COUNTS: &str = "SELECT COUNT(*) AS games, COALESCE(SUM(length), 0) AS decisions, \
    (SELECT COUNT(*) FROM matches) AS matches, \
    (SELECT COUNT(*) FROM experiments WHERE name <> '') AS experiments FROM games";

const RESULTS: &str = "SELECT experiment, match_id AS match, game, rules, agent, games, wins, draws, losses, win_rate, \
    payoff, score FROM results ORDER BY match_id, agent";

const ALONE: &str = "SELECT game, rules, COUNT(*) AS games FROM games WHERE match_id IS NULL GROUP BY game, rules \
    ORDER BY game, rules";

/// Show what a database holds, or one game of it
#[derive(Args)]
#[command(after_help = "Example: meeple db show games.db\nExample: meeple db show games.db 17")]
pub(crate) struct Arguments {
    /// A file or the address of a server
    #[arg(value_name = "DB")]
    place: String,
    /// The number of a game in the database
    game: Option<GameId>,
    /// Print one JSON object; of a game its record
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut store = Store::open_read_only(&Place::new(&arguments.place))?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match arguments.game {
        Some(id) => show_game(&mut out, &mut store, id, arguments.json)?,
        None => show_all(&mut out, &mut store, arguments.json)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn show_all(out: &mut dyn Write, store: &mut Store, json: bool) -> anyhow::Result<()> {
    let [counts, results, alone] = [store.query(COUNTS)?, store.query(RESULTS)?, store.query(ALONE)?];
    if json {
        let shown = json!({"totals": objects(&counts)[0], "results": objects(&results), "alone": objects(&alone)});
        writeln!(out, "{shown}")?;
        return Ok(());
    }
    table::write_text(out, &counts)?;
    for (title, part) in [("results of matches, over seats", results), ("games without a match", alone)] {
        if !part.rows.is_empty() {
            writeln!(out, "\n{title}")?;
            table::write_text(out, &part)?;
        }
    }
    Ok(())
}

/// Rows with the names of their columns.
fn objects(table: &Table) -> Vec<serde_json::Value> {
    let rows = table::json_rows(table).into_iter();
    rows.map(|row| table.columns.iter().cloned().zip(row).collect::<serde_json::Map<_, _>>().into()).collect()
}

fn show_game(out: &mut dyn Write, store: &mut Store, id: GameId, json: bool) -> anyhow::Result<()> {
    let record = store.record(id)?;
    if json {
        writeln!(out, "{}", serde_json::to_string(&record)?)?;
        return Ok(());
    }
    describe(out, id, &record)?;
    let seats = format!("SELECT seat, agent, payoff, score, result FROM seats WHERE game_id = {id} ORDER BY seat");
    table::write_text(out, &store.query(&seats)?)?;
    let reason = store.query(&format!("SELECT reason FROM games WHERE id = {id}"))?;
    writeln!(out, "\nend: {}\n", reason.rows.first().map_or("-".to_string(), |row| table::short(&row[0])))?;
    let actions =
        format!("SELECT ply, seat, action, milliseconds, iterations FROM decisions WHERE game_id = {id} ORDER BY ply");
    Ok(table::write_text(out, &store.query(&actions)?)?)
}

fn describe(out: &mut dyn Write, id: GameId, record: &Record) -> std::io::Result<()> {
    writeln!(out, "game {id}: {} {}", record.game, record.rules)?;
    if let Some(run) = &record.run {
        let experiment = if run.experiment.is_empty() { String::new() } else { format!(" of {}", run.experiment) };
        writeln!(
            out,
            "number {} in the match{experiment} {} with seed {}",
            run.number,
            run.agents.join(" : "),
            run.seed
        )?;
    }
    if let Some(random) = &record.random {
        writeln!(out, "randomness of the decision at each ply: stream of that number of seed {random}")?;
    }
    writeln!(out)
}

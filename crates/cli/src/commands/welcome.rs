//! `meeple` without a command: what can be done, and how.

use std::io::Write;
use std::process::ExitCode;

use meeple_catalog::GAMES;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "Meeple: programs that play board and card games.\n")?;
    for entry in GAMES {
        writeln!(out, "  {:<17} {}", entry.name, entry.summary)?;
    }
    writeln!(out, "\nTry one of these (behind `cargo run --release --`, or as `meeple` once installed):\n")?;
    for (command, meaning) in [
        ("play connect-four", "play at the terminal against a random player"),
        ("play connect-four --seats human,mcts:time=1s", "the same against a search"),
        ("match hearts --agents ismcts,random", "agents against each other, with intervals"),
        ("play hearts --watch --reveal", "watch random players, all hands open, Enter for each move"),
        ("games just4fun --stats", "a game with its rules, parameters and figures"),
        ("games", "all games; `games NAME` shows the parameters of one"),
        ("replay FILE --json --steps", "verify records, one JSON object per line"),
        ("check-game keezen", "hold a game to the laws of the contract"),
        ("bench playouts breakthrough", "random games per second on one thread"),
        ("help", "all commands; each has --help with an example"),
    ] {
        writeln!(out, "  meeple {command:<46} {meaning}")?;
    }
    Ok(ExitCode::SUCCESS)
}

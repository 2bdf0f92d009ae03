//! `meeple match`: agents against each other, with paired deals and all seatings.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::Args;
use meeple_arena::{AgentResult, MatchResult, MatchSettings, play_match};

use super::GameArguments;

/// Let agents play against each other
#[derive(Args)]
#[command(after_help = "Example: meeple match connect-four --agents mcts:iterations=1000,random --games 200\n\
    Every deal is played with all seatings of the agents; with partners an agent takes a whole team.\n\
    With iteration budgets the result does not depend on --threads.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Two or more agents; a piece with `=` belongs to the agent before it
    #[arg(long, value_name = "A,B,..")]
    agents: String,
    /// Games to play
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games to play at the same time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.build()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = MatchSettings {
        agents: meeple_catalog::split_agents(&arguments.agents),
        games: arguments.games,
        seed: arguments.seed,
        threads: arguments.threads.map_or(cores, usize::from),
    };
    let progress = Progress::new(settings.games);
    let result = play_match(&*game, &settings, &mut |result| progress.show(result))?;
    progress.clear();
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&result)?)?;
    } else {
        show(&mut out, &result)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A line about a match that is being played, for people on a terminal.
pub(crate) struct Progress {
    games: u64,
    watched: bool,
}

impl Progress {
    pub(crate) fn new(games: u64) -> Progress {
        Progress { games, watched: std::io::stderr().is_terminal() }
    }

    pub(crate) fn show(&self, result: &MatchResult) {
        if self.watched {
            let rate = |agent: &AgentResult| format!("{:.1} %", 100.0 * agent.win_rate);
            let rates: Vec<String> = result.agents.iter().map(rate).collect();
            eprint!("\r\x1b[K{}/{} games, {}", result.games, self.games, rates.join(" : "));
        }
    }

    pub(crate) fn clear(&self) {
        if self.watched {
            eprint!("\r\x1b[K");
        }
    }
}

fn show(out: &mut dyn Write, result: &MatchResult) -> std::io::Result<()> {
    writeln!(
        out,
        "{} {}: {} games in {:.1} s, {} seatings of each deal",
        result.game, result.rules, result.games, result.seconds, result.seatings
    )?;
    writeln!(
        out,
        "{:<44} {:>9} {:>17} {:>7} {:>7} {:>7} {:>9} {:>8}",
        "agent", "wins %", "95 % interval", "wins", "draws", "losses", "score", "payoff"
    )?;
    for agent in &result.agents {
        let interval = format!("[{:.1}, {:.1}]", 100.0 * agent.interval[0], 100.0 * agent.interval[1]);
        let mark = if agent.cheats { " *" } else { "" };
        writeln!(
            out,
            "{:<44} {:>9.2} {:>17} {:>7} {:>7} {:>7} {:>9.3} {:>8.3}",
            format!("{}{mark}", agent.name),
            100.0 * agent.win_rate,
            interval,
            agent.wins,
            agent.draws,
            agent.losses,
            agent.mean_score,
            agent.mean_payoff
        )?;
    }
    if result.agents.iter().any(|agent| agent.cheats) {
        writeln!(out, "* cheats: sees what is hidden from the others")?;
    }
    Ok(())
}

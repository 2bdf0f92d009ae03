//! `meeple match`: agents against each other, with paired deals and all seatings.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use meeple_arena::{
    Accepted, AgentResult, Detail, MOST_GAMES, MatchResult, MatchSettings, SprtResult, Tally, Watch, play_match,
    seatings,
};
use meeple_core::Record;
use meeple_core::erased::AnyGame;

use super::{BadUsage, GameArguments, threads};
use crate::interrupt::{INTERRUPTED, stop_on_interrupt};
use crate::progress::Progress;
use crate::records::{Identity, Target};

/// Let agents play against each other
#[derive(Args)]
#[command(after_help = "Example: meeple match connect-four --agents mcts:iterations=1000,random --games 200\n\
    Example: meeple match sueca --agents ismcts:iterations=1000,random --games 1000 --records games.jsonl\n\
    Every deal is played with all seatings of the agents; with partners an agent takes a whole team.\n\
    With --sprt the match ends once it is decided between two Elo differences, at the latest after --games.\n\
    With iteration budgets the result does not depend on --threads. A match that was interrupted goes\n\
    on with --resume and ends like one that was not.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Two or more agents; a piece with `=` belongs to the agent before it
    #[arg(long, value_name = "A,B,..")]
    agents: String,
    /// Games to play, at most with --sprt [default: whole deals of about 100 games, 100000 with --sprt]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: Option<u64>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games to play at the same time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Test whether the first agent is elo0 or elo1 stronger than the second (error 5 % either way), for example 0,50
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// Keep every game here: in a database (*.db, *.sqlite, postgres://..), else one JSON object per line
    #[arg(long, value_name = "FILE")]
    records: Option<String>,
    /// Keep what every search found, too
    #[arg(long, requires = "records")]
    searches: bool,
    /// Go on with the match whose games are in the records
    #[arg(long, requires = "records")]
    resume: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.build()?;
    let settings = arguments.settings(&*game)?;
    let mut target = Target::open(arguments.records.as_deref())?;
    let done = target.done(&Identity::new(&*game, &settings), arguments.resume)?;
    let mut watch = Kept { target: &mut target, progress: Progress::new(settings.games) };
    let result = play_match(&*game, &settings, &done, &mut watch)?;
    watch.progress.clear();
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&result)?)?;
    } else {
        show(&mut out, &result)?;
    }
    let decided = result.sprt.as_ref().is_some_and(|test| test.accepted.is_some());
    if result.games < settings.games && settings.stop.is_requested() && !decided {
        let how = if arguments.records.is_some() { "; --resume goes on" } else { "" };
        eprintln!("interrupted after {} of {} games{how}", result.games, settings.games);
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn settings(&self, game: &dyn AnyGame) -> anyhow::Result<MatchSettings> {
        let agents = meeple_catalog::split_agents(&self.agents);
        let seatings = seatings(&game.info(), |player| game.team(player), agents.len()).map_err(BadUsage)?;
        let usual = if self.sprt.is_some() { USUAL_LIMIT } else { USUAL_GAMES };
        let games = self.games.unwrap_or(usual.next_multiple_of(seatings.len() as u64));
        let sprt = self.sprt.as_deref().map(str::parse).transpose();
        Ok(MatchSettings {
            threads: threads(self.threads),
            detail: match (&self.records, self.searches) {
                (None, _) => Detail::Nothing,
                (Some(_), false) => Detail::Actions,
                (Some(_), true) => Detail::Searches,
            },
            stop: stop_on_interrupt(),
            sprt: sprt.map_err(|error: String| BadUsage(format!("--sprt: {error}")))?,
            ..MatchSettings::new(agents, games, self.seed)
        })
    }
}

/// A match whose games are kept and whose progress is shown.
pub(crate) struct Kept<'a> {
    pub(crate) target: &'a mut Target,
    pub(crate) progress: Progress,
}

impl Watch for Kept<'_> {
    fn game(&mut self, record: &Record) -> Result<(), String> {
        self.target.write(record)
    }

    fn refused(&mut self, record: &Record, reason: &str) {
        let number = record.run.as_ref().map_or("?".to_string(), |run| run.number.to_string());
        eprintln!("game {number} of the records is left out and played again: {reason}");
    }

    fn enough(&mut self, result: &dyn Fn() -> MatchResult) -> bool {
        self.progress.show(result);
        false
    }
}

/// Without a wish: this many games, or at most this many until a sequential test decides.
const USUAL_GAMES: u64 = 100;
const USUAL_LIMIT: u64 = 100_000;

fn show(out: &mut dyn Write, result: &MatchResult) -> std::io::Result<()> {
    writeln!(
        out,
        "{} {}: {} games in {:.1} s, {} seatings of each deal",
        result.game, result.rules, result.games, result.seconds, result.seatings
    )?;
    writeln!(
        out,
        "{:<44} {:>7} {:>15} {:>6} {:>6} {:>6} {:>9} {:>23} {:>8}",
        "agent", "wins %", "95 % interval", "wins", "draws", "losses", "score", "payoff", "p"
    )?;
    for agent in &result.agents {
        agent_line(out, agent)?;
    }
    if 2 * result.distinct < result.games {
        writeln!(out, "only {} different games: the intervals are too narrow", result.distinct)?;
    }
    if result.agents.iter().any(|agent| agent.cheats) {
        writeln!(out, "* cheats: sees what is hidden from the others")?;
    }
    for agent in &result.agents {
        details(out, agent)?;
    }
    writeln!(
        out,
        "decisions in a game {}, legal actions {:.2}",
        with_interval(result.length.mean, result.length.interval, 1),
        result.branching
    )?;
    if let Some(gain) = result.pairing_gain {
        writeln!(out, "a game with shared deals is worth {gain:.2} without")?;
    }
    result.sprt.as_ref().map_or(Ok(()), |test| test_line(out, test))
}

fn test_line(out: &mut dyn Write, test: &SprtResult) -> std::io::Result<()> {
    let SprtResult { elo0, elo1, deals, llr, bounds: [low, high], accepted } = test;
    let verdict = match accepted {
        Some(Accepted::Elo0) => format!("{elo0} accepted"),
        Some(Accepted::Elo1) => format!("{elo1} accepted"),
        None => "not decided".to_string(),
    };
    writeln!(out, "sequential test of {elo0} against {elo1} Elo: {verdict} after {deals} deals")?;
    writeln!(out, "  log-likelihood ratio {llr:.2}, bounds {low:.2} and {high:.2}")?;
    match accepted {
        Some(_) => writeln!(out, "  the match ended for its result: intervals and p-values above are too sure"),
        None => Ok(()),
    }
}

fn agent_line(out: &mut dyn Write, agent: &AgentResult) -> std::io::Result<()> {
    let interval = format!("[{:.1}, {:.1}]", 100.0 * agent.interval[0], 100.0 * agent.interval[1]);
    let mark = if agent.cheats { " *" } else { "" };
    writeln!(
        out,
        "{:<44} {:>7.2} {:>15} {:>6} {:>6} {:>6} {:>9.3} {:>23} {:>8}",
        format!("{}{mark}", agent.name),
        100.0 * agent.win_rate,
        interval,
        agent.wins,
        agent.draws,
        agent.losses,
        agent.mean_score,
        with_interval(agent.mean_payoff, agent.payoff_interval, 3),
        agent.p_value.map_or("-".to_string(), probability)
    )
}

fn probability(p: f64) -> String {
    if p < 1e-4 { "<0.0001".to_string() } else { format!("{p:.4}") }
}

/// Where the wins come from.
fn details(out: &mut dyn Write, agent: &AgentResult) -> std::io::Result<()> {
    let rate = |tally: &Tally| match tally.games() {
        0 => "-".to_string(),
        games => format!("{:.1} % of {games}", 100.0 * tally.win_rate()),
    };
    writeln!(out, "{}", agent.name)?;
    writeln!(out, "  wins when first {}, when later {}", rate(&agent.when_first), rate(&agent.when_later))?;
    let seats = agent.by_seat.iter().enumerate().filter(|(_, tally)| tally.games() > 0);
    let seats: Vec<String> = seats.map(|(seat, tally)| format!("seat {seat} {}", rate(tally))).collect();
    writeln!(out, "  wins at {}", seats.join(", "))?;
    let reasons = agent.by_reason.iter().map(|(reason, tally)| {
        let Tally { wins, draws, losses } = tally;
        format!("{reason} {wins}/{draws}/{losses}")
    });
    let reasons: Vec<String> = reasons.collect();
    writeln!(out, "  won/drawn/lost by {}", reasons.join(", "))?;
    writeln!(out, "  {:.0} decisions/s", agent.decisions_per_s)
}

fn with_interval(mean: f64, interval: Option<[f64; 2]>, digits: usize) -> String {
    match interval {
        Some([low, high]) => format!("{mean:.digits$} [{low:.digits$}, {high:.digits$}]"),
        None => format!("{mean:.digits$}"),
    }
}

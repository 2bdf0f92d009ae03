//! Matches: the same deals for every seating of the agents.

mod line;
mod lines;
mod result;
mod sequential;
mod table;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::Instant;

use meeple_core::Record;
use meeple_core::agent::AgentError;
use meeple_core::erased::AnyGame;
use meeple_core::record::Run;

use crate::game::{Detail, Stop};
use crate::sprt::Sprt;
use line::Line;
pub use result::{AgentResult, Lead, MatchResult, Placing, Tally};
use sequential::Sequential;
use table::{Agents, Table};

/// More games than a match should keep in memory.
pub const MOST_GAMES: u64 = 10_000_000;

#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// What the match is part of; empty for a match of its own.
    pub experiment: String,
    /// Agents as texts.
    pub agents: Vec<String>,
    pub games: u64,
    pub seed: u64,
    pub threads: usize,
    pub detail: Detail,
    pub stop: Stop,
    /// A test between two agents that ends the match once it has decided; a fresh one.
    pub sprt: Option<Sprt>,
}

impl MatchSettings {
    pub fn new(agents: Vec<String>, games: u64, seed: u64) -> MatchSettings {
        let (experiment, stop) = (String::new(), Stop::default());
        MatchSettings { experiment, agents, games, seed, threads: 1, detail: Detail::Nothing, stop, sprt: None }
    }

    /// What the records of the match say about it.
    pub fn run(&self, number: u64) -> Run {
        Run { experiment: self.experiment.clone(), agents: self.agents.clone(), seed: self.seed, number }
    }
}

/// Who is told about a match while it is played.
pub trait Watch {
    /// A game has ended; what keeps records keeps it. An error ends the match.
    fn game(&mut self, record: &Record) -> Result<(), String> {
        let _ = record;
        Ok(())
    }

    /// A record among those played before is no game of this match; it is left out.
    fn refused(&mut self, record: &Record, reason: &str) {
        let _ = (record, reason);
    }

    /// After each game; `result` computes the result so far. True ends the match.
    fn enough(&mut self, result: &dyn Fn() -> MatchResult) -> bool {
        let _ = result;
        false
    }
}

/// Nobody.
#[derive(Debug)]
pub struct Unwatched;

impl Watch for Unwatched {}

/// Why a match has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchError {
    /// The agents do not fit the game.
    Agents(AgentError),
    /// An agent cannot play on.
    Failed(AgentError),
    /// A record could not be kept.
    Keep(String),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Agents(error) | MatchError::Failed(error) => error.fmt(f),
            MatchError::Keep(error) => write!(f, "cannot keep a game: {error}"),
        }
    }
}

impl std::error::Error for MatchError {}

impl From<AgentError> for MatchError {
    fn from(error: AgentError) -> MatchError {
        MatchError::Agents(error)
    }
}

/// Plays a match. Game g has deal g / s and seating g mod s, where s is the number of seatings; each
/// game depends on the seed and its own number alone, so the result does not depend on the number
/// of threads, nor on how many games were played before: those in `done` are counted, the others
/// played. A test looks at the longest run of complete deals from the first on; when it decides, the
/// match ends, and its result holds the games of exactly that run.
pub fn play_match(
    game: &dyn AnyGame,
    settings: &MatchSettings,
    done: &[Record],
    watch: &mut dyn Watch,
) -> Result<MatchResult, MatchError> {
    let table = Table::new(game, settings)?;
    let mut sequential = Sequential::new(settings, table.seatings()).map_err(AgentError)?;
    let mut lines = table.lines_of(done, watch);
    let games = if sequential.look(&lines) { 0 } else { settings.games };
    let missing: Vec<u64> = (0..games).filter(|&number| lines[number as usize].is_none()).collect();
    let workers = settings.threads.clamp(1, missing.len().max(1));
    let teams: Vec<Agents> = (0..workers).map(|_| table.agents()).collect::<Result<_, _>>()?;
    let cheats = teams[0].cheats();
    let stop = settings.stop.child();
    let started = Instant::now();
    let result = |lines: &[Option<Line>], sequential: &Sequential| {
        let result = table.result(sequential.counted(lines), &cheats, started.elapsed().as_secs_f64());
        MatchResult { sprt: sequential.result(), ..result }
    };
    let mut failure = None;
    play_games(&table, &missing, teams, &stop, &mut |played| {
        let (number, line, record) = match played {
            Ok(played) => played,
            Err(error) => {
                failure.get_or_insert(MatchError::Failed(error));
                return stop.request();
            }
        };
        lines[number as usize] = Some(line);
        // After a failure the games that are over are still offered: none is lost that can be kept.
        failure = watch.game(&record).err().map(MatchError::Keep).or(failure.take());
        let decided = sequential.look(&lines);
        if failure.is_some() || watch.enough(&|| result(&lines, &sequential)) || decided {
            stop.request();
        }
    });
    failure.map_or_else(|| Ok(result(&lines, &sequential)), Err)
}

/// Plays the games with these numbers, each team of agents on a thread of its own. `over` is told about each
/// game as soon as it ends, in no particular order, and about agents that cannot play on.
fn play_games(
    table: &Table<'_>,
    numbers: &[u64],
    teams: Vec<Agents>,
    stop: &Stop,
    over: &mut dyn FnMut(Result<(u64, Line, Record), AgentError>),
) {
    let next = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for mut agents in teams {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(&number) = numbers.get(next.fetch_add(1, Relaxed) as usize) {
                    let played = table.play(&mut agents, number, stop);
                    let is_over = matches!(played, Ok(Some(_)));
                    let told = played.map(|played| played.map(|(line, record)| (number, line, record))).transpose();
                    if told.is_some_and(|told| sender.send(told).is_err()) || !is_over {
                        break;
                    }
                }
            });
        }
        drop(sender);
        receiver.into_iter().for_each(over);
    });
}

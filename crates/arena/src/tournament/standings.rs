//! What came out of a tournament, whole or so far.

use meeple_core::agent::AgentError;
use meeple_core::erased::AnyGame;
use serde::{Deserialize, Serialize};

use super::{Kind, Meeting, Tournament};
use crate::ratings::{EloRatings, PairCount, RatedGame, Skill, elo_ratings, skills};
use crate::statistics::share_interval;
use crate::{MatchResult, Placing};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Standings {
    pub title: String,
    pub game: String,
    pub rules: String,
    pub kind: Kind,
    pub agents: Vec<Participant>,
    /// Played so far.
    pub games: u64,
    pub planned: u64,
    /// Every pair that has met, both ways.
    pub cross_table: Vec<Cell>,
    /// Where two agents meet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo: Option<EloRatings>,
    /// By agent, for tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<Skill>>,
    pub meetings: Vec<MeetingResult>,
    pub seconds: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    pub name: String,
    pub agent: String,
    /// Whether it was shown what is hidden from the others.
    pub cheats: bool,
}

/// One agent against another, over all their games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    pub row: usize,
    pub column: usize,
    pub games: u64,
    /// Games that placed the agent of the row above that of the column.
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Wins and half the draws.
    pub share: f64,
    /// 95 %, over deals.
    pub interval: [f64; 2],
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeetingResult {
    pub agents: Vec<usize>,
    pub games: u64,
    pub planned: u64,
    /// Games that share a deal.
    pub seatings: usize,
    /// How many games without shared deals would be worth one game.
    pub pairing_gain: Option<f64>,
    pub seconds: f64,
}

/// A meeting beside its result so far.
type Held<'a> = (&'a Meeting, &'a MatchResult);

impl Tournament {
    /// Makes each agent once, so that one that does not fit is found before the first game.
    pub fn participants(&self, game: &dyn AnyGame) -> Result<Vec<Participant>, AgentError> {
        let participant = |entrant: &super::Entrant| {
            let cheats = game.agent(&entrant.agent)?.cheats();
            Ok(Participant { name: entrant.name().to_string(), agent: entrant.agent.clone(), cheats })
        };
        self.entrants.iter().map(participant).collect()
    }

    /// The standings after some of the meetings, or parts of them; `planned` is the games of one meeting.
    pub fn standings(
        &self,
        game: &dyn AnyGame,
        agents: Vec<Participant>,
        planned: u64,
        held: &[(Meeting, MatchResult)],
    ) -> Standings {
        let held: Vec<Held<'_>> = held.iter().map(|(meeting, result)| (meeting, result)).collect();
        let all = agents.len();
        let cells = (0..all).flat_map(|row| (0..all).map(move |column| (row, column)));
        let cells = cells.filter(|(row, column)| row != column);
        let cross_table: Vec<Cell> = cells.filter_map(|(row, column)| cell(&held, row, column)).collect();
        let tables = self.kind == Kind::Tables;
        let meetings = self.meetings(game).map_or(held.len(), |meetings| meetings.len());
        Standings {
            title: self.title.clone(),
            game: game.info().name.to_string(),
            rules: game.rules().to_string(),
            kind: self.kind,
            games: held.iter().map(|(_, result)| result.games).sum(),
            planned: planned * meetings as u64,
            elo: (!tables).then(|| elo_ratings(all, &pair_counts(&cross_table))),
            skills: Some(skills(all, &rated_games(&held))),
            meetings: held.iter().map(|held| meeting_result(held, planned)).collect(),
            seconds: held.iter().map(|(_, result)| result.seconds).sum(),
            agents,
            cross_table,
        }
    }
}

fn meeting_result((meeting, result): &Held<'_>, planned: u64) -> MeetingResult {
    MeetingResult {
        agents: meeting.agents.clone(),
        games: result.games,
        planned,
        seatings: result.seatings,
        pairing_gain: result.pairing_gain,
        seconds: result.seconds,
    }
}

/// `None` if the two have not met.
fn cell(held: &[Held<'_>], row: usize, column: usize) -> Option<Cell> {
    let (mut points, mut deals) = (Vec::new(), Vec::new());
    for (meeting, result) in held {
        let place = |agent| meeting.agents.iter().position(|&other| other == agent);
        let (Some(row), Some(column)) = (place(row), place(column)) else { continue };
        points.extend(result.placings.iter().map(|placing| placing.points(row, column)));
        let deal = |placing: &Placing| placing.number / result.seatings as u64;
        let of_deals = result.placings.chunk_by(|one, other| deal(one) == deal(other));
        let full = of_deals.filter(|games| games.len() == result.seatings);
        let mean = |games: &[Placing]| games.iter().map(|placing| placing.points(row, column)).sum::<f64>();
        deals.extend(full.map(|games| mean(games) / result.seatings as f64));
    }
    let count = |result: f64| points.iter().filter(|&&points| points == result).count() as u64;
    let games = points.len() as u64;
    let share = points.iter().sum::<f64>() / games as f64;
    let [low, high] = share_interval(&deals);
    let interval = [low.min(share), high.max(share)];
    let cell = Cell { row, column, games, wins: count(1.0), draws: count(0.5), losses: count(0.0), share, interval };
    (games > 0).then_some(cell)
}

/// Each pair once.
fn pair_counts(cells: &[Cell]) -> Vec<PairCount> {
    let once = cells.iter().filter(|cell| cell.row < cell.column);
    let pair = |cell: &Cell| {
        let &Cell { row: first, column: second, wins, draws, losses, .. } = cell;
        PairCount { first, second, wins, draws, losses }
    };
    once.map(pair).collect()
}

fn rated_games(held: &[Held<'_>]) -> Vec<RatedGame> {
    let game = |meeting: &Meeting, placing: &Placing| RatedGame {
        teams: meeting.agents.iter().map(|&agent| vec![agent]).collect(),
        ranks: placing.ranks.clone(),
    };
    held.iter()
        .flat_map(|(meeting, result)| result.placings.iter().map(move |placing| game(meeting, placing)))
        .collect()
}

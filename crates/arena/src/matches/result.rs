//! What came out of a match.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::line::End;
use crate::sprt::SprtResult;
use crate::statistics::Estimate;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchResult {
    pub game: String,
    pub rules: String,
    pub games: u64,
    /// Different ones among them, the seating included.
    #[serde(default)]
    pub distinct: u64,
    /// Games that share a deal, one for each seating.
    pub seatings: usize,
    pub agents: Vec<AgentResult>,
    /// Decisions in a game.
    pub length: Estimate,
    /// Legal actions at a decision, averaged over all decisions.
    pub branching: f64,
    /// Of the branching, over deals.
    #[serde(default)]
    pub branching_interval: Option<[f64; 2]>,
    /// How far the first agent is ahead of the second.
    #[serde(default)]
    pub lead: Lead,
    /// Games by the reason of their end.
    pub reasons: BTreeMap<String, u64>,
    /// How many games without shared deals would be worth one game: what pairing gains, measured on the
    /// first agent's payoffs. `None` with fewer than two full sets of seatings.
    pub pairing_gain: Option<f64>,
    /// The test that the match was played for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtResult>,
    pub seconds: f64,
    /// Game by game, in the order of their numbers.
    #[serde(skip)]
    pub placings: Vec<Placing>,
}

/// How a game of a match placed its agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placing {
    pub number: u64,
    /// By agent of the match: 0 is the best place, equal ones are tied. An agent with several seats is placed by
    /// its best one.
    pub ranks: Vec<usize>,
}

impl Placing {
    /// What one agent gets against another: 1, for a tie a half, or 0.
    pub fn points(&self, agent: usize, against: usize) -> f64 {
        match self.ranks[agent].cmp(&self.ranks[against]) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        }
    }
}

/// The first agent's results less those of the second, with intervals over deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lead {
    /// In wins and half the draws.
    pub points: Estimate,
    /// In the game's own points.
    pub score: Estimate,
}

/// One agent's side of a match. Its seats count one by one, the seats of a team as one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AgentResult {
    pub name: String,
    /// Whether it was shown what is hidden from the others.
    pub cheats: bool,
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    pub losses: u64,
    /// The mean over its seats of being among the winners.
    pub win_rate: f64,
    /// 95 %, of the win rate (Wilson, a game counted as one trial).
    pub interval: [f64; 2],
    /// Wins and half the draws, with an interval over deals.
    pub points: Estimate,
    /// In the game's own points.
    pub mean_score: f64,
    /// 95 %, over deals.
    pub score_interval: Option<[f64; 2]>,
    pub mean_payoff: f64,
    /// 95 %, over deals.
    pub payoff_interval: Option<[f64; 2]>,
    /// The probability of payoffs that differ as much from those of the others, were all equally strong
    /// (t test over deals).
    pub p_value: Option<f64>,
    pub by_seat: Vec<Tally>,
    pub when_first: Tally,
    pub when_later: Tally,
    /// By the reason of the end.
    pub by_reason: BTreeMap<String, Tally>,
    pub decisions: u64,
    pub decisions_per_s: f64,
}

impl AgentResult {
    /// In the game's own points.
    pub fn score(&self) -> Estimate {
        Estimate { mean: self.mean_score, interval: self.score_interval }
    }

    pub fn payoff(&self) -> Estimate {
        Estimate { mean: self.mean_payoff, interval: self.payoff_interval }
    }
}

/// Results that were counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Tally {
    pub(super) fn add(&mut self, end: End) {
        *match end {
            End::Win => &mut self.wins,
            End::Draw => &mut self.draws,
            End::Loss => &mut self.losses,
        } += 1;
    }

    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub fn win_rate(&self) -> f64 {
        self.wins as f64 / self.games().max(1) as f64
    }
}

#[cfg(test)]
impl MatchResult {
    /// Of a match without games.
    pub(crate) fn nothing(agents: &[String]) -> MatchResult {
        let lines = super::lines::Lines { lines: &[], seatings: 1 };
        MatchResult {
            game: String::new(),
            rules: String::new(),
            games: 0,
            distinct: 0,
            seatings: 1,
            agents: agents.iter().enumerate().map(|(number, name)| lines.agent(number, name, false)).collect(),
            length: lines.length(),
            branching: 0.0,
            branching_interval: None,
            lead: lines.lead(),
            reasons: BTreeMap::new(),
            pairing_gain: None,
            placings: Vec::new(),
            sprt: None,
            seconds: 0.0,
        }
    }
}

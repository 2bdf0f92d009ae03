//! What a match keeps of each game.

use std::time::Duration;

use meeple_core::erased::AnyGame;
use meeple_core::key::key_of;

use crate::PlayedGame;

/// One game as the agents of the match saw it.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) seats: Vec<SeatLine>,
    pub(crate) reason: &'static str,
    /// The seat that decided first; with partners the first one of its team.
    pub(crate) starter: usize,
    pub(crate) choices: u64,
    /// Equal for games with the same actions and seating.
    pub(crate) key: u64,
}

/// One seat of a game.
#[derive(Clone, Debug)]
pub(crate) struct SeatLine {
    /// The number of the agent.
    pub(crate) agent: usize,
    /// Whether its result counts: of a team only that of the first seat.
    pub(crate) counts: bool,
    pub(crate) end: End,
    pub(crate) score: f64,
    pub(crate) payoff: f64,
    pub(crate) decisions: u64,
    pub(crate) thinking: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Win,
    /// Nobody won.
    Draw,
    Loss,
}

impl Line {
    pub(crate) fn new(game: &dyn AnyGame, seating: &[usize], played: &PlayedGame) -> Line {
        let players = seating.len();
        let winners: Vec<usize> = played.outcome.winners(players).collect();
        let first_of_team = |seat| (0..players).find(|&other| game.team(other) == game.team(seat)).unwrap_or(seat);
        let seat = |seat: usize| SeatLine {
            agent: seating[seat],
            counts: first_of_team(seat) == seat,
            end: match winners.contains(&seat) {
                true => End::Win,
                false if winners.is_empty() => End::Draw,
                false => End::Loss,
            },
            score: f64::from(played.outcome.scores[seat]),
            payoff: f64::from(played.outcome.payoffs[seat]),
            decisions: played.decisions[seat],
            thinking: played.thinking[seat],
        };
        let seats = (0..players).map(seat).collect();
        Line {
            seats,
            reason: played.outcome.reason,
            starter: first_of_team(played.starter),
            choices: played.choices,
            key: key_of(&(played.key, seating)),
        }
    }

    /// The seats of an agent whose results count, with their numbers.
    pub(crate) fn of(&self, agent: usize) -> impl Iterator<Item = (usize, &SeatLine)> {
        self.seats.iter().enumerate().filter(move |(_, seat)| seat.agent == agent && seat.counts)
    }

    /// How much more an agent was paid than the others, on average over seats.
    pub(crate) fn edge(&self, agent: usize) -> f64 {
        let mean = |own: bool| {
            let seats = self.seats.iter().filter(|seat| seat.counts && (seat.agent == agent) == own);
            let payoffs: Vec<f64> = seats.map(|seat| seat.payoff).collect();
            payoffs.iter().sum::<f64>() / payoffs.len().max(1) as f64
        };
        mean(true) - mean(false)
    }

    /// The sum of a figure over an agent's seats.
    pub(crate) fn sum(&self, agent: usize, figure: impl Fn(&SeatLine) -> f64) -> f64 {
        self.of(agent).map(|(_, seat)| figure(seat)).sum()
    }

    /// The place of each of the agents, 0 the best; equal ones are tied. An agent with several seats is placed by
    /// its best one, so that whoever holds a winning seat comes first.
    pub(crate) fn ranks(&self, agents: usize) -> Vec<usize> {
        let best = |agent| self.of(agent).map(|(_, seat)| seat.payoff).fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<f64> = (0..agents).map(best).collect();
        best.iter().map(|own| best.iter().filter(|&other| other > own).count()).collect()
    }
}

impl SeatLine {
    /// A win is one, a draw half a point.
    pub(crate) fn points(&self) -> f64 {
        match self.end {
            End::Win => 1.0,
            End::Draw => 0.5,
            End::Loss => 0.0,
        }
    }
}

//! What can be chosen about a best-first search.

use std::cmp::Ordering;

use meeple_core::agent::Budget;
use meeple_core::{Game, Player};

use super::Select;
use super::table::{ActionEntry, Worth};

/// | field | meaning | default (thesis 001, section 7.2.1) |
/// |---|---|---|
/// | `method` | how far an iteration goes | |
/// | `budget` | when to stop; nodes are positions evaluated | 10,000 iterations, 1,000 with [`Method::Descent`] |
/// | `select` | which actions an iteration follows | [`Select::Greedy`] with 0.05 |
/// | `choice` | which action is taken in the end | [`FinalChoice::Safest`] |
/// | `terminal` | what the end of a game is worth | [`Terminal::Classic`] |
/// | `completed` | prove wins, draws and losses, and search no further where one is proven | yes |
/// | `reuse` | keep the tree for the next decisions of a game | yes |
/// | `memory` | the most that the tree may take, in bytes | 1 GiB |
#[derive(Clone, Copy, Debug)]
pub struct DescentSettings {
    pub method: Method,
    pub budget: Budget,
    pub select: Select,
    pub choice: FinalChoice,
    pub terminal: Terminal,
    pub completed: bool,
    pub reuse: bool,
    pub memory: usize,
}

impl DescentSettings {
    pub fn new(method: Method) -> DescentSettings {
        let iterations = match method {
            Method::Ubfm => 10_000,
            Method::Descent => 1_000,
        };
        DescentSettings {
            method,
            budget: Budget::iterations(iterations),
            select: Select::Greedy(0.05),
            choice: FinalChoice::Safest,
            terminal: Terminal::Classic,
            completed: true,
            reuse: true,
            memory: 1 << 30,
        }
    }
}

impl DescentSettings {
    /// What the end of a game after `ply` plies is worth for a player.
    pub(super) fn worth_of_end<G: Game>(&self, game: &G, state: &G::State, player: Player, ply: u32) -> Worth {
        let payoff = game.payoffs(state)[player];
        let value = match self.terminal {
            Terminal::Classic => payoff,
            Terminal::Depth => {
                let longest = game.info().longest_game as f32;
                payoff * (longest - ply as f32 + 1.0).max(1.0) / longest
            }
            Terminal::Score => {
                let margins = game.margins().expect("only games with margins are searched by score");
                margins.difference(game, state)[player] / margins.largest(game)
            }
        };
        match self.completed {
            true => Worth { value, completion: sign(payoff), resolved: true },
            false => Worth::estimate(value),
        }
    }
}

fn sign(payoff: f32) -> i8 {
    i8::from(payoff > 0.0) - i8::from(payoff < 0.0)
}

/// How far an iteration goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Unbounded best-first minimax: to the first position that is new (thesis 001, algorithm 4).
    Ubfm,
    /// To the end of the game: slower to widen, but values near the line of play come from real
    /// ends (thesis 001, algorithm 8).
    Descent,
}

/// Which action is taken in the end. Proven wins come first and proven losses last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalChoice {
    /// The highest value.
    Best,
    /// The most visits (thesis 001, algorithm 6).
    Safest,
}

impl FinalChoice {
    /// Greater is better (thesis 001, algorithm 14).
    pub(super) fn compare(self, a: &ActionEntry, b: &ActionEntry) -> Ordering {
        let completions = a.worth.completion.cmp(&b.worth.completion);
        let values = a.worth.value.total_cmp(&b.worth.value);
        let visits = a.visits.cmp(&b.visits);
        match self {
            FinalChoice::Best => completions.then(values).then(visits),
            FinalChoice::Safest => completions.then(visits).then(values),
        }
    }
}

/// What the end of a game is worth, in -1..=1 (thesis 001, section 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminal {
    /// The payoff.
    Classic,
    /// The payoff times (P - p + 1) / P, where P is the length of the longest game and p that of
    /// this one since the first search: early wins and late losses are better.
    Depth,
    /// The margin over the largest that is possible; only for games that have margins.
    Score,
}

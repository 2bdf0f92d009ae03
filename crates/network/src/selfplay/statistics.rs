//! What a session of self-play came to.

use std::time::Duration;

use meeple_core::{MAX_PLAYERS, Outcome};

use super::table::Finished;

/// | field | meaning |
/// |---|---|
/// | `games` | that were finished |
/// | `stopped` | of these, by `move_cap` |
/// | `decisions` | of all players |
/// | `samples` | more than decisions if images of positions are among them |
/// | `simulations` | iterations of the searches |
/// | `evaluations` | positions that the evaluators were asked about |
/// | `wins` | games in which each seat was among the winners |
/// | `draws` | games without a winner |
/// | `payoffs` | the sum for each seat |
/// | `time` | from beginning to end |
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    pub games: u64,
    pub stopped: u64,
    pub decisions: u64,
    pub samples: u64,
    pub simulations: u64,
    pub evaluations: u64,
    pub wins: [u64; MAX_PLAYERS],
    pub draws: u64,
    pub payoffs: [f64; MAX_PLAYERS],
    pub time: Duration,
}

impl Statistics {
    /// Decisions in a game.
    pub fn mean_length(&self) -> f64 {
        self.decisions as f64 / self.games.max(1) as f64
    }

    pub(super) fn add(&mut self, game: &Finished, players: usize) {
        self.games += 1;
        self.stopped += u64::from(game.stopped);
        self.decisions += u64::from(game.decisions);
        self.samples += game.samples.len() as u64;
        self.simulations += game.simulations;
        let outcome = Outcome { payoffs: game.payoffs, scores: [0.0; MAX_PLAYERS], reason: "" };
        outcome.winners(players).for_each(|player| self.wins[player] += 1);
        self.draws += u64::from(outcome.winners(players).next().is_none());
        self.payoffs.iter_mut().zip(game.payoffs).for_each(|(sum, payoff)| *sum += f64::from(payoff));
    }
}

//! One game between agents.

use std::time::{Duration, Instant};

use meeple_core::agent::Budget;
use meeple_core::erased::{AnyAgent, AnyGame};
use meeple_core::{Outcome, Rng, Turn};

/// How a game went.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    pub outcome: Outcome,
    /// By seat.
    pub decisions: Vec<u64>,
    /// Time spent deciding, by seat.
    pub thinking: Vec<Duration>,
}

/// Plays one game. `agents[seating[seat]]` decides for a seat. Chance has a generator of its own,
/// so that the same deal can be played with other seatings.
pub fn play(
    game: &dyn AnyGame,
    agents: &mut [AnyAgent],
    seating: &[usize],
    chance: &mut Rng,
    choices: &mut Rng,
) -> PlayedGame {
    let mut position = game.start();
    let mut decisions = vec![0; seating.len()];
    let mut thinking = vec![Duration::ZERO; seating.len()];
    loop {
        match position.turn() {
            Turn::Over => break,
            Turn::Chance => drop(position.apply_chance(chance)),
            Turn::Player(player) => {
                let started = Instant::now();
                position.act(&mut agents[seating[player]], &Budget::NONE, choices, false);
                thinking[player] += started.elapsed();
                decisions[player] += 1;
            }
        }
    }
    PlayedGame { outcome: position.outcome(), decisions, thinking }
}

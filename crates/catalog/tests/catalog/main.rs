//! Games and agents by their names. One program, because each links all games and searches; those that
//! `scripts` calls, and the one with an allocator of its own, stand beside it.

mod agents;
mod hidden_agents;
mod informed;
mod learning;
mod networks;
mod perft;
mod programs;
mod records;
mod truths;
mod views;

use meeple_core::Rules;
use meeple_core::erased::AnyGame;

/// A game with its usual rules.
fn the(name: &str) -> Box<dyn AnyGame> {
    meeple_catalog::game(name, &Rules::default()).unwrap()
}

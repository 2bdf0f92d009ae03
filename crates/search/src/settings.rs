//! What all tree searches have in common.

use meeple_core::Game;
use meeple_core::agent::Budget;

use crate::{Choice, Playout, Reward};

/// | field | meaning | unit |
/// |---|---|---|
/// | `budget` | when to stop | |
/// | `exploration` | C in mean + C sqrt(ln N / n) (thesis 001, equation 3.1); N counts the visits of the parent, or how often the action was available; thesis 002 writes C = c sqrt 2 | reward |
/// | `playout` | how a game is played to its end | |
/// | `reward` | what the end of a game is worth | |
/// | `choice` | which action is taken in the end | |
/// | `memory` | the most that the tree may take | bytes |
#[derive(Debug)]
pub struct TreeSettings<G: Game> {
    pub budget: Budget,
    pub exploration: f64,
    pub playout: Playout<G>,
    pub reward: Reward,
    pub choice: Choice,
    pub memory: usize,
}

impl<G: Game> Clone for TreeSettings<G> {
    fn clone(&self) -> TreeSettings<G> {
        TreeSettings { playout: self.playout.clone(), choice: self.choice.clone(), ..*self }
    }
}

impl<G: Game> Default for TreeSettings<G> {
    fn default() -> TreeSettings<G> {
        TreeSettings {
            budget: Budget::iterations(10_000),
            exploration: std::f64::consts::SQRT_2,
            playout: Playout::random(),
            reward: Reward::Win,
            choice: Choice::Robust,
            memory: 1 << 30,
        }
    }
}

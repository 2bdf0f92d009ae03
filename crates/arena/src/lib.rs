//! Matches between agents of any game, known only through the erased layer: paired deals, all
//! seatings, results with intervals.

mod experiment;
mod game;
mod matches;
mod seating;
mod statistics;

pub use experiment::{Comparison, Experiment, PlannedMatch, Published};
pub use game::{PlayedGame, play};
pub use matches::{AgentResult, MatchResult, MatchSettings, play_match};
pub use seating::seatings;
pub use statistics::wilson;

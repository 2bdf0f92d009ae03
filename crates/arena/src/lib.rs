//! Matches between agents of any game, known only through the erased layer: paired deals, all
//! seatings, results with intervals.

pub mod chart;
pub mod experiment;
mod game;
mod matches;
mod redecide;
mod seating;
mod statistics;
mod summary;
mod tune;

pub use experiment::Experiment;
pub use game::{Detail, PlayedGame, Stop, play, recount};
pub use matches::{AgentResult, Lead, MatchError, MatchResult, MatchSettings, Tally, Unwatched, Watch, play_match};
pub use redecide::{Moment, decide_instead, moment, redecide};
pub use seating::seatings;
pub use statistics::{Estimate, mean_p, two_proportions_p, wilson};
pub use summary::summary;
pub use tune::{Space, SpaceError, Tried, TuneSettings, Tuned, tune};

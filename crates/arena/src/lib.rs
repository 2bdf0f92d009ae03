//! Matches between agents of any game, known only through the erased layer: paired deals, all
//! seatings, results with intervals.

mod eval;
mod experiment;
mod game;
mod matches;
mod seating;
mod statistics;

pub use eval::{BehaviourResult, BehaviourScore, FileCase, SuiteFile, count_behaviours, judge_records};
pub use experiment::{Comparison, Experiment, PlannedMatch, Published};
pub use game::{Detail, PlayedGame, Stop, play, recount};
pub use matches::{AgentResult, MatchError, MatchResult, MatchSettings, Tally, Unwatched, Watch, play_match};
pub use seating::seatings;
pub use statistics::{Estimate, mean_p, two_proportions_p, wilson};

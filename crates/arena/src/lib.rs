//! Matches between agents of any game, known only through the erased layer: paired deals, all
//! seatings, results with intervals; and agents on positions with expected actions.

pub mod chart;
pub mod eval;
pub mod experiment;
mod game;
mod matches;
mod ratings;
mod redecide;
mod seating;
mod sprt;
mod statistics;
mod summary;
mod tournament;
mod tune;

pub use experiment::Experiment;
pub use game::{Detail, PlayedGame, Stop, play};
pub use matches::{
    AgentResult, Lead, MOST_GAMES, MatchError, MatchResult, MatchSettings, Placing, Tally, Unwatched, Watch, play_match,
};
pub use ratings::{EloRating, EloRatings, PairCount, RatedGame, Skill, elo_ratings, skills};
pub use redecide::{Moment, decide_instead, moment, redecide};
pub use seating::seatings;
pub use sprt::{Accepted, Sprt, SprtResult};
pub use statistics::{Estimate, wilson};
pub use summary::summary;
pub use tournament::{Cell, Entrant, Kind, Meeting, MeetingResult, Participant, Standings, Tournament};
pub use tune::{Space, SpaceError, Tried, TuneSettings, Tuned, tune};

//! Matches between agents of any game, known only through the erased layer: paired deals, all
//! seatings, results with intervals.

mod experiment;
mod game;
mod matches;
mod ratings;
mod seating;
mod sprt;
mod statistics;
mod tournament;

pub use experiment::{Comparison, Experiment, PlannedMatch, Published};
pub use game::{Detail, PlayedGame, Stop, play, recount};
pub use matches::{AgentResult, MatchError, MatchResult, MatchSettings, Placing, Tally, Unwatched, Watch, play_match};
pub use ratings::{EloRating, EloRatings, PairCount, RatedGame, Skill, elo_ratings, skills};
pub use seating::seatings;
pub use sprt::{Accepted, Sprt, SprtResult};
pub use statistics::{Estimate, mean_p, share_interval, two_proportions_p, wilson};
pub use tournament::{Cell, Entrant, Kind, Meeting, MeetingResult, Participant, Standings, Tournament};

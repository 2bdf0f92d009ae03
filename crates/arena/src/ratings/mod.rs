//! Ratings: how strong agents are, on one scale, from the games between them.

mod elo;
mod linear;
mod skill;

pub use elo::{EloRating, EloRatings, PairCount, elo_ratings};
pub use skill::{RatedGame, Skill, skills};

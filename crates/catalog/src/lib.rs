//! The one crate that names every game and every agent.

mod games;

pub use games::{GAMES, GameEntry, game};

//! The one crate that names every game and every agent.

mod agents;
mod games;
mod learning;
mod levels;
mod models;
mod records;

pub use agents::{AGENTS, parse_agent, split_agents, without_clock};
pub use games::{GAMES, GameEntry, game, game_at_table, self_player};
pub use learning::{Played, SelfPlayer, Session, SessionError};
pub use levels::{Level, levels};
pub use meeple_search::cfr;
pub use models::{model, model_names};
pub use records::{read_record, replay_line};

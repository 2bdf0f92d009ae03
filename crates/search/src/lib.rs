//! Agents that think. They know games only through the contract.

mod choice;
mod clock;
pub mod determinized;
mod edges;
pub mod endgame;
pub mod greedy;
pub mod ismcts;
mod logarithm;
pub mod mcts;
pub mod mo_ismcts;
mod playout;
mod reward;
mod root;
mod settings;
mod walk;
mod worlds;

pub use choice::{Choice, Temperature};
pub use playout::{Playout, Policy};
pub use reward::Reward;
pub use settings::TreeSettings;

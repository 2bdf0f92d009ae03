//! Agents that think. They know games only through the contract.

pub mod cfr;
mod choice;
mod clock;
pub mod greedy;
pub mod ismcts;
mod logarithm;
pub mod mcts;
mod playout;
mod reward;
mod root;
pub mod scripted;
mod settings;

pub use choice::{Choice, Temperature};
pub use playout::{Playout, Policy};
pub use reward::Reward;
pub use settings::TreeSettings;

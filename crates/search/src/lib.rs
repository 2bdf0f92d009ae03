//! Agents that think. They know games only through the contract.

mod clock;
pub mod ismcts;
mod logarithm;
pub mod mcts;
mod playout;
mod root;
mod settings;

pub use playout::{Playout, Policy};
pub use settings::TreeSettings;

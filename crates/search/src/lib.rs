//! Agents that think. They know games only through the contract.

mod clock;
pub mod ismcts;
mod logarithm;
pub mod mcts;
mod playout;
mod root;

pub use playout::{Playout, Policy};

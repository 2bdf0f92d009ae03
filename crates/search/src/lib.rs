//! Agents that think. They know games only through the contract.

pub mod cfr;
mod choice;
mod clock;
pub mod descent;
pub mod determinized;
mod edges;
pub mod endgame;
pub mod evaluator;
pub mod greedy;
mod gumbel;
pub mod heuristic;
pub mod informed;
pub mod ismcts;
mod listing;
mod logarithm;
pub mod mcts;
pub mod minimax;
pub mod mo_ismcts;
mod noise;
mod playout;
mod proof;
mod reward;
mod root;
mod root_rule;
pub mod scripted;
mod settings;
mod walk;
mod worlds;

pub use choice::{Choice, Temperature};
pub use evaluator::{Evaluation, Evaluator};
pub use gumbel::Gumbel;
pub use playout::{Moves, Playout, Policy, Stop};
pub use reward::Reward;
pub use root_rule::RootRule;
pub use settings::TreeSettings;

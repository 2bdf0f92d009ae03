//! The contract between games, agents and everything that runs them.
//!
//! A game implements [`Game`]; what it knows beyond its rules (notation, network inputs, symmetries)
//! it offers through small capability traits. An [`Agent`] is handed a seat's view and never the
//! state behind it. [`laws`] holds every game to the contract, [`erased`] lets the rest of the
//! project work with games whose types it does not know.

pub mod agent;
pub mod analysis;
pub mod belief;
pub mod bits;
pub mod board;
pub mod combinatorics;
pub mod deal;
pub mod encoder;
pub mod erased;
pub mod fact;
pub mod game;
pub mod game_tree;
pub mod geometry;
pub mod groups;
pub mod heuristic;
pub mod key;
pub mod laws;
pub mod margins;
pub mod notation;
pub mod playout;
pub mod record;
pub mod replay;
pub mod rng;
pub mod rules;
pub mod scene;
pub mod script;
pub mod search_tree;
pub mod sites;
pub mod statistics;
pub mod suite;
pub mod symmetry;
pub mod transcript;
pub mod worlds;

pub use agent::{Agent, CheatingAgent, RandomAgent};
pub use belief::Belief;
pub use board::{Board, Reach, Weights};
pub use encoder::{Encoder, Shape, Tensor};
pub use fact::Fact;
pub use game::{Game, GameInfo, Information, MAX_PLAYERS, Outcome, PayoffSum, Payoffs, Player, Team, Turn, zero_sum};
pub use geometry::Geometry;
pub use groups::ActionGroups;
pub use heuristic::Heuristic;
pub use margins::Margins;
pub use notation::{Notation, NotationError};
pub use record::Record;
pub use rng::Rng;
pub use rules::{FromRules, RuleError, RuleReader, Rules};
pub use scene::{Scene, Scenery};
pub use script::Script;
pub use search_tree::{SearchTree, TreeLimits, TreeNode};
pub use sites::Sites;
pub use suite::{Behaviour, Case, Suite};
pub use symmetry::Symmetries;
pub use worlds::{Known, Worlds};

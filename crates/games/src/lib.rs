//! The rules of the games, and nothing but the rules: no search, no files, no clocks.

pub mod cards;
pub mod just4fun;
pub mod tic_tac_toe;

pub use just4fun::{Just4Fun, Just4FunRules};
pub use tic_tac_toe::TicTacToe;

//! The rules of the games, and nothing but the rules: no search, no files, no clocks.

pub mod breakthrough;
pub mod cards;
mod grid;
pub mod tic_tac_toe;

pub use breakthrough::Breakthrough;
pub use tic_tac_toe::TicTacToe;

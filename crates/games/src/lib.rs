//! The rules of the games, and nothing but the rules: no search, no files, no clocks.

pub mod cards;
pub mod keezen;
pub mod tic_tac_toe;

pub use keezen::Keezen;
pub use tic_tac_toe::TicTacToe;

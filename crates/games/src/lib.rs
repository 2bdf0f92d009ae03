//! The rules of the games, and nothing but the rules: no search, no files, no clocks.

pub mod bisca;
pub mod cards;
pub mod sueca;
pub mod tic_tac_toe;
pub mod tricks;

pub use bisca::Bisca;
pub use sueca::Sueca;
pub use tic_tac_toe::TicTacToe;

//! The rules of the games, and nothing but the rules: no search, no files, no clocks.

pub mod cards;
pub mod chinese_checkers;
pub mod tic_tac_toe;

pub use chinese_checkers::{ChineseCheckers, TinyChineseCheckers};
pub use tic_tac_toe::TicTacToe;

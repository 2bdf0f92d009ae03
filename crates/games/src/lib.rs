//! The rules of the games, and nothing but the rules: no search, no files, no clocks.

pub mod breakthrough;
pub mod cards;
pub mod chinese_checkers;
mod grid;
pub mod hearts;
pub mod lines_of_action;
pub mod tic_tac_toe;

pub use breakthrough::Breakthrough;
pub use chinese_checkers::{ChineseCheckers, TinyChineseCheckers};
pub use hearts::{Hearts, HeartsRules};
pub use lines_of_action::LinesOfAction;
pub use tic_tac_toe::TicTacToe;

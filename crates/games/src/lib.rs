//! The rules of the games, and nothing but the rules: no search, no files, no clocks.

pub mod bisca;
pub mod breakthrough;
pub mod cards;
pub mod chinese_checkers;
pub mod connect_four;
mod grid;
pub mod hearts;
pub mod just4fun;
pub mod keezen;
pub mod lines_of_action;
pub mod poker;
pub mod squares;
pub mod sueca;
pub mod tic_tac_toe;
pub mod tricks;

pub use bisca::Bisca;
pub use breakthrough::Breakthrough;
pub use chinese_checkers::{ChineseCheckers, TinyChineseCheckers};
pub use connect_four::ConnectFour;
pub use hearts::{Hearts, HeartsRules};
pub use just4fun::{Just4Fun, Just4FunRules};
pub use keezen::Keezen;
pub use lines_of_action::LinesOfAction;
pub use poker::kuhn::KuhnPoker;
pub use poker::leduc::LeducPoker;
pub use sueca::Sueca;
pub use tic_tac_toe::TicTacToe;

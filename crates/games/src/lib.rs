//! The rules of the games, and nothing but the rules: no search, no files, no clocks.

pub mod cards;
pub mod connect_four;
pub mod poker;
pub mod tic_tac_toe;

pub use connect_four::ConnectFour;
pub use poker::kuhn::KuhnPoker;
pub use poker::leduc::LeducPoker;
pub use tic_tac_toe::TicTacToe;

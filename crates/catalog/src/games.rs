//! The games by name.

use meeple_core::erased::{AnyGame, build, erase};
use meeple_core::{FromRules, RuleError, RuleReader, Rules};
use meeple_games as games;

/// A game of the catalogue.
#[derive(Debug)]
pub struct GameEntry {
    pub name: &'static str,
    /// One line for people who choose.
    pub summary: &'static str,
    build: fn(&Rules) -> Result<Box<dyn AnyGame>, RuleError>,
}

impl GameEntry {
    /// The game with its parameters.
    pub fn build(&self, rules: &Rules) -> Result<Box<dyn AnyGame>, RuleError> {
        (self.build)(rules).map_err(|RuleError(message)| RuleError(format!("{}: {message}", self.name)))
    }
}

/// Every game, in the order of the documents.
pub const GAMES: &[GameEntry] = &[
    GameEntry { name: "tic-tac-toe", summary: "three in a row on nine squares", build: build::<games::TicTacToe> },
    GameEntry { name: "connect-four", summary: "stones fall into columns; four in a line win", build: connect_four },
    GameEntry { name: "kuhn-poker", summary: "three cards and one bet", build: build::<games::KuhnPoker> },
    GameEntry { name: "leduc-poker", summary: "six cards, two rounds of betting", build: build::<games::LeducPoker> },
];

/// The game with this name and these parameters.
pub fn game(name: &str, rules: &Rules) -> Result<Box<dyn AnyGame>, RuleError> {
    let Some(entry) = GAMES.iter().find(|entry| entry.name == name) else {
        let names: Vec<&str> = GAMES.iter().map(|entry| entry.name).collect();
        return Err(RuleError(format!("there is no game `{name}`; there are: {}", names.join(", "))));
    };
    entry.build(rules)
}

/// The narrowest word that holds the board is the fastest.
fn connect_four(rules: &Rules) -> Result<Box<dyn AnyGame>, RuleError> {
    use games::connect_four::{ConnectFour, Size, Wide};

    let mut reader = RuleReader::new(rules);
    let size = Size::from_rules(&mut reader)?;
    let parameters = reader.finish()?;
    Ok(if size.bits() <= u64::BITS {
        erase(ConnectFour::<u64>::new(size), parameters)
    } else if size.bits() <= u128::BITS {
        erase(ConnectFour::<u128>::new(size), parameters)
    } else {
        erase(ConnectFour::<Wide>::new(size), parameters)
    })
}

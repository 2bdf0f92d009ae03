//! The games by name.

use meeple_core::erased::{AnyGame, build};
use meeple_core::{RuleError, Rules};
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
    GameEntry { name: "keezen", summary: "two teams bring marbles home with playing cards", build: build_keezen },
];

/// The game with this name and these parameters.
pub fn game(name: &str, rules: &Rules) -> Result<Box<dyn AnyGame>, RuleError> {
    let Some(entry) = GAMES.iter().find(|entry| entry.name == name) else {
        let names: Vec<&str> = GAMES.iter().map(|entry| entry.name).collect();
        return Err(RuleError(format!("there is no game `{name}`; there are: {}", names.join(", "))));
    };
    entry.build(rules)
}

/// Keezen's relatives are a type of their own.
fn build_keezen(rules: &Rules) -> Result<Box<dyn AnyGame>, RuleError> {
    match rules.0.get("variant").map(String::as_str) {
        None | Some("keezen") => build::<games::Keezen>(rules),
        Some(_) => build::<games::keezen::relatives::Relative>(rules),
    }
}

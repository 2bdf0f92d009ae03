//! The games by name.

use meeple_core::erased::{AnyGame, build, erase};
use meeple_core::{FromRules, RuleError, RuleReader, Rules};
use meeple_games as games;
use meeple_games::{breakthrough, lines_of_action};

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
    GameEntry { name: "breakthrough", summary: "pawns race for the far row", build: build_breakthrough },
    GameEntry { name: "lines-of-action", summary: "all pieces into one group", build: build_lines_of_action },
];

/// The game with this name and these parameters.
pub fn game(name: &str, rules: &Rules) -> Result<Box<dyn AnyGame>, RuleError> {
    let Some(entry) = GAMES.iter().find(|entry| entry.name == name) else {
        let names: Vec<&str> = GAMES.iter().map(|entry| entry.name).collect();
        return Err(RuleError(format!("there is no game `{name}`; there are: {}", names.join(", "))));
    };
    entry.build(rules)
}

/// Boards of up to 64 squares have a faster game of their own.
fn build_breakthrough(rules: &Rules) -> Result<Box<dyn AnyGame>, RuleError> {
    let mut reader = RuleReader::new(rules);
    let setup = breakthrough::Setup::from_rules(&mut reader)?;
    let parameters = reader.finish()?;
    Ok(match setup.squares() {
        ..=64 => erase(games::Breakthrough::<u64>::new(setup), parameters),
        _ => erase(games::Breakthrough::<breakthrough::Wide>::new(setup), parameters),
    })
}

/// A rule against repetition needs a larger state.
fn build_lines_of_action(rules: &Rules) -> Result<Box<dyn AnyGame>, RuleError> {
    let mut reader = RuleReader::new(rules);
    let variant = lines_of_action::Variant::from_rules(&mut reader)?;
    let parameters = reader.finish()?;
    Ok(match variant {
        lines_of_action::Variant::WithoutHistory(game) => erase(game, parameters),
        lines_of_action::Variant::WithHistory(game) => erase(game, parameters),
    })
}

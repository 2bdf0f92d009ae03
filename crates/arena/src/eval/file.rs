//! Sets of positions written down in a file.

use std::collections::BTreeSet;

use meeple_core::erased::{AnyCase, AnyGame};
use meeple_core::{Case, Rules, Turn};
use serde::Deserialize;

/// The content of a suite file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteFile {
    /// For messages.
    #[serde(skip)]
    pub file: String,
    pub title: String,
    /// Where the positions come from, and what was proven about them.
    pub source: String,
    pub game: String,
    #[serde(default)]
    pub rules: Rules,
    #[serde(rename = "case")]
    pub cases: Vec<FileCase>,
}

/// One position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileCase {
    pub name: String,
    /// The whole position in the game's notation, hidden cards included; fair agents are shown the
    /// view of the player to move.
    pub position: String,
    /// Every action that is right.
    pub expected: Vec<String>,
    /// Turns played before the position.
    #[serde(default)]
    pub turns: u32,
    /// What makes the position difficult.
    #[serde(default)]
    pub comment: String,
}

impl SuiteFile {
    /// Reads the content of the file with this name. The error says where it is wrong.
    pub fn parse(file: &str, text: &str) -> Result<SuiteFile, String> {
        let parsed: SuiteFile = toml::from_str(text).map_err(|error| format!("{file}: {error}"))?;
        let suite = SuiteFile { file: file.to_string(), ..parsed };
        if suite.cases.is_empty() {
            return Err(format!("{file}: there is no case"));
        }
        let mut names = BTreeSet::new();
        match suite.cases.iter().find(|case| !names.insert(&case.name)) {
            Some(twice) => Err(format!("{file}: case `{}` is there twice", twice.name)),
            None => Ok(suite),
        }
    }

    /// The positions of the file's game. An error names the file, the case and the reason.
    pub fn cases(&self, game: &dyn AnyGame) -> Result<Vec<AnyCase>, String> {
        let case = |case: &FileCase| {
            case.read(game).map_err(|reason| format!("{}: case `{}`: {reason}", self.file, case.name))
        };
        self.cases.iter().map(case).collect()
    }
}

impl FileCase {
    fn read(&self, game: &dyn AnyGame) -> Result<AnyCase, String> {
        let position = game.parse_position(&self.position).map_err(|error| error.to_string())?;
        if !matches!(position.turn(), Turn::Player(_)) {
            return Err("nobody is to move".to_string());
        }
        if self.expected.is_empty() {
            return Err("there is no expected action".to_string());
        }
        let mut seen = BTreeSet::new();
        for action in &self.expected {
            position.clone_box().apply(action).map_err(|error| format!("expected action {error}"))?;
            if !seen.insert(action) {
                return Err(format!("expected action `{action}` is there twice"));
            }
        }
        let expected = self.expected.clone();
        Ok(Case { name: self.name.clone(), position, expected, turns: self.turns })
    }
}

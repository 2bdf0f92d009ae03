//! A game as one JSON object: it replays without a seed, on any machine. See `docs/records.md`.

use serde::{Deserialize, Serialize};

use crate::{GameInfo, Rng, Rules};

/// How a game may end before the rules end it: somebody gave up, or had no time left. The record then says
/// with its payoffs how it was counted.
pub const CUT_SHORT: [&str; 2] = ["resignation", "time"];

/// One game, whole or cut short. Only `game` and `actions` are needed to replay it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub game: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub rules: Rules,
    /// Who sat where, as agent texts or names of people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<String>,
    /// Every action as text, outcomes of chance included, in order.
    pub actions: Vec<String>,
    /// Milliseconds used for each action; 0 for chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Vec<f64>>,
    /// Iterations of the search behind each action; 0 where nothing was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<Vec<u64>>,
    /// The seed of all decisions, as 16 hexadecimal digits: the agent that chose action `p` drew from stream `p` of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random: Option<String>,
    /// What the agent reported for each action, where it was asked; null for chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searches: Option<Vec<serde_json::Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payoffs: Option<Vec<f32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<f32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<Versions>,
    /// The match that the game belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

impl Record {
    /// The generator behind the decision that chose action `step`.
    pub fn decision_rng(&self, step: usize) -> Option<Rng> {
        let seed = u64::from_str_radix(self.random.as_ref()?, 16).ok()?;
        Some(Rng::stream(seed, step as u64))
    }
}

/// A match, and the place of a game in it. Games of one match agree in all but their number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The experiment, tournament or tuning that the match is part of; empty for a match of its own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub experiment: String,
    /// The agents in the order of the match, as texts.
    pub agents: Vec<String>,
    pub seed: u64,
    /// From 0; it says which deal is played and who sits where.
    pub number: u64,
}

/// What wrote a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    pub meeple: String,
    /// The version of the game's rules.
    pub rules: u32,
}

impl Versions {
    /// Of this program and a game.
    pub fn of(info: &GameInfo) -> Versions {
        Versions { meeple: env!("CARGO_PKG_VERSION").to_string(), rules: info.version }
    }
}

fn is_default(rules: &Rules) -> bool {
    rules.0.is_empty()
}

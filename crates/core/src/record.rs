//! A game as one JSON object: it replays without a seed, on any machine. See `docs/records.md`.

use serde::{Deserialize, Serialize};

use crate::Rules;

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
    pub clocks: Option<Vec<u64>>,
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
}

/// What wrote a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    pub meeple: String,
    /// The version of the game's rules.
    pub rules: u32,
}

fn is_default(rules: &Rules) -> bool {
    rules.0.is_empty()
}

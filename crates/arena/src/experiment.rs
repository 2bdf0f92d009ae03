//! Experiments: matches written down in a file, each beside the published figure that it repeats.

use std::fmt;

use meeple_core::Rules;
use serde::{Deserialize, Serialize};

use crate::{MatchResult, MatchSettings};

/// The content of an experiment file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    pub title: String,
    /// Where the published figures stand.
    pub source: String,
    /// What a reader of the results should know.
    #[serde(default)]
    pub remarks: String,
    #[serde(rename = "match")]
    pub matches: Vec<PlannedMatch>,
}

/// One line of the experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedMatch {
    pub name: String,
    pub game: String,
    #[serde(default)]
    pub rules: Rules,
    /// The first one is measured.
    pub agents: Vec<String>,
    pub games: u64,
    /// Games for a first impression.
    pub quick: u64,
    #[serde(default = "one")]
    pub seed: u64,
    /// The win rate of the first agent as published: one figure, or its range.
    pub published: Option<Published>,
}

fn one() -> u64 {
    1
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(untagged)]
pub enum Published {
    Rate(f64),
    Range([f64; 2]),
}

impl Published {
    fn range(self) -> [f64; 2] {
        match self {
            Published::Rate(rate) => [rate, rate],
            Published::Range(range) => range,
        }
    }
}

impl fmt::Display for Published {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.range().map(|rate| 100.0 * rate) {
            [low, high] if low == high => write!(f, "{low:.1}"),
            [low, high] => write!(f, "{low:.1} to {high:.1}"),
        }
    }
}

impl Experiment {
    /// Reads a file's content; the error says where it is wrong.
    pub fn parse(text: &str) -> Result<Experiment, String> {
        let experiment: Experiment = toml::from_str(text).map_err(|error| error.to_string())?;
        for planned in &experiment.matches {
            planned.check()?;
        }
        Ok(experiment)
    }
}

impl PlannedMatch {
    fn check(&self) -> Result<(), String> {
        let [low, high] = self.published.map_or([0.0, 1.0], Published::range);
        if !(0.0..=1.0).contains(&low) || !(low..=1.0).contains(&high) {
            return Err(format!("match `{}`: a published rate lies between 0 and 1, the lower one first", self.name));
        }
        if self.games == 0 || self.quick == 0 {
            return Err(format!("match `{}`: there must be at least one game, quick or not", self.name));
        }
        Ok(())
    }

    pub fn settings(&self, quick: bool, threads: usize) -> MatchSettings {
        let games = if quick { self.quick } else { self.games };
        MatchSettings { threads, ..MatchSettings::new(self.agents.clone(), games, self.seed) }
    }

    /// Theirs beside ours.
    pub fn compare(&self, result: &MatchResult) -> Comparison {
        let first = &result.agents[0];
        let agrees = self.published.map(|published| {
            let [low, high] = published.range();
            first.interval[0] <= high && low <= first.interval[1]
        });
        Comparison {
            name: self.name.clone(),
            published: self.published,
            win_rate: first.win_rate,
            interval: first.interval,
            games: result.games,
            agrees,
            seconds: result.seconds,
        }
    }
}

/// A published figure beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    pub name: String,
    pub published: Option<Published>,
    pub win_rate: f64,
    /// 95 %.
    pub interval: [f64; 2],
    pub games: u64,
    /// Whether the published figure lies within our interval, or its range touches it.
    pub agrees: Option<bool>,
    pub seconds: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        title = "t"
        source = "s"
        [[match]]
        name = "m"
        game = "connect-four"
        rules = { rows = 5 }
        agents = ["a:x=1", "b"]
        games = 100
        quick = 10
        published = [0.2, 0.3]
    "#;

    #[test]
    fn files_are_read_and_checked() {
        let experiment = Experiment::parse(FILE).unwrap();
        let planned = &experiment.matches[0];
        assert_eq!(planned.settings(true, 2).games, 10);
        assert_eq!(planned.settings(false, 2).games, 100);
        assert_eq!(planned.rules.to_string(), "rows=5");
        assert_eq!(planned.published.unwrap().to_string(), "20.0 to 30.0");
        for (from, to, part) in [
            ("[0.2, 0.3]", "[0.4, 0.3]", "the lower one first"),
            ("[0.2, 0.3]", "17", "between 0 and 1"),
            ("quick = 10", "quick = 0", "at least one game"),
            ("quick = 10", "", "quick"),
            ("games = 100", "games = 100\nspeed = 3", "speed"),
        ] {
            let error = Experiment::parse(&FILE.replace(from, to)).unwrap_err();
            assert!(error.contains(part), "{to}: {error}");
        }
    }
}

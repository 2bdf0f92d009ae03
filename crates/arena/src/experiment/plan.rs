//! Matches of an experiment.

use std::collections::BTreeMap;

use meeple_core::Rules;
use serde::{Deserialize, Serialize};

use super::figure::Figure;
use super::metric::Metric;
use super::published::Published;
use crate::{MatchResult, MatchSettings};

/// Agents that play against each other, and what was published about them.
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
    /// The win rate of the first agent, or several figures by name.
    #[serde(default)]
    pub published: PublishedOfMatch,
    /// Games behind the published figures, if they are known.
    pub published_games: Option<u64>,
    /// Figures to show besides those that were published.
    #[serde(default)]
    pub show: Vec<String>,
    /// Where the line stands on the axis of a chart.
    pub x: Option<f64>,
    /// The curve that the line belongs to.
    pub series: Option<String>,
}

pub(super) fn one() -> u64 {
    1
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(untagged)]
pub enum PublishedOfMatch {
    #[default]
    Nothing,
    Wins(Published),
    Several(BTreeMap<String, Published>),
}

/// A match as it is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    pub game: String,
    pub rules: String,
    pub agents: Vec<String>,
    pub games: u64,
    pub seed: u64,
}

impl Part {
    /// As part of the experiment with this name.
    pub fn settings(&self, experiment: &str, threads: usize) -> MatchSettings {
        let plain = MatchSettings::new(self.agents.clone(), self.games, self.seed);
        MatchSettings { experiment: experiment.to_string(), threads, ..plain }
    }
}

impl PlannedMatch {
    pub(super) fn check(&self) -> Result<(), String> {
        if self.games == 0 || self.quick == 0 {
            return Err("there must be at least one game, quick or not".to_string());
        }
        for (metric, published) in self.metrics()? {
            let [least, most] = metric.bounds();
            let [low, high] = published.map_or([least, most], |published| published.range());
            if !(least..=most).contains(&low) || !(low..=most).contains(&high) {
                return Err(format!(
                    "a published figure of {metric} lies between {least} and {most}, the lower one first"
                ));
            }
        }
        Ok(())
    }

    /// What to read off the match, in the order of the file's own figures, then those only shown.
    fn metrics(&self) -> Result<Vec<(Metric, Option<&Published>)>, String> {
        let mut metrics = match &self.published {
            PublishedOfMatch::Nothing => Vec::new(),
            PublishedOfMatch::Wins(published) => vec![(Metric::Wins, Some(published))],
            PublishedOfMatch::Several(several) => several
                .iter()
                .map(|(name, published)| Ok((Metric::parse(name)?, Some(published))))
                .collect::<Result<_, String>>()?,
        };
        for name in &self.show {
            let metric = Metric::parse(name)?;
            if metrics.iter().all(|(there, _)| *there != metric) {
                metrics.push((metric, None));
            }
        }
        if metrics.is_empty() {
            metrics.push((Metric::Wins, None));
        }
        metrics.sort_by(|(first, _), (second, _)| first.cmp(second));
        Ok(metrics)
    }

    pub(super) fn part(&self, quick: bool) -> Part {
        Part {
            game: self.game.clone(),
            rules: self.rules.to_string(),
            agents: self.agents.clone(),
            games: if quick { self.quick } else { self.games },
            seed: self.seed,
        }
    }

    pub(super) fn figures(&self, result: &MatchResult) -> Vec<Figure> {
        let figure = |(metric, published): (Metric, Option<&Published>)| Figure {
            x: self.x,
            series: self.series.clone(),
            ..Figure::new(&self.name, metric.measure(result), published, self.published_games)
        };
        self.metrics().expect("the file was checked").into_iter().map(figure).collect()
    }
}

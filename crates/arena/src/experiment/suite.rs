//! Agents on sets of positions with expected actions (thesis 000, chapter 7).

use std::collections::BTreeMap;

use meeple_core::Rules;
use meeple_core::erased::AnyGame;
use serde::{Deserialize, Serialize};

use super::figure::{Figure, Measurement, Unit};
use super::plan::one;
use super::published::Published;
use crate::eval::{EvalResult, EvalSettings, Metric, Policy, Positions, RatingShares, evaluate};
use crate::{Estimate, Stop, wilson};

/// An agent that judges all positions of a suite, and that many times over.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedSuite {
    pub name: String,
    pub game: String,
    #[serde(default)]
    pub rules: Rules,
    pub suite: String,
    pub agent: String,
    #[serde(skip_serializing)]
    pub repetitions: u64,
    /// Repetitions for a first impression.
    #[serde(skip_serializing)]
    pub quick: u64,
    #[serde(default = "one")]
    pub seed: u64,
    /// The policy of decisions without a search.
    #[serde(default)]
    pub unsearched: Option<Policy>,
    /// Figures by name.
    #[serde(default, skip_serializing)]
    pub published: BTreeMap<String, Published>,
    /// Repetitions behind the published figures.
    #[serde(skip_serializing)]
    pub published_repetitions: Option<u64>,
    /// Figures to show besides those that were published.
    #[serde(default, skip_serializing)]
    pub show: Vec<String>,
}

/// What an agent did on a suite.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct SuiteResult {
    pub repetitions: u64,
    /// Positions that were judged in all.
    pub judged: u64,
    pub accuracy: f64,
    pub metrics: BTreeMap<String, MetricResult>,
}

/// One metric of the decisions.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct MetricResult {
    /// The mean over repetitions of the mean over positions.
    pub mean: Estimate,
    pub median: f64,
    /// Within a repetition, averaged.
    pub deviation: f64,
    /// Shares that are unsuccessful, acceptable, successful; where there are bands.
    pub ratings: Option<[f64; 3]>,
}

const METRICS: [(&str, Metric); 10] = [
    ("cross-entropy", Metric::CrossEntropy),
    ("policy", Metric::Policy),
    ("value", Metric::Value),
    ("bound", Metric::Bound),
    ("network-value", Metric::NetworkValue),
    ("network-action-value", Metric::NetworkActionValue),
    ("network-policy-unmasked", Metric::NetworkPolicyUnmasked),
    ("network-cross-entropy-unmasked", Metric::NetworkCrossEntropyUnmasked),
    ("network-policy", Metric::NetworkPolicy),
    ("network-cross-entropy", Metric::NetworkCrossEntropy),
];
const RATINGS: [&str; 3] = ["unsuccessful", "acceptable", "successful"];

impl PlannedSuite {
    pub(super) fn check(&self) -> Result<(), String> {
        if self.repetitions == 0 || self.quick == 0 {
            return Err("there must be at least one repetition, quick or not".to_string());
        }
        let parts = |name: &str| {
            let (metric, kind) = name.split_once(' ').unwrap_or((name, ""));
            name == "accuracy"
                || METRICS.iter().any(|(known, _)| *known == metric)
                    && (["", "median", "deviation"].contains(&kind) || RATINGS.contains(&kind))
        };
        match self.published.keys().chain(&self.show).find(|name| !parts(name)) {
            None => Ok(()),
            Some(name) => Err(format!(
                "there is no figure `{name}`; there are accuracy and {}, each alone or with median, deviation, {}",
                METRICS.map(|(name, _)| name).join(", "),
                RATINGS.join(", ")
            )),
        }
    }

    pub(super) fn repetitions(&self, quick: bool) -> u64 {
        if quick { self.quick } else { self.repetitions }
    }

    /// Lets the agent judge the positions. `None` if a stop was requested; an error says what does not exist.
    pub fn measure(
        &self,
        game: &dyn AnyGame,
        quick: bool,
        threads: usize,
        stop: &Stop,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Option<SuiteResult>, String> {
        let mut positions = Positions::of_suite(game, &self.suite)
            .ok_or_else(|| format!("{} has no suite `{}`", self.game, self.suite))?;
        let settings = EvalSettings {
            threads,
            unsearched: self.unsearched,
            stop: stop.clone(),
            ..EvalSettings::new(&self.agent, self.repetitions(quick), self.seed)
        };
        let result = evaluate(game, &mut positions, &settings, progress).map_err(|error| error.to_string())?;
        Ok((!stop.is_requested()).then(|| SuiteResult::of(&result)))
    }

    pub(super) fn figures(&self, found: &SuiteResult) -> Vec<Figure> {
        let names = self.published.keys().chain(self.show.iter().filter(|name| !self.published.contains_key(*name)));
        let figure = |name: &String| {
            let measured = found.figure(name)?;
            let published = self.published.get(name).map(|published| self.counted(published, found));
            Some(Figure::new(&self.name, measured, published.as_ref(), None))
        };
        names.filter_map(figure).collect()
    }

    /// A published mean rests on as many positions as ours in each of its repetitions.
    fn counted(&self, published: &Published, found: &SuiteResult) -> Published {
        match (published, self.published_repetitions) {
            (Published::Mean { mean, deviation, n: None }, Some(repetitions)) => {
                let n = repetitions * found.judged / found.repetitions.max(1);
                Published::Mean { mean: *mean, deviation: *deviation, n: Some(n) }
            }
            _ => published.clone(),
        }
    }
}

impl SuiteResult {
    fn of(result: &EvalResult) -> SuiteResult {
        let metric = |(name, metric): &(&str, Metric)| {
            let summary = result.metrics.get(metric)?;
            let repetitions = result.results.chunk_by(|first, second| first.repetition == second.repetition);
            let means = repetitions.map(|cases| {
                let values: Vec<f64> = cases.iter().filter_map(|case| case.get(*metric)).collect();
                values.iter().sum::<f64>() / values.len().max(1) as f64
            });
            let ratings = |shares: RatingShares| [shares.unsuccessful, shares.acceptable, shares.successful];
            let found = MetricResult {
                mean: Estimate::of(&means.collect::<Vec<f64>>()),
                median: summary.spread.median,
                deviation: summary.spread.deviation,
                ratings: summary.ratings.map(ratings),
            };
            Some((name.to_string(), found))
        };
        SuiteResult {
            repetitions: result.repetitions,
            judged: result.judged,
            accuracy: result.accuracy,
            metrics: METRICS.iter().filter_map(metric).collect(),
        }
    }

    /// `None` if the agent does not tell.
    fn figure(&self, name: &str) -> Option<Measurement> {
        let n = self.judged;
        let measured = |unit, value, interval| Measurement { name: name.to_string(), unit, value, interval, n };
        let rate = |rate: f64| measured(Unit::Percent, rate, Some(wilson(rate, n)));
        if name == "accuracy" {
            return Some(rate(self.accuracy));
        }
        let (metric, kind) = name.split_once(' ').unwrap_or((name, ""));
        let found = self.metrics.get(metric)?;
        Some(match kind {
            "median" => measured(Unit::Plain, found.median, None),
            "deviation" => measured(Unit::Plain, found.deviation, None),
            rating => match RATINGS.iter().position(|known| *known == rating) {
                Some(number) => rate(found.ratings?[number]),
                None => measured(Unit::Plain, found.mean.mean, found.mean.interval),
            },
        })
    }
}

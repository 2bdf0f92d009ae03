//! What came out over all positions and repetitions.

use std::collections::BTreeMap;

use meeple_core::suite::{Band, Rating, rate};
use serde::Serialize;

use super::metrics::Metric;
use super::{CaseResult, EvalSettings, Positions};
use crate::statistics::{moments, wilson};

#[derive(Clone, Debug, Serialize)]
pub struct EvalResult {
    pub suite: String,
    pub agent: String,
    pub cheats: bool,
    /// Positions of one repetition.
    pub cases: usize,
    /// Repetitions that were begun.
    pub repetitions: u64,
    /// Positions that were judged in all.
    pub judged: u64,
    /// Turns before a position.
    pub turns: Spread,
    /// The share of decisions for an expected action.
    pub accuracy: f64,
    /// 95 % (Wilson).
    pub interval: [f64; 2],
    /// By metric; what an agent does not tell is missing.
    pub metrics: BTreeMap<Metric, Summary>,
    /// Every position that was judged.
    #[serde(skip)]
    pub results: Vec<CaseResult>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    pub median: f64,
    pub mean: f64,
    /// Of the sample.
    pub deviation: f64,
}

/// A metric over all positions.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Positions for which it is known.
    pub known: u64,
    /// Median, mean and deviation over the positions of a repetition, each averaged over repetitions.
    pub spread: Spread,
    /// Shares of the ratings over all positions, where there are bands.
    pub ratings: Option<RatingShares>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RatingShares {
    pub unsuccessful: f64,
    pub acceptable: f64,
    pub successful: f64,
}

impl EvalResult {
    /// Results in the order of repetitions and numbers.
    pub(super) fn of(
        positions: &Positions<'_>,
        settings: &EvalSettings,
        cheats: bool,
        results: Vec<CaseResult>,
    ) -> EvalResult {
        let by_repetition: Vec<&[CaseResult]> = results.chunk_by(|a, b| a.repetition == b.repetition).collect();
        let cases = by_repetition.iter().map(|results| results.len()).max().unwrap_or(0);
        let turns = spread_over(&by_repetition, |result| Some(f64::from(result.turns)));
        let right = results.iter().filter(|result| result.right).count();
        let accuracy = right as f64 / results.len().max(1) as f64;
        // The same positions again are no further trials.
        let trials = if positions.drawn { results.len() } else { cases };
        let summary = |metric: Metric| {
            let known = results.iter().filter_map(|result| result.get(metric)).count() as u64;
            let spread = spread_over(&by_repetition, |result| result.get(metric));
            let bands = positions.bands.and_then(|bands| metric.bands(&bands));
            let ratings = bands.map(|bands| shares(bands, results.iter().filter_map(|result| result.get(metric))));
            (known > 0).then_some((metric, Summary { known, spread, ratings }))
        };
        EvalResult {
            suite: positions.name.clone(),
            agent: settings.agent.clone(),
            cheats,
            cases,
            repetitions: by_repetition.len() as u64,
            judged: results.len() as u64,
            turns,
            accuracy,
            interval: wilson(accuracy, trials as u64),
            metrics: Metric::ALL.into_iter().filter_map(summary).collect(),
            results,
        }
    }
}

impl CaseResult {
    pub fn get(&self, metric: Metric) -> Option<f64> {
        self.metrics.iter().find(|(known, _)| *known == metric).map(|&(_, value)| value)
    }
}

impl Spread {
    pub fn of(values: &[f64]) -> Spread {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sorted.len();
        let median = if n == 0 { 0.0 } else { (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0 };
        let moments = moments(values);
        Spread { median, mean: moments.mean, deviation: moments.variance.sqrt() }
    }
}

/// The spread within each repetition, averaged.
fn spread_over(repetitions: &[&[CaseResult]], figure: impl Fn(&CaseResult) -> Option<f64>) -> Spread {
    let within = |results: &&[CaseResult]| {
        let values: Vec<f64> = results.iter().filter_map(&figure).collect();
        (!values.is_empty()).then(|| Spread::of(&values))
    };
    let spreads: Vec<Spread> = repetitions.iter().filter_map(within).collect();
    let mean = |figure: &dyn Fn(&Spread) -> f64| spreads.iter().map(figure).sum::<f64>() / spreads.len().max(1) as f64;
    Spread {
        median: mean(&|spread| spread.median),
        mean: mean(&|spread| spread.mean),
        deviation: mean(&|spread| spread.deviation),
    }
}

fn shares(bands: &[Band], values: impl Iterator<Item = f64>) -> RatingShares {
    let ratings: Vec<Rating> = values.filter_map(|value| rate(bands, value)).collect();
    let share =
        |of: Rating| ratings.iter().filter(|&&rating| rating == of).count() as f64 / ratings.len().max(1) as f64;
    RatingShares {
        unsuccessful: share(Rating::Unsuccessful),
        acceptable: share(Rating::Acceptable),
        successful: share(Rating::Successful),
    }
}

#[cfg(test)]
mod tests {
    use meeple_core::suite::Bands;

    use super::*;

    const BANDS: Bands = Bands {
        value: &[Band { to: 4.0, closed: true, rating: Rating::Acceptable }],
        policy: &[
            Band { to: 0.5, closed: true, rating: Rating::Unsuccessful },
            Band { to: 1.0, closed: true, rating: Rating::Successful },
        ],
    };

    fn result(repetition: u64, number: usize, policy: f64) -> CaseResult {
        let metrics = vec![(Metric::Policy, policy)];
        CaseResult { repetition, number, name: String::new(), turns: 6, right: policy > 0.5, metrics }
    }

    fn judged(bands: Option<Bands>, drawn: bool, results: Vec<CaseResult>) -> EvalResult {
        let mut positions = Positions::fixed("s", Vec::new(), bands);
        positions.drawn = drawn;
        EvalResult::of(&positions, &EvalSettings::new("a", 2, 1), false, results)
    }

    #[test]
    fn spreads_are_averaged_over_repetitions() {
        let results = [0.0, 0.2, 1.0, 0.6, 0.8, 1.0];
        let results = (0..6).map(|i| result(i as u64 / 3, i % 3, results[i])).collect();
        let result = judged(Some(BANDS), true, results);
        assert_eq!((result.cases, result.repetitions, result.judged), (3, 2, 6));
        assert_eq!(result.turns, Spread { median: 6.0, mean: 6.0, deviation: 0.0 });
        assert!((result.accuracy - 4.0 / 6.0).abs() < 1e-12);
        let Summary { known, spread, ratings } = &result.metrics[&Metric::Policy];
        // Means 0.4 and 0.8, medians 0.2 and 0.8, deviations sqrt 0.28 and 0.2.
        assert_eq!(*known, 6);
        assert!((spread.mean - 0.6).abs() < 1e-12 && (spread.median - 0.5).abs() < 1e-12);
        assert!((spread.deviation - (0.28f64.sqrt() + 0.2) / 2.0).abs() < 1e-12, "{spread:?}");
        let ratings = ratings.unwrap();
        assert!((ratings.successful - 4.0 / 6.0).abs() < 1e-12 && ratings.acceptable == 0.0);
        assert!(!result.metrics.contains_key(&Metric::Value));
    }

    #[test]
    fn nothing_judged_is_a_result_too() {
        let result = judged(None, true, Vec::new());
        assert_eq!((result.cases, result.judged, result.interval), (0, 0, [0.0, 1.0]));
    }

    #[test]
    fn the_same_positions_again_are_no_further_trials() {
        for (drawn, trials) in [(true, 8), (false, 4)] {
            let results = (0..8).map(|i| result(i as u64 / 4, i % 4, (i % 2) as f64)).collect();
            assert_eq!(judged(None, drawn, results).interval, wilson(0.5, trials));
        }
    }
}

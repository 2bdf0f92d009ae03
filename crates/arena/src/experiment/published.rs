//! What others published, and whether our figures agree with it.

use serde::{Deserialize, Serialize};

use super::figure::Unit;
use crate::statistics::two_proportions_p;

/// Figures below this probability disagree.
const LEVEL: f64 = 0.05;

/// A figure of the source.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(untagged)]
pub enum Published {
    Figure(f64),
    /// From, to.
    Range([f64; 2]),
    /// With the number of games behind it, where that differs from the other figures of the line.
    Counted {
        figure: f64,
        games: u64,
    },
    /// The mean of samples that spread like this; with their number, if that is known.
    Mean {
        mean: f64,
        deviation: f64,
        n: Option<u64>,
    },
    /// Something said in words, and the figures for which it is true.
    Claim {
        claim: String,
        range: [f64; 2],
    },
}

impl Published {
    pub fn range(&self) -> [f64; 2] {
        match self {
            Published::Figure(figure) | Published::Counted { figure, .. } => [*figure; 2],
            Published::Mean { mean, .. } => [*mean; 2],
            Published::Range(range) | Published::Claim { range, .. } => *range,
        }
    }

    /// As in a table.
    pub fn text(&self, unit: Unit) -> String {
        match self {
            Published::Figure(figure) | Published::Counted { figure, .. } => unit.text(*figure),
            Published::Mean { mean, deviation, .. } => format!("{} ± {}", unit.text(*mean), unit.text(*deviation)),
            Published::Range([low, high]) => format!("{} to {}", unit.text(*low), unit.text(*high)),
            Published::Claim { claim, .. } => claim.clone(),
        }
    }

    /// With a known number of games two rates are tested for a difference; otherwise the published figure or its
    /// range must touch our interval. A claim is true if all of our interval is within its range, false if nothing
    /// is, and else `None`: our games do not tell.
    pub(super) fn agrees(&self, games: Option<u64>, ours: &Ours) -> Option<bool> {
        let counted = match self {
            Published::Figure(figure) => games.map(|games| (*figure, games)),
            Published::Counted { figure, games } => Some((*figure, *games)),
            _ => None,
        };
        if let Some((theirs, games)) = counted.filter(|_| ours.is_rate) {
            return Some(two_proportions_p(theirs, games, ours.value, ours.n) >= LEVEL);
        }
        if let Published::Mean { mean, deviation, n: Some(n) } = self {
            return ours
                .interval
                .map(|interval| means_agree(*mean, deviation / (*n as f64).sqrt(), ours.value, interval));
        }
        let [low, high] = self.range();
        let [from, to] = ours.interval?;
        let touches = from <= high && low <= to;
        match self {
            Published::Claim { .. } if low < high && touches => (low <= from && to <= high).then_some(true),
            _ => Some(touches),
        }
    }
}

/// Whether two means differ by no more than their standard errors explain; ours follows from its interval.
fn means_agree(theirs: f64, error: f64, ours: f64, [low, high]: [f64; 2]) -> bool {
    (theirs - ours).abs() <= (1.96 * error).hypot((high - low) / 2.0)
}

/// Our figure, as far as a comparison needs it.
pub(super) struct Ours {
    pub(super) value: f64,
    pub(super) interval: Option<[f64; 2]>,
    pub(super) n: u64,
    pub(super) is_rate: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(value: f64, interval: [f64; 2], n: u64) -> Ours {
        Ours { value, interval: Some(interval), n, is_rate: true }
    }

    #[test]
    fn small_samples_of_others_are_not_taken_for_the_truth() {
        // 9 of 10 against 700 of 1000: outside of our interval, but ten games say little.
        let ours = ours(0.7, [0.671, 0.728], 1000);
        assert_eq!(Published::Figure(0.9).agrees(None, &ours), Some(false));
        assert_eq!(Published::Figure(0.9).agrees(Some(10), &ours), Some(true));
        assert_eq!(Published::Figure(0.9).agrees(Some(1000), &ours), Some(false));
        assert_eq!(Published::Counted { figure: 0.9, games: 10 }.agrees(Some(1000), &ours), Some(true));
    }

    #[test]
    fn means_are_compared_by_both_errors() {
        let ours = Ours { value: 2.0, interval: Some([1.9, 2.1]), n: 50, is_rate: false };
        let mean = |n| Published::Mean { mean: 2.2, deviation: 1.0, n };
        // Errors of 0.1 and 0.05 explain a difference of 0.2; 0.01 and 0.05 do not.
        assert_eq!(mean(Some(100)).agrees(None, &ours), Some(true));
        assert_eq!(mean(Some(10_000)).agrees(None, &ours), Some(false));
        assert_eq!(mean(None).agrees(None, &ours), Some(false));
    }

    #[test]
    fn ranges_agree_where_they_touch() {
        let ours = ours(0.5, [0.4, 0.6], 100);
        for (range, agrees) in [([0.0, 0.39], false), ([0.0, 0.4], true), ([0.45, 0.55], true), ([0.61, 1.0], false)] {
            assert_eq!(Published::Range(range).agrees(Some(9), &ours), Some(agrees), "{range:?}");
        }
        for (range, agrees) in
            [([-1.0, 0.3], Some(false)), ([0.3, 1.0], Some(true)), ([0.5, 1.0], None), ([0.5, 0.5], Some(true))]
        {
            let claim = Published::Claim { claim: "so".to_string(), range };
            assert_eq!(claim.agrees(None, &ours), agrees, "{range:?}");
        }
        let unknown = Ours { interval: None, ..ours };
        assert_eq!(Published::Figure(0.5).agrees(None, &unknown), None);
    }
}

//! What is measured in every iteration: one line for people, one JSON object in `metrics.jsonl`.

use serde::{Deserialize, Serialize};

use crate::Losses;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    pub iteration: u32,
    pub games: u64,
    pub positions: u64,
    pub simulations: u64,
    pub games_per_s: f64,
    pub positions_per_s: f64,
    /// Moves of a game.
    pub game_length: f64,
    /// Positions in the window, after merging.
    pub window: usize,
    pub updates: u64,
    pub updates_per_s: f64,
    /// How often each new position was learnt from.
    pub reuse: f64,
    pub learning_rate: f64,
    /// Means over the updates.
    pub losses: Losses,
    /// Whether the policy played alone and learnt from how its decisions turned out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alone: bool,
    /// The squared error of the critic, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critic: Option<f32>,
    pub calibration: Calibration,
    /// The mean entropy of the search's policies over that of the uniform policy on the legal
    /// actions: 1 knows nothing, 0 is sure.
    pub policy_entropy: f64,
    /// The share of the network's weights that have shrunk to nothing.
    #[serde(default)]
    pub lost_weights: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anchors: Vec<AnchorScore>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suites: Vec<SuiteScore>,
    /// The share of the points that a new network got against the one before, and whether it
    /// replaced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<(f64, bool)>,
    pub self_play_seconds: f64,
    pub learning_seconds: f64,
    pub evaluation_seconds: f64,
    /// Of all threads, since the run began.
    pub cpu_hours: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// How what the network expected before it learnt compares with what it is then to learn: how the new games ended, with
/// what the search expected mixed in where that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The mean distance of expected and mean actual payoff over ten bins of expectation, weighted
    /// by their positions: 0 is perfect.
    pub error: f64,
    /// The standard deviation of what was expected: 0 says the same about every position.
    pub spread: f64,
    /// Of expected and actual payoffs.
    pub correlation: f64,
}

/// The network's points (wins and half the draws) against an opponent, 95 %.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnchorScore {
    pub anchor: String,
    pub points: f64,
    pub interval: [f64; 2],
    pub games: u64,
    /// Those that were not played move by move before; 0 if nobody counted.
    #[serde(default)]
    pub distinct: u64,
    /// How much more a seat of the network was paid than one of the opponent.
    #[serde(default)]
    pub lead: f64,
    /// How likely a lead of this size would be among equals.
    #[serde(default = "nothing_known")]
    pub p_value: f64,
}

fn nothing_known() -> f64 {
    1.0
}

/// The policy without a search on positions whose right actions are known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuiteScore {
    pub suite: String,
    pub positions: u64,
    /// The share of positions in which a right action was the one that the policy took.
    pub right: f64,
    /// −ln of what the policy gives to the right actions, on average.
    pub cross_entropy: f64,
    /// The positions with the least for the right actions, and how much they have.
    pub worst: Vec<(String, f64)>,
}

impl Calibration {
    /// From pairs of expected and actual payoff of the viewer.
    pub fn of(pairs: &[(f32, f32)]) -> Calibration {
        const BINS: usize = 10;
        let mut bins = [(0.0f64, 0.0f64, 0u64); BINS];
        for &(expected, actual) in pairs {
            let bin = (((expected + 1.0) / 2.0 * BINS as f32) as usize).min(BINS - 1);
            let (sum, actual_sum, count) = &mut bins[bin];
            *sum += f64::from(expected);
            *actual_sum += f64::from(actual);
            *count += 1;
        }
        let total = pairs.len().max(1) as f64;
        let error = bins.iter().map(|(expected, actual, _)| (expected - actual).abs()).sum::<f64>() / total;
        let mean = |of: fn(&(f32, f32)) -> f64| pairs.iter().map(of).sum::<f64>() / total;
        let (expected, actual) = (mean(|pair| f64::from(pair.0)), mean(|pair| f64::from(pair.1)));
        let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
        for pair in pairs {
            let (x, y) = (f64::from(pair.0) - expected, f64::from(pair.1) - actual);
            (xx, yy, xy) = (xx + x * x, yy + y * y, xy + x * y);
        }
        let correlation = if xx > 0.0 && yy > 0.0 { xy / (xx * yy).sqrt() } else { 0.0 };
        Calibration { error, spread: (xx / total).sqrt(), correlation }
    }
}

impl Metrics {
    /// Of the whole iteration.
    pub fn seconds(&self) -> f64 {
        self.self_play_seconds + self.learning_seconds + self.evaluation_seconds
    }

    /// What looks plainly wrong.
    pub fn find_warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let mut warn = |wrong: bool, text: String| {
            if wrong {
                warnings.push(text);
            }
        };
        warn(
            self.positions == 0,
            "there was no new position to learn from; raise games, or lower the share of quick decisions".to_string(),
        );
        warn(
            self.iteration > 2 && self.policy_entropy < 0.03,
            format!(
                "the policy has collapsed: its entropy is {:.3} of the uniform one; raise noise, exploration or temperature",
                self.policy_entropy
            ),
        );
        warn(
            self.iteration > 2 && self.positions > 0 && self.calibration.spread < 0.01,
            "the value is nearly the same for all positions: it has learnt nothing, or all games end alike".to_string(),
        );
        warn(
            self.reuse > 40.0,
            format!(
                "each position is learnt from {:.0} times: the network will learn it by heart; lower reuse or updates",
                self.reuse
            ),
        );
        warn(
            self.iteration > 10 && !self.alone && self.losses.illegal_mass > 0.9,
            format!("{:.0} % of the policy lies on illegal actions; raise invalid", 100.0 * self.losses.illegal_mass),
        );
        warn(
            self.lost_weights > 0.2,
            format!(
                "{:.0} % of the weights have shrunk to nothing, so the network knows less than it could; lower decay",
                100.0 * self.lost_weights
            ),
        );
        for AnchorScore { anchor, games, distinct, .. } in &self.anchors {
            warn(
                (1..games.div_ceil(2)).contains(distinct),
                format!(
                    "only {distinct} of {games} games against {anchor} differ, so its interval is too narrow; draw some \
                     moves in evaluation.agent, for example by final=varied(5)"
                ),
            );
        }
        warnings
    }

    /// One line for people; `left` is an estimate of the time to the end.
    pub fn line(&self, iterations: u32, left: f64) -> String {
        let Losses { value, policy, illegal_mass, .. } = self.losses;
        let mut line = format!(
            "{}/{iterations}: {} games ({:.1}/s), {:.0} positions/s, {:.1} moves, value {value:.3}, policy {policy:.3}, \
             illegal {:.1} %, calibration {:.3}, entropy {:.2}, {} updates ({:.0}/s), reuse {:.1}",
            self.iteration,
            self.games,
            self.games_per_s,
            self.positions_per_s,
            self.game_length,
            100.0 * illegal_mass,
            self.calibration.error,
            self.policy_entropy,
            self.updates,
            self.updates_per_s,
            self.reuse,
        );
        for AnchorScore { anchor, points, interval: [low, high], .. } in &self.anchors {
            line += &format!(", {:.1} % [{:.1}, {:.1}] against {anchor}", 100.0 * points, 100.0 * low, 100.0 * high);
        }
        if let Some((share, taken)) = self.gate {
            line +=
                &format!(", {:.1} % against the network before: {}", 100.0 * share, if taken { "new" } else { "kept" });
        }
        line + &format!(", left {}", duration(left))
    }
}

/// As people say it.
fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds < 90.0 => format!("{seconds:.0} s"),
        _ if seconds < 5400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calibration_tells_honest_values_from_dishonest_ones() {
        let honest: Vec<(f32, f32)> = (0..1000)
            .map(|number| {
                let expected = if number % 2 == 0 { 0.6 } else { -0.6 };
                // Of ten games eight are won, or lost: the mean is what was expected.
                let usual = number / 2 % 10 < 8;
                (expected, if usual == (expected > 0.0) { 1.0 } else { -1.0 })
            })
            .collect();
        let calibration = Calibration::of(&honest);
        assert!(calibration.error < 1e-6 && (calibration.spread - 0.6).abs() < 1e-6, "{calibration:?}");
        assert!((calibration.correlation - 0.6).abs() < 1e-6, "{calibration:?}");
        let boastful: Vec<(f32, f32)> = honest.iter().map(|&(expected, actual)| (expected * 1.5, actual)).collect();
        assert!((Calibration::of(&boastful).error - 0.3).abs() < 1e-6);
        assert_eq!(Calibration::of(&[(0.0, 1.0), (0.0, -1.0)]).spread, 0.0);
    }

    #[test]
    fn plain_faults_are_named() {
        let good = Metrics {
            iteration: 5,
            positions: 500,
            policy_entropy: 0.4,
            reuse: 4.0,
            calibration: Calibration { error: 0.1, spread: 0.4, correlation: 0.5 },
            ..Metrics::default()
        };
        assert_eq!(good.find_warnings(), Vec::<String>::new());
        let fault = |metrics: Metrics, word: &str| {
            let warnings = metrics.find_warnings();
            assert!(warnings.len() == 1 && warnings[0].contains(word), "{warnings:?}");
        };
        fault(Metrics { positions: 0, calibration: Calibration::default(), ..good.clone() }, "no new position");
        fault(Metrics { policy_entropy: 0.01, ..good.clone() }, "collapsed");
        fault(Metrics { reuse: 100.0, ..good.clone() }, "by heart");
        fault(Metrics { calibration: Calibration::default(), ..good.clone() }, "nearly the same");
        fault(Metrics { lost_weights: 0.3, ..good.clone() }, "shrunk to nothing");
        let losses = Losses { illegal_mass: 0.95, ..Losses::default() };
        fault(Metrics { losses, iteration: 20, ..good.clone() }, "illegal");
        let alone = Metrics { losses, iteration: 20, alone: true, ..good.clone() };
        assert!(alone.find_warnings().is_empty(), "nothing is done about it where the policy plays alone");
        let score = |distinct: u64| {
            let (anchor, interval) = ("random".to_string(), [0.4, 0.6]);
            AnchorScore { anchor, points: 0.5, interval, games: 20, distinct, lead: 0.0, p_value: 1.0 }
        };
        fault(Metrics { anchors: vec![score(20), score(9)], ..good.clone() }, "only 9 of 20");
        assert!(Metrics { anchors: vec![score(10), score(0)], ..good }.find_warnings().is_empty());
    }
}

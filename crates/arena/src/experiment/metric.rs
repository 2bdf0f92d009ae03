//! What can be read off a match.

use std::collections::BTreeMap;
use std::fmt;

use super::figure::{Measurement, Unit};
use crate::{AgentResult, Estimate, MatchResult, Tally, wilson};

/// One figure of the first agent of a match, or of the match.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    Wins,
    Draws,
    Losses,
    /// Of all games, those that the first agent won, drew or lost with this reason.
    WinsBy(String),
    LossesBy(String),
    /// Of all games, those that ended with this reason.
    GamesBy(String),
    WinsWhenFirst,
    WinsWhenLater,
    Points,
    Payoff,
    Score,
    OtherScore,
    Lead,
    ScoreLead,
    Length,
    Branching,
}

const PLAIN: [(&str, Metric); 13] = [
    ("wins", Metric::Wins),
    ("draws", Metric::Draws),
    ("losses", Metric::Losses),
    ("wins when first", Metric::WinsWhenFirst),
    ("wins when later", Metric::WinsWhenLater),
    ("points", Metric::Points),
    ("payoff", Metric::Payoff),
    ("score", Metric::Score),
    ("score of the other", Metric::OtherScore),
    ("lead", Metric::Lead),
    ("score lead", Metric::ScoreLead),
    ("length", Metric::Length),
    ("branching", Metric::Branching),
];

impl Metric {
    /// The metric with this name; the error lists what there is.
    pub fn parse(name: &str) -> Result<Metric, String> {
        let by_reason = [
            ("wins by ", Metric::WinsBy as fn(String) -> Metric),
            ("losses by ", Metric::LossesBy),
            ("games by ", Metric::GamesBy),
        ];
        let plain = PLAIN.iter().find(|(text, _)| *text == name).map(|(_, metric)| metric.clone());
        let reasoned =
            || by_reason.iter().find_map(|(text, metric)| Some(metric(name.strip_prefix(text)?.to_string())));
        plain.or_else(reasoned).ok_or_else(|| {
            let names: Vec<&str> = PLAIN.iter().map(|(text, _)| *text).collect();
            format!("there is no figure `{name}`; there are {}, and wins, losses or games by REASON", names.join(", "))
        })
    }

    /// The figures that can be true.
    pub(super) fn bounds(&self) -> [f64; 2] {
        match self {
            Metric::Lead => [-1.0, 1.0],
            _ if self.unit() == Unit::Percent => [0.0, 1.0],
            _ => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }

    fn unit(&self) -> Unit {
        match self {
            Metric::Payoff | Metric::Score | Metric::OtherScore | Metric::ScoreLead => Unit::Plain,
            Metric::Length | Metric::Branching => Unit::Plain,
            _ => Unit::Percent,
        }
    }

    pub(super) fn measure(&self, result: &MatchResult) -> Measurement {
        let (value, interval, n) = self.value(result);
        Measurement { name: self.to_string(), unit: self.unit(), value, interval, n }
    }

    fn value(&self, result: &MatchResult) -> (f64, Option<[f64; 2]>, u64) {
        let (first, games) = (&result.agents[0], result.games);
        let all = (first.wins + first.draws + first.losses).max(1) as f64;
        let rate = |rate: f64| (rate, Some(wilson(rate, games)), games);
        let of_all = |count: u64| rate(count as f64 / all);
        let mean = |estimate: Estimate| (estimate.mean, estimate.interval, games);
        let by = |reason: &str| tally_by(&first.by_reason, reason);
        let tally = |tally: &Tally| (tally.win_rate(), Some(wilson(tally.win_rate(), tally.games())), tally.games());
        match self {
            Metric::Wins => (first.win_rate, Some(first.interval), games),
            Metric::Draws => of_all(first.draws),
            Metric::Losses => of_all(first.losses),
            Metric::WinsBy(reason) => of_all(by(reason).wins),
            Metric::LossesBy(reason) => of_all(by(reason).losses),
            Metric::GamesBy(reason) => {
                rate(result.reasons.get(reason).copied().unwrap_or(0) as f64 / games.max(1) as f64)
            }
            Metric::WinsWhenFirst => tally(&first.when_first),
            Metric::WinsWhenLater => tally(&first.when_later),
            Metric::Points => mean(first.points),
            Metric::Payoff => mean(first.payoff()),
            Metric::Score => mean(first.score()),
            Metric::OtherScore => mean(other(result).score()),
            Metric::Lead => mean(result.lead.points),
            Metric::ScoreLead => mean(result.lead.score),
            Metric::Length => mean(result.length),
            Metric::Branching => (result.branching, result.branching_interval, games),
        }
    }
}

fn tally_by(by_reason: &BTreeMap<String, Tally>, reason: &str) -> Tally {
    by_reason.get(reason).copied().unwrap_or_default()
}

fn other(result: &MatchResult) -> &AgentResult {
    result.agents.get(1).unwrap_or(&result.agents[0])
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Metric::WinsBy(reason) => write!(f, "wins by {reason}"),
            Metric::LossesBy(reason) => write!(f, "losses by {reason}"),
            Metric::GamesBy(reason) => write!(f, "games by {reason}"),
            plain => {
                let name = PLAIN.iter().find(|(_, metric)| metric == plain).map(|(name, _)| *name);
                f.write_str(name.unwrap_or_default())
            }
        }
    }
}

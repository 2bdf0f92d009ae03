//! Figures: one row of a table, theirs beside ours.

use serde::{Deserialize, Serialize};

use super::published::{Ours, Published};

/// A figure of ours beside the published one.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// The line of the experiment.
    pub line: String,
    /// What was measured.
    pub name: String,
    pub unit: Unit,
    pub published: Option<Published>,
    /// Games, samples or repetitions behind the published figure, if they are known.
    pub published_games: Option<u64>,
    pub ours: f64,
    /// 95 %.
    pub interval: Option<[f64; 2]>,
    /// Games, samples or repetitions behind ours.
    pub n: u64,
    pub agrees: Option<bool>,
    /// Where the line stands on the axis of a chart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// The curve that the line belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A share, shown in per cent.
    Percent,
    Plain,
}

impl Unit {
    pub fn text(self, figure: f64) -> String {
        match self {
            Unit::Percent => format!("{:.1} %", 100.0 * figure),
            Unit::Plain => format!("{figure:.2}"),
        }
    }

    /// The figure as a chart shows it.
    pub fn scaled(self, figure: f64) -> f64 {
        match self {
            Unit::Percent => 100.0 * figure,
            Unit::Plain => figure,
        }
    }
}

/// What was measured, before it is compared.
pub(super) struct Measurement {
    pub(super) name: String,
    pub(super) unit: Unit,
    pub(super) value: f64,
    pub(super) interval: Option<[f64; 2]>,
    pub(super) n: u64,
}

impl Figure {
    pub(super) fn new(
        line: &str,
        found: Measurement,
        published: Option<&Published>,
        published_games: Option<u64>,
    ) -> Figure {
        let Measurement { name, unit, value, interval, n } = found;
        // Differences of rates are shown in per cent, but are no rates.
        let is_rate = unit == Unit::Percent && !name.contains("lead");
        let ours = Ours { value, interval, n, is_rate };
        Figure {
            line: line.to_string(),
            name,
            unit,
            published: published.cloned(),
            published_games,
            ours: value,
            interval,
            n,
            agrees: published.and_then(|published| published.agrees(published_games, &ours)),
            x: None,
            series: None,
        }
    }

    /// The cells of a table: line, figure, theirs, ours, interval, n, agrees.
    pub fn cells(&self) -> [String; 7] {
        let interval = self.interval.map(|[low, high]| format!("{} to {}", self.unit.text(low), self.unit.text(high)));
        let agrees = match (&self.published, self.agrees) {
            (None, _) => "-",
            (Some(_), None) => "undecided",
            (_, Some(true)) => "yes",
            (_, Some(false)) => "no",
        };
        [
            self.line.clone(),
            self.name.clone(),
            self.published.as_ref().map_or("-".to_string(), |published| published.text(self.unit)),
            self.unit.text(self.ours),
            interval.unwrap_or("-".to_string()),
            self.n.to_string(),
            agrees.to_string(),
        ]
    }
}

//! Numbers that change with the iteration.

use serde::{Deserialize, Serialize};

/// `0.001`, or `{ steps = [[0, 0.0005], [5, 0.001]] }`, which holds each value until the next point,
/// or `{ linear = [[1, 10000], [14, 20000]] }`, which draws straight lines between the points.
/// Before the first point and after the last one it stays as it is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "must be a number, { steps = [[iteration, value], ..] } or { linear = [..] }, and nothing else"
)]
pub enum Schedule {
    Constant(f64),
    Steps { steps: Vec<(u32, f64)> },
    Linear { linear: Vec<(u32, f64)> },
}

impl Schedule {
    /// What is wrong with it, if it is not in order or leaves the range.
    pub fn check(&self, name: &str, range: std::ops::RangeInclusive<f64>) -> Result<(), String> {
        let points = match self {
            Schedule::Constant(value) => &vec![(0, *value)],
            Schedule::Steps { steps } => steps,
            Schedule::Linear { linear } => linear,
        };
        if points.is_empty() || !points.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(format!("{name}: the points of a schedule are in the order of their iterations"));
        }
        match points.iter().find(|(_, value)| !range.contains(value)) {
            Some((_, value)) => Err(format!("{name} is {value}, not between {} and {}", range.start(), range.end())),
            None => Ok(()),
        }
    }

    /// The iterations at which its course changes.
    pub(super) fn turning_points(&self) -> impl Iterator<Item = u32> {
        let points = match self {
            Schedule::Constant(_) => &[][..],
            Schedule::Steps { steps } => steps,
            Schedule::Linear { linear } => linear,
        };
        points.iter().map(|&(iteration, _)| iteration)
    }

    /// The first iteration is number 1.
    pub fn at(&self, iteration: u32) -> f64 {
        match self {
            Schedule::Constant(value) => *value,
            Schedule::Steps { steps } => {
                let reached = steps.iter().rev().find(|(from, _)| *from <= iteration);
                reached.or(steps.first()).map_or(0.0, |(_, value)| *value)
            }
            Schedule::Linear { linear } => {
                let next = linear.iter().position(|(from, _)| *from > iteration).unwrap_or(linear.len());
                match (next.checked_sub(1).map(|before| linear[before]), linear.get(next)) {
                    (Some((from, low)), Some(&(to, high))) => {
                        low + (high - low) * f64::from(iteration - from) / f64::from(to - from)
                    }
                    (Some((_, value)), None) | (None, Some(&(_, value))) => value,
                    (None, None) => 0.0,
                }
            }
        }
    }
}

impl From<f64> for Schedule {
    fn from(value: f64) -> Schedule {
        Schedule::Constant(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, iterations: &[u32]) -> Vec<f64> {
        let schedule: Schedule = serde_json::from_str(text).unwrap();
        schedule.check("it", -1e9..=1e9).unwrap();
        iterations.iter().map(|&iteration| schedule.at(iteration)).collect()
    }

    #[test]
    fn schedules_are_read_and_followed() {
        assert_eq!(values("0.5", &[1, 100]), [0.5, 0.5]);
        let steps = r#"{"steps": [[1, 7], [5, 3]]}"#;
        assert_eq!(values(steps, &[0, 1, 4, 5, 99]), [7.0, 7.0, 7.0, 3.0, 3.0]);
        let linear = r#"{"linear": [[1, 10000], [14, 20000], [34, 60000]]}"#;
        assert_eq!(values(linear, &[0, 1, 14, 24, 34, 90]), [10000.0, 10000.0, 20000.0, 40000.0, 60000.0, 60000.0]);
    }

    #[test]
    fn bad_schedules_are_refused() {
        let schedule: Schedule = serde_json::from_str(r#"{"steps": [[5, 1], [5, 2]]}"#).unwrap();
        assert!(schedule.check("rate", 0.0..=9.0).unwrap_err().contains("in the order"));
        assert_eq!(Schedule::Constant(-1.0).check("rate", 0.0..=9.0).unwrap_err(), "rate is -1, not between 0 and 9");
        for text in [
            r#""fast""#,
            r#"{"steps": [[1, 2]], "stepps": [[3, 4]]}"#,
            r#"{"steps": [[1, 2]], "linear": [[1, 2]]}"#,
            r#"{"linear": [[1, 2]], "until": 3}"#,
            "{}",
        ] {
            let error = serde_json::from_str::<Schedule>(text).unwrap_err().to_string();
            assert!(error.contains("must be a number"), "{text}: {error}");
        }
    }
}

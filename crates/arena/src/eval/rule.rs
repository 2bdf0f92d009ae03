//! By which formula an agent selects actions, read from its settings.

use meeple_core::agent::ActionReport;
use meeple_core::rules::Parameter;

/// What turns the figures of a report into values in -1..=1 and into upper confidence bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SelectionRule {
    /// From the agent's reward to -1..=1: factor and summand; `None` if the reward has no fixed range.
    reward: Option<(f64, f64)>,
    bound: Option<Bound>,
    exploration: f64,
    /// Whether reported priors have noise in them.
    noisy: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    Ucb1,
    Puct,
}

impl SelectionRule {
    pub(super) fn of(settings: &[Parameter]) -> SelectionRule {
        let value = |name: &str| settings.iter().find(|known| known.name == name).map(|known| known.value.as_str());
        let number = |name: &str| value(name).and_then(|text| text.parse::<f64>().ok());
        SelectionRule {
            reward: match value("reward") {
                None | Some("win" | "hybrid") => Some((1.0, 0.0)),
                Some("positive") => Some((2.0, -1.0)),
                Some("steps") => Some((0.25, 0.0)),
                Some(_) => None,
            },
            bound: match (value("select"), number("exploration")) {
                (Some("ucb1"), Some(_)) => Some(Bound::Ucb1),
                (Some("puct"), Some(_)) => Some(Bound::Puct),
                // Searches with a network have no other rule to select by.
                (None, Some(_)) if value("model").is_some() => Some(Bound::Puct),
                _ => None,
            },
            exploration: number("exploration").unwrap_or(0.0),
            noisy: number("noise").is_some_and(|noise| noise > 0.0),
        }
    }

    /// The mean value of an action in -1..=1; 0 if it was never visited.
    pub(super) fn value<A>(&self, action: &ActionReport<A>) -> Option<f64> {
        let (factor, summand) = self.reward?;
        Some(if action.visits == 0 { 0.0 } else { factor * action.value_for_mover + summand })
    }

    /// The upper confidence bound of an action among `actions` that were visited `total` times together,
    /// on the scale of [`SelectionRule::value`], without noise. Where the number of times that it was
    /// available is known, that takes the place of the total. `None` if the bound is infinite or the agent
    /// selects by something else.
    pub(super) fn bound<A>(&self, action: &ActionReport<A>, actions: usize, total: u64) -> Option<f64> {
        let value = self.value(action)?;
        let (factor, _) = self.reward?;
        let visits = action.visits as f64;
        let available = action.availability.unwrap_or(total) as f64;
        let bonus = match self.bound? {
            Bound::Ucb1 if action.visits == 0 => return None,
            Bound::Ucb1 => (available.max(1.0).ln() / visits).sqrt(),
            Bound::Puct => {
                let uniform = 1.0 / actions.max(1) as f64;
                // Noise cannot be taken out of a prior; without it priors are uniform if none is known.
                let prior = action.prior.filter(|_| !self.noisy).map_or(uniform, f64::from);
                prior * available.sqrt() / (1.0 + visits)
            }
        };
        Some(value + factor * self.exploration * bonus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(settings: &[(&'static str, &str)]) -> SelectionRule {
        let parameter = |&(name, value): &(&'static str, &str)| Parameter {
            name,
            values: String::new(),
            default: String::new(),
            value: value.to_string(),
            meaning: "",
        };
        SelectionRule::of(&settings.iter().map(parameter).collect::<Vec<_>>())
    }

    fn report(visits: u64, value_for_mover: f64, availability: Option<u64>) -> ActionReport<u8> {
        ActionReport { visits, value_for_mover, availability, ..ActionReport::unsearched(0) }
    }

    #[test]
    fn rewards_become_values_between_minus_one_and_one() {
        for (reward, low, high) in [("win", -1.0, 1.0), ("positive", 0.0, 1.0), ("steps", -4.0, 4.0)] {
            let rule = rule(&[("reward", reward)]);
            assert_eq!(rule.value(&report(3, low, None)), Some(-1.0), "{reward}");
            assert_eq!(rule.value(&report(3, high, None)), Some(1.0), "{reward}");
            assert_eq!(rule.value(&report(0, low, None)), Some(0.0), "{reward}");
        }
        assert_eq!(rule(&[("reward", "difference")]).value(&report(3, 1.0, None)), None);
    }

    #[test]
    fn bounds_follow_their_formulas() {
        let puct = rule(&[("select", "puct"), ("exploration", "0.5"), ("noise", "0.25")]);
        // 0.2 + 0.5 · 1/4 · sqrt 64 / (1 + 9)
        assert_eq!(puct.bound(&report(9, 0.2, Some(64)), 4, 100), Some(0.2 + 0.5 * 0.25 * 8.0 / 10.0));
        assert_eq!(puct.bound(&report(9, 0.2, None), 4, 100), Some(0.2 + 0.5 * 0.25 * 10.0 / 10.0));
        let positive = rule(&[("select", "ucb1"), ("exploration", "0.7"), ("reward", "positive")]);
        let bound = positive.bound(&report(4, 0.75, None), 4, 100).unwrap();
        assert!((bound - (0.5 + 1.4 * (100f64.ln() / 4.0).sqrt())).abs() < 1e-12);
        assert_eq!(positive.bound(&report(0, 0.0, None), 4, 100), None);
        let network = rule(&[("model", "tic-tac-toe/dense"), ("exploration", "0.5"), ("noise", "0")]);
        let action = ActionReport { prior: Some(0.4), ..report(9, 0.2, None) };
        assert_eq!(network.bound(&action, 4, 100), Some(0.2 + 0.5 * f64::from(0.4f32) * 10.0 / 10.0));
        assert_eq!(rule(&[("exploration", "0.5")]).bound(&action, 4, 100), None);
        assert_eq!(rule(&[]).bound(&report(4, 0.75, None), 4, 100), None);
    }
}

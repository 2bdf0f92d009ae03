//! Which action a search takes in the end (thesis 001, section 3.4).

use meeple_core::Rng;
use meeple_core::agent::ActionReport;

/// How the statistics at the root become a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// The highest mean reward.
    Max,
    /// The most visits, among equals the highest mean.
    Robust,
    /// The highest lower bound: mean - A / sqrt(visits).
    Secure(f64),
    /// In proportion to visits^(1/τ).
    Sampled(Temperature),
}

/// τ by the agent's own decisions in a game: linear between the given ones, which are numbered from
/// 1 and ascend, and constant outside. At 0 the most visited action is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Temperature(Vec<(u32, f64)>);

impl Temperature {
    pub fn constant(temperature: f64) -> Temperature {
        Temperature(vec![(1, temperature)])
    }

    /// `None` if there are no points or they do not ascend.
    pub fn schedule(points: Vec<(u32, f64)>) -> Option<Temperature> {
        let ascends = points.windows(2).all(|pair| pair[0].0 < pair[1].0);
        (!points.is_empty() && ascends).then_some(Temperature(points))
    }

    /// Constant from each of the given decisions to the one before the next. `None` as for
    /// [`Temperature::schedule`].
    pub fn steps(points: &[(u32, f64)]) -> Option<Temperature> {
        Temperature::schedule(points.to_vec())?;
        let last = |pair: &[(u32, f64)]| (pair[0].0 < pair[1].0 - 1).then(|| (pair[1].0 - 1, pair[0].1));
        let mut all: Vec<(u32, f64)> = points.to_vec();
        all.extend(points.windows(2).filter_map(last));
        all.sort_by_key(|&(decision, _)| decision);
        Some(Temperature(all))
    }

    /// In proportion to the visits for so many decisions, then the most visited action (thesis
    /// 004's varied selection).
    pub fn varied(decisions: u32) -> Temperature {
        Temperature(vec![(decisions, 1.0), (decisions + 1, 0.0)])
    }

    pub fn at(&self, decision: u32) -> f64 {
        let after = self.0.iter().position(|&(number, _)| number >= decision).unwrap_or(self.0.len() - 1);
        let (next, end) = self.0[after];
        if after == 0 || next <= decision {
            return end;
        }
        let (last, start) = self.0[after - 1];
        start + (end - start) * f64::from(decision - last) / f64::from(next - last)
    }
}

impl Choice {
    /// The place of the chosen action in a list that is sorted with the most visited first;
    /// `decision` numbers the agent's decisions in this game from 1.
    pub(crate) fn of<A>(&self, actions: &[ActionReport<A>], decision: u32, rng: &mut Rng) -> usize {
        match self {
            Choice::Robust => 0,
            Choice::Max => best(actions, |action| action.value_for_mover),
            Choice::Secure(a) => best(actions, |action| action.value_for_mover - a / (action.visits as f64).sqrt()),
            Choice::Sampled(temperature) => sampled(actions, temperature.at(decision), rng),
        }
    }
}

/// Actions that were never visited have nothing to show.
fn best<A>(actions: &[ActionReport<A>], score: impl Fn(&ActionReport<A>) -> f64) -> usize {
    let visited = (0..actions.len()).filter(|&place| actions[place].visits > 0);
    visited.rev().max_by(|&a, &b| score(&actions[a]).total_cmp(&score(&actions[b]))).unwrap_or(0)
}

fn sampled<A>(actions: &[ActionReport<A>], temperature: f64, rng: &mut Rng) -> usize {
    if temperature == 0.0 {
        return 0;
    }
    // Relative to the most visited, so that small temperatures do not overflow.
    let most = actions[0].visits.max(1) as f64;
    let weight = |action: &ActionReport<A>| libm::pow(action.visits as f64 / most, 1.0 / temperature);
    let mut left = rng.unit() * actions.iter().map(weight).sum::<f64>();
    for (place, action) in actions.iter().enumerate() {
        left -= weight(action);
        if left < 0.0 {
            return place;
        }
    }
    0 // rounding
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actions(visits_and_values: &[(u64, f64)]) -> Vec<ActionReport<usize>> {
        let report = |(action, &(visits, value_for_mover)): (usize, &(u64, f64))| ActionReport {
            visits,
            value_for_mover,
            ..ActionReport::unsearched(action)
        };
        visits_and_values.iter().enumerate().map(report).collect()
    }

    #[test]
    fn each_choice_prefers_its_own() {
        let actions = actions(&[(100, 0.5), (90, 0.6), (1, 0.9), (0, 1.0)]);
        let mut rng = Rng::from_seed(1);
        let mut place = |choice: Choice| choice.of(&actions, 1, &mut rng);
        assert_eq!(place(Choice::Robust), 0);
        assert_eq!(place(Choice::Max), 2);
        assert_eq!(place(Choice::Secure(1.0)), 1);
        assert_eq!(place(Choice::Sampled(Temperature::constant(0.0))), 0);
    }

    #[test]
    fn samples_follow_the_visits_and_the_temperature() {
        let actions = actions(&[(300, 0.0), (100, 0.0), (0, 0.0)]);
        for (temperature, expected) in [(1.0, 0.75), (0.5, 0.9), (1e9, 1.0 / 2.0)] {
            let choice = Choice::Sampled(Temperature::constant(temperature));
            let mut rng = Rng::from_seed(1);
            let first = (0..20_000).filter(|_| choice.of(&actions, 1, &mut rng) == 0).count() as f64 / 20_000.0;
            assert!((first - expected).abs() < 0.02, "{temperature}: {first}");
        }
    }

    #[test]
    fn temperatures_follow_their_schedule() {
        let schedule = Temperature::schedule(vec![(1, 0.9), (11, 0.8), (20, 0.0)]).unwrap();
        for (decision, expected) in [(1, 0.9), (6, 0.85), (11, 0.8), (20, 0.0), (99, 0.0)] {
            assert!((schedule.at(decision) - expected).abs() < 1e-9, "{decision}");
        }
        let varied = Temperature::varied(5);
        assert_eq!([varied.at(1), varied.at(5), varied.at(6), varied.at(50)], [1.0, 1.0, 0.0, 0.0]);
        assert_eq!(Temperature::schedule(vec![(3, 1.0), (3, 0.5)]), None);
        let steps = Temperature::steps(&[(1, 1.0), (4, 0.5), (5, 0.0)]).unwrap();
        assert_eq!([1, 2, 3, 4, 5, 9].map(|decision| steps.at(decision)), [1.0, 1.0, 1.0, 0.5, 0.0, 0.0]);
        assert_eq!(Temperature::steps(&[(2, 1.0), (2, 0.5)]), None);
    }
}

//! Which action an iteration follows (thesis 001, section 5.2.1).

use meeple_core::Rng;

use super::table::ActionEntry;

/// Resolved actions are never followed. Among equal values the less visited action comes first
/// (thesis 001, algorithm 14).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Select {
    /// The highest value.
    Best,
    /// With this probability any action, otherwise the best.
    Greedy(f64),
    /// In proportion to exp(value / τ).
    Softmax(f64),
    /// From the best to the worst of the N left, take an action with probability 1 - ε + ε / N or
    /// go on to the next (equation 5.2).
    Ordinal(f64),
}

impl Select {
    /// The place of an action that is not resolved, of which there must be one. `open` is scratch
    /// space.
    #[inline]
    pub(super) fn of(self, actions: &[ActionEntry], open: &mut Vec<u32>, rng: &mut Rng) -> usize {
        match self {
            Select::Best => best(actions),
            Select::Greedy(epsilon) if rng.unit() >= epsilon => best(actions),
            Select::Greedy(_) => {
                list_open(actions, open);
                *rng.choose(open) as usize
            }
            Select::Softmax(temperature) => softmax(actions, temperature, rng),
            Select::Ordinal(epsilon) => ordinal(actions, epsilon, open, rng),
        }
    }
}

fn is_better(a: &ActionEntry, b: &ActionEntry) -> bool {
    a.worth.value > b.worth.value || a.worth.value == b.worth.value && a.visits < b.visits
}

fn best(actions: &[ActionEntry]) -> usize {
    let mut best: Option<usize> = None;
    for (place, action) in actions.iter().enumerate() {
        if !action.worth.resolved && best.is_none_or(|best| is_better(action, &actions[best])) {
            best = Some(place);
        }
    }
    best.expect("a position without open actions is resolved")
}

fn list_open(actions: &[ActionEntry], open: &mut Vec<u32>) {
    open.clear();
    open.extend((0..actions.len() as u32).filter(|&place| !actions[place as usize].worth.resolved));
}

fn softmax(actions: &[ActionEntry], temperature: f64, rng: &mut Rng) -> usize {
    let best = best(actions);
    let highest = actions[best].worth.value;
    // Relative to the highest, so that small temperatures do not overflow.
    let weight = |action: &ActionEntry| match action.worth.resolved {
        true => 0.0,
        false => libm::exp(f64::from(action.worth.value - highest) / temperature),
    };
    let mut left = rng.unit() * actions.iter().map(weight).sum::<f64>();
    for (place, action) in actions.iter().enumerate() {
        left -= weight(action);
        if left < 0.0 {
            return place;
        }
    }
    best // rounding
}

fn ordinal(actions: &[ActionEntry], epsilon: f64, open: &mut Vec<u32>, rng: &mut Rng) -> usize {
    list_open(actions, open);
    loop {
        let mut best = 0;
        for place in 1..open.len() {
            if is_better(&actions[open[place] as usize], &actions[open[best] as usize]) {
                best = place;
            }
        }
        if open.len() == 1 || rng.unit() < 1.0 - epsilon + epsilon / open.len() as f64 {
            return open[best] as usize;
        }
        open.swap_remove(best);
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Worth;
    use super::*;

    /// Values of three open actions, with a resolved one between them.
    fn actions() -> Vec<ActionEntry> {
        let entry =
            |(value, resolved)| ActionEntry { code: 0, visits: 0, worth: Worth { resolved, ..Worth::estimate(value) } };
        [(0.2, false), (1.0, true), (0.8, false), (-0.4, false)].map(entry).to_vec()
    }

    fn frequencies(select: Select) -> [f64; 4] {
        let (mut rng, mut open, mut counts) = (Rng::from_seed(1), Vec::new(), [0.0; 4]);
        for _ in 0..100_000 {
            counts[select.of(&actions(), &mut open, &mut rng)] += 1.0 / 100_000.0;
        }
        counts
    }

    #[test]
    fn frequencies_follow_the_formulas() {
        for (select, expected) in [
            (Select::Best, [0.0, 0.0, 1.0, 0.0]),
            (Select::Greedy(0.3), [0.1, 0.0, 0.8, 0.1]),
            // exp(0.2 / 0.5), exp(0.8 / 0.5), exp(-0.4 / 0.5) over their sum 1.4918 + 4.9530 + 0.4493.
            (Select::Softmax(0.5), [0.21637, 0.0, 0.71846, 0.06517]),
            (Select::Softmax(1e-3), [0.0, 0.0, 1.0, 0.0]),
            // 0.4 + 0.6 / 3 = 0.6 for the best, (0.4 + 0.6 / 2) * 0.4 for the next, the rest.
            (Select::Ordinal(0.6), [0.28, 0.0, 0.6, 0.12]),
            (Select::Ordinal(1.0), [1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0 / 3.0]),
            (Select::Ordinal(0.0), [0.0, 0.0, 1.0, 0.0]),
        ] {
            for (found, expected) in frequencies(select).into_iter().zip(expected) {
                assert!((found - expected).abs() < 0.006, "{select:?}: {found} for {expected}");
            }
        }
    }

    #[test]
    fn among_equals_the_less_visited_is_followed() {
        let mut actions = actions();
        for (action, visits) in actions.iter_mut().zip([5, 0, 4, 6]) {
            (action.worth.value, action.visits) = (0.5, visits);
        }
        for select in [Select::Best, Select::Greedy(0.0), Select::Ordinal(0.0)] {
            assert_eq!(select.of(&actions, &mut Vec::new(), &mut Rng::from_seed(1)), 2);
        }
    }
}

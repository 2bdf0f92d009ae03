//! A root that needs few visits: policy improvement by planning with Gumbel (Danihelka, Guez,
//! Schrittwieser and Silver 2022).
//!
//! Some actions are drawn without replacement in proportion to their priors. In each round they get
//! equally many visits, and the better half stays. What the policy learns from is not the visits but
//! the priors, changed by the values of actions; those never visited count as the position itself.

use meeple_core::Rng;

use crate::root_rule::RootAction;

/// | field | meaning | source of the default |
/// |---|---|---|
/// | `considered` | actions that are drawn at most (m) | 16, as in the paper |
/// | `noise` | 1 draws them at random, 0 takes those with the highest priors | 1 in self-play |
/// | `visits`, `scale` | values of actions are multiplied by (visits + most visits of an action) scale before they are added to the logarithms of priors | 50 and 1, as in the paper for Go and chess |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gumbel {
    pub considered: usize,
    pub noise: f64,
    pub visits: f64,
    pub scale: f64,
}

impl Default for Gumbel {
    fn default() -> Gumbel {
        Gumbel { considered: 16, noise: 1.0, visits: 50.0, scale: 1.0 }
    }
}

/// Sequential halving among the actions of a root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Halving {
    settings: Gumbel,
    /// By place, as all lists here.
    noise: Vec<f64>,
    /// Visits that were given out in this search.
    given: Vec<u32>,
    iterations: u64,
    /// Actions that are still looked at, and how many times each gets a visit before the worse half goes.
    considered: usize,
    passes: u64,
    /// Of this pass: those who wait for their visit, and how many visits they have.
    waiting: usize,
    level: u32,
}

impl Halving {
    pub(crate) fn new(settings: Gumbel) -> Halving {
        Halving { settings, ..Halving::default() }
    }

    /// Starts a search with so many actions and iterations.
    pub(crate) fn begin(&mut self, actions: usize, iterations: u64, rng: &mut Rng) {
        let Gumbel { considered, noise, .. } = self.settings;
        self.noise.clear();
        self.noise.extend((0..actions).map(|_| noise * gumbel(rng)));
        self.given.clear();
        self.given.resize(actions, 0);
        (self.iterations, self.level) = (iterations, 0);
        self.considered = considered.min(actions).max(1);
        self.waiting = self.considered;
        self.passes = self.passes_of_round();
    }

    fn passes_of_round(&self) -> u64 {
        let all = self.settings.considered.min(self.given.len()).max(2);
        let rounds = u64::from(usize::BITS - (all - 1).leading_zeros());
        (self.iterations / (rounds * self.considered as u64)).max(1)
    }

    /// Which visit of the actions that are looked at comes next, from 0: all of them get their first, then all their
    /// second, and so on.
    pub(crate) fn pass(&self) -> u64 {
        u64::from(self.level) + u64::from(self.waiting == 0)
    }

    /// The place of the action that is visited next. `own` is what the position was worth to the
    /// player to move before the search, on the scale of 0 to 1, as are all means.
    pub(crate) fn next(&mut self, actions: &[RootAction], own: Option<f64>) -> usize {
        if self.waiting == 0 {
            self.level += 1;
            self.passes -= 1;
            if self.passes == 0 {
                self.considered = (self.considered / 2).max(self.considered.min(2));
                self.passes = self.passes_of_round();
            }
            self.waiting = self.considered;
        }
        self.waiting -= 1;
        let place = self.best(actions, own, |given| given == self.level);
        self.given[place] += 1;
        place
    }

    /// The place of the action to take: the best of those that were looked at longest.
    pub(crate) fn choose(&self, actions: &[RootAction], own: Option<f64>) -> usize {
        let most = self.given.iter().copied().max().unwrap_or(0);
        self.best(actions, own, |given| given == most)
    }

    fn best(&self, actions: &[RootAction], own: Option<f64>, among: impl Fn(u32) -> bool) -> usize {
        let mut best = (f64::NEG_INFINITY, 0);
        for (place, score) in self.scores(actions, own).enumerate() {
            let score = self.noise[place] + score;
            if among(self.given[place]) && score > best.0 {
                best = (score, place);
            }
        }
        best.1
    }

    /// The policy that the search proposes.
    pub(crate) fn policy(&self, actions: &[RootAction], own: Option<f64>) -> Vec<f64> {
        let mut policy: Vec<f64> = self.scores(actions, own).collect();
        crate::informed::softmax(&mut policy, 1.0);
        policy
    }

    /// The logarithm of the prior and what its value adds to it, for each action.
    fn scores(&self, actions: &[RootAction], own: Option<f64>) -> impl Iterator<Item = f64> {
        let unknown = value_of_unvisited(actions, own);
        let most = actions.iter().map(|action| action.visits).fold(0.0, f64::max);
        let weight = (self.settings.visits + most) * self.settings.scale;
        actions.iter().map(move |action| {
            let value = if action.visits > 0.0 { action.mean } else { unknown };
            libm::log(action.prior.max(1e-9)) + weight * value
        })
    }
}

/// What an action without visits is taken to be worth: the value of the position, mixed with the means of
/// those with visits by their priors (appendix D of the paper).
fn value_of_unvisited(actions: &[RootAction], own: Option<f64>) -> f64 {
    let visited = || actions.iter().filter(|action| action.visits > 0.0);
    let priors: f64 = visited().map(|action| action.prior).sum();
    if priors == 0.0 {
        return own.unwrap_or(0.5);
    }
    let mean = visited().map(|action| action.prior * action.mean).sum::<f64>() / priors;
    let visits: f64 = visited().map(|action| action.visits).sum();
    own.map_or(mean, |own| (own + visits * mean) / (1.0 + visits))
}

/// A sample of the standard Gumbel distribution.
fn gumbel(rng: &mut Rng) -> f64 {
    -libm::log(-libm::log((rng.unit() + f64::EPSILON).min(1.0 - f64::EPSILON)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Visits that each action gets, if the first ones are the best.
    fn visits(considered: usize, actions: usize, iterations: u64) -> Vec<f64> {
        let settings = Gumbel { considered, noise: 0.0, ..Gumbel::default() };
        let mut halving = Halving::new(settings);
        halving.begin(actions, iterations, &mut Rng::from_seed(1));
        let action = |place: usize| RootAction {
            prior: 1.0 / actions as f64,
            visits: 0.0,
            mean: 1.0 - place as f64 / actions as f64,
        };
        let mut known: Vec<RootAction> = (0..actions).map(action).collect();
        for _ in 0..iterations {
            let place = halving.next(&known, Some(0.5));
            known[place].visits += 1.0;
        }
        assert_eq!(halving.choose(&known, Some(0.5)), 0);
        known.iter().map(|action| action.visits).collect()
    }

    #[test]
    fn the_better_half_stays_in_every_round() {
        assert_eq!(visits(4, 4, 16), [6.0, 6.0, 2.0, 2.0]);
        assert_eq!(visits(8, 8, 48), [14.0, 14.0, 6.0, 6.0, 2.0, 2.0, 2.0, 2.0]);
        assert_eq!(visits(2, 5, 8), [4.0, 4.0, 0.0, 0.0, 0.0]);
        assert_eq!(visits(16, 3, 2), [1.0, 1.0, 0.0]);
        for (considered, actions, iterations) in [(16, 7, 50), (16, 40, 200), (3, 9, 17), (1, 4, 5)] {
            assert_eq!(visits(considered, actions, iterations).iter().sum::<f64>(), iterations as f64);
        }
    }

    #[test]
    fn actions_are_drawn_in_proportion_to_their_priors() {
        let priors = [0.6, 0.3, 0.1];
        let known = priors.map(|prior| RootAction { prior, ..RootAction::default() });
        let mut halving = Halving::new(Gumbel::default());
        let mut rng = Rng::from_seed(1);
        let mut first = [0.0; 3];
        for _ in 0..20_000 {
            halving.begin(3, 4, &mut rng);
            first[halving.next(&known, None)] += 1.0 / 20_000.0;
        }
        assert!(first.iter().zip(priors).all(|(share, prior)| (share - prior).abs() < 0.015), "{first:?}");
    }

    #[test]
    fn the_policy_moves_towards_what_was_better_than_expected() {
        let halving = Halving::new(Gumbel { visits: 10.0, scale: 0.5, ..Gumbel::default() });
        let action = |prior, visits, mean| RootAction { prior, visits, mean };
        let actions = [action(0.5, 2.0, 0.4), action(0.25, 2.0, 0.8), action(0.25, 0.0, 0.0)];
        // The third counts as (0.5 + 4 * (0.5 * 0.4 + 0.25 * 0.8) / 0.75) / 5 = 0.526667; values are multiplied by 6.
        let policy = halving.policy(&actions, Some(0.5));
        let weights = [0.5 * 2.4f64.exp(), 0.25 * 4.8f64.exp(), 0.25 * 3.16f64.exp()];
        let sum: f64 = weights.iter().sum();
        assert!(policy.iter().zip(weights).all(|(share, weight)| (share - weight / sum).abs() < 1e-9), "{policy:?}");
        // Without a search nothing changes.
        let nothing = [action(0.7, 0.0, 0.0), action(0.3, 0.0, 0.0)];
        assert!((halving.policy(&nothing, Some(0.9))[0] - 0.7).abs() < 1e-9);
    }
}

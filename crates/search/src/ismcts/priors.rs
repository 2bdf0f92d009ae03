//! How likely each action is to be the best before it is tried.

use meeple_core::Rng;

use super::selection::Candidate;
use super::settings::Puct;
use crate::noise::dirichlet;

/// The priors of all edges for which there are any, and the noise at the root.
#[derive(Debug, Default)]
pub(super) struct Priors {
    /// By edge. Empty if priors are uniform.
    by_edge: Vec<f32>,
    /// By edge: in how many evaluations the action was legal, and the last of them.
    evaluations: Vec<(u32, u32)>,
    /// The number of the one that is being added.
    evaluation: u32,
    /// By place at the root; empty if there is none.
    noise: Vec<f64>,
    /// Of the candidates at hand, scratch space.
    current: Vec<f64>,
}

impl Priors {
    pub(super) fn clear(&mut self) {
        self.by_edge.clear();
        self.evaluations.clear();
        self.evaluation = 0;
    }

    /// What is added from now on comes from another evaluation.
    pub(super) fn new_evaluation(&mut self) {
        self.evaluation += 1;
    }

    /// Draws the noise for the actions at the root.
    pub(super) fn new_search(&mut self, actions: usize, settings: &Puct, rng: &mut Rng) {
        self.noise.clear();
        if settings.noise > 0.0 {
            self.noise.resize(actions, 0.0);
            dirichlet(settings.alpha, &mut self.noise, rng);
        }
    }

    /// Adds to the prior of an edge, for the actions of a group add up; the prior is the mean over all evaluations
    /// in which the action was legal.
    pub(super) fn add(&mut self, edge: u32, prior: f32) {
        let edge = edge as usize;
        if self.by_edge.len() <= edge {
            self.by_edge.resize(edge + 1, 0.0);
            self.evaluations.resize(edge + 1, (0, 0));
        }
        let (count, last) = &mut self.evaluations[edge];
        if *last != self.evaluation {
            self.by_edge[edge] *= *count as f32 / (*count + 1) as f32;
            (*count, *last) = (*count + 1, self.evaluation);
        }
        self.by_edge[edge] += prior / *count as f32;
    }

    /// The priors of all candidates at a node, 1 in sum; nothing if they are uniform.
    pub(super) fn of(&mut self, candidates: &[Candidate], at_root: bool, settings: &Puct) -> &[f64] {
        self.current.clear();
        let noisy = at_root && !self.noise.is_empty();
        if self.by_edge.is_empty() && !noisy {
            return &[];
        }
        let Priors { by_edge, evaluations, noise, current, .. } = self;
        share(by_edge, evaluations, candidates, settings, current);
        if noisy {
            for (prior, &(_, place)) in current.iter_mut().zip(candidates) {
                *prior = (1.0 - settings.noise) * *prior + settings.noise * noise[place as usize];
            }
        }
        current
    }

    /// The same as they were before noise was mixed in.
    pub(super) fn without_noise(&self, candidates: &[Candidate], settings: &Puct) -> Vec<f64> {
        let mut priors = Vec::new();
        if !self.by_edge.is_empty() {
            share(&self.by_edge, &self.evaluations, candidates, settings, &mut priors);
        }
        priors
    }
}

/// Appends the shares of the candidates. One that was legal in no evaluation counts as the mean of the others.
#[inline]
fn share(by_edge: &[f32], evaluations: &[(u32, u32)], candidates: &[Candidate], settings: &Puct, out: &mut Vec<f64>) {
    let is_known = |edge: u32| evaluations.get(edge as usize).is_some_and(|&(count, _)| count > 0);
    let prior = |edge: u32| if is_known(edge) { f64::from(by_edge[edge as usize]) } else { 0.0 };
    out.extend(candidates.iter().map(|&(edge, _)| prior(edge)));
    let known = candidates.iter().filter(|&&(edge, _)| is_known(edge)).count();
    if known < candidates.len() {
        let mean = out.iter().sum::<f64>() / known.max(1) as f64;
        let unknown = candidates.iter().zip(&mut *out).filter(|((edge, _), _)| !is_known(*edge));
        unknown.for_each(|(_, prior)| *prior = mean);
    }
    if settings.prior_temperature != 1.0 {
        out.iter_mut().for_each(|prior| *prior = libm::pow(*prior, 1.0 / settings.prior_temperature));
    }
    let sum: f64 = out.iter().sum();
    let uniform = 1.0 / candidates.len() as f64;
    out.iter_mut().for_each(|prior| *prior = if sum > 0.0 { *prior / sum } else { uniform });
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANDIDATES: [Candidate; 3] = [(1, 0), (2, 1), (4, 2)];

    fn settings(prior_temperature: f64, noise: f64) -> Puct {
        Puct { first_play: 0.0, prior_temperature, noise, alpha: 0.4 }
    }

    fn assert_close(priors: &[f64], expected: &[f64]) {
        assert_eq!(priors.len(), expected.len());
        assert!(priors.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{priors:?}, not {expected:?}");
    }

    #[test]
    fn priors_are_shares_of_what_is_available() {
        let mut priors = Priors::default();
        assert_close(priors.of(&CANDIDATES, true, &settings(1.0, 0.0)), &[]);
        priors.new_evaluation();
        for (edge, prior) in [(1, 0.1), (2, 0.1), (2, 0.2), (3, 0.6)] {
            priors.add(edge, prior);
        }
        let known = &CANDIDATES[..2];
        assert_close(priors.of(known, true, &settings(1.0, 0.0)), &[0.25, 0.75]);
        assert_close(priors.of(known, true, &settings(0.5, 0.0)), &[0.1, 0.9]);
        // Nothing was said about the third.
        assert_close(priors.of(&CANDIDATES, true, &settings(1.0, 0.0)), &[0.1 / 0.6, 0.3 / 0.6, 0.2 / 0.6]);
        assert_close(priors.of(&CANDIDATES[2..], false, &settings(1.0, 0.0)), &[1.0]);
    }

    /// Action 1 is legal in both worlds and action 2 only in one: each has the mean of what it was given.
    #[test]
    fn several_worlds_are_averaged() {
        let mut priors = Priors::default();
        for world in [&[(1, 0.2), (4, 0.8)][..], &[(1, 0.4), (2, 0.2), (2, 0.4)]] {
            priors.new_evaluation();
            world.iter().for_each(|&(edge, prior)| priors.add(edge, prior));
        }
        assert_close(priors.of(&CANDIDATES, false, &settings(1.0, 0.0)), &[0.3 / 1.7, 0.6 / 1.7, 0.8 / 1.7]);
    }

    #[test]
    fn noise_has_its_share_at_the_root() {
        let mut priors = Priors::default();
        let settings = settings(1.0, 0.25);
        priors.new_search(3, &settings, &mut Rng::from_seed(1));
        assert_close(priors.of(&CANDIDATES, false, &settings), &[]);
        let noisy = priors.of(&CANDIDATES, true, &settings);
        assert!((noisy.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{noisy:?}");
        assert!(noisy.iter().all(|&prior| (0.25 - 1e-9..=0.5 + 1e-9).contains(&prior)), "{noisy:?}");
        assert!(noisy.iter().any(|&prior| (prior - 1.0 / 3.0).abs() > 0.01), "{noisy:?}");
        assert_close(&priors.without_noise(&CANDIDATES, &settings), &[]);
        priors.new_evaluation();
        priors.add(1, 0.5);
        assert_close(&priors.without_noise(&CANDIDATES, &settings), &[1.0 / 3.0; 3]);
    }
}

//! Which of the available actions a descent takes.

use meeple_core::Rng;

use super::settings::Puct;
use super::table::{Edge, NOWHERE, Table};
use crate::logarithm::ln;
use crate::noise::dirichlet;

/// An available action: its edge, and its place in the list of legal actions.
pub(super) type Candidate = (u32, u32);

/// The candidate with the highest upper confidence bound; the first of equals.
pub(super) fn ucb1(table: &Table, candidates: &[Candidate], exploration: f64) -> Candidate {
    let mut best = (f64::NEG_INFINITY, candidates[0]);
    for &candidate in candidates {
        let edge = table.edge(candidate.0);
        let visits = f64::from(edge.visits);
        let bound = (ln(edge.available) / visits).sqrt();
        let score = edge.reward / visits + exploration * bound;
        if score > best.0 {
            best = (score, candidate);
        }
    }
    best.1
}

/// The candidate with the highest mean + C P sqrt(N_a) / (1 + N), any of equals. Priors are by
/// place; without a list they are uniform.
pub(super) fn puct(
    table: &Table,
    candidates: &[Candidate],
    priors: &[f64],
    exploration: f64,
    settings: &Puct,
    rng: &mut Rng,
) -> Candidate {
    let uniform = 1.0 / candidates.len() as f64;
    let mut best = (f64::NEG_INFINITY, candidates[0]);
    let mut equals = 0;
    for &candidate in candidates {
        let (number, place) = candidate;
        let unknown = Edge { available: 1, ..Edge::default() };
        let edge = if number == NOWHERE { &unknown } else { table.edge(number) };
        let prior = priors.get(place as usize).copied().unwrap_or(uniform);
        let visits = f64::from(edge.visits);
        let mean = if edge.visits == 0 { settings.first_play } else { edge.reward / visits };
        let score = mean + exploration * prior * f64::from(edge.available).sqrt() / (1.0 + visits);
        if score > best.0 {
            best = (score, candidate);
            equals = 1;
        } else if score == best.0 {
            equals += 1;
            if rng.below(equals) == 0 {
                best.1 = candidate;
            }
        }
    }
    best.1
}

/// Uniform priors with a share of Dirichlet noise (thesis 000, section 3.2).
pub(super) fn noisy_priors(priors: &mut Vec<f64>, count: usize, settings: &Puct, rng: &mut Rng) {
    priors.clear();
    priors.resize(count, 0.0);
    dirichlet(settings.alpha, priors, rng);
    let uniform = 1.0 / count as f64;
    for prior in priors {
        *prior = (1.0 - settings.noise) * uniform + settings.noise * *prior;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noisy_priors_add_up_and_keep_their_share() {
        for alpha in [1e-6, 0.4, 10.0] {
            let mut priors = Vec::new();
            let settings = Puct { first_play: 0.0, noise: 0.25, alpha };
            noisy_priors(&mut priors, 5, &settings, &mut Rng::from_seed(1));
            assert!((priors.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{alpha}: {priors:?}");
            assert!(priors.iter().all(|&prior| (0.15 - 1e-9..=0.40 + 1e-9).contains(&prior)), "{alpha}: {priors:?}");
        }
    }
}

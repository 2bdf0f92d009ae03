//! Which of the available actions a descent takes.

use meeple_core::Rng;

use crate::edges::{Edge, Edges, NOWHERE};
use crate::logarithm::ln;

/// An available action: its edge, and its place in the list of legal actions.
pub(super) type Candidate = (u32, u32);

/// The candidate with the highest upper confidence bound; the first of equals.
pub(super) fn ucb1(edges: &Edges, candidates: &[Candidate], exploration: f64) -> Candidate {
    let mut best = (f64::NEG_INFINITY, candidates[0]);
    for &candidate in candidates {
        let edge = edges.edge(candidate.0);
        let visits = f64::from(edge.visits);
        let bound = (ln(edge.available) / visits).sqrt();
        let score = edge.reward / visits + exploration * bound;
        if score > best.0 {
            best = (score, candidate);
        }
    }
    best.1
}

/// Prior, visits and the sum of rewards of each candidate.
pub(super) fn known(edges: &Edges, candidates: &[Candidate], priors: &[f64]) -> impl Iterator<Item = (f64, u32, f64)> {
    let uniform = 1.0 / candidates.len() as f64;
    candidates.iter().enumerate().map(move |(number, &(edge, _))| {
        let prior = priors.get(number).copied().unwrap_or(uniform);
        let Edge { visits, reward, .. } = if edge == NOWHERE { Edge::default() } else { *edges.edge(edge) };
        (prior, visits, reward)
    })
}

/// The candidate with the highest mean + C P sqrt(N_a) / (1 + N), any of equals. Priors go with the
/// candidates; an empty list is uniform.
pub(super) fn puct(
    edges: &Edges,
    candidates: &[Candidate],
    priors: &[f64],
    exploration: f64,
    first_play: f64,
    rng: &mut Rng,
) -> Candidate {
    let uniform = 1.0 / candidates.len() as f64;
    let unknown = Edge { available: 1, ..Edge::default() };
    let mut best = (f64::NEG_INFINITY, candidates[0]);
    let mut equals = 0;
    for (number, &candidate) in candidates.iter().enumerate() {
        let edge = if candidate.0 == NOWHERE { &unknown } else { edges.edge(candidate.0) };
        let prior = priors.get(number).copied().unwrap_or(uniform);
        let visits = f64::from(edge.visits);
        let mean = if edge.visits == 0 { first_play } else { edge.reward / visits };
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

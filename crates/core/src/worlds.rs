//! The states that a view allows: prepared once per decision, then sampled cheaply.

use crate::Rng;

/// A prepared sampler. Every world that the viewer cannot rule out is equally likely, identical
/// cards counted apart; preferences of the other players are not part of it.
pub trait Worlds: Send + Sync {
    type State;

    /// Overwrites `state` by a possible state. Does not allocate.
    fn sample_into(&self, state: &mut Self::State, rng: &mut Rng);

    /// How many equally likely worlds there are, identical cards counted apart: exact as long as a
    /// float can be. An upper bound where the sampler has to reject some.
    fn count(&self) -> f64;

    /// Every distinct world once, with its relative weight; `None` if there are more than `limit`.
    fn enumerate(&self, limit: usize) -> Option<Vec<(Self::State, u64)>>;
}

/// The worlds of a game with perfect information: one.
#[derive(Clone, Debug)]
pub struct Known<S>(pub S);

impl<S: Clone + Send + Sync> Worlds for Known<S> {
    type State = S;

    #[inline]
    fn sample_into(&self, state: &mut S, _rng: &mut Rng) {
        state.clone_from(&self.0);
    }

    fn count(&self) -> f64 {
        1.0
    }

    fn enumerate(&self, limit: usize) -> Option<Vec<(S, u64)>> {
        (limit >= 1).then(|| vec![(self.0.clone(), 1)])
    }
}

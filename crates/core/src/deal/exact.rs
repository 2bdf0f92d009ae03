//! The exact sampler.

use super::MAX_HOLDERS;
use crate::Rng;

/// All ways to deal a set of cards to holders that each take a given number of them, and only
/// cards that they may hold. Prepared once, then sampled: every way equally likely.
#[derive(Clone, Debug)]
pub struct Deal {
    ways: u128,
}

/// No way of dealing fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Impossible;

impl Deal {
    /// Holder p gets exactly `need[p]` of `cards`, all of them from `allowed[p]`. The needs add up
    /// to the number of cards; nothing to deal is a valid deal.
    pub fn prepare(cards: u64, need: &[u32], allowed: &[u64]) -> Result<Deal, Impossible> {
        let _ = (cards, need, allowed);
        Err(Impossible)
    }

    /// The number of ways.
    pub fn count(&self) -> u128 {
        self.ways
    }

    /// Overwrites `hands[p]` by the cards of holder p.
    pub fn sample(&self, hands: &mut [u64], rng: &mut Rng) {
        let _ = (hands, rng);
    }

    /// Every way once; `None` if there are more than `limit`.
    pub fn enumerate(&self, limit: usize) -> Option<Vec<[u64; MAX_HOLDERS]>> {
        let _ = limit;
        None
    }
}

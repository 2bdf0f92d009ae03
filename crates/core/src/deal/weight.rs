//! What the table of splits counts with: whole numbers for exact deals, floats for beliefs.

use std::fmt::Debug;
use std::ops::{Add, Mul};

use crate::Rng;
use crate::combinatorics::choose;

pub(super) trait Weight: Copy + Debug + PartialOrd + Add<Output = Self> + Mul<Output = Self> {
    /// How likely a card is with one holder rather than another; nothing where all are alike.
    type Odds: Copy + Debug;

    /// Whether the odds of all holders are the same.
    const ALIKE: bool;
    const ZERO: Self;
    const ONE: Self;

    /// The weight of giving `k` of `n` cards to a holder with these odds.
    fn choose(n: u32, k: u32, odds: Self::Odds) -> Self;

    /// Uniform in [0, total).
    fn below(total: Self, rng: &mut Rng) -> Self;
}

impl Weight for u64 {
    type Odds = ();
    const ALIKE: bool = true;
    const ZERO: u64 = 0;
    const ONE: u64 = 1;

    #[inline]
    fn choose(n: u32, k: u32, _: ()) -> u64 {
        choose(n, k)
    }

    #[inline]
    fn below(total: u64, rng: &mut Rng) -> u64 {
        rng.below_u64(total)
    }
}

impl Weight for u128 {
    type Odds = ();
    const ALIKE: bool = true;
    const ZERO: u128 = 0;
    const ONE: u128 = 1;

    #[inline]
    fn choose(n: u32, k: u32, _: ()) -> u128 {
        u128::from(choose(n, k))
    }

    #[inline]
    fn below(total: u128, rng: &mut Rng) -> u128 {
        rng.below_u128(total)
    }
}

impl Weight for f64 {
    type Odds = f64;
    const ALIKE: bool = false;
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    #[inline]
    fn choose(n: u32, k: u32, odds: f64) -> f64 {
        // Not powi, whose last digits differ between machines.
        (0..k).fold(choose(n, k) as f64, |product, _| product * odds)
    }

    #[inline]
    fn below(total: f64, rng: &mut Rng) -> f64 {
        total * rng.unit()
    }
}

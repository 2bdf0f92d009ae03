//! The one source of randomness: seeded, portable, passed in. Same seed, same numbers on every machine.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    pub fn from_seed(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The generator number `stream` of a seed: for game k of a match, worker k of a run.
    pub fn stream(seed: u64, stream: u64) -> Rng {
        Rng::from_seed(mix(seed ^ mix(stream.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in 0..n, without bias (Lemire 2019). `n` must not be 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0);
        let mut product = (self.next_u64() >> 32) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = (self.next_u64() >> 32) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// A sample of the standard normal distribution (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// As [`Rng::below`], for n beyond 32 bits.
    #[inline]
    pub fn below_u64(&mut self, n: u64) -> u64 {
        debug_assert!(n > 0);
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u64) < threshold {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// As [`Rng::below`], for n beyond 64 bits.
    #[inline]
    pub fn below_u128(&mut self, n: u128) -> u128 {
        debug_assert!(n > 0);
        if let Ok(small) = u64::try_from(n) {
            return u128::from(self.below_u64(small));
        }
        let mask = u128::MAX >> (n - 1).leading_zeros();
        loop {
            let candidate = (u128::from(self.next_u64()) << 64 | u128::from(self.next_u64())) & mask;
            if candidate < n {
                return candidate;
            }
        }
    }

    /// Uniform in [0, 1) with 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Every order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// A place, as likely as its weight; the last one with a weight where rounding leaves none. Weights are not
    /// negative.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        drawn.unwrap_or_else(|| weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0))
    }

    /// A uniformly random element of a slice that is not empty.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }
}

/// The finaliser of splitmix64: every input bit reaches every output bit. Also for hash keys.
#[inline]
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_drawn_by_their_weights() {
        let mut rng = Rng::from_seed(1);
        let mut drawn = [0; 4];
        (0..4000).for_each(|_| drawn[rng.weighted(&[1.0, 0.0, 3.0, 0.0])] += 1);
        assert!((900..1100).contains(&drawn[0]) && drawn[1] == 0 && drawn[3] == 0, "{drawn:?}");
        assert_eq!(rng.weighted(&[0.0, 0.0]), 0);
    }

    #[test]
    fn the_stream_is_the_published_one() {
        // Xoshiro256++ seeded by splitmix64 of 0, from the reference implementation.
        let mut rng = Rng::from_seed(0);
        assert_eq!(rng.next_u64(), 5987356902031041503);
        assert_eq!(rng.next_u64(), 7051070477665621255);
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::from_seed(1);
        for n in [1u32, 2, 3, 7, 52] {
            let mut counts = vec![0u64; n as usize];
            for _ in 0..10_000 * n {
                counts[rng.below(n) as usize] += 1;
            }
            let expected = vec![1.0 / f64::from(n); n as usize];
            assert!(crate::statistics::chi_square_p(&counts, &expected) > 1e-4, "{n}: {counts:?}");
        }
    }

    #[test]
    fn large_limits_are_uniform_too() {
        // Without rejection every second number below three quarters of 2^64 would be a multiple of 3.
        let mut rng = Rng::from_seed(2);
        let (mut narrow, mut wide) = ([0u64; 3], [0u64; 3]);
        let mut by_three = [0u64; 2];
        for _ in 0..30_000 {
            let number = rng.below_u64(3 << 62);
            narrow[(number >> 62) as usize] += 1;
            by_three[usize::from(number.is_multiple_of(3))] += 1;
            wide[(rng.below_u128(3 << 70) >> 70) as usize] += 1;
        }
        for counts in [narrow, wide] {
            assert!(crate::statistics::chi_square_p(&counts, &[1.0 / 3.0; 3]) > 1e-4, "{counts:?}");
        }
        assert!(crate::statistics::chi_square_p(&by_three, &[2.0 / 3.0, 1.0 / 3.0]) > 1e-4, "{by_three:?}");
    }

    #[test]
    fn streams_differ() {
        assert_ne!(Rng::stream(1, 0).next_u64(), Rng::stream(1, 1).next_u64());
        assert_ne!(Rng::stream(0, 1).next_u64(), Rng::stream(1, 0).next_u64());
    }
}

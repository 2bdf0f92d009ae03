//! Sets of the squares of a board: one machine word for up to 64 squares, `u128` and [`Wide`] for
//! larger boards.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use meeple_core::rng::mix;
use meeple_core::{Rng, Sites, bits};

/// What the rules need of a set of squares. Shifts are by 1..=63.
pub trait Squares:
    Copy
    + Debug
    + Default
    + Eq
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The largest board, in squares.
    const CAPACITY: usize;

    fn of(square: u32) -> Self;

    fn count(self) -> u32;

    /// The lowest square of a set that is not empty.
    fn lowest(self) -> u32;

    /// The highest square of a set that is not empty.
    fn highest(self) -> u32;

    /// A uniformly random square of three sets taken together: the number of the set, the square.
    fn random_of(sets: [Self; 3], rng: &mut Rng) -> (usize, u32);

    fn each(self, visit: impl FnMut(u32));

    /// The same squares for those who know no type of board.
    fn sites(self) -> Sites;

    /// Different sets have different keys as far as 64 bits allow.
    fn key(self) -> u64;

    fn is_empty(self) -> bool {
        self == Self::default()
    }

    fn contains(self, square: u32) -> bool {
        !(self & Self::of(square)).is_empty()
    }
}

impl Squares for u64 {
    const CAPACITY: usize = 64;

    #[inline]
    fn of(square: u32) -> u64 {
        1 << square
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }

    #[inline]
    fn highest(self) -> u32 {
        Self::BITS - 1 - self.leading_zeros()
    }

    #[inline]
    fn random_of(sets: [u64; 3], rng: &mut Rng) -> (usize, u32) {
        bits::random_bit_of(sets, rng)
    }

    #[inline]
    fn each(self, visit: impl FnMut(u32)) {
        bits::elements(self).for_each(visit);
    }

    #[inline]
    fn sites(self) -> Sites {
        self.into()
    }

    #[inline]
    fn key(self) -> u64 {
        self
    }
}

impl Squares for u128 {
    const CAPACITY: usize = 128;

    #[inline]
    fn of(square: u32) -> u128 {
        1 << square
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }

    #[inline]
    fn highest(self) -> u32 {
        Self::BITS - 1 - self.leading_zeros()
    }

    #[inline]
    fn random_of(sets: [u128; 3], rng: &mut Rng) -> (usize, u32) {
        let [a, b, c] = sets.map(halves);
        let (half, square) = bits::random_bit_of([a[0], a[1], b[0], b[1], c[0], c[1]], rng);
        (half / 2, half as u32 % 2 * 64 + square)
    }

    #[inline]
    fn each(self, mut visit: impl FnMut(u32)) {
        let [low, high] = halves(self);
        low.each(&mut visit);
        high.each(|square| visit(64 + square));
    }

    #[inline]
    fn sites(self) -> Sites {
        let [low, high] = halves(self);
        Sites([low, high, 0, 0])
    }

    #[inline]
    fn key(self) -> u64 {
        let [low, high] = halves(self);
        mix(low).wrapping_add(high)
    }
}

/// The lower first.
#[inline]
fn halves(set: u128) -> [u64; 2] {
    [set as u64, (set >> 64) as u64]
}

/// A set of up to 192 squares, the lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wide([u64; 3]);

impl Squares for Wide {
    const CAPACITY: usize = 192;

    #[inline]
    fn of(square: u32) -> Wide {
        let mut words = [0; 3];
        words[(square / 64) as usize] = 1 << (square % 64);
        Wide(words)
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn lowest(self) -> u32 {
        match self.0 {
            [0, 0, high] => 128 + high.trailing_zeros(),
            [0, middle, _] => 64 + middle.trailing_zeros(),
            [low, ..] => low.trailing_zeros(),
        }
    }

    #[inline]
    fn highest(self) -> u32 {
        match self.0 {
            [low, 0, 0] => low.highest(),
            [_, middle, 0] => 64 + middle.highest(),
            [.., high] => 128 + high.highest(),
        }
    }

    #[inline]
    fn random_of(sets: [Wide; 3], rng: &mut Rng) -> (usize, u32) {
        let [a, b, c] = sets.map(|set| set.0);
        let (word, square) = bits::random_bit_of([a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]], rng);
        (word / 3, word as u32 % 3 * 64 + square)
    }

    #[inline]
    fn each(self, mut visit: impl FnMut(u32)) {
        for (word, first) in self.0.into_iter().zip([0, 64, 128]) {
            word.each(|square| visit(first + square));
        }
    }

    #[inline]
    fn sites(self) -> Sites {
        let [low, middle, high] = self.0;
        Sites([low, middle, high, 0])
    }

    #[inline]
    fn key(self) -> u64 {
        mix(mix(self.0[0]).wrapping_add(self.0[1])).wrapping_add(self.0[2])
    }
}

impl BitAnd for Wide {
    type Output = Wide;

    #[inline]
    fn bitand(self, other: Wide) -> Wide {
        Wide([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }
}

impl BitOr for Wide {
    type Output = Wide;

    #[inline]
    fn bitor(self, other: Wide) -> Wide {
        Wide([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
    }
}

impl BitXor for Wide {
    type Output = Wide;

    #[inline]
    fn bitxor(self, other: Wide) -> Wide {
        Wide([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1], self.0[2] ^ other.0[2]])
    }
}

impl Not for Wide {
    type Output = Wide;

    #[inline]
    fn not(self) -> Wide {
        Wide(self.0.map(|word| !word))
    }
}

impl Shl<u32> for Wide {
    type Output = Wide;

    #[inline]
    fn shl(self, n: u32) -> Wide {
        let [low, middle, high] = self.0;
        Wide([low << n, middle << n | low >> (64 - n), high << n | middle >> (64 - n)])
    }
}

impl Shr<u32> for Wide {
    type Output = Wide;

    #[inline]
    fn shr(self, n: u32) -> Wide {
        let [low, middle, high] = self.0;
        Wide([low >> n | middle << (64 - n), middle >> n | high << (64 - n), high >> n])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<S: Squares>() {
        let last = S::CAPACITY as u32 - 1;
        for square in 0..=last {
            let set = S::of(square);
            for by in [1, 13, 28, 63].into_iter().filter(|by| square + by <= last) {
                assert_eq!(set << by, S::of(square + by));
                assert_eq!(S::of(square + by) >> by, set);
            }
            assert_eq!((set | S::of(last)).lowest(), square);
            assert_eq!((set | S::of(0)).count(), 1 + u32::from(square > 0));
            assert_eq!((!set & S::of(last)).is_empty(), square == last);
            let mut squares = Vec::new();
            (set ^ S::of(last)).each(|square| squares.push(square));
            assert!(set.sites().iter().eq([square as usize]));
            assert_eq!(squares, if square == last { vec![] } else { vec![square, last] });
            assert_eq!(S::random_of([S::default(), set, S::default()], &mut Rng::from_seed(1)), (1, square));
        }
        assert!((S::of(last) << 1).is_empty() && (S::of(0) >> 1).is_empty());
        let keys: std::collections::HashSet<u64> = (0..=last).map(|square| S::of(square).key()).collect();
        assert_eq!(keys.len(), S::CAPACITY);
    }

    #[test]
    fn sets_of_all_sizes_work_alike() {
        check::<u64>();
        check::<u128>();
        check::<Wide>();
    }
}

//! Sets of squares: one machine word for boards of up to 64 squares, three for larger ones.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use meeple_core::rng::mix;
use meeple_core::{Rng, bits};

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

    /// A uniformly random square of three sets taken together: the number of the set, the square.
    fn random_of(sets: [Self; 3], rng: &mut Rng) -> (usize, u32);

    fn each(self, visit: impl FnMut(u32));

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
    fn random_of(sets: [u64; 3], rng: &mut Rng) -> (usize, u32) {
        bits::random_bit_of(sets, rng)
    }

    #[inline]
    fn each(self, visit: impl FnMut(u32)) {
        bits::elements(self).for_each(visit);
    }

    #[inline]
    fn key(self) -> u64 {
        self
    }
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
    fn random_of(sets: [Wide; 3], rng: &mut Rng) -> (usize, u32) {
        let [a, b, c] = sets.map(|set| set.0);
        let (word, square) = bits::random_bit_of([a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]], rng);
        (word / 3, word as u32 % 3 * 64 + square)
    }

    #[inline]
    fn each(self, mut visit: impl FnMut(u32)) {
        for (word, first) in self.0.into_iter().zip([0, 64, 128]) {
            bits::elements(word).for_each(|square| visit(first + square));
        }
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

//! The sets of cells that a board needs: one machine word where it fits, a wider one beyond.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use meeple_core::rng::mix;

/// A set of cells as bits. Shifts are by 1 to 63.
pub trait Word:
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
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const BITS: u32;

    fn bit(position: u32) -> Self;

    /// The position of the lowest bit of a set that is not empty.
    fn lowest(self) -> u32;

    fn count(self) -> u32;

    /// For hash keys: different sets hardly ever have the same.
    fn key(self) -> u64;

    fn is_empty(self) -> bool {
        self == Self::default()
    }

    fn contains(self, position: u32) -> bool {
        !(self & Self::bit(position)).is_empty()
    }
}

impl Word for u64 {
    const BITS: u32 = 64;

    #[inline]
    fn bit(position: u32) -> u64 {
        1 << position
    }

    #[inline]
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }

    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn key(self) -> u64 {
        mix(self)
    }
}

impl Word for u128 {
    const BITS: u32 = 128;

    #[inline]
    fn bit(position: u32) -> u128 {
        1 << position
    }

    #[inline]
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }

    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn key(self) -> u64 {
        mix(mix(self as u64) ^ (self >> 64) as u64)
    }
}

/// 256 bits; 12 rows and columns need 156.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wide {
    low: u128,
    high: u128,
}

impl Word for Wide {
    const BITS: u32 = 256;

    #[inline]
    fn bit(position: u32) -> Wide {
        if position < 128 { Wide { low: 1 << position, high: 0 } } else { Wide { low: 0, high: 1 << (position - 128) } }
    }

    #[inline]
    fn lowest(self) -> u32 {
        if self.low != 0 { self.low.trailing_zeros() } else { 128 + self.high.trailing_zeros() }
    }

    fn count(self) -> u32 {
        self.low.count_ones() + self.high.count_ones()
    }

    #[inline]
    fn key(self) -> u64 {
        mix(self.low.key() ^ self.high.key().rotate_left(32))
    }
}

impl BitAnd for Wide {
    type Output = Wide;

    #[inline]
    fn bitand(self, other: Wide) -> Wide {
        Wide { low: self.low & other.low, high: self.high & other.high }
    }
}

impl BitOr for Wide {
    type Output = Wide;

    #[inline]
    fn bitor(self, other: Wide) -> Wide {
        Wide { low: self.low | other.low, high: self.high | other.high }
    }
}

impl Not for Wide {
    type Output = Wide;

    #[inline]
    fn not(self) -> Wide {
        Wide { low: !self.low, high: !self.high }
    }
}

impl Shl<u32> for Wide {
    type Output = Wide;

    #[inline]
    fn shl(self, by: u32) -> Wide {
        Wide { low: self.low << by, high: self.high << by | self.low >> (128 - by) }
    }
}

impl Shr<u32> for Wide {
    type Output = Wide;

    #[inline]
    fn shr(self, by: u32) -> Wide {
        Wide { low: self.low >> by | self.high << (128 - by), high: self.high >> by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_word_shifts_across_its_halves() {
        for position in 0..190 {
            for by in [1, 13, 28, 63] {
                assert_eq!(Wide::bit(position) << by, Wide::bit(position + by));
                assert_eq!(Wide::bit(position + by) >> by, Wide::bit(position));
            }
            assert_eq!(Wide::bit(position).lowest(), position);
            assert_eq!((Wide::bit(position) | Wide::bit(255)).count(), 2);
            assert_eq!(!!Wide::bit(position), Wide::bit(position));
        }
    }
}

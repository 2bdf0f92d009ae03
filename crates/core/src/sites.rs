//! Sets of the sites of a board, whatever its shape: up to 256 sites, numbered as the game likes.

use crate::bits::elements;

/// Site n is bit `n % 64` of word `n / 64`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sites(pub [u64; 4]);

impl Sites {
    pub const CAPACITY: usize = 256;

    #[inline]
    pub fn contains(self, site: usize) -> bool {
        self.0[site / 64] >> (site % 64) & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, site: usize) {
        self.0[site / 64] |= 1 << (site % 64);
    }

    /// Most boards need one word: the others are not counted when they are empty.
    #[inline]
    pub fn count(self) -> u32 {
        let [first, rest @ ..] = self.0;
        let rest = if rest == [0; 3] { 0 } else { rest.iter().map(|word| word.count_ones()).sum() };
        first.count_ones() + rest
    }

    pub fn is_empty(self) -> bool {
        self == Sites::default()
    }

    #[inline]
    pub fn union(self, other: Sites) -> Sites {
        self.zip(other, |a, b| a | b)
    }

    #[inline]
    pub fn intersection(self, other: Sites) -> Sites {
        self.zip(other, |a, b| a & b)
    }

    /// From the lowest number to the highest.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..4).flat_map(move |word| elements(self.0[word]).map(move |bit| word * 64 + bit as usize))
    }

    #[inline]
    fn zip(self, other: Sites, combine: impl Fn(u64, u64) -> u64) -> Sites {
        Sites(std::array::from_fn(|word| combine(self.0[word], other.0[word])))
    }
}

impl From<u64> for Sites {
    #[inline]
    fn from(word: u64) -> Sites {
        Sites([word, 0, 0, 0])
    }
}

impl FromIterator<usize> for Sites {
    fn from_iter<I: IntoIterator<Item = usize>>(sites: I) -> Sites {
        let mut set = Sites::default();
        sites.into_iter().for_each(|site| set.insert(site));
        set
    }
}

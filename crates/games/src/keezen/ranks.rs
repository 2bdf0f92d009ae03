//! Multisets of cards whose suits do not matter: the number of each rank in four bits of a word.

use meeple_core::NotationError;
use meeple_core::bits::elements;

/// Ace to king, then one more kind that some variants have.
pub(super) const ACE: usize = 0;
pub(super) const FOUR: usize = 3;
pub(super) const SEVEN: usize = 6;
pub(super) const JACK: usize = 10;
pub(super) const KING: usize = 12;

/// The most ranks that any variant has.
pub(super) const MOST_RANKS: usize = 14;

/// The lowest of the four bits of each rank.
const LOWEST: u64 = 0x1111_1111_1111_1111;

/// How many cards of each rank, at most 15.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Cards(u64);

impl Cards {
    pub(super) const NONE: Cards = Cards(0);

    /// The word itself, for keys.
    #[inline]
    pub(super) fn word(self) -> u64 {
        self.0
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(super) fn count_of(self, rank: usize) -> u32 {
        (self.0 >> (4 * rank)) as u32 & 15
    }

    #[inline]
    pub(super) fn has(self, rank: usize) -> bool {
        self.count_of(rank) != 0
    }

    /// The number of cards.
    #[inline]
    pub(super) fn count(self) -> u32 {
        const BYTES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        let pairs = (self.0 & BYTES) + (self.0 >> 4 & BYTES);
        (pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
    }

    #[inline]
    pub(super) fn add(&mut self, rank: usize) {
        debug_assert!(self.count_of(rank) < 15);
        self.0 += 1 << (4 * rank);
    }

    #[inline]
    pub(super) fn remove(&mut self, rank: usize) {
        debug_assert!(self.has(rank));
        self.0 -= 1 << (4 * rank);
    }

    #[inline]
    pub(super) const fn with(self, rank: usize, count: u64) -> Cards {
        Cards(self.0 + (count << (4 * rank)))
    }

    /// All cards of both.
    #[inline]
    pub(super) fn plus(self, other: Cards) -> Cards {
        Cards(self.0 + other.0)
    }

    /// The cards without those of `other`, which are among them.
    #[inline]
    pub(super) fn minus(self, other: Cards) -> Cards {
        debug_assert!((0..16).all(|rank| self.count_of(rank) >= other.count_of(rank)));
        Cards(self.0 - other.0)
    }

    /// Each rank that is there, once, from the ace on.
    #[inline]
    pub(super) fn ranks(self) -> impl Iterator<Item = usize> {
        let present = (self.0 | self.0 >> 1 | self.0 >> 2 | self.0 >> 3) & LOWEST;
        elements(present).map(|bit| bit as usize / 4)
    }

    /// Each card, from the aces on.
    pub(super) fn each(self) -> impl Iterator<Item = usize> {
        self.ranks().flat_map(move |rank| std::iter::repeat_n(rank, self.count_of(rank) as usize))
    }

    /// The characters of the cards; `-` if there are none.
    pub(super) fn text(self, ranks: &str) -> String {
        if self.is_empty() {
            return "-".to_string();
        }
        self.each().map(|rank| char::from(ranks.as_bytes()[rank])).collect()
    }

    /// Reads what [`Cards::text`] writes, in any order.
    pub(super) fn parse(text: &str, ranks: &str) -> Result<Cards, NotationError> {
        let mut cards = Cards::NONE;
        if text == "-" {
            return Ok(cards);
        }
        for character in text.chars() {
            let Some(rank) = ranks.chars().position(|known| known == character) else {
                return Err(NotationError::new(format!("`{character}` is no card: the cards are {ranks}")));
            };
            if cards.count_of(rank) == 15 {
                return Err(NotationError::new(format!("there are too many cards `{character}`")));
            }
            cards.add(rank);
        }
        if cards.is_empty() {
            return Err(NotationError::new("a hand without cards is written `-`"));
        }
        Ok(cards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_adds_up() {
        let deck = (0..14).fold(Cards::NONE, |cards, rank| cards.with(rank, 8));
        assert_eq!(deck.count(), 112);
        assert_eq!(deck.each().count(), 112);
        let mut less = deck;
        less.remove(6);
        assert_eq!(deck.minus(less).text("A23456789TJQKX"), "7");
        assert_eq!(less.ranks().collect::<Vec<_>>(), (0..14).collect::<Vec<_>>());
    }
}

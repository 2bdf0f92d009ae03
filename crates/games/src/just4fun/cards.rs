//! Cards by value, multisets of them, hands and plays.

use meeple_core::bits::elements;

/// The highest value of a card.
pub const HIGHEST_CARD: u8 = 19;
/// The most cards that a hand holds.
pub const HAND: usize = 4;
/// The most cards in a deck: 1 to 12 four times, 13 to 19 once.
pub(super) const DECK: usize = 55;

/// A card in a hand that the viewer does not know.
const UNKNOWN: u8 = 31;
/// The age of a card that was drawn since the last reshuffle.
pub(super) const FRESH: u8 = 7;

/// The value of the card that each bit of a multiset stands for.
const VALUE_OF_BIT: [u8; 64] = {
    let mut values = [0; 64];
    let mut bit = 0;
    while bit < DECK {
        values[bit] = if bit < 48 { bit as u8 / 4 + 1 } else { bit as u8 - 35 };
        bit += 1;
    }
    values
};

const fn first_bit(value: u8) -> u32 {
    if value <= 12 { 4 * (value as u32 - 1) } else { 35 + value as u32 }
}

/// The most cards of a value.
pub(super) const fn copies(value: u8) -> u32 {
    if value <= 12 { 4 } else { 1 }
}

#[inline]
const fn bits_of(value: u8) -> u64 {
    if value <= 12 { 15 << first_bit(value) } else { 1 << first_bit(value) }
}

/// A multiset of cards in unary: as many low bits of a value are set as there are cards of it.
/// So a set bit drawn at random is a card drawn at random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Multiset(u64);

impl Multiset {
    /// All 55 cards.
    pub const FULL: Multiset = Multiset((1 << DECK) - 1);

    /// `None` if a value does not exist or has more cards than the full deck.
    pub fn from_values(values: &[u8]) -> Option<Multiset> {
        let mut set = Multiset::default();
        for &value in values {
            if !(1..=HIGHEST_CARD).contains(&value) || set.count(value) == copies(value) {
                return None;
            }
            set.add(value);
        }
        Some(set)
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards in ascending order.
    pub fn values(self) -> impl Iterator<Item = u8> {
        elements(self.0).map(|bit| VALUE_OF_BIT[bit as usize])
    }

    /// How many cards of this value there are.
    pub fn count(self, value: u8) -> u32 {
        (self.0 & bits_of(value)).count_ones()
    }

    /// One bit for each card, from the lowest value.
    pub(super) fn bits(self) -> u64 {
        self.0
    }

    pub(super) fn value_of_bit(bit: u32) -> u8 {
        VALUE_OF_BIT[bit as usize]
    }

    #[inline]
    pub(super) fn add(&mut self, value: u8) {
        self.0 |= ((self.0 & bits_of(value)) << 1 | 1 << first_bit(value)) & bits_of(value);
    }

    #[inline]
    pub(super) fn remove(&mut self, value: u8) {
        let cards = self.0 & bits_of(value);
        debug_assert!(cards != 0, "there is no {value} to take away");
        self.0 = self.0 & !bits_of(value) | (cards >> 1) & bits_of(value);
    }

    pub(super) fn add_all(&mut self, cards: impl IntoIterator<Item = u8>) {
        cards.into_iter().for_each(|value| self.add(value));
    }

    /// The cards that are left without these, or the value of which there are not enough.
    pub(super) fn without(mut self, cards: impl IntoIterator<Item = u8>) -> Result<Multiset, u8> {
        for value in cards {
            if self.count(value) == 0 {
                return Err(value);
            }
            self.remove(value);
        }
        Ok(self)
    }
}

/// Between one and four cards played together; or one card, or one field of a random board, that
/// chance brings. Ascending, zeros first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cards([u8; HAND]);

impl Cards {
    pub const fn one(value: u8) -> Cards {
        Cards([0, 0, 0, value])
    }

    /// At most four values, in any order.
    pub fn new(values: &[u8]) -> Cards {
        let mut cards = [0; HAND];
        cards[..values.len()].copy_from_slice(values);
        cards.sort_unstable();
        Cards(cards)
    }

    pub fn values(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().filter(|&value| value != 0)
    }

    pub fn sum(self) -> u8 {
        self.0.iter().sum()
    }

    /// The value of a single card.
    pub(super) fn single(self) -> u8 {
        self.0[HAND - 1]
    }

    pub(super) fn code(self) -> u32 {
        self.0.iter().fold(0, |code, &value| code << 6 | u32::from(value))
    }

    pub(super) fn from_code(code: u32) -> Cards {
        Cards(std::array::from_fn(|slot| (code >> (6 * (HAND - 1 - slot))) as u8 & 63))
    }
}

/// Subsets of four ascending slots that give each multiset once: of equal neighbours the left one
/// goes first. Indexed by which neighbours are equal.
const DISTINCT: [u32; 8] = {
    let mut table = [0; 8];
    let mut equal = 0;
    while equal < 8 {
        let mut subset = 1;
        while subset < 16 {
            // Slot i + 1 is taken without its equal neighbour i.
            if (subset >> 1) & !subset & equal == 0 {
                table[equal] |= 1 << subset;
            }
            subset += 1;
        }
        equal += 1;
    }
    table
};

/// Up to four cards, ascending, empty slots first. Each card has a value and an age: [`FRESH`]
/// since the last reshuffle, one less for every reshuffle that it was kept through (0 for seven
/// or more). Of equal cards the oldest comes first, and is played first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Hand([u8; HAND]);

impl Hand {
    #[inline]
    pub(super) fn slot(self, slot: usize) -> u8 {
        self.0[slot]
    }

    #[inline]
    pub(super) fn set(&mut self, slot: usize, value: u8, age: u8) {
        self.0[slot] = value << 3 | age;
    }

    /// All of it as a number.
    #[inline]
    pub(super) fn code(self) -> u64 {
        u64::from(u32::from_le_bytes(self.0))
    }

    /// Restores the order: a sorting network.
    #[inline]
    pub(super) fn sort(&mut self) {
        let [a, b, c, d] = self.0;
        let (a, b) = (a.min(b), a.max(b));
        let (c, d) = (c.min(d), c.max(d));
        let (a, c) = (a.min(c), a.max(c));
        let (b, d) = (b.min(d), b.max(d));
        self.0 = [a, b.min(c), b.max(c), d];
    }

    #[inline]
    pub(super) fn add(&mut self, value: u8, age: u8) {
        self.set(0, value, age);
        self.sort();
    }

    /// The cards as (value, age).
    pub(super) fn cards(self) -> impl Iterator<Item = (u8, u8)> {
        self.0.into_iter().filter(|&card| card != 0).map(|card| (card >> 3, card & 7))
    }

    pub(super) fn values(self) -> impl Iterator<Item = u8> {
        self.cards().map(|(value, _)| value)
    }

    pub(super) fn len(self) -> usize {
        self.cards().count()
    }

    /// The same number of cards of the same ages, values unknown.
    pub(super) fn hidden(mut self) -> Hand {
        for slot in self.0.iter_mut().filter(|slot| **slot != 0) {
            *slot |= UNKNOWN << 3;
        }
        self.sort();
        self
    }

    pub(super) fn is_known(self) -> bool {
        self.values().all(|value| value != UNKNOWN)
    }

    /// A hand of unknown cards of these ages.
    pub(super) fn unknown(ages: &[u8]) -> Hand {
        let mut hand = Hand::default();
        ages.iter().for_each(|&age| hand.add(UNKNOWN, age));
        hand
    }

    /// Every card has been kept through one more reshuffle.
    pub(super) fn grow_older(&mut self) {
        for slot in self.0.iter_mut().filter(|slot| **slot & 7 != 0) {
            *slot -= 1;
        }
    }

    pub(super) fn bits(self) -> u32 {
        u32::from_le_bytes(self.0)
    }

    /// Empties the slots of the cards, which are all there.
    #[inline]
    pub(super) fn take(&mut self, cards: Cards) {
        let [a, b, c, d] = cards.0;
        let wanted = [a, b, c, d, 0];
        let mut next = cards.0.iter().filter(|&&value| value == 0).count();
        for slot in &mut self.0 {
            let taken = *slot != 0 && *slot >> 3 == wanted[next];
            next += usize::from(taken);
            *slot = if taken { 0 } else { *slot };
        }
        debug_assert_eq!(next, HAND, "the cards are not all in the hand");
    }

    /// The cards of a subset of the slots.
    #[inline]
    pub(super) fn subset(self, subset: u32) -> Cards {
        let [a, b, c, d] = self.0.map(|card| card >> 3);
        let values = [a, b, c, d, 0, 0, 0, 0];
        Cards(PICKED[subset as usize & 15].map(|slot| values[usize::from(slot & 7)]))
    }

    /// The subsets of slots, one bit each, that give distinct multisets whose sum is among the
    /// `open` fields (bit v for the field of value v).
    #[inline]
    pub(super) fn playable(self, open: u64) -> u32 {
        let [a, b, c, d] = self.0.map(|card| card >> 3);
        let equal = usize::from(a == b) | usize::from(b == c) << 1 | usize::from(c == d) << 2;
        // Subsets with an empty slot repeat those without it.
        let empty = self.0.iter().filter(|&&card| card == 0).count();
        let mut playable = 0;
        let mut sums = [0u8; 16];
        for subset in 0..16u8 {
            let take = |slot: u8, value: u8| (0u8.wrapping_sub(subset >> slot & 1)) & value;
            sums[subset as usize] = (take(0, a) + take(1, b) + take(2, c) + take(3, d)).min(63);
        }
        for subset in 1..16 {
            playable |= ((open >> sums[subset] & 1) as u32) << subset;
        }
        playable & DISTINCT[equal] & WITHOUT_EMPTY[empty]
    }

    /// The values of the fields that the cards can reach, one bit each.
    pub(super) fn reachable(self) -> u64 {
        let every_field = (1 << 37) - 2;
        elements(u64::from(self.playable(every_field)))
            .fold(0, |reachable, subset| reachable | 1 << self.subset(subset).sum())
    }
}

/// The slots of each subset, at the end of four places; slot 4 is none.
const PICKED: [[u8; HAND]; 16] = {
    let mut table = [[HAND as u8; HAND]; 16];
    let mut subset = 0;
    while subset < 16 {
        let mut place = HAND;
        let mut slot = HAND;
        while slot > 0 {
            slot -= 1;
            if subset >> slot & 1 != 0 {
                place -= 1;
                table[subset][place] = slot as u8;
            }
        }
        subset += 1;
    }
    table
};

/// The subsets that take nothing of the first slots, indexed by the number of those.
const WITHOUT_EMPTY: [u32; 5] = {
    let mut table = [0; 5];
    let mut empty = 0;
    while empty <= 4 {
        let mut subset = 1;
        while subset < 16 {
            if subset & ((1 << empty) - 1) == 0 {
                table[empty] |= 1 << subset;
            }
            subset += 1;
        }
        empty += 1;
    }
    table
};

/// Visits every multiset of `size` cards of the deck with the number of ways to draw it, identical
/// cards counted apart.
pub(super) fn for_each_hand(deck: Multiset, size: usize, visit: &mut dyn FnMut(&[u8], u64)) {
    fn extend(deck: Multiset, size: usize, hand: &mut Vec<u8>, ways: u64, visit: &mut dyn FnMut(&[u8], u64)) {
        if hand.len() == size {
            return visit(hand, ways);
        }
        for value in hand.last().copied().unwrap_or(1)..=HIGHEST_CARD {
            let taken = hand.iter().filter(|&&card| card == value).count() as u64;
            let left = u64::from(deck.count(value)).saturating_sub(taken);
            if left > 0 {
                hand.push(value);
                // n (n-1) .. / k!: exact at every step, since the product is a binomial coefficient.
                extend(deck, size, hand, ways * left / (taken + 1), visit);
                hand.pop();
            }
        }
    }
    extend(deck, size, &mut Vec::with_capacity(size), 1, visit);
}

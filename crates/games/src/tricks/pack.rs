//! The pack of forty cards, or a smaller one for tests.

use meeple_core::Rng;
use meeple_core::bits::elements;

use crate::cards::{Card, Ranks};

/// Card points from the strongest rank of a suit down; all others count nothing.
const POINTS: [u8; 5] = [11, 10, 4, 3, 2];

/// The most cards of a pack.
pub(crate) const MOST_CARDS: usize = 40;

/// Which cards there are, what they are called and what they count.
#[derive(Clone, Debug)]
pub struct Pack {
    pub ranks: Ranks,
    pub suits: usize,
    /// All cards as a set.
    pub cards: u64,
    sorted: [Card; MOST_CARDS],
    /// Card points by strength.
    points: [u8; 16],
}

impl Pack {
    /// The `ranks` strongest of `order`, which names them from the strongest to the weakest, in
    /// each of the first `suits` suits.
    pub(crate) fn new(order: &str, ranks: usize, suits: usize) -> Pack {
        assert!((1..=4).contains(&suits) && (1..=order.len()).contains(&ranks) && ranks * suits <= MOST_CARDS);
        let weakest_first: String = order.chars().take(ranks).collect::<Vec<_>>().into_iter().rev().collect();
        let ranks = Ranks::new(&weakest_first);
        let cards = ranks.deck(suits);
        let mut points = [0; 16];
        for (strength, &worth) in (0..ranks.len()).rev().zip(&POINTS) {
            points[strength] = worth;
        }
        let mut sorted = [super::NO_CARD; MOST_CARDS];
        for (place, bit) in elements(cards).enumerate() {
            sorted[place] = Card(bit as u8);
        }
        Pack { ranks, suits, cards, sorted, points }
    }

    /// The number of cards.
    #[inline]
    pub fn size(&self) -> usize {
        self.ranks.len() * self.suits
    }

    /// Cards numbered without gaps from 0.
    #[inline]
    pub fn index(&self, card: Card) -> usize {
        card.suit() * self.ranks.len() + card.strength()
    }

    /// What a card counts.
    #[inline]
    pub fn points(&self, card: Card) -> u8 {
        self.points[card.strength()]
    }

    /// What all cards of a set count together.
    pub fn points_of(&self, set: u64) -> u32 {
        elements(set).map(|bit| u32::from(self.points(Card(bit as u8)))).sum()
    }

    /// All cards, the first `ordered` of them in a random order: each such order equally likely.
    #[inline]
    pub(crate) fn shuffled(&self, ordered: usize, rng: &mut Rng) -> [Card; MOST_CARDS] {
        let mut cards = self.sorted;
        let size = self.size();
        for place in 0..ordered.min(size) {
            let other = place + rng.below((size - place) as u32) as usize;
            cards.swap(place, other);
        }
        cards
    }
}

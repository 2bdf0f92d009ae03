//! Exchanging the suits that are not trump: nothing in the rules tells them apart.

use super::{NO_CARD, Table, Trick};
use crate::cards::Card;

/// Where each suit goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SuitMap([usize; 4]);

/// How many ways there are to order the other suits.
pub(crate) fn count(suits: usize) -> usize {
    (1..suits).product()
}

impl SuitMap {
    /// Number 0 changes nothing, and before there is a trump no number does.
    pub(crate) fn new(symmetry: usize, trump: Card, suits: usize) -> SuitMap {
        let mut map = [0, 1, 2, 3];
        if trump == NO_CARD {
            return SuitMap(map);
        }
        let others: Vec<usize> = (0..suits).filter(|&suit| suit != trump.suit()).collect();
        let mut left = others.clone();
        let mut number = symmetry;
        for &suit in &others {
            map[suit] = left.remove(number % left.len());
            number /= left.len() + 1;
        }
        SuitMap(map)
    }

    pub(crate) fn card(&self, card: Card) -> Card {
        if card == NO_CARD { card } else { Card::new(self.0[card.suit()], card.strength()) }
    }

    pub(crate) fn set(&self, set: u64) -> u64 {
        (0..4).fold(0, |image, suit| image | (set >> (16 * suit) & 0xffff) << (16 * self.0[suit]))
    }

    fn voids(&self, voids: u8) -> u8 {
        (0..4).fold(0, |image, suit| image | (voids >> suit & 1) << self.0[suit])
    }

    fn trick(&self, trick: &Trick) -> Trick {
        trick.map_cards(|card| self.card(card))
    }

    pub(crate) fn table(&self, table: &Table) -> Table {
        Table {
            played: table.played.map(|cards| self.set(cards)),
            trick: self.trick(&table.trick),
            last_trick: self.trick(&table.last_trick),
            trump: self.card(table.trump),
            voids: table.voids.map(|suits| self.voids(suits)),
            ..*table
        }
    }
}

//! The cards by those who may hold them.

use super::{Impossible, MAX_HOLDERS};

/// The cards by the set of those who may hold them.
pub(super) struct Sets {
    cards: [u64; 1 << MAX_HOLDERS],
    pub(super) need: [u32; MAX_HOLDERS],
    holders: usize,
}

impl Sets {
    /// Refuses needs that do not add up to the number of cards.
    pub(super) fn new(cards: u64, need: &[u32], allowed: &[u64]) -> Result<Sets, Impossible> {
        assert!(need.len() <= MAX_HOLDERS && need.len() == allowed.len(), "one need and one set of cards per holder");
        if need.iter().map(|&need| u64::from(need)).sum::<u64>() != u64::from(cards.count_ones()) {
            return Err(Impossible);
        }
        let mut sets = Sets { cards: [0; 1 << MAX_HOLDERS], need: [0; MAX_HOLDERS], holders: need.len() };
        sets.need[..need.len()].copy_from_slice(need);
        sets.cards[0] = cards;
        for (holder, &allowed) in allowed.iter().enumerate() {
            for set in 0..1 << holder {
                let cards = sets.cards[set];
                sets.cards[set | 1 << holder] = cards & allowed;
                sets.cards[set] = cards & !allowed;
            }
        }
        Ok(sets)
    }

    /// Gives away the cards with only one possible holder.
    pub(super) fn settle(&mut self) -> Result<[u64; MAX_HOLDERS], Impossible> {
        let mut certain = [0; MAX_HOLDERS];
        for holder in 0..self.holders {
            certain[holder] = std::mem::take(&mut self.cards[1 << holder]);
            self.need[holder] = self.need[holder].checked_sub(certain[holder].count_ones()).ok_or(Impossible)?;
        }
        if self.cards[0] == 0 { Ok(certain) } else { Err(Impossible) }
    }

    /// The sets of at least two holders with the cards that just they may hold.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u8, u64)> {
        let sets = self.cards[..1 << self.holders].iter().enumerate();
        sets.filter(|&(_, &cards)| cards != 0).map(|(set, &cards)| (set as u8, cards))
    }
}

//! The exact sampler.

use super::table::{Group, Needs, Table};
use super::weight::choose;
use super::{Impossible, MAX_HOLDERS};
use crate::{Rng, bits};

/// All ways to deal a set of cards to holders that each take a given number of them, and only
/// cards that they may hold. Prepared once, then sampled: every way equally likely.
#[derive(Clone, Debug)]
pub struct Deal {
    holders: usize,
    /// By holder: the cards that nobody else can have.
    certain: [u64; MAX_HOLDERS],
    table: Counted,
}

/// The narrowest numbers that hold the number of ways.
#[derive(Clone, Debug)]
enum Counted {
    Narrow(Table<u64>),
    Wide(Table<u128>),
    /// Beyond u128 (six hands of a pack of 64 cards): every way equally likely to 15 digits.
    Rounded(Table<f64>),
}

impl Deal {
    /// Holder p gets exactly `need[p]` of `cards`, all of them from `allowed[p]`. The needs add up
    /// to the number of cards; nothing to deal is a valid deal.
    pub fn prepare(cards: u64, need: &[u32], allowed: &[u64]) -> Result<Deal, Impossible> {
        assert!(need.len() <= MAX_HOLDERS && need.len() == allowed.len(), "one need and one set of cards per holder");
        if need.iter().map(|&need| u64::from(need)).sum::<u64>() != u64::from(cards.count_ones()) {
            return Err(Impossible);
        }
        let mut sets = Sets::new(cards, need, allowed);
        let certain = sets.settle()?;
        let left = Needs::new(&sets.need);
        let table = match upper_bound(&sets.need) {
            Some(ways) if ways <= u128::from(u64::MAX) => Counted::Narrow(Table::new(sets.groups(()), left)?),
            Some(_) => Counted::Wide(Table::new(sets.groups(()), left)?),
            None => Counted::Rounded(Table::new(sets.groups(1.0), left)?),
        };
        Ok(Deal { holders: need.len(), certain, table })
    }

    /// The number of ways; `u128::MAX` if more.
    pub fn count(&self) -> u128 {
        match &self.table {
            Counted::Narrow(table) => u128::from(table.total()),
            Counted::Wide(table) => table.total(),
            Counted::Rounded(table) => table.total() as u128,
        }
    }

    /// Overwrites `hands[p]` by the cards of holder p.
    #[inline]
    pub fn sample(&self, hands: &mut [u64], rng: &mut Rng) {
        hands[..self.holders].copy_from_slice(&self.certain[..self.holders]);
        match &self.table {
            Counted::Narrow(table) => table.sample(hands, rng),
            Counted::Wide(table) => table.sample(hands, rng),
            Counted::Rounded(table) => table.sample(hands, rng),
        }
    }

    /// Every way once; `None` if there are more than `limit`.
    pub fn enumerate(&self, limit: usize) -> Option<Vec<[u64; MAX_HOLDERS]>> {
        if self.count() > limit as u128 {
            return None;
        }
        let mut deals = Vec::with_capacity(self.count() as usize);
        match &self.table {
            Counted::Narrow(table) => table.enumerate(self.certain, &mut deals),
            Counted::Wide(table) => table.enumerate(self.certain, &mut deals),
            Counted::Rounded(table) => table.enumerate(self.certain, &mut deals),
        }
        Some(deals)
    }
}

/// The number of ways if everybody could hold everything, if it fits.
fn upper_bound(need: &[u32]) -> Option<u128> {
    let mut cards: u32 = need.iter().sum();
    let mut ways = 1u128;
    for &take in need {
        ways = ways.checked_mul(u128::from(choose(cards, take)))?;
        cards -= take;
    }
    Some(ways)
}

/// The cards by the set of those who may hold them.
struct Sets {
    cards: [u64; 1 << MAX_HOLDERS],
    need: [u32; MAX_HOLDERS],
    holders: usize,
}

impl Sets {
    fn new(cards: u64, need: &[u32], allowed: &[u64]) -> Sets {
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
        sets
    }

    /// Gives away the cards with only one possible holder, until nobody who has all their cards
    /// stands in a set.
    fn settle(&mut self) -> Result<[u64; MAX_HOLDERS], Impossible> {
        let mut certain = [0; MAX_HOLDERS];
        let mut open = (1usize << self.holders) - 1;
        loop {
            for holder in bits::elements(open as u64) {
                let cards = std::mem::take(&mut self.cards[1 << holder]);
                let need = &mut self.need[holder as usize];
                *need = need.checked_sub(cards.count_ones()).ok_or(Impossible)?;
                certain[holder as usize] |= cards;
            }
            let full = bits::elements(open as u64).find(|&holder| self.need[holder as usize] == 0);
            let Some(full) = full else { break };
            open &= !(1 << full);
            self.leave_out(full);
        }
        if self.cards[0] == 0 { Ok(certain) } else { Err(Impossible) }
    }

    fn leave_out(&mut self, holder: u32) {
        for set in (0..1 << self.holders).filter(|set| set >> holder & 1 == 1) {
            let cards = std::mem::take(&mut self.cards[set]);
            self.cards[set & !(1 << holder)] |= cards;
        }
    }

    fn groups<O: Copy>(&self, odds: O) -> Vec<Group<O>> {
        let sets = self.cards[..1 << self.holders].iter().enumerate().filter(|&(_, &cards)| cards != 0);
        sets.map(|(set, &cards)| Group { cards, holders: set as u8, odds: [odds; MAX_HOLDERS] }).collect()
    }
}

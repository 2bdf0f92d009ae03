//! The exact sampler.

use super::plan::Group;
use super::sets::Sets;
use super::table::{Needs, Table};
use super::{Impossible, MAX_HOLDERS};
use crate::Rng;
use crate::combinatorics::choose;

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
        let mut sets = Sets::new(cards, need, allowed)?;
        let certain = sets.settle()?;
        let left = Needs::new(&sets.need);
        let table = match upper_bound(&sets.need) {
            Some(ways) if ways <= u128::from(u64::MAX) => Counted::Narrow(Table::new(groups(&sets, ()), left)?),
            Some(_) => Counted::Wide(Table::new(groups(&sets, ()), left)?),
            None => Counted::Rounded(Table::new(groups(&sets, 1.0), left)?),
        };
        Ok(Deal { holders: need.len(), certain, table })
    }

    /// The number of ways; `u128::MAX` if more. Rounded if only the restrictions keep it below that.
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
        Some(match &self.table {
            Counted::Narrow(table) => table.enumerate(self.certain),
            Counted::Wide(table) => table.enumerate(self.certain),
            Counted::Rounded(table) => table.enumerate(self.certain),
        })
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

fn groups<O: Copy>(sets: &Sets, odds: O) -> Vec<Group<O>> {
    let mut groups = Vec::with_capacity(8);
    groups.extend(sets.iter().map(|(holders, cards)| Group { cards, holders, odds: [odds; MAX_HOLDERS] }));
    groups
}

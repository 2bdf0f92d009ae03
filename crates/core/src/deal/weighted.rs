//! Deals weighted by beliefs.

use super::plan::Group;
use super::sets::Sets;
use super::table::{Needs, Table};
use super::{Impossible, MAX_HOLDERS};
use crate::{Rng, bits};

/// All ways to deal a set of cards to holders, each way with a probability in proportion to the
/// product of the weights of its cards with their holders. Equal weights are the uniform deal, for
/// which [`Deal`](super::Deal) is faster and counts exactly. Cards of equal weights share work:
/// few distinct beliefs are cheap, one for every card costs a table of up to the number of cards
/// times the product of all needs but one.
#[derive(Clone, Debug)]
pub struct WeightedDeal {
    holders: usize,
    /// By holder: the cards that nobody else can have.
    certain: [u64; MAX_HOLDERS],
    table: Table<f64>,
}

impl WeightedDeal {
    /// Holder p gets exactly `need[p]` of `cards`. `weight(card, holder)` is finite and not
    /// negative; 0 means that the holder cannot have the card. Only the ratios between the
    /// holders of a card matter. Refused, besides the impossible, is what is less likely than
    /// about 1e-300 of what it would be if the needs did not matter.
    pub fn prepare(cards: u64, need: &[u32], weight: &dyn Fn(u32, usize) -> f64) -> Result<WeightedDeal, Impossible> {
        let allowed = |holder| {
            let possible = bits::elements(cards).filter(|&card| weight(card, holder) > 0.0);
            possible.fold(0, |set, card| set | 1u64 << card)
        };
        let allowed: Vec<u64> = (0..need.len()).map(allowed).collect();
        let mut sets = Sets::new(cards, need, &allowed)?;
        let certain = sets.settle()?;
        let table = Table::new(groups(&sets, weight), Needs::new(&sets.need))?;
        Ok(WeightedDeal { holders: need.len(), certain, table })
    }

    /// Overwrites `hands[p]` by the cards of holder p.
    pub fn sample(&self, hands: &mut [u64], rng: &mut Rng) {
        hands[..self.holders].copy_from_slice(&self.certain[..self.holders]);
        self.table.sample(hands, rng);
    }
}

fn groups(sets: &Sets, weight: &dyn Fn(u32, usize) -> f64) -> Vec<Group<f64>> {
    let mut groups: Vec<Group<f64>> = Vec::new();
    for (holders, cards) in sets.iter() {
        for card in bits::elements(cards) {
            let odds = odds(card, holders, weight);
            match groups.iter_mut().find(|group| group.holders == holders && group.odds == odds) {
                Some(group) => group.cards |= 1 << card,
                None => groups.push(Group { cards: 1 << card, holders, odds }),
            }
        }
    }
    groups
}

/// By holder, the largest 1: the product of many stays in range.
fn odds(card: u32, holders: u8, weight: &dyn Fn(u32, usize) -> f64) -> [f64; MAX_HOLDERS] {
    let mut odds = [0.0; MAX_HOLDERS];
    for holder in bits::elements(u64::from(holders)) {
        odds[holder as usize] = weight(card, holder as usize);
    }
    let largest = odds.iter().copied().fold(0.0, f64::max);
    assert!(largest.is_finite(), "the weight of card {card} is not finite");
    odds.map(|odds| odds / largest)
}

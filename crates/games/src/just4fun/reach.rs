//! Which fields may be reached later: what thesis 000, section 8.4 suggests as further inputs.

use meeple_core::bits::random_bit;
use meeple_core::rng::mix;
use meeple_core::{Player, Rng};

use super::board::FIELDS;
use super::cards::{HAND, HIGHEST_CARD, Multiset};
use super::worlds::unseen;
use super::{Just4Fun, View};

/// The chance to reach each field after 1 to 4 cards of the viewer, whichever, were replaced by unseen ones. Four of
/// them are as many as somebody else holds, so the last plane is also what the others may reach. One card is
/// counted, more are sampled: the same cards always give the same chances.
#[derive(Debug)]
pub(super) struct Reach {
    /// By how many cards are replaced.
    chances: [[f32; FIELDS]; Reach::PLANES],
}

/// Hands that are drawn for each plane.
const DRAWN: u32 = 120;

impl Reach {
    pub(super) const PLANES: usize = HAND;

    pub(super) fn of(game: &Just4Fun, view: &View, seat: Player) -> Reach {
        let unseen = unseen(game, view).unwrap_or_default();
        let mut hand = [0; HAND];
        let known = view.shown.hands[seat];
        if known.is_known() {
            hand.iter_mut().zip(known.values()).for_each(|(slot, value)| *slot = value);
        }
        let mut reach = Reach { chances: [[0.0; FIELDS]; Reach::PLANES] };
        if unseen.is_empty() {
            return reach;
        }
        reach.replace_one(hand, unseen);
        for replaced in 2..=HAND {
            draw(&mut reach.chances[replaced - 1], hand, replaced, unseen);
        }
        reach
    }

    /// The chances of a field on all planes.
    pub(super) fn of_field(&self, field: usize) -> impl Iterator<Item = f32> {
        self.chances.iter().map(move |plane| plane[field])
    }

    /// Every card by every unseen one.
    fn replace_one(&mut self, hand: [u8; HAND], unseen: Multiset) {
        let all = (HAND * unseen.len()) as f32;
        for slot in 0..HAND {
            for value in 1..=HIGHEST_CARD {
                let mut next = hand;
                next[slot] = value;
                add(&mut self.chances[0], sums(next), unseen.count(value) as f32 / all);
            }
        }
    }
}

/// The chance of four unseen cards to reach each field: what somebody else may hold.
pub(super) fn chances_of_others(game: &Just4Fun, view: &View) -> [f32; FIELDS] {
    let mut chances = [0.0; FIELDS];
    draw(&mut chances, [0; HAND], HAND, unseen(game, view).unwrap_or_default());
    chances
}

/// Replaces so many cards of a hand, whichever, by unseen ones.
fn draw(chances: &mut [f32; FIELDS], hand: [u8; HAND], replaced: usize, unseen: Multiset) {
    let kept = if replaced == HAND { 0 } else { u64::from(u32::from_le_bytes(hand)) };
    let mut rng = Rng::from_seed(mix(unseen.bits() ^ mix(kept)));
    for _ in 0..DRAWN {
        let mut next = hand;
        rng.shuffle(&mut next);
        let mut left = unseen.bits();
        for slot in &mut next[..replaced] {
            *slot = 0;
            if left != 0 {
                let bit = random_bit(left, &mut rng);
                left &= !(1 << bit);
                *slot = Multiset::value_of_bit(bit);
            }
        }
        add(chances, sums(next), 1.0 / DRAWN as f32);
    }
}

/// The sums of all choices of cards, one bit each.
fn sums(hand: [u8; HAND]) -> u64 {
    hand.iter().fold(1, |sums, &value| sums | sums << value)
}

fn add(plane: &mut [f32; FIELDS], sums: u64, chance: f32) {
    for (value, sum) in (1..).zip(plane) {
        *sum += (sums >> value & 1) as f32 * chance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_all_choices() {
        let reached = sums([1, 2, 0, 10]);
        let expected = [0, 1, 2, 3, 10, 11, 12, 13];
        assert_eq!(reached, expected.iter().fold(0, |set, sum| set | 1 << sum));
    }

    /// With four ones unseen, any new card is a one.
    #[test]
    fn one_card_is_replaced_by_every_unseen_one() {
        let unseen = Multiset::from_values(&[1, 1, 1, 1]).unwrap();
        let mut reach = Reach { chances: [[0.0; FIELDS]; Reach::PLANES] };
        reach.replace_one([5, 5, 5, 5], unseen);
        let chance = |sum: usize| reach.chances[0][sum - 1];
        assert!([1, 5, 6, 10, 11, 15, 16].iter().all(|&sum| (chance(sum) - 1.0).abs() < 1e-6));
        assert!([2, 4, 20].iter().all(|&sum| chance(sum) == 0.0));
        draw(&mut reach.chances[3], [5, 5, 5, 5], 4, unseen);
        assert!((1..=4).all(|sum| (reach.chances[3][sum - 1] - 1.0).abs() < 1e-5) && reach.chances[3][4] == 0.0);
    }
}

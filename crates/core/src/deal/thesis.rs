//! The two samplers of thesis 002 (chapter 4.1), to be compared with [`Deal`](super::Deal) and not
//! for play: the first is uniform but may need any number of attempts, the second needs one but is
//! not uniform as soon as two players are void in different suits, and can run into a dead end.

use super::MAX_HOLDERS;
use crate::{Rng, bits};

/// No deal within the number of attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaveUp;

/// A card is left that nobody with an open place may hold, or a place that no card fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadEnd;

/// Who is next in [`most_restricted_first`]. The slack of a player is the number of cards that
/// they may still get beyond those they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The smallest slack, as the text has it: no dead end is known with three hands.
    SmallestSlack,
    /// The smallest slack above 0, as in the printed Algorithm 1: dead ends with three hands.
    SmallestPositiveSlack,
}

/// Shuffles until everybody holds only what they may. Arguments as in
/// [`Deal::prepare`](super::Deal::prepare).
pub fn accept_reject(
    cards: u64,
    need: &[u32],
    allowed: &[u64],
    attempts: u32,
    rng: &mut Rng,
) -> Result<[u64; MAX_HOLDERS], GaveUp> {
    let mut pile: Vec<u32> = bits::elements(cards).collect();
    for _ in 0..attempts {
        rng.shuffle(&mut pile);
        let mut pile = pile.iter();
        let mut hands = [0; MAX_HOLDERS];
        for (hand, &need) in hands.iter_mut().zip(need) {
            *hand = pile.by_ref().take(need as usize).fold(0, |hand, card| hand | 1u64 << card);
        }
        if hands.iter().zip(allowed).all(|(hand, allowed)| hand & !allowed == 0) {
            return Ok(hands);
        }
    }
    Err(GaveUp)
}

/// Card by card: one with a single possible holder goes there; if there is none, a random one of
/// the players who are next gets a random card that they may hold (Algorithm 1).
pub fn most_restricted_first(
    cards: u64,
    need: &[u32],
    allowed: &[u64],
    next: Next,
    rng: &mut Rng,
) -> Result<[u64; MAX_HOLDERS], DeadEnd> {
    let mut matrix = Matrix { rows: [0; MAX_HOLDERS], left: [0; MAX_HOLDERS] };
    for holder in 0..need.len() {
        matrix.left[holder] = need[holder];
        matrix.rows[holder] = if need[holder] > 0 { cards & allowed[holder] } else { 0 };
    }
    let mut hands = [0; MAX_HOLDERS];
    for _ in 0..cards.count_ones() {
        let (card, holder) = match matrix.only_choice() {
            Some(only) => only,
            None => matrix.random_choice(next, rng).ok_or(DeadEnd)?,
        };
        matrix.assign(card, holder);
        hands[holder] |= 1 << card;
    }
    Ok(hands)
}

/// By holder: the cards that they may still get, and how many of them they need.
struct Matrix {
    rows: [u64; MAX_HOLDERS],
    left: [u32; MAX_HOLDERS],
}

impl Matrix {
    /// The lowest card with only one possible holder.
    fn only_choice(&self) -> Option<(u32, usize)> {
        let (mut once, mut twice) = (0, 0);
        for row in self.rows {
            twice |= once & row;
            once |= row;
        }
        let card = bits::elements(once & !twice).next()?;
        let holder = self.rows.iter().position(|row| row >> card & 1 == 1)?;
        Some((card, holder))
    }

    fn random_choice(&self, next: Next, rng: &mut Rng) -> Option<(u32, usize)> {
        let least = match next {
            Next::SmallestSlack => 0,
            Next::SmallestPositiveSlack => 1,
        };
        let slack = |holder: usize| self.rows[holder].count_ones().checked_sub(self.left[holder]);
        let open = || (0..MAX_HOLDERS).filter(|&holder| self.rows[holder] != 0);
        let smallest = open().filter_map(slack).filter(|&slack| slack >= least).min()?;
        let holders = open().filter(|&holder| slack(holder) == Some(smallest));
        let holders = holders.fold(0, |set, holder| set | 1u64 << holder);
        let holder = bits::random_bit(holders, rng) as usize;
        Some((bits::random_bit(self.rows[holder], rng), holder))
    }

    fn assign(&mut self, card: u32, holder: usize) {
        for row in &mut self.rows {
            *row &= !(1 << card);
        }
        self.left[holder] -= 1;
        if self.left[holder] == 0 {
            self.rows[holder] = 0;
        }
    }
}

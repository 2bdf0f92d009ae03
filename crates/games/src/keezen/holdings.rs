//! Who holds which card: the hands of this round and those that the stock will give in the rounds
//! to come. The order of the stock matters no further than that.

use meeple_core::Rng;
use meeple_core::combinatorics::{binomial, choose};

use super::ranks::Cards;

pub(super) const SEATS: usize = 4;

/// No deck has more cards.
pub(super) const MOST_CARDS: usize = 112;

/// The hands of the current round and of `LATER` further rounds at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Holdings<const LATER: usize> {
    pub(super) hands: [Cards; SEATS],
    pub(super) later: [[Cards; SEATS]; LATER],
}

impl<const LATER: usize> Holdings<LATER> {
    pub(super) const EMPTY: Self = Holdings { hands: [Cards::NONE; SEATS], later: [[Cards::NONE; SEATS]; LATER] };

    /// The card number `number` after the shuffle, 0 for the first, goes to its seat and round.
    #[inline]
    pub(super) fn receive(&mut self, number: usize, deal: &[u8], rank: usize) {
        let (round, seat) = place(number, deal);
        self.round_mut(round)[seat].add(rank);
    }

    /// The next round's hands become the current ones.
    #[inline]
    pub(super) fn next_round(&mut self) {
        if LATER == 0 {
            return;
        }
        self.hands = self.later[0];
        self.later.copy_within(1.., 0);
        self.later[LATER - 1] = [Cards::NONE; SEATS];
    }

    /// All cards that somebody holds or will be dealt.
    #[inline]
    pub(super) fn all(&self) -> Cards {
        let rounds = self.later.iter().flatten();
        self.hands.iter().chain(rounds).fold(Cards::NONE, |sum, &cards| sum.plus(cards))
    }

    pub(super) fn counts(&self) -> [u8; SEATS] {
        self.hands.map(|hand| hand.count() as u8)
    }

    /// Number 0 is the current round.
    pub(super) fn round(&self, number: usize) -> &[Cards; SEATS] {
        if number == 0 { &self.hands } else { &self.later[number - 1] }
    }

    #[inline]
    pub(super) fn round_mut(&mut self, number: usize) -> &mut [Cards; SEATS] {
        if number == 0 { &mut self.hands } else { &mut self.later[number - 1] }
    }
}

/// The round and the seat of the card number `number` after the shuffle: one card at a time to
/// seats 0, 1, 2, 3, as many times as the round's hand is large.
#[inline]
fn place(number: usize, deal: &[u8]) -> (usize, usize) {
    let mut row = number / SEATS;
    let mut round = 0;
    while row >= usize::from(deal[round]) {
        row -= usize::from(deal[round]);
        round += 1;
    }
    (round, number % SEATS)
}

/// The size of each hand of a round when `dealt` cards have come since the shuffle.
pub(super) fn hand_sizes(round: usize, deal: &[u8], dealt: usize) -> [u8; SEATS] {
    if round >= deal.len() {
        return [0; SEATS];
    }
    let before: usize = deal[..round].iter().map(|&size| SEATS * usize::from(size)).sum();
    let came = dealt.saturating_sub(before);
    std::array::from_fn(|seat| deal[round].min(((came + SEATS - 1 - seat) / SEATS) as u8))
}

/// All ways to hand out the cards that a viewer does not see: prepared once, then sampled.
#[derive(Clone, Debug)]
pub(super) struct Hidden<const LATER: usize> {
    /// What the viewer knows.
    known: Holdings<LATER>,
    unseen: [u8; MOST_CARDS],
    unseen_count: usize,
    /// How many unseen cards each hand takes.
    need: [[u8; SEATS]; LATER],
    need_now: [u8; SEATS],
}

impl<const LATER: usize> Hidden<LATER> {
    /// `known` holds what the viewer sees; `need_now` and `need` say what is missing in the hands
    /// of this round and of later ones. Cards that nobody needs stay in the stock.
    pub(super) fn new(
        known: Holdings<LATER>,
        unseen: Cards,
        need_now: [u8; SEATS],
        need: [[u8; SEATS]; LATER],
    ) -> Hidden<LATER> {
        let mut cards = [0; MOST_CARDS];
        let mut unseen_count = 0;
        for rank in unseen.each() {
            cards[unseen_count] = rank as u8;
            unseen_count += 1;
        }
        Hidden { known, unseen: cards, unseen_count, need, need_now }
    }

    /// Every way equally likely, identical cards counted apart.
    #[inline]
    pub(super) fn sample(&self, holdings: &mut Holdings<LATER>, rng: &mut Rng) {
        *holdings = self.known;
        let mut cards = self.unseen;
        let mut next = 0;
        for round in 0..=LATER {
            let need = self.need_of(round);
            let hands = holdings.round_mut(round);
            for seat in 0..SEATS {
                for _ in 0..need[seat] {
                    let drawn = next + rng.below((self.unseen_count - next) as u32) as usize;
                    hands[seat].add(usize::from(cards[drawn]));
                    cards[drawn] = cards[next];
                    next += 1;
                }
            }
        }
    }

    /// The number of ways, identical cards counted apart.
    pub(super) fn count(&self) -> f64 {
        let mut left = self.unseen_count;
        let mut ways = 1.0;
        for need in (0..=LATER).flat_map(|round| self.need_of(round)) {
            ways *= binomial(left, need as usize);
            left -= need as usize;
        }
        ways
    }

    /// Every distinct way with the number of ways to tell identical cards apart in it; `None` if
    /// there are more than `limit`.
    pub(super) fn enumerate(&self, limit: usize) -> Option<Vec<(Holdings<LATER>, u64)>> {
        let mut unseen = Cards::NONE;
        for &rank in &self.unseen[..self.unseen_count] {
            unseen.add(usize::from(rank));
        }
        let mut found = Vec::new();
        self.extend(0, self.known, unseen, 1, limit, &mut found).then_some(found)
    }

    /// Fills the hands from number `hand` on in all ways; `false` when there are too many.
    fn extend(
        &self,
        hand: usize,
        holdings: Holdings<LATER>,
        unseen: Cards,
        weight: u64,
        limit: usize,
        found: &mut Vec<(Holdings<LATER>, u64)>,
    ) -> bool {
        let (round, seat) = (hand / SEATS, hand % SEATS);
        if round > LATER {
            found.push((holdings, weight));
            return found.len() <= limit;
        }
        let need = u32::from(self.need_of(round)[seat]);
        let mut complete = true;
        each_choice(unseen, need, &mut |chosen, ways| {
            let mut next = holdings;
            let cards = &mut next.round_mut(round)[seat];
            *cards = cards.plus(chosen);
            complete = self.extend(hand + 1, next, unseen.minus(chosen), weight.saturating_mul(ways), limit, found);
            complete
        });
        complete
    }

    #[inline]
    fn need_of(&self, round: usize) -> [u8; SEATS] {
        if round == 0 { self.need_now } else { self.need[round - 1] }
    }
}

/// Calls `visit` with every multiset of `need` cards and the number of ways to pick it; stops when
/// it returns `false`.
fn each_choice(cards: Cards, need: u32, visit: &mut dyn FnMut(Cards, u64) -> bool) -> bool {
    fn from(
        cards: Cards,
        rank: usize,
        need: u32,
        chosen: Cards,
        ways: u64,
        visit: &mut dyn FnMut(Cards, u64) -> bool,
    ) -> bool {
        if need == 0 {
            return visit(chosen, ways);
        }
        if rank == super::ranks::MOST_RANKS {
            return true;
        }
        let most = cards.count_of(rank).min(need);
        (0..=most).all(|count| {
            let ways = ways * choose(cards.count_of(rank), count);
            from(cards, rank + 1, need - count, chosen.with(rank, u64::from(count)), ways, visit)
        })
    }
    from(cards, 0, need, Cards::NONE, 1, visit)
}

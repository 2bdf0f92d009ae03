//! What the play tells about the hands of the others (thesis 002, section 4.1.0.2).
//!
//! Whoever follows suit and so gives points to a trick that the other team is winning probably has
//! no cheaper card of that suit. A view remembers the current trick and the one before, so that is
//! what the conclusion is drawn from. It is not certain: such cards are doubted, not ruled out.
//!
//! In 150 games of ISMCTS agents, on which it was chosen, this is the one conclusion of five that
//! made the true hands more likely. Not so: what a seat throws away when it cannot follow, that it would have won with a
//! better card or a trump, that it would have given points to its partner.

use meeple_core::bits::elements;
use meeple_core::deal::{MAX_HOLDERS, WeightedDeal};
use meeple_core::{Belief, Rng, Worlds};

use super::{SEATS, State, Sueca, SuecaWorlds, View};
use crate::cards::{Card, suit_mask};
use crate::tricks::{Pack, Table, Trick, team};

/// How much less likely a doubted card is in a hand: 1/2 to the power of this.
const DOUBT_BITS: u32 = 2;

/// Worlds that explain the last two tricks better weigh more.
#[derive(Clone, Copy, Debug)]
pub struct FromPlay;

impl Belief<Sueca> for FromPlay {
    fn worlds(&self, game: &Sueca, view: &View) -> Box<dyn Worlds<State = State>> {
        let all = SuecaWorlds::prepare(game, view).expect("a view of this game allows a world");
        let doubted = doubted(&game.pack, &view.public.table);
        let unseen = all.unseen();
        let weight = |card: u32, place: usize| {
            let seat = unseen.places()[place];
            let bit = 1u64 << card;
            if unseen.allowed()[place] & bit == 0 {
                0.0
            } else if seat < SEATS && doubted[seat] & bit != 0 {
                1.0 / f64::from(1 << DOUBT_BITS)
            } else {
                1.0
            }
        };
        let deal = WeightedDeal::prepare(unseen.cards, unseen.need(), &weight).expect("doubt rules nothing out");
        Box::new(Believed { all, doubted, deal })
    }
}

/// The worlds of a view, those with fewer doubted cards more often.
#[derive(Debug)]
struct Believed {
    all: SuecaWorlds,
    /// By seat.
    doubted: [u64; SEATS],
    deal: WeightedDeal,
}

impl Believed {
    /// The number of cards in hands where they are doubted.
    fn doubts(&self, state: &State) -> u32 {
        state.hands.iter().zip(&self.doubted).map(|(hand, doubted)| (hand & doubted).count_ones()).sum()
    }
}

impl Worlds for Believed {
    type State = State;

    fn sample_into(&self, state: &mut State, rng: &mut Rng) {
        loop {
            let mut dealt = [0; MAX_HOLDERS];
            self.deal.sample(&mut dealt, rng);
            *state = self.all.state(&self.all.unseen().with_known(&dealt));
            if self.all.is_played(state) {
                return;
            }
        }
    }

    fn count(&self) -> f64 {
        self.all.count()
    }

    fn enumerate(&self, limit: usize) -> Option<Vec<(State, u64)>> {
        let mut worlds = self.all.enumerate(limit)?;
        let most = worlds.iter().map(|(world, _)| self.doubts(world)).max().unwrap_or(0);
        for (world, weight) in &mut worlds {
            *weight <<= DOUBT_BITS * (most - self.doubts(world));
        }
        Some(worlds)
    }
}

/// By seat: the cards that it probably does not hold.
fn doubted(pack: &Pack, table: &Table) -> [u64; SEATS] {
    let mut doubted = [0; SEATS];
    for trick in [&table.last_trick, &table.trick] {
        doubt_trick(pack, table.trump.suit(), trick, &mut doubted);
    }
    doubted
}

fn doubt_trick(pack: &Pack, trump: usize, trick: &Trick, doubted: &mut [u64; SEATS]) {
    let mut plays = trick.plays(SEATS);
    let Some((mut winner, led)) = plays.next() else { return };
    let mut winning = led;
    for (seat, card) in plays {
        if beats(card, winning, trump) {
            (winner, winning) = (seat, card);
        } else if team(winner) != team(seat) && card.suit() == led.suit() {
            doubted[seat] |= cheaper(pack, card);
        }
    }
}

fn beats(card: Card, other: Card, trump: usize) -> bool {
    if card.suit() == other.suit() { card > other } else { card.suit() == trump }
}

/// Cards of the same suit with fewer points.
fn cheaper(pack: &Pack, card: Card) -> u64 {
    let suit = elements(pack.cards & suit_mask(card.suit())).map(|bit| Card(bit as u8));
    suit.filter(|&other| pack.points(other) < pack.points(card)).fold(0, |set, other| set | other.bit())
}

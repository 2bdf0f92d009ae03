//! What a network sees of a hand of Hearts.

use meeple_core::bits::elements;
use meeple_core::combinatorics::choose;
use meeple_core::{Encoder, Shape, Tensor};

use super::dealing::subset_rank;
use super::knowledge::Knowledge;
use super::state::{Phase, SEATS, View};
use super::{Action, Hearts};
use crate::cards::Card;

const RANKS: usize = 13;
const CARDS: usize = 4 * RANKS;
/// Sets of cards, see [`Cards`].
const SETS: usize = 17;
const NUMBERS: usize = 19;

/// One vector: 17 sets of cards with 52 entries each (suits clubs, diamonds, hearts, spades, each
/// from the weakest card), then 19 numbers. Seats are counted from the viewer to the left; a
/// spectator sits at seat 0 without cards.
///
/// Sets: the viewer's hand; the cards played by each seat (4); the current trick's card of each
/// seat (4); the hidden cards that each other seat may hold, which tells voids (3); the cards
/// that each other seat is known to hold (3); passed and received cards (2). Numbers: points of
/// each seat in this hand / 26 (4); totals / the target, or / 26 for a single hand (4); position
/// in the trick, one of four (4); the distance of passing, one of four, if cards are to be passed
/// now (4); tricks played / 13; hearts broken; the viewer is to move.
///
/// Policy: 52 outputs for the cards; with passing, as many more as there are passes from a full
/// hand, numbered by the places of the cards in the hand from its lowest bit: so every pass has an
/// output of its own.
#[derive(Debug)]
pub(super) struct Cards {
    passes: usize,
}

impl Cards {
    pub(super) fn new(game: &Hearts) -> Cards {
        let passes = choose(game.hand_size(), game.passed) as usize;
        Cards { passes: if game.rules.passing { passes } else { 0 } }
    }
}

impl Encoder<Hearts> for Cards {
    fn name(&self) -> &'static str {
        "cards"
    }

    fn shape(&self) -> Shape {
        Shape::vector(SETS * CARDS + NUMBERS)
    }

    fn encode(&self, game: &Hearts, view: &View, input: &mut Tensor<'_>) {
        let (sets, numbers) = input.vector().split_at_mut(SETS * CARDS);
        for (set, block) in card_sets(game, view).into_iter().zip(sets.chunks_mut(CARDS)) {
            elements(set).for_each(|card| block[index(Card(card as u8))] = 1.0);
        }
        fill_numbers(game, view, numbers);
    }

    fn policy_size(&self) -> usize {
        CARDS + self.passes
    }

    fn policy_index(&self, _: &Hearts, view: &View, action: Action) -> usize {
        match view.table.phase {
            Phase::Pass => CARDS + subset_rank(view.hand, action.0),
            _ => index(Card(action.0.trailing_zeros() as u8)),
        }
    }
}

fn index(card: Card) -> usize {
    card.suit() * RANKS + card.strength()
}

fn card_sets(game: &Hearts, view: &View) -> [u64; SETS] {
    let knowledge = Knowledge::of(game, view).expect("a view does not contradict itself");
    let viewer = view.viewer.map_or(0, usize::from);
    let table = &view.table;
    let mut trick = [0; SEATS];
    for play in table.plays().skip(usize::from(table.played - table.played % 4)) {
        trick[play.seat] = play.card.bit();
    }
    let mut sets = [0; SETS];
    sets[0] = view.hand;
    for distance in 0..SEATS {
        let seat = (viewer + distance) % SEATS;
        sets[1 + distance] = knowledge.played[seat];
        sets[5 + distance] = trick[seat];
        if distance > 0 {
            sets[8 + distance] = knowledge.allowed[seat];
            sets[11 + distance] = knowledge.known[seat];
        }
    }
    sets[15] = view.passed;
    sets[16] = view.received;
    sets
}

fn fill_numbers(game: &Hearts, view: &View, numbers: &mut [f32]) {
    let table = &view.table;
    let viewer = view.viewer.map_or(0, usize::from);
    let target = if game.rules.to == 0 { game.hand_points } else { game.rules.to };
    for distance in 0..SEATS {
        let seat = (viewer + distance) % SEATS;
        numbers[distance] = f32::from(table.points[seat]) / game.hand_points as f32;
        numbers[4 + distance] = f32::from(table.totals[seat]) / target as f32;
    }
    numbers[8 + usize::from(table.played % 4)] = 1.0;
    if table.phase == Phase::Pass {
        numbers[12 + game.pass_distance(table.hand)] = 1.0;
    }
    numbers[16] = f32::from(table.played / 4) / game.hand_size() as f32;
    numbers[17] = f32::from(u8::from(table.broken));
    numbers[18] = f32::from(u8::from(view.viewer == Some(table.turn)));
}

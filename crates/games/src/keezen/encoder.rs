//! The observation matrices of thesis 003, section 4.4.1, and their variants of table 7.7.
//!
//! Columns: 0 the seat to move, 1 to 13 the viewer's cards by rank, 14 to 26 the played cards,
//! 27 to 122 the fields with marbles, 123 to 127 the number of cards in each hand. A rank held c
//! times has c ones from the bottom of the four rows up. Waiting marbles fill the wait fields from
//! the first on.

use meeple_core::{Encoder, Shape, Tensor};

use super::Keezen;
use super::action::{ACTIONS, Action, RANKS};
use super::board::{FIELDS, WAITING, field_number};
use super::holdings::SEATS;
use super::ranks::Cards;
use super::state::View;

const HAND: usize = 1;
const PLAYED: usize = HAND + 13;
const BOARD: usize = PLAYED + 13;
const COUNTS: usize = BOARD + FIELDS;
/// No hand has more cards.
const MOST_IN_HAND: usize = 5;
/// The first of the four wait fields among the numbers of a seat.
const WAIT: usize = 20;

/// One of the matrices that the thesis tried.
#[derive(Clone, Copy, Debug)]
struct Observation {
    name: &'static str,
    /// Rows and fields are counted from the viewer's seat (experiment F) or from seat 0.
    from_viewer: bool,
    card_counts: bool,
    /// A fifth row has a one wherever one of the four has.
    fifth_row: bool,
}

/// The best one of the thesis first: experiments F, E, D, and A to C.
pub(super) fn all() -> Vec<Box<dyn Encoder<Keezen>>> {
    let observation = |name, from_viewer, card_counts, fifth_row| -> Box<dyn Encoder<Keezen>> {
        Box::new(Observation { name, from_viewer, card_counts, fifth_row })
    };
    vec![
        observation("player-4x128", true, true, false),
        observation("generic-4x128", false, true, false),
        observation("generic-5x128", false, true, true),
        observation("generic-5x123", false, false, true),
    ]
}

impl Encoder<Keezen> for Observation {
    fn name(&self) -> &'static str {
        self.name
    }

    fn shape(&self) -> Shape {
        let columns = if self.card_counts { COUNTS + MOST_IN_HAND } else { COUNTS };
        Shape::planes(1, SEATS + usize::from(self.fifth_row), columns)
    }

    fn encode(&self, _: &Keezen, view: &View, input: &mut Tensor<'_>) {
        let first = if self.from_viewer { view.viewer.unwrap_or(0) } else { 0 };
        for row in 0..SEATS {
            let seat = (first + row) % SEATS;
            if usize::from(view.table.turn) == seat {
                input.set(0, row, 0, 1.0);
            }
            for field in marble_fields(view, seat) {
                input.set(0, row, BOARD + (field + FIELDS - 24 * first) % FIELDS, 1.0);
            }
            if self.card_counts {
                for card in 0..usize::from(view.counts[seat]).min(MOST_IN_HAND) {
                    input.set(0, row, COUNTS + card, 1.0);
                }
            }
        }
        set_cards(view.hand, HAND, input);
        set_cards(view.played, PLAYED, input);
        if self.fifth_row {
            set_fifth_row(self.shape().columns, input);
        }
    }

    fn policy_size(&self) -> usize {
        ACTIONS
    }

    fn policy_index(&self, _: &Keezen, _: &View, action: Action) -> usize {
        action.index()
    }
}

/// The published numbers of the fields of a seat's marbles.
fn marble_fields(view: &View, seat: usize) -> impl Iterator<Item = usize> {
    let marbles = view.table.board.0[seat];
    let first_waiting = marbles.iter().filter(|&&place| place != WAITING).count();
    (0..4).map(move |marble| match marbles[marble] {
        WAITING => 24 * seat + WAIT + marble - first_waiting,
        place => usize::from(field_number(seat, place)),
    })
}

fn set_cards(cards: Cards, column: usize, input: &mut Tensor<'_>) {
    for rank in 0..RANKS.len() {
        for row in 0..(cards.count_of(rank) as usize).min(SEATS) {
            input.set(0, SEATS - 1 - row, column + rank, 1.0);
        }
    }
}

fn set_fifth_row(columns: usize, input: &mut Tensor<'_>) {
    for column in 0..columns {
        if (0..SEATS).any(|row| input.get(0, row, column) != 0.0) {
            input.set(0, SEATS, column, 1.0);
        }
    }
}

//! One plain input for all relatives: where marbles are, and how many cards of each rank.

use meeple_core::{Encoder, Shape, Tensor};

use super::Relative;
use super::action::Action;
use super::state::{NONE, UNKNOWN, View};
use crate::keezen::holdings::SEATS;
use crate::keezen::ranks::MOST_RANKS;

/// Places of a marble, waiting included.
const PLACES: usize = 70;
const STEPS: usize = 18;
const RUNS: usize = STEPS * 4 * 4 * 2;
const PARTS: usize = 8 * 4 * 2;

/// For each seat from the viewer's on the share of its marbles on each place and of its cards;
/// then by rank the own hand, the played cards, the card drawn and the gift to the partner; then
/// what is left of a seven, and whether cards are given. The policy does not tell apart cards that
/// do the same.
#[derive(Debug)]
pub(super) struct Counts;

impl Encoder<Relative> for Counts {
    fn name(&self) -> &'static str {
        "counts"
    }

    fn shape(&self) -> Shape {
        Shape::vector(SEATS * (PLACES + 2) + 4 * MOST_RANKS + 2)
    }

    fn encode(&self, _: &Relative, view: &View, input: &mut Tensor<'_>) {
        let values = input.vector();
        let first = view.viewer.unwrap_or(0);
        for row in 0..SEATS {
            let seat = (first + row) % SEATS;
            let part = &mut values[row * (PLACES + 2)..];
            for &place in &view.table.board.0[seat] {
                part[usize::from(place)] += 0.25;
            }
            part[PLACES] = f32::from(view.counts[seat]) / 6.0;
            part[PLACES + 1] = f32::from(u8::from(usize::from(view.table.seat) == seat));
        }
        let ranks = &mut values[SEATS * (PLACES + 2)..];
        for rank in 0..MOST_RANKS {
            ranks[rank] = view.hand.count_of(rank) as f32 / 4.0;
            ranks[MOST_RANKS + rank] = view.table.played.count_of(rank) as f32 / 8.0;
        }
        let gift = view.viewer.map_or(NONE, |seat| view.gifts.given[seat]);
        for (block, card) in [(2, view.table.drawn), (3, gift)] {
            if card < UNKNOWN {
                ranks[block * MOST_RANKS + usize::from(card)] = 1.0;
            }
        }
        ranks[4 * MOST_RANKS] = f32::from(view.table.seven.left) / 7.0;
        ranks[4 * MOST_RANKS + 1] = f32::from(u8::from(view.table.phase == super::state::Phase::Give));
    }

    fn policy_size(&self) -> usize {
        RUNS + PARTS + 64 + 16 + MOST_RANKS + 3
    }

    fn policy_index(&self, _: &Relative, _: &View, action: Action) -> usize {
        match action {
            Action::Run { steps, offset, marble, around, .. } => {
                ((((steps + 4) as usize * 4 + usize::from(offset)) * 4) + usize::from(marble)) * 2 + usize::from(around)
            }
            Action::Part { steps, marble, around, .. } => {
                RUNS + (usize::from(steps) * 4 + usize::from(marble)) * 2 + usize::from(around)
            }
            Action::Swap { marble, offset, other, .. } => RUNS + PARTS + usize::from(marble * 16 + offset * 4 + other),
            Action::Take { offset, other, .. } => RUNS + PARTS + 64 + usize::from(offset * 4 + other),
            Action::Give { card } => RUNS + PARTS + 80 + usize::from(card),
            Action::Start { .. } => RUNS + PARTS + 80 + MOST_RANKS,
            Action::Throw => RUNS + PARTS + 81 + MOST_RANKS,
            Action::Pass => RUNS + PARTS + 82 + MOST_RANKS,
            Action::Card(_) | Action::Dealer(_) => unreachable!("chance has no policy"),
        }
    }
}

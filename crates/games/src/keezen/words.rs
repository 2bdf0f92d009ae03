//! Actions in words, for people who do not know the codes. Marbles are counted from 1, the most advanced first.

use super::action::{Action, Move, RANKS, STEPS};
use super::ranks::{FOUR, JACK, SEVEN};
use super::scene::face;

pub(super) const THROW: &str = "Throw in all cards";

/// With a card, named as it is drawn.
pub(super) fn with_card(card: &str, what: &str) -> String {
    format!("{card}: {what}")
}

pub(super) fn steps(steps: i8) -> String {
    let word = if steps.abs() == 1 { "step" } else { "steps" };
    format!("{} {word}{}", steps.abs(), if steps < 0 { " back" } else { "" })
}

/// `offset` is a seat counted from the mover's.
pub(super) fn marble(offset: u8, number: u8) -> String {
    let of = ["", " of the next seat", " of the seat opposite", " of the previous seat"];
    format!("marble {}{}", number + 1, of[usize::from(offset)])
}

pub(super) fn swap(own: u8, offset: u8, other: u8) -> String {
    format!("swap {} with {}", marble(0, own), marble(offset, other))
}

impl Action {
    /// None for what nobody decides.
    pub(super) fn words(self) -> Option<String> {
        let with = |rank: usize, what: String| Some(with_card(&face(RANKS, rank).rank, &what));
        let run = |count: i8, offset: u8, number: u8| format!("{} with {}", steps(count), marble(offset, number));
        match self.decode() {
            Move::Run { rank, marble } if usize::from(rank) == FOUR => with(FOUR, run(-4, 0, marble)),
            Move::Run { rank, marble } => with(rank.into(), run(STEPS[usize::from(rank)] as i8, 0, marble)),
            Move::Seven { marble } => with(SEVEN, run(7, 0, marble)),
            Move::Split { first, steps, second } => {
                // The teammate sits opposite.
                let (offset, second) = if second < 4 { (0, second) } else { (2, second - 4) };
                let rest = format!("{} with {}", 7 - steps, marble(offset, second));
                with(SEVEN, format!("{}, {rest}", run(steps as i8, 0, first)))
            }
            Move::Start { rank, .. } => with(rank.into(), "start".to_string()),
            Move::Swap { marble, offset, other } => with(JACK, swap(marble, offset, other)),
            Move::Throw => Some(THROW.to_string()),
            Move::Nothing | Move::Deal => None,
        }
    }
}

//! Bringing marbles home.

use super::super::board::{ENTRY, FURTHEST, Marbles};
use super::Verdicts;
use super::choice::{Choice, Effect};

/// Finishes with priority: a marble can come into its lane. That is good; all else is bad, a hit of
/// an opponent excepted.
pub(super) fn with_priority(choice: &Choice<'_>) -> Verdicts {
    choice.each(|option| match option.enters {
        true => Some(true),
        false if option.hits_opponent() => None,
        false => Some(false),
    })
}

/// Finishes smart: of all actions in the lane after which as many marbles are in it, those are good
/// that leave the fewest free fields behind a marble, and the others bad.
pub(super) fn smart(choice: &Choice<'_>) -> Verdicts {
    let before = lane(choice.marbles());
    let after = |option: &Effect| {
        let lane = lane(option.after.board.0[choice.colour]);
        (lane != before).then_some((lane.len(), holes(&lane)))
    };
    let lanes: Vec<(usize, usize)> = choice.options.iter().filter_map(after).collect();
    choice.each(|option| {
        let (count, holes) = after(option)?;
        let alike = lanes.iter().filter(|&&(other, _)| other == count).map(|&(_, holes)| holes);
        let (fewest, most) = (alike.clone().min()?, alike.max()?);
        (fewest < most).then_some(holes == fewest)
    })
}

/// The places in the lane, the furthest first.
fn lane(marbles: Marbles) -> Vec<u8> {
    marbles.into_iter().filter(|&place| place > ENTRY).collect()
}

/// Free fields of the lane that lie ahead of its last marble.
fn holes(lane: &[u8]) -> usize {
    lane.last().map_or(0, |&last| usize::from(FURTHEST - last) + 1 - lane.len())
}

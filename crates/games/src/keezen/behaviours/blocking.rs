//! Marbles on their start fields, which nobody passes.

use super::super::action::Move;
use super::super::board::{START, WAITING, find, place_on_track, track_field};
use super::super::ranks::FOUR;
use super::super::state::Table;
use super::Verdicts;
use super::choice::{Choice, Effect, has_starter, on_track};

/// A start field so few steps ahead is about to be passed.
const NEAR: u8 = 6;

/// Keeps marble on own start field to block opponents: a marble stands there, and an opponent's is
/// at most twelve steps before it and has to pass. To stay is good, to leave bad. Neither counts
/// with a reason; nor does leaving by four backward, or with a waiting marble and a card to start it.
pub(super) fn opponents(choice: &Choice<'_>) -> Verdicts {
    if !choice.is_on_start(&choice.view.table) || !blocks_opponent(choice) {
        return choice.none();
    }
    let waits = choice.marbles()[3] == WAITING;
    choice.each(|option| {
        let stays = choice.is_on_start(&option.after);
        let excused = !stays && (option.rank == Some(FOUR) || waits && has_starter(option.hand));
        (!option.has_reason() && !excused).then_some(stays)
    })
}

fn blocks_opponent(choice: &Choice<'_>) -> bool {
    choice.opponents().into_iter().any(|colour| choice.has_to_pass_start(colour))
}

/// Avoids blocking the teammate: a marble of the teammate is at most twelve steps before the start
/// and has to pass, and no opponent is. Good is whatever leaves the start free, by leaving it or by
/// not starting; a marble on it is bad if nothing else speaks for the action.
pub(super) fn not_the_teammate(choice: &Choice<'_>) -> Verdicts {
    if !choice.has_to_pass_start(choice.colour ^ 2) || blocks_opponent(choice) {
        return choice.none();
    }
    choice.each(|option| match choice.is_on_start(&option.after) {
        false => Some(true),
        true if option.has_reason() => None,
        true => Some(false),
    })
}

/// Tries to avoid being blocked: a marble stands at most six steps before the free start field of
/// an opponent who has a card and a waiting marble. To run past it is good. To run elsewhere with a
/// card that could have done so is bad, as is running one more marble there, if nothing else speaks
/// for it.
pub(super) fn not_itself(choice: &Choice<'_>) -> Verdicts {
    let before = exposed(choice, &choice.view.table);
    let now = |option: &Effect| exposed(choice, &option.after);
    let passes = |option: &Effect| option.runs() && !option.hits_own_team() && now(option) < before;
    let passing: Vec<Option<usize>> =
        choice.options.iter().filter(|option| passes(option)).map(|option| option.rank).collect();
    choice.each(|option| match option.kind {
        _ if passes(option) => Some(true),
        Move::Run { .. } | Move::Seven { .. } | Move::Split { .. } if !option.has_reason() => {
            (passing.contains(&option.rank) || now(option) > before).then_some(false)
        }
        _ => None,
    })
}

/// Own marbles right before a start field that its owner may block.
fn exposed(choice: &Choice<'_>, table: &Table) -> usize {
    let may_block = |&colour: &usize| {
        let marbles = table.board.0[colour];
        find(marbles, START).is_none() && marbles[3] == WAITING && choice.view.counts[colour] > 0
    };
    let starts = choice.opponents().into_iter().filter(may_block);
    let starts: Vec<u8> = starts.map(|colour| place_on_track(choice.colour, track_field(colour, START))).collect();
    let before = |place: u8| starts.iter().any(|&start| place < start && start - place <= NEAR);
    table.board.0[choice.colour].into_iter().filter(|&place| on_track(place) && before(place)).count()
}

//! Bringing marbles into the game.

use super::super::action::Move;
use super::super::board::WAITING;
use super::super::ranks::ACE;
use super::Verdicts;
use super::choice::{Choice, has_starter};

/// Use ace as starter, not run. Only moves of an ace count: starting is good, running a step bad.
/// A run that hits an opponent or comes into the lane is no event; one within the lane is bad, as
/// the thesis holds it against its last agent.
pub(super) fn ace_starts(choice: &Choice<'_>) -> Verdicts {
    choice.each(|option| match option.kind {
        Move::Start { .. } if option.rank == Some(ACE) => Some(true),
        Move::Run { .. } if option.rank == Some(ACE) && !option.has_reason() => Some(false),
        _ => None,
    })
}

/// Moves marble from start if agent has other starter card: a marble stands on the start, another
/// waits, and an ace or king is in hand. Good is whatever leaves the start free and keeps a card
/// that starts; everything else without a reason is bad.
pub(super) fn leaves_start(choice: &Choice<'_>) -> Verdicts {
    let waits = choice.marbles()[3] == WAITING;
    if !waits || !choice.is_on_start(&choice.view.table) || !has_starter(choice.view.hand) {
        return choice.none();
    }
    choice.each(|option| match !choice.is_on_start(&option.after) && has_starter(option.hand) {
        true => Some(true),
        false if option.has_reason() => None,
        false => Some(false),
    })
}

//! Swaps with a jack. Marbles are worth what their fields are to them (thesis 003, algorithm 5).

use super::super::action::Move;
use super::super::holdings::SEATS;
use super::super::script::field_value;
use super::Verdicts;
use super::choice::{Choice, Effect};

/// What a swap changes.
struct Swap {
    with_teammate: bool,
    /// For the player's marble and for the other one.
    own: f64,
    other: f64,
}

impl Swap {
    fn of(choice: &Choice<'_>, option: &Effect) -> Option<Swap> {
        let Move::Swap { offset, .. } = option.kind else { return None };
        let other = (choice.seat + usize::from(offset)) % SEATS;
        let worth = |marbles: [u8; 4]| marbles.into_iter().map(field_value).sum::<f64>();
        let change = |colour: usize| worth(option.after.board.0[colour]) - worth(choice.board().0[colour]);
        let with_teammate = other % 2 == choice.seat % 2;
        Some(Swap { with_teammate, own: change(choice.colour), other: change(other) })
    }

    /// Whether one of two partners loses less than the other gains.
    fn helps_the_team(&self) -> bool {
        self.with_teammate && self.own + self.other > 0.0
    }
}

/// Who swaps has a choice if anything else can be done, be it another swap or none.
fn judge(choice: &Choice<'_>, verdict: impl Fn(&Swap) -> Option<bool>) -> Verdicts {
    let verdicts: Verdicts = choice.options.iter().map(|option| verdict(&Swap::of(choice, option)?)).collect();
    let alike = verdicts.iter().all(|verdict| *verdict == verdicts[0]);
    if alike { choice.none() } else { verdicts }
}

/// Switches beneficial for self: good if the own marble gains, bad if it loses and the teammate does
/// not gain more.
pub(super) fn for_itself(choice: &Choice<'_>) -> Verdicts {
    judge(choice, |swap| match swap.own > 0.0 {
        true => Some(true),
        false => (swap.own < 0.0 && !swap.helps_the_team()).then_some(false),
    })
}

/// Switches beneficial for teammate: of swaps with the teammate, good if its marble gains, bad if it
/// loses and the own one does not gain more.
pub(super) fn for_the_teammate(choice: &Choice<'_>) -> Verdicts {
    judge(choice, |swap| match swap.other > 0.0 {
        _ if !swap.with_teammate => None,
        true => Some(true),
        false => (swap.other < 0.0 && !swap.helps_the_team()).then_some(false),
    })
}

/// Switches not beneficial for opponents: of swaps with an opponent, bad if its marble gains, good
/// otherwise.
pub(super) fn not_for_opponents(choice: &Choice<'_>) -> Verdicts {
    judge(choice, |swap| (!swap.with_teammate).then_some(swap.other <= 0.0))
}

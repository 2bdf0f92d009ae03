//! Sending marbles home, and not being sent.

use super::super::board::{START, track_field};
use super::super::ranks::Cards;
use super::super::script::{Knowledge, Position};
use super::super::state::Table;
use super::Verdicts;
use super::choice::{Choice, Effect, on_track};

/// From here on a change in the expected number of marbles lost is clear.
const CLEAR_DANGER: f64 = 0.1;

/// Hits opponents if possible: good is a hit of an opponent and of nobody in the team. All else is
/// bad, a marble that comes into its lane excepted.
pub(super) fn opponents(choice: &Choice<'_>) -> Verdicts {
    choice.each(|option| match option.hits_opponent() {
        true => Some(true),
        false if option.enters || option.opponent_hits > 0 => None,
        false => Some(false),
    })
}

/// Does not hit the teammate. See [`spares`].
pub(super) fn not_the_teammate(choice: &Choice<'_>) -> Verdicts {
    spares(choice, |option| option.teammate_hits > 0)
}

/// Does not hit self. See [`spares`].
pub(super) fn not_itself(choice: &Choice<'_>) -> Verdicts {
    spares(choice, |option| option.own_hits > 0)
}

/// A hit is bad, unless it hits an opponent as well. To do something else with a card that could
/// have hit is good; other cards do not count.
fn spares(choice: &Choice<'_>, hits: impl Fn(&Effect) -> bool) -> Verdicts {
    let hitting: Vec<Option<usize>> =
        choice.options.iter().filter(|option| hits(option)).map(|option| option.rank).collect();
    choice.each(|option| match hits(option) {
        true => (option.opponent_hits == 0).then_some(false),
        false => hitting.contains(&option.rank).then_some(true),
    })
}

/// Runs with chance on hitting opponents: nobody can be hit now, and marbles run without coming
/// into the lane. Good if a card that is kept could hit an opponent from there, otherwise bad.
pub(super) fn with_a_chance(choice: &Choice<'_>) -> Verdicts {
    if choice.options.iter().any(|option| option.opponent_hits > 0) {
        return choice.none();
    }
    choice.each(|option| {
        let judged = option.runs() && !option.enters && !option.hand.is_empty();
        judged.then(|| choice.next_options(option).iter().any(|next| next.hits_opponent()))
    })
}

/// Decreases chances of being hit: the number of own marbles that the opponents are expected to be
/// able to hit, from the cards that the player has not seen and the sizes of their hands, before
/// and after the action. A clear decrease is good, a clear increase bad if nothing else speaks for
/// the action.
pub(super) fn less_in_danger(choice: &Choice<'_>) -> Verdicts {
    let knowledge = Knowledge::of(choice.game, choice.view, choice.seat);
    let before = danger(&knowledge, choice.colour, &choice.view.table, choice.view.hand);
    choice.each(|option| {
        let change = danger(&knowledge, choice.colour, &option.after, option.hand) - before;
        match change {
            _ if change <= -CLEAR_DANGER && !option.hits_own_team() => Some(true),
            _ if change >= CLEAR_DANGER && !option.has_reason() => Some(false),
            _ => None,
        }
    })
}

/// Of a colour's marbles on the track, how many are expected to be hit; on the start none is.
fn danger(knowledge: &Knowledge, colour: usize, table: &Table, hand: Cards) -> f64 {
    let position = Position { knowledge, table, hand };
    let places = table.board.0[colour].into_iter().filter(|&place| on_track(place) && place != START);
    places.map(|place| position.chance_of_a_hit(colour, track_field(colour, place))).sum()
}

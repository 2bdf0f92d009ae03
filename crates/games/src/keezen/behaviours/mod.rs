//! The twenty behaviours that thesis 003 (table 7.2) counts in played games, in its order.
//!
//! The thesis counts moves by hand and describes them in a line each; every function here states
//! the rule that decides instead. All rules look at the view of the player to move alone. There is
//! only an occasion if one legal action would be good and another bad (swaps need only another
//! action). What the thesis leaves out because other reasons weigh as much is no event: mostly a hit
//! of an opponent or a marble that comes into its lane, called a reason here.

mod blocking;
mod choice;
mod finishing;
mod hitting;
mod running;
mod starting;
mod switching;

use meeple_core::game::Named;
use meeple_core::{Behaviour, Turn};

use super::Keezen;
use super::action::Action;
use super::state::View;
use choice::Choice;

/// Good, bad or neither, for each legal action.
type Verdicts = Vec<Option<bool>>;

/// A behaviour that judges all legal actions at once.
struct Rule(Verdict);

/// What is good and bad about each option of a choice.
type Verdict = fn(&Choice<'_>) -> Verdicts;

impl Behaviour<Keezen> for Rule {
    fn judge(&self, game: &Keezen, view: &View, action: Action) -> Option<bool> {
        let seat = view.viewer.filter(|&seat| view.table.turn() == Turn::Player(seat))?;
        let choice = Choice::new(game, view, seat);
        let chosen = choice.options.iter().position(|option| option.action == action)?;
        (self.0)(&choice)[chosen]
    }
}

pub(super) fn all() -> Vec<Named<dyn Behaviour<Keezen>>> {
    let rules: [(&'static str, Verdict); 20] = [
        ("starts with the ace instead of running", starting::ace_starts),
        ("leaves the start if another starter is in hand", starting::leaves_start),
        ("four backward from start, first marble", running::four_back_first),
        ("four backward from start, other marbles", running::four_back_others),
        ("runs not just with the front marble", running::not_just_the_front),
        ("does not always play the highest card first", running::not_the_highest_card),
        ("splits the seven to advantage", running::splits_well),
        ("finishes with priority", finishing::with_priority),
        ("finishes smart", finishing::smart),
        ("hits opponents if possible", hitting::opponents),
        ("does not hit the teammate", hitting::not_the_teammate),
        ("does not hit itself", hitting::not_itself),
        ("runs with a chance to hit opponents", hitting::with_a_chance),
        ("lowers the chance of being hit", hitting::less_in_danger),
        ("keeps a marble on its start to block opponents", blocking::opponents),
        ("avoids blocking the teammate", blocking::not_the_teammate),
        ("avoids being blocked", blocking::not_itself),
        ("switches to its own advantage", switching::for_itself),
        ("switches to the teammate's advantage", switching::for_the_teammate),
        ("switches not to the opponents' advantage", switching::not_for_opponents),
    ];
    rules.into_iter().map(|(name, rule)| (name, Box::new(Rule(rule)) as Box<dyn Behaviour<Keezen>>)).collect()
}

//! Figures of one hand.

use meeple_core::Fact;
use meeple_core::combinatorics::choose;

use super::Hearts;
use super::state::SEATS;
use crate::tricks::complexity;

pub(super) fn facts(game: &Hearts) -> Vec<Fact> {
    let (hand_size, cards) = (game.hand_size() as usize, usize::from(game.cards));
    let mut facts = complexity::facts(SEATS, hand_size, cards);
    let hidden = complexity::deals(SEATS - 1, hand_size, cards - hand_size);
    facts.push(Fact::number("worlds that one player's first hand allows", hidden));
    if game.rules.passing {
        let passes = choose(game.hand_size(), game.passed) as f64;
        let deals = complexity::deals(SEATS, hand_size, cards);
        facts.push(Fact::number("passes from one hand", passes));
        facts.push(Fact::number("deals with their passes", deals * passes.powi(SEATS as i32)));
    }
    facts
}

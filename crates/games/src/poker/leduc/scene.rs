//! The table for a page.

use meeple_core::scene::{Area, AreaKind, Remark, Seat};
use meeple_core::{Player, Scene, Scenery};

use super::{Action, LeducPoker, View};
use crate::poker::{hand, shown};

impl Scenery<LeducPoker> for LeducPoker {
    fn scene(&self, _: &LeducPoker, view: &View) -> Scene {
        let mut areas: Vec<Area> = (0..2).map(|seat| hand(seat, view.private[seat])).collect();
        areas.push(Area::new("Public card", AreaKind::Row, view.public.map(shown).into_iter().collect()));
        let words = view.betting.words();
        let seat = |seat: Player| {
            let mut facts = vec![Remark::new("In the pot", view.betting.chips()[seat])];
            // Seat 0 speaks first in both rounds.
            let said = words.iter().flat_map(|round| round.iter().skip(seat).step_by(2)).last();
            facts.extend(said.map(|word| Remark::new("Said", word)));
            Seat { facts, ..Seat::default() }
        };
        Scene { areas, seats: (0..2).map(seat).collect(), ..Scene::default() }
    }

    fn picks(&self, _: &LeducPoker, _: &View, _: Action) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::{Game, Notation};

    #[test]
    fn cards_stay_hidden_until_the_showdown() {
        let check = |text: &str, hands: &[bool], pot: &[&str]| {
            let state = LeducPoker.parse_state(text).unwrap();
            let scene = LeducPoker.scene(&LeducPoker, &LeducPoker.view(&state, Some(0)));
            let open: Vec<bool> = scene.areas[..2].iter().map(|hand| hand.cards[0].face.is_some()).collect();
            assert_eq!(open, hands, "{text}");
            let chips: Vec<&str> = scene.seats.iter().map(|seat| &*seat.facts[0].value).collect();
            assert_eq!(chips, pot, "{text}");
        };
        check("KJ- call raise", &[true, false], &["1", "3"]);
        check("KJQ call call raise", &[true, false], &["5", "1"]);
        check("KJQ call call call call", &[true, true], &["1", "1"]);
    }
}

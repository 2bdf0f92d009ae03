//! The table for a page.

use meeple_core::scene::{Remark, Seat};
use meeple_core::{Scene, Scenery};

use super::{SEATS, Sueca, View};
use crate::cards::Card;
use crate::tricks::{scene, team};

impl Scenery<Sueca> for Sueca {
    fn scene(&self, _: &Sueca, view: &View) -> Scene {
        let public = &view.public;
        let counts: [u32; SEATS] = std::array::from_fn(|seat| self.hand_count(public, seat));
        let mut facts = scene::trump(&self.pack, &public.table);
        facts.push(Remark::new("Dealer", format!("seat {}", public.dealer)));
        if public.doubled {
            facts.push(Remark::new("This hand", "counts double"));
        }
        Scene {
            board: None,
            areas: scene::areas(&self.pack, view, &public.table, &counts),
            seats: self.seats(view),
            facts,
        }
    }

    fn picks(&self, _: &Sueca, _: &View, action: Card) -> Vec<String> {
        vec![self.pack.ranks.text(action)]
    }
}

impl Sueca {
    /// In a match game points are the score, and card points a fact.
    fn seats(&self, view: &View) -> Vec<Seat> {
        let mut seats = scene::seats(&view.public.table, SEATS);
        if self.rules.to > 0 {
            for (number, seat) in seats.iter_mut().enumerate() {
                let games = view.public.games[team(number)].to_string();
                let points = seat.score.replace(games).unwrap_or_default();
                seat.facts.push(Remark::new("Points", points));
            }
        }
        seats
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::scene::Area;
    use meeple_core::{Game, Rng};

    #[test]
    fn all_see_the_turned_up_card_in_the_hand_of_the_dealer() {
        let game = Sueca::default();
        let mut state = game.initial_state();
        game.play_chance(&mut state, &mut Rng::from_seed(1));
        for viewer in [Some(0), Some(3), None] {
            let scene = game.scene(&game, &game.view(&state, viewer));
            let hands = &scene.areas[..SEATS];
            assert!(hands.iter().all(|hand| hand.cards.len() == 10));
            let open = |hand: &Area| hand.cards.iter().filter(|card| card.face.is_some()).count();
            let expected = (0..SEATS).map(|seat| match seat {
                _ if viewer == Some(seat) => 10,
                3 => 1,
                _ => 0,
            });
            assert_eq!(hands.iter().map(open).collect::<Vec<_>>(), expected.collect::<Vec<_>>());
            let clicked = hands.iter().flat_map(|hand| &hand.cards).filter(|card| !card.pick.is_empty());
            assert_eq!(clicked.count(), if viewer.is_some() { 10 } else { 0 });
        }
    }
}

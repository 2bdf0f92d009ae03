//! The table for a page.

use meeple_core::scene::{self, Area, AreaKind};
use meeple_core::{Scene, Scenery};

use super::{Bisca, View};
use crate::cards::Card;
use crate::tricks::{self, NO_CARD};

impl Scenery<Bisca> for Bisca {
    /// The turned-up card lies beside the stock and is drawn last.
    fn scene(&self, _: &Bisca, view: &View) -> Scene {
        let public = &view.public;
        let counts: Vec<u32> = (0..self.rules.players).map(|seat| self.hand_count(public, seat)).collect();
        let mut areas = tricks::scene::areas(&self.pack, view, &public.table, &counts);
        let stock = self.stock_left(public);
        let turned_up = stock > 0 && public.table.trump != NO_CARD;
        let trump = turned_up.then(|| self.pack.ranks.shown(public.table.trump));
        let hidden = vec![scene::Card::hidden(); stock - usize::from(turned_up)];
        areas.push(Area::new("Trump", AreaKind::Row, trump.into_iter().collect()));
        areas.push(Area::new("Stock", AreaKind::Pile, hidden));
        Scene {
            board: None,
            areas,
            seats: tricks::scene::seats(&public.table, self.rules.players),
            facts: tricks::scene::trump(&self.pack, &public.table),
        }
    }

    fn picks(&self, _: &Bisca, _: &View, action: Card) -> Vec<String> {
        vec![self.pack.ranks.text(action)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::{Game, Rng, Turn};

    #[test]
    fn hands_trick_and_stock_make_up_the_pack() {
        let game = Bisca::default();
        let mut rng = Rng::from_seed(1);
        let mut state = game.initial_state();
        game.play_chance(&mut state, &mut rng);
        while game.turn(&state) != Turn::Over {
            let scene = game.scene(&game, &game.view(&state, Some(0)));
            let lying = |area: &&Area| area.name != "last-trick";
            let cards: usize = scene.areas.iter().filter(lying).map(|area| area.cards.len()).sum();
            let table = &state.public.table;
            assert_eq!(cards, game.pack.size() - 2 * table.completed());
            let trump = scene.areas.iter().find(|area| area.name == "trump").unwrap();
            assert_eq!(trump.cards.is_empty(), table.trump_holder.is_some());
            let action = game.random_action(&state, &mut Vec::new(), &mut rng);
            game.apply(&mut state, action);
        }
    }
}

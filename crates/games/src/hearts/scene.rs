//! The table for a page.

use meeple_core::bits::elements;
use meeple_core::scene::{Area, AreaKind, Remark, Seat};
use meeple_core::{Player, Scene, Scenery};

use super::history::Play;
use super::knowledge::Knowledge;
use super::state::{Phase, SEATS, View};
use super::{Action, Hearts};
use crate::cards::Card;

impl Scenery<Hearts> for Hearts {
    fn scene(&self, _: &Hearts, view: &View) -> Scene {
        let plays: Vec<Play> = view.table.plays().collect();
        let (done, current) = plays.split_at(plays.len() - plays.len() % SEATS);
        let last = done.chunks(SEATS).next_back().unwrap_or_default();
        let cards = |plays: &[Play]| plays.iter().map(|play| self.ranks.played(play.seat, play.card)).collect();
        let mut areas = self.hands(view);
        areas.push(Area::new("Trick", AreaKind::Trick, cards(current)));
        areas.push(Area::new("Last trick", AreaKind::Row, cards(last)));
        let seats = (0..SEATS).map(|seat| self.seat(view, seat)).collect();
        Scene { board: None, areas, seats, facts: self.remarks(view) }
    }

    /// The card that is played, or all that are passed.
    fn picks(&self, _: &Hearts, _: &View, action: Action) -> Vec<String> {
        elements(action.0).map(|card| self.ranks.text(Card(card as u8))).collect()
    }
}

impl Hearts {
    /// Who passed a card sees it in the other's hand.
    fn hands(&self, view: &View) -> Vec<Area> {
        let viewer = view.viewer.map(usize::from);
        let knowledge = Knowledge::of(self, view).expect("a view does not contradict itself");
        let hand = |seat: Player| {
            let known = knowledge.known[seat];
            self.ranks.hand(seat, viewer, known, known.count_ones() + knowledge.hidden[seat])
        };
        (0..SEATS).map(hand).collect()
    }

    /// The score is the total of a game of several hands, else the points taken.
    fn seat(&self, view: &View, seat: Player) -> Seat {
        let table = &view.table;
        let points = table.points[seat];
        let mut facts = Vec::new();
        let score = match self.rules.to {
            0 if table.phase != Phase::Over => u16::from(points),
            0 => table.totals[seat],
            _ => {
                facts.push(Remark::new("This hand", points));
                table.totals[seat]
            }
        };
        let own = view.viewer == Some(seat as u8);
        for (name, cards) in [("Passed", view.passed), ("Received", view.received)] {
            if own && cards != 0 {
                facts.push(Remark::new(name, self.ranks.set_text(cards).replace('.', " ")));
            }
        }
        Seat { score: Some(score.to_string()), facts, ..Seat::default() }
    }

    fn remarks(&self, view: &View) -> Vec<Remark> {
        let table = &view.table;
        let mut facts = Vec::new();
        if self.rules.to > 0 {
            facts.push(Remark::new("Hand", table.hand));
        }
        if table.phase == Phase::Pass {
            let direction = ["", "to the left", "across", "to the right"][self.pass_distance(table.hand)];
            facts.push(Remark::new("Passing", format!("{} cards {direction}", self.passed)));
        }
        facts.push(Remark::new("Hearts", if table.broken { "broken" } else { "not broken" }));
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hearts::HeartsRules;
    use meeple_core::{Game, Rng};

    #[test]
    fn passed_cards_are_picked_together_and_stay_known() {
        let game = Hearts::new(HeartsRules::full_game());
        let mut rng = Rng::from_seed(1);
        let mut state = game.initial_state();
        game.play_chance(&mut state, &mut rng);
        let pass = game.random_action(&state, &mut Vec::new(), &mut rng);
        let passed = game.picks(&game, &game.view(&state, Some(0)), pass);
        assert_eq!(passed.len(), 3);
        game.apply(&mut state, pass);
        for _ in 1..SEATS {
            let pass = game.random_action(&state, &mut Vec::new(), &mut rng);
            game.apply(&mut state, pass);
        }
        let open = |viewer: Option<Player>, seat: usize| {
            let area = game.scene(&game, &game.view(&state, viewer)).areas.swap_remove(seat);
            assert_eq!(area.cards.len(), 13);
            area.cards.iter().filter(|card| card.face.is_some()).count()
        };
        let opener = usize::from(state.table.turn);
        // Everybody knows who has the lowest club.
        let club = |seat: usize| usize::from(seat == opener && pass.0 & game.opening.bit() == 0);
        assert_eq!([0, 1, 2].map(|seat| open(Some(0), seat)), [13, 3 + club(1), club(2)]);
        assert_eq!([0, 1].map(|seat| open(Some(1), seat)), [club(0), 13]);
        assert_eq!((0..SEATS).map(|seat| open(None, seat)).sum::<usize>(), 1);
    }
}

//! Boards, marbles and hands for a page.

use meeple_core::scene::{Area, AreaKind, Card, Face, Remark, Suit};
use meeple_core::{Player, Scene, Scenery};

use super::action::Action;
use super::board::SLIDES;
use super::state::{NONE, Phase, Table, UNKNOWN, View};
use super::worlds::unplayed_gift;
use super::{Relative, Variant};
use crate::keezen::board::{START, WAITING};
use crate::keezen::holdings::SEATS;
use crate::keezen::ranks::JACK;
use crate::keezen::scene::{Circuit, KEEZEN, Spot, card_pick, dealer, face, hand, once, seats, table};

/// Lanes begin behind the start.
const DOG: Circuit = Circuit { first: 8, ..KEEZEN };

/// The classic board: lanes begin two fields before the start and end at home.
const SORRY: Circuit =
    Circuit { side: 15, first: 0, start: 4, lane: (2.0, 6), waiting: (1.5, 4.0), slides: &SLIDES, name: sorry_name };

fn sorry_name(spot: Spot) -> String {
    match spot {
        Spot::Track(field) => field.to_string(),
        Spot::Lane(seat, 5) => format!("home-{seat}"),
        Spot::Lane(seat, number) => format!("safety-{seat}-{}", number + 1),
        Spot::Waiting(seat, marble) => format!("waiting-{seat}-{}", marble + 1),
    }
}

impl Variant {
    fn circuit(self) -> Circuit {
        match self {
            Variant::Tock => KEEZEN,
            Variant::Dog => DOG,
            Variant::Sorry => SORRY,
        }
    }

    /// Suits matter to the jacks of Tock: the black ones swap, the red ones run.
    fn face(self, rank: usize) -> Face {
        let jack = |suit: Suit| Face { rank: "J".into(), suit: Some(suit) };
        match (self, rank) {
            (Variant::Tock, JACK) => jack(Suit::Spades),
            (Variant::Tock, 13) => jack(Suit::Hearts),
            (Variant::Dog, 13) => Face::of("Joker"),
            (Variant::Sorry, 13) => Face::of("Sorry!"),
            (Variant::Sorry, _) => Face::of(rank + 1),
            _ => face(self.ranks(), rank),
        }
    }

    fn card(self, rank: usize) -> Card {
        Card::open(card_pick(self.ranks(), rank), self.face(rank))
    }

    fn spot(self, colour: usize, marble: usize, place: u8) -> Spot {
        match self.field(colour, place) {
            _ if place == WAITING => Spot::Waiting(colour, marble),
            Some(field) => Spot::Track(field),
            None => Spot::Lane(colour, place - self.lane()),
        }
    }
}

impl Scenery<Relative> for Relative {
    fn scene(&self, _: &Relative, view: &View) -> Scene {
        let (variant, board) = (self.variant, &view.table.board);
        let marble = |number: usize| {
            let (colour, marble) = (number / 4, number % 4);
            (colour, variant.spot(colour, marble, board.0[colour][marble]))
        };
        let marbles: Vec<(Player, Spot)> = (0..4 * SEATS).map(marble).collect();
        let mut facts = dealer(view.table.dealer);
        if view.table.seven.left > 0 {
            facts.push(Remark::new("Steps left", view.table.seven.left));
        }
        Scene {
            board: Some(variant.circuit().plan(&marbles)),
            areas: self.areas(view),
            seats: seats(|seat| variant.arrived(board, seat)),
            facts,
        }
    }

    /// The card, unless it lies on the table already, and where each marble comes from and goes to;
    /// throwing the hand and passing are buttons.
    fn picks(&self, _: &Relative, view: &View, action: Action) -> Vec<String> {
        let (table, circuit) = (&view.table, self.variant.circuit());
        let colour = self.colour(&table.board, table.seat.into());
        let seat = |offset: u8| (usize::from(table.seat) + usize::from(offset)) % SEATS;
        let at = |colour: usize, marble: u8| {
            let place = table.board.0[colour][usize::from(marble)];
            (circuit.name)(self.variant.spot(colour, marble.into(), place))
        };
        let run = |runner: usize, marble: u8, steps: i8, around: bool| {
            let place = table.board.0[runner][usize::from(marble)];
            let end = self.variant.reached(place, steps, around);
            let end = end.map(|end| (circuit.name)(self.variant.spot(runner, marble.into(), end)));
            [at(runner, marble)].into_iter().chain(end).collect()
        };
        let (card, mut picks): (u8, Vec<String>) = match action {
            Action::Run { card, steps, offset, marble, around } => {
                (card, run(if offset == 0 { colour } else { seat(offset) }, marble, steps, around))
            }
            Action::Part { card, steps, marble, around } => (card, run(colour, marble, steps as i8, around)),
            Action::Start { card } => {
                let start = (circuit.name)(self.variant.spot(colour, 0, START));
                (card, vec![at(colour, first_waiting(table, colour)), start])
            }
            Action::Swap { card, marble, offset, other } => (card, vec![at(colour, marble), at(seat(offset), other)]),
            Action::Take { card, offset, other } => {
                (card, vec![at(colour, first_waiting(table, colour)), at(seat(offset), other)])
            }
            Action::Give { card } => (card, Vec::new()),
            Action::Throw | Action::Pass | Action::Card(_) | Action::Dealer(_) => return Vec::new(),
        };
        if table.drawn == NONE && table.seven.left == 0 {
            picks.insert(0, card_pick(self.variant.ranks(), card.into()));
        }
        once(picks)
    }

    fn label(&self, _: &Relative, action: Action) -> Option<String> {
        action.words(|card| self.variant.face(card.into()).rank)
    }
}

fn first_waiting(table: &Table, colour: usize) -> u8 {
    table.board.0[colour].iter().filter(|&&place| place != WAITING).count() as u8
}

impl Relative {
    fn areas(&self, view: &View) -> Vec<Area> {
        let face = |rank: usize| self.variant.face(rank);
        let giving = view.table.phase == Phase::Give;
        let mut areas: Vec<Area> = (0..SEATS).map(|seat| self.hand_area(view, seat)).collect();
        let gifts = view.gifts.given.iter().enumerate().filter(|&(_, &card)| giving && card != NONE);
        let gifts: Vec<Card> = gifts
            .map(|(seat, &card)| {
                let known = (card != UNKNOWN).then(|| face(card.into()));
                Card { face: known, from: Some(seat), ..Card::hidden() }
            })
            .collect();
        let drawn: Vec<Card> = [view.table.drawn]
            .into_iter()
            .filter(|&card| card != NONE)
            .map(usize::from)
            .map(face)
            .map(Card::shown)
            .collect();
        let held: u32 = view.counts.iter().map(|&count| u32::from(count)).sum();
        let seen = view.table.played.count() + held + (gifts.len() + drawn.len()) as u32;
        areas.extend(table(view.table.played, self.setup.deck.count() - seen, face));
        if self.exchanges() {
            areas.push(Area::new("Gifts", AreaKind::Row, gifts));
        }
        if self.setup.deal.is_empty() {
            areas.push(Area::new("Drawn", AreaKind::Row, drawn));
        }
        areas
    }

    /// Who gave a card sees it in the partner's hand until it may have been played.
    fn hand_area(&self, view: &View, seat: Player) -> Area {
        let own = (view.viewer == Some(seat)).then_some(view.hand);
        let mut area = hand(seat, own, view.counts[seat], |rank| self.variant.card(rank));
        if let Some((partner, gift)) = unplayed_gift(view)
            && partner == seat
            && view.table.phase != Phase::Give
            && let Some(card) = area.cards.first_mut()
        {
            *card = Card::shown(self.variant.face(gift));
        }
        area
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::scene::Site;
    use meeple_core::{Game, Notation};

    #[test]
    fn every_variant_has_its_board() {
        for (variant, count) in [(Variant::Tock, 96), (Variant::Dog, 96), (Variant::Sorry, 100)] {
            let game = Relative::new(variant);
            let sites = game.scene(&game, &game.view(&game.initial_state(), None)).board.unwrap().sites;
            assert_eq!(sites.len(), count, "{variant:?}");
            for (number, site) in sites.iter().enumerate() {
                let near = |other: &&Site| (site.x - other.x).hypot(site.y - other.y) < 0.99;
                assert_eq!(sites[..number].iter().find(near), None, "{variant:?}: {site:?}");
            }
        }
    }

    /// The picks of the action with this text for seat 0, which is to move.
    #[track_caller]
    fn check(variant: Variant, view: &str, action: &str, picks: &[&str]) {
        let game = Relative::new(variant);
        let view = game.parse_view(view).unwrap();
        let mut actions = Vec::new();
        game.view_actions(&view, &mut actions);
        let found = actions.into_iter().find(|found| found.text(variant) == action).expect("the action is legal");
        assert_eq!(game.picks(&game, &view, found), picks);
    }

    #[test]
    fn codes_have_words() {
        let run = |steps, offset, around| Action::Run { card: 4, steps, offset, marble: 0, around };
        for (variant, action, words) in [
            (Variant::Tock, run(5, 1, false), "5: 5 steps with marble 1 of the next seat"),
            (Variant::Dog, run(-4, 0, true), "5: 4 steps back with marble 1, another lap"),
            (Variant::Dog, Action::Part { card: 6, steps: 1, marble: 1, around: false }, "7: 1 step with marble 2"),
            (Variant::Dog, Action::Start { card: 13 }, "Joker: start"),
            (Variant::Dog, Action::Give { card: 12 }, "Give K"),
            (
                Variant::Tock,
                Action::Swap { card: 10, marble: 0, offset: 2, other: 3 },
                "J: swap marble 1 with marble 4 of the seat opposite",
            ),
            (
                Variant::Sorry,
                Action::Take { card: 13, offset: 3, other: 0 },
                "Sorry!: take the field of marble 1 of the previous seat",
            ),
            (Variant::Dog, Action::Throw, "Throw in all cards"),
            (Variant::Sorry, Action::Pass, "Pass"),
        ] {
            let game = Relative::new(variant);
            assert_eq!(game.label(&game, action).as_deref(), Some(words), "{action:?}");
        }
    }

    const DOG_VIEW: &str =
        "64.w.w.w/w.w.w.w/w.w.w.w/w.w.w.w 23AX55/??????/??????/?????? ? - 7?5? -/-/-/- - d3 r0 t0 s0 m4 v0";

    #[test]
    fn lanes_and_laps_of_dog_are_told_apart_by_where_they_end() {
        check(Variant::Dog, DOG_VIEW, "3+3P0", &["card:3", "4", "2"]);
        check(Variant::Dog, DOG_VIEW, "3+3P0r", &["card:3", "4", "7"]);
        check(Variant::Dog, DOG_VIEW, "AS", &["card:A", "21", "5"]);
    }

    #[test]
    fn a_gift_is_seen_in_the_hand_of_the_partner() {
        let game = Relative::new(Variant::Dog);
        let scene = game.scene(&game, &game.parse_view(DOG_VIEW).unwrap());
        let faces = |area: &Area| area.cards.iter().filter_map(|card| card.face.clone()).collect::<Vec<_>>();
        assert_eq!(faces(&scene.areas[2]), [Face::of(7)]);
        assert!(faces(&scene.areas[1]).is_empty() && faces(&scene.areas[3]).is_empty());
        assert_eq!(scene.areas[2].cards.len(), 6);
    }

    #[test]
    fn a_card_of_sorry_needs_no_click() {
        let view = "5.w.w.w/w.w.w.w/w.w.w.w/w.w.w.w -/-/-/- - - ---- -/-/-/- T d3 r0 t0 s0 m4 v0";
        check(Variant::Sorry, view, "T+10P0", &["8", "18"]);
        check(Variant::Sorry, view, "T-1P0", &["8", "7"]);
    }
}

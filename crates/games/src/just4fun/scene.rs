//! Board and cards for a page.

use meeple_core::scene::{Area, AreaKind, Card, Face, Piece, Plan, Remark, Seat, Site, Tone};
use meeple_core::{Player, Scene, Scenery};

use super::board::{FIELDS, SIDE, Standing, UNPLACED};
use super::cards::Cards;
use super::state::Phase;
use super::{Just4Fun, View};

/// Fields are picked by their values, so cards need other names.
fn card_pick(value: u8) -> String {
    format!("card:{value}")
}

impl Scenery<Just4Fun> for Just4Fun {
    fn scene(&self, _: &Just4Fun, view: &View) -> Scene {
        let sites = (0..FIELDS).filter(|&field| view.shown.squares[field] != UNPLACED);
        let side = SIDE as f32;
        let sites = sites.map(|field| self.site(view, field)).collect();
        let players = 0..self.rules.players;
        let mut areas: Vec<Area> = players.clone().map(|player| hand(view, player)).collect();
        areas.push(Area::new("Used", AreaKind::Heap, used(view)));
        let dealing = matches!(view.shown.phase, Phase::Board | Phase::Deal);
        let stock = if dealing { view.unordered } else { view.shown.stock };
        areas.push(Area::new("Stock", AreaKind::Pile, vec![Card::hidden(); stock.into()]));
        Scene {
            board: Some(Plan { width: side, height: side, sites, ..Plan::default() }),
            areas,
            seats: players.map(|player| seat(view, player)).collect(),
            facts: Vec::new(),
        }
    }

    /// The cards and the field of their sum.
    fn picks(&self, _: &Just4Fun, _: &View, action: Cards) -> Vec<String> {
        action.values().map(card_pick).chain([action.sum().to_string()]).collect()
    }
}

impl Just4Fun {
    /// With the stones of each seat. A secured field has the colour of its holder.
    fn site(&self, view: &View, field: usize) -> Site {
        let (stones, players) = (&view.shown.stones, self.rules.players);
        let square = usize::from(view.shown.squares[field]);
        let pieces = (0..players).map(|seat| Piece { count: stones.get(seat, field).into(), ..Piece::of(seat) });
        let tone = match Standing::of(stones, players, field) {
            Standing { secured: true, holder: Some(holder), .. } => Tone::Seat(holder),
            _ => Tone::Plain,
        };
        let value = (field + 1).to_string();
        Site {
            tone,
            text: Some(value.clone()),
            pieces: pieces.filter(|piece| piece.count > 0).collect(),
            ..Site::square(value, (square % SIDE) as f32 + 0.5, (square / SIDE) as f32 + 0.5)
        }
    }
}

fn hand(view: &View, player: Player) -> Area {
    let hand = view.shown.hands[player];
    let own = view.viewer() == Some(player);
    let open = hand.values().filter(|_| own).map(|value| Card::open(card_pick(value), Face::of(value)));
    Area::hand(player, open.collect(), hand.len())
}

/// What everybody has seen, then the plays that only their players saw.
fn used(view: &View) -> Vec<Card> {
    let seen = view.shown.pile.values().map(|value| Card::shown(Face::of(value)));
    let hidden = view.shown.hidden_plays().flat_map(|(player, cards)| {
        let own = view.viewer() == Some(player);
        let face = move |value: u8| own.then(|| Face::of(value));
        cards.values().map(move |value| Card { face: face(value), from: Some(player), ..Card::hidden() })
    });
    seen.chain(hidden).collect()
}

fn seat(view: &View, player: Player) -> Seat {
    let drawn = view.shown.phase != Phase::Board;
    Seat {
        score: drawn.then(|| view.shown.points(player).0.to_string()),
        facts: vec![Remark::new("Stones left", view.shown.supply[player])],
        ..Seat::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::Notation;

    fn view() -> (Just4Fun, View) {
        let game = Just4Fun::default();
        let text = "viewer=0 turn=0 stones=7:2.0/11:1.1 hands=5.5.11.13/?.?.?.? stock=?41 used=1.6.7.7.11.2";
        let view = game.parse_view(text).unwrap();
        (game, view)
    }

    #[test]
    fn a_play_is_its_cards_and_the_field_of_their_sum() {
        let (game, view) = view();
        let picks = |cards: &[u8]| game.picks(&game, &view, Cards::new(cards));
        assert_eq!(picks(&[5, 11, 13]), ["card:5", "card:11", "card:13", "29"]);
        assert_eq!(picks(&[5, 5]), ["card:5", "card:5", "10"], "equal cards share a pick");
        let scene = game.scene(&game, &view);
        let fives = scene.areas.iter().flat_map(|area| &area.cards).filter(|card| card.pick == "card:5");
        assert_eq!(fives.count(), 2);
    }

    #[test]
    fn the_others_hold_their_cards_face_down() {
        let (game, view) = view();
        let scene = game.scene(&game, &view);
        let area = |name: &str| scene.areas.iter().find(|area| area.name == name).unwrap();
        assert!(area("hand-0").cards.iter().all(|card| card.face.is_some()));
        assert_eq!(area("hand-1").cards, vec![Card::hidden(); 4]);
        assert_eq!(area("used").cards.len(), 6);
        assert_eq!(area("stock").cards, vec![Card::hidden(); 41]);
    }

    #[test]
    fn secured_fields_have_the_colour_of_their_holder() {
        let (game, view) = view();
        let board = game.scene(&game, &view).board.unwrap();
        let site = |value: &str| board.sites.iter().find(|site| site.pick == value).unwrap();
        assert_eq!(site("7").tone, Tone::Seat(0));
        assert_eq!(site("7").pieces, [Piece { count: 2, ..Piece::of(0) }]);
        assert_eq!((site("11").tone, site("11").pieces.len()), (Tone::Plain, 2));
        assert_eq!((site("1").x, site("1").y), (0.5, 0.5));
    }
}

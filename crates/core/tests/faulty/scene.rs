//! Three sites to choose a side, and the cards.

use meeple_core::scene::{Area, Card, Face, Label, Piece, Plan, Seat, Site};
use meeple_core::{Scene, Scenery};

use super::{Action, Fault, Faulty, View};

const SIDES: [&str; 3] = ["left", "neither", "right"];

impl Scenery<Faulty> for Faulty {
    fn scene(&self, _: &Faulty, view: &View) -> Scene {
        let mut sites: Vec<Site> =
            SIDES.iter().zip(0..).map(|(&side, x)| Site::square(side, x as f32 + 0.5, 0.5)).collect();
        let mut labels = Vec::new();
        let mut areas: Vec<Area> = (0..2).map(|seat| self.hand(view, seat)).collect();
        let mut seats = vec![Seat::default(); 2];
        match self.fault {
            Fault::SiteBesideTheBoard => sites[2].x += 0.1,
            Fault::SiteNowhere => sites[2].y = f32::NAN,
            Fault::SiteTwice => sites[2].pick = "left".into(),
            Fault::LabelBesideTheBoard => labels.push(Label { x: 4.0, y: 0.5, text: "4".into() }),
            Fault::PieceOfNobody => sites[0].pieces.push(Piece::of(2)),
            Fault::AreaTwice => areas[1].name = "hand-0".into(),
            Fault::CardOfNobody => areas[0].seat = Some(2),
            Fault::CardPickedFaceDown => areas[0].cards.push(Card { pick: "back".into(), ..Card::hidden() }),
            Fault::CardPickedAsSite => areas[0].cards.push(Card::open("left", Face::of(0))),
            Fault::SeatMissing => seats.truncate(1),
            _ => {}
        }
        let board = Plan { width: 3.0, height: 1.0, labels, sites, ..Plan::default() };
        Scene { board: Some(board), areas, seats, ..Scene::default() }
    }

    fn picks(&self, _: &Faulty, _: &View, action: Action) -> Vec<String> {
        let side = match action {
            Action::Left => "left",
            Action::Right => "right",
            _ => "neither",
        }
        .to_string();
        match self.fault {
            Fault::PickNotThere => vec![side, "7h".into()],
            Fault::PickTwice => vec![side.clone(), side],
            _ => vec![side],
        }
    }
}

impl Faulty {
    fn hand(&self, view: &View, seat: usize) -> Area {
        let cards = if self.is(Fault::SceneShowsHiddenCard) { view.overlooked } else { view.cards };
        let known = cards[seat].map(|card| Card::shown(Face::of(card)));
        Area::hand(seat, known.into_iter().collect(), usize::from(view.dealt > seat))
    }
}

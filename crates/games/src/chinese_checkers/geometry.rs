//! The star for general heuristic terms: a player's own region is his target, his site map his
//! home, and the region `tip` the last field of his target.

use meeple_core::{Board, Geometry, Player, Reach, Sites, Weights};

use super::board::{self, DIRECTIONS, Fields};
use super::moves::{Mover, Seat};
use super::star::{ChineseCheckers, State};
use super::tiny::{TinyChineseCheckers, TinyState};

/// Found by matches one ply deep. Who stays near the middle has shorter ways and more to jump over.
const TUNED: Weights =
    Weights { name: "tuned", slope: 0.2, terms: &[("region(tip)", 1.0), ("centre", 0.25), ("score", 5.0)] };

fn geometry(board: &board::Board, seats: &[Seat]) -> Geometry {
    let neighbours = |field: &board::Field| {
        let point = board.point(*field);
        DIRECTIONS.iter().filter_map(move |&step| board.field(point.plus(step)))
    };
    let of_seats = |fields: &dyn Fn(&Seat) -> Fields| seats.iter().map(|seat| sites(fields(seat))).collect::<Vec<_>>();
    let tips = board.tips();
    let pairs = board.fields().iter().flat_map(|a| neighbours(a).map(|b| (a.index(), b.index())));
    Geometry {
        playable: sites(board.all()),
        neighbours: pairs.filter(|(a, b)| a < b).collect(),
        centre: sites(board.field(board::Point::default()).into_iter().collect()),
        corners: sites(tips),
        sides: sites(board.fields().iter().copied().filter(|field| neighbours(field).count() < 6).collect()),
        own_regions: of_seats(&|seat| seat.target),
        site_map: of_seats(&|seat| seat.home),
        regions: vec![("tip", of_seats(&|seat| seat.target.intersection(tips)))],
        lines: Vec::new(),
        kinds: vec![1.0],
    }
}

/// A field's index is the number of its site.
#[inline]
fn sites(fields: Fields) -> Sites {
    Sites(fields.0)
}

impl Board<ChineseCheckers> for ChineseCheckers {
    fn geometry(&self) -> Geometry {
        geometry(&self.board, &self.seats)
    }

    #[inline]
    fn pieces(&self, state: &State, player: Player, _: usize) -> Sites {
        sites(state.pieces[player])
    }

    fn moves(&self, state: &State, player: Player, reach: &mut Reach) {
        if state.places[player] == 0 {
            let (seat, own) = (&self.seats[player], state.pieces[player]);
            Mover { seat, own, occupied: state.occupied() }.reach(reach);
        }
    }

    /// How many players are left behind, for who has finished.
    fn score(&self, state: &State, player: Player) -> Option<f32> {
        let place = usize::from(state.places[player]);
        Some(if place == 0 { 0.0 } else { (self.rules.players - place) as f32 })
    }

    fn weights(&self) -> Vec<Weights> {
        vec![TUNED]
    }
}

impl Board<TinyChineseCheckers> for TinyChineseCheckers {
    fn geometry(&self) -> Geometry {
        geometry(&self.board, &self.seats)
    }

    #[inline]
    fn pieces(&self, state: &TinyState, player: Player, _: usize) -> Sites {
        sites(state.pieces[player])
    }

    fn moves(&self, state: &TinyState, player: Player, reach: &mut Reach) {
        if state.scores[player] == 0 {
            let (seat, own) = (&self.seats[player], state.pieces[player]);
            Mover { seat, own, occupied: state.occupied() }.reach(reach);
        }
    }

    fn score(&self, state: &TinyState, player: Player) -> Option<f32> {
        Some(state.scores[player].into())
    }

    fn weights(&self) -> Vec<Weights> {
        vec![TUNED]
    }
}

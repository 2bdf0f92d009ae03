//! The star for a page.

use meeple_core::scene::{self, Piece, Plan, Remark, Site, Tone};
use meeple_core::{Scene, Scenery};

use super::board::{Board, Field, Fields};
use super::draw::owner;
use super::moves::{Move, Seat};
use super::star::{ChineseCheckers, State};
use super::tiny::{TinyChineseCheckers, TinyState};

/// Between two rows, in fields: the height of a triangle.
const ROW: f32 = 0.866_025_4;

/// Homes and targets have the colours of their seats; where one is both, that of the home.
fn plan(board: &Board, seats: &[Seat], pieces: &[Fields]) -> Plan {
    let reach = (board.width() - 1) as f32 / 2.0; // rows from the centre
    let place = |field: Field| {
        let point = board.point(field);
        let (row, column) = (f32::from(point.row), f32::from(point.column));
        (column + row / 2.0 + 0.75 * reach + 0.5, (row + reach) * ROW + 0.5)
    };
    let tone = |field: Field| {
        let home = seats.iter().position(|seat| seat.home.contains(field));
        let target = seats.iter().position(|seat| seat.target.contains(field));
        home.or(target).map_or(Tone::Plain, Tone::Seat)
    };
    let site = |&field: &Field| {
        let (x, y) = place(field);
        let pieces = owner(pieces, field).map(Piece::of).into_iter().collect();
        Site { tone: tone(field), pieces, ..Site::circle(board.name(field), x, y) }
    };
    let sites = board.fields().iter().map(site).collect();
    Plan { width: 1.5 * reach + 1.0, height: 2.0 * reach * ROW + 1.0, sites, ..Plan::default() }
}

/// How many pieces have arrived.
fn arrived(seat: &Seat, pieces: Fields) -> Remark {
    Remark::new("Arrived", format!("{} of {}", pieces.intersection(seat.target).len(), seat.target.len()))
}

fn picks(board: &Board, action: Move) -> Vec<String> {
    if action == Move::PASS {
        return Vec::new();
    }
    vec![board.name(action.from), board.name(action.to)]
}

impl Scenery<ChineseCheckers> for ChineseCheckers {
    fn scene(&self, _: &ChineseCheckers, view: &State) -> Scene {
        let seat = |(player, seat): (usize, &Seat)| {
            let mut facts = vec![arrived(seat, view.pieces[player])];
            if view.places[player] > 0 {
                facts.push(Remark::new("Place", view.places[player]));
            }
            scene::Seat { facts, ..scene::Seat::default() }
        };
        Scene {
            board: Some(plan(&self.board, &self.seats, &view.pieces)),
            seats: self.seats.iter().enumerate().map(seat).collect(),
            ..Scene::default()
        }
    }

    fn picks(&self, _: &ChineseCheckers, _: &State, action: Move) -> Vec<String> {
        picks(&self.board, action)
    }
}

impl Scenery<TinyChineseCheckers> for TinyChineseCheckers {
    fn scene(&self, _: &TinyChineseCheckers, view: &TinyState) -> Scene {
        let seat = |(player, seat): (usize, &Seat)| scene::Seat {
            score: Some(view.scores[player].to_string()),
            facts: vec![arrived(seat, view.pieces[player])],
            ..scene::Seat::default()
        };
        Scene {
            board: Some(plan(&self.board, &self.seats, &view.pieces)),
            seats: self.seats.iter().enumerate().map(seat).collect(),
            ..Scene::default()
        }
    }

    fn picks(&self, _: &TinyChineseCheckers, _: &TinyState, action: Move) -> Vec<String> {
        picks(&self.board, action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chinese_checkers::ChineseCheckersRules;
    use meeple_core::Game;

    fn board(size: usize, players: usize) -> Plan {
        let game = ChineseCheckers::new(ChineseCheckersRules { size, players, ..ChineseCheckersRules::default() });
        game.scene(&game, &game.initial_state()).board.unwrap()
    }

    #[test]
    fn neighbours_lie_one_field_apart_and_nobody_lies_closer() {
        for (size, fields) in [(2, 37), (3, 73), (4, 121)] {
            let sites = board(size, 2).sites;
            assert_eq!(sites.len(), fields);
            for site in &sites {
                let others = sites.iter().filter(|other| other.pick != site.pick);
                let nearest = others.map(|other| (site.x - other.x).hypot(site.y - other.y)).fold(f32::MAX, f32::min);
                assert!((nearest - 1.0).abs() < 1e-4, "{}: {nearest}", site.pick);
            }
        }
    }

    #[test]
    fn homes_and_targets_have_the_colours_of_their_seats() {
        let tinted = |plan: &Plan, seat| plan.sites.iter().filter(|site| site.tone == Tone::Seat(seat)).count();
        let three = board(4, 3);
        assert_eq!([0, 1, 2].map(|seat| tinted(&three, seat)), [20; 3]);
        let two = board(4, 2);
        assert_eq!([0, 1].map(|seat| tinted(&two, seat)), [10; 2]);
        let tiny = TinyChineseCheckers::default();
        let scene = tiny.scene(&tiny, &tiny.initial_state());
        assert_eq!(scene.board.unwrap().sites.len(), 37);
    }
}

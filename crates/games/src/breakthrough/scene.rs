//! The board for a page.

use meeple_core::scene::{Remark, Seat};
use meeple_core::{Scene, Scenery};

use super::{Breakthrough, Move, State};
use crate::squares::Squares;

impl<S: Squares> Scenery<Breakthrough<S>> for Breakthrough<S> {
    fn scene(&self, _: &Breakthrough<S>, view: &State<S>) -> Scene {
        let pawns = view.pawns();
        let board = self.grid.plan(|square| (0..2).find(|&player| pawns[player].contains(square as u32)));
        let seat = |pawns: S| Seat { facts: vec![Remark::new("Pawns", pawns.count())], ..Seat::default() };
        Scene { board: Some(board), seats: pawns.map(seat).into(), ..Scene::default() }
    }

    fn picks(&self, _: &Breakthrough<S>, _: &State<S>, action: Move) -> Vec<String> {
        [action.from, action.to].map(|square| self.grid.square_text(square.into())).into()
    }
}

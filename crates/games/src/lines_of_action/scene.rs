//! The board for a page.

use meeple_core::scene::{Remark, Seat};
use meeple_core::{Scene, Scenery};

use super::history::{HistoryState, WithHistory};
use super::{Action, GRID, LinesOfAction, State};

impl Scenery<LinesOfAction> for LinesOfAction {
    fn scene(&self, _: &LinesOfAction, view: &State) -> Scene {
        let board = GRID.plan(|square| (0..2).find(|&player| view.pieces[player] >> square & 1 == 1));
        let seat = |pieces: u64| Seat { facts: vec![Remark::new("Pieces", pieces.count_ones())], ..Seat::default() };
        Scene { board: Some(board), seats: view.pieces.map(seat).into(), ..Scene::default() }
    }

    fn picks(&self, _: &LinesOfAction, _: &State, action: Action) -> Vec<String> {
        match action {
            Action::Move { from, to } => [from, to].map(|square| GRID.square_text(square.into())).into(),
            Action::Pass => Vec::new(),
        }
    }
}

/// How a position came about is not drawn.
impl Scenery<WithHistory> for WithHistory {
    fn scene(&self, _: &WithHistory, view: &HistoryState) -> Scene {
        self.game.scene(&self.game, view.position())
    }

    fn picks(&self, _: &WithHistory, view: &HistoryState, action: Action) -> Vec<String> {
        self.game.picks(&self.game, view.position(), action)
    }
}

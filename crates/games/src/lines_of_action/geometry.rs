//! The board for general heuristic terms.

use meeple_core::{Board, Geometry, Player, Reach, Sites, Weights};

use super::board::each_move;
use super::history::{HistoryState, WithHistory};
use super::{LinesOfAction, State};

/// Found by matches at depths 1 and 2: 77 % against `centre` alone, which Ludii uses, at depth 2
/// (100 games). Pieces in a line touch each other, so lines stand in for groups.
const TUNED: &[(&str, f32)] = &[("centre", 0.6), ("corners", -0.3), ("lines", 0.1), ("mobility_advanced", 0.05)];

impl Board<LinesOfAction> for LinesOfAction {
    fn geometry(&self) -> Geometry {
        // No rule speaks of lines of neighbours; Ludii takes three where none does.
        Geometry::grid(8, 8, 3, |row, column| row * 8 + column)
    }

    #[inline]
    fn pieces(&self, state: &State, player: Player, _: usize) -> Sites {
        state.pieces[player].into()
    }

    #[inline]
    fn moves(&self, state: &State, player: Player, reach: &mut Reach) {
        each_move(state.pieces[player], state.pieces[1 - player], |_, to| reach.add(to as usize));
    }

    fn weights(&self) -> Vec<Weights> {
        vec![Weights { name: "tuned", slope: 0.2, terms: TUNED }]
    }
}

/// How a position came about does not matter.
impl Board<WithHistory> for WithHistory {
    fn geometry(&self) -> Geometry {
        self.game.geometry()
    }

    fn pieces(&self, state: &HistoryState, player: Player, kind: usize) -> Sites {
        self.game.pieces(state.position(), player, kind)
    }

    fn moves(&self, state: &HistoryState, player: Player, reach: &mut Reach) {
        self.game.moves(state.position(), player, reach);
    }

    fn weights(&self) -> Vec<Weights> {
        self.game.weights()
    }
}

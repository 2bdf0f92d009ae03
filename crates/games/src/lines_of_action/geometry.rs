//! The board for general heuristic terms.

use meeple_core::{Board, Geometry, Player, Reach, Sites, Weights};

use super::board::each_move;
use super::history::{HistoryState, WithHistory};
use super::{LinesOfAction, State};

/// Ludii's only term, and away from the corners: 75 % against the former alone, alpha-beta with
/// 10 ms a move (40 games). Terms that look for moves win at equal depth and lose at equal time.
const TUNED: &[(&str, f32)] = &[("centre", 1.0), ("corners", -0.5)];

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

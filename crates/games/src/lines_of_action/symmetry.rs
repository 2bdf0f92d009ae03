//! The eight symmetries of the square. All of them hold: only the first position, with Black on
//! the rows, tells the directions apart, and no rule speaks of it again.

use meeple_core::{Symmetries, bits};

use super::{Action, HistoryState, LinesOfAction, State, WithHistory};

/// Bit 0 mirrors columns, bit 1 mirrors rows, bit 2 transposes.
impl Symmetries<LinesOfAction> for LinesOfAction {
    fn count(&self) -> usize {
        8
    }

    fn state(&self, symmetry: usize, state: &State) -> State {
        let image = |pieces| bits::elements(pieces).fold(0, |set, square| set | 1 << image_square(symmetry, square));
        State { pieces: state.pieces.map(image), ..*state }
    }

    fn view(&self, symmetry: usize, view: &State) -> State {
        self.state(symmetry, view)
    }

    fn action(&self, symmetry: usize, _: &State, action: Action) -> Action {
        let image = |square: u8| image_square(symmetry, square.into()) as u8;
        match action {
            Action::Move { from, to } => Action::Move { from: image(from), to: image(to) },
            Action::Pass => Action::Pass,
        }
    }
}

/// The same for every position of the history.
impl Symmetries<WithHistory> for WithHistory {
    fn count(&self) -> usize {
        self.game.count()
    }

    fn state(&self, symmetry: usize, state: &HistoryState) -> HistoryState {
        let positions = state.positions();
        let image = |position: &State| self.game.state(symmetry, position);
        let mut state = HistoryState::starting_with(image(positions[0]));
        for position in &positions[1..] {
            state.advance_to(image(position));
        }
        state
    }

    fn view(&self, symmetry: usize, view: &HistoryState) -> HistoryState {
        self.state(symmetry, view)
    }

    fn action(&self, symmetry: usize, state: &HistoryState, action: Action) -> Action {
        self.game.action(symmetry, state.position(), action)
    }
}

fn image_square(symmetry: usize, square: u32) -> u32 {
    let (mut row, mut column) = (square / 8, square % 8);
    if symmetry & 1 != 0 {
        column = 7 - column;
    }
    if symmetry & 2 != 0 {
        row = 7 - row;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    row * 8 + column
}

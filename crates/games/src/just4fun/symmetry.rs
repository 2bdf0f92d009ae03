//! A random board may be turned and mirrored; the values go with it.

use meeple_core::Symmetries;

use super::board::{FIELDS, Plane, SIDE, UNPLACED};
use super::{Cards, Just4Fun, State, View};

/// The eight symmetries of the square: bit 0 mirrors columns, bit 1 mirrors rows, bit 2 transposes.
impl Symmetries<Just4Fun> for Just4Fun {
    fn count(&self) -> usize {
        8
    }

    fn state(&self, symmetry: usize, state: &State) -> State {
        let mut image = *state;
        for square in image.squares.iter_mut().filter(|square| **square != UNPLACED) {
            *square = image_square(symmetry, usize::from(*square)) as u8;
        }
        image.holders = state.holders.map(|plane| {
            let mut image = Plane::default();
            for square in 0..FIELDS {
                image.set(image_square(symmetry, square), plane.bits() >> square & 1 != 0);
            }
            image
        });
        image
    }

    fn view(&self, symmetry: usize, view: &View) -> View {
        View { shown: self.state(symmetry, &view.shown), ..*view }
    }

    fn action(&self, _: usize, _: &State, action: Cards) -> Cards {
        action
    }
}

fn image_square(symmetry: usize, square: usize) -> usize {
    let (mut row, mut column) = (square / SIDE, square % SIDE);
    if symmetry & 1 != 0 {
        column = SIDE - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = SIDE - 1 - row;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    row * SIDE + column
}

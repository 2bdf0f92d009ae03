//! The board as two planes (thesis 001, figure 4.3), turned so that the player to move moves up.

use meeple_core::{Encoder, Shape, Tensor};

use super::{Breakthrough, Move, Setup, Squares, State};

/// Plane 0 holds the mover's pawns, plane 1 the opponent's; row 0 is the mover's first row. A
/// policy output is a square and a direction: left, straight or right as the mover sees it.
#[derive(Debug)]
pub(super) struct Planes {
    rows: usize,
    columns: usize,
}

impl Planes {
    pub(super) fn new(setup: Setup) -> Planes {
        Planes { rows: setup.rows, columns: setup.columns }
    }

    /// Half a turn of the board for Black.
    fn seen(&self, black_moves: bool, square: usize) -> usize {
        if black_moves { self.rows * self.columns - 1 - square } else { square }
    }
}

impl<S: Squares> Encoder<Breakthrough<S>> for Planes {
    fn name(&self) -> &'static str {
        "planes"
    }

    fn shape(&self) -> Shape {
        Shape::planes(2, self.rows, self.columns)
    }

    fn encode(&self, _: &Breakthrough<S>, view: &State<S>, input: &mut Tensor<'_>) {
        for (channel, pawns) in [view.own, view.enemy].into_iter().enumerate() {
            pawns.each(|square| {
                let square = self.seen(view.black_moves, square as usize);
                input.set(channel, square / self.columns, square % self.columns, 1.0);
            });
        }
    }

    fn policy_size(&self) -> usize {
        self.rows * self.columns * 3
    }

    fn policy_index(&self, _: &Breakthrough<S>, view: &State<S>, action: Move) -> usize {
        let [from, to] = [action.from, action.to].map(|square| self.seen(view.black_moves, square.into()));
        let direction = to + 1 - from - self.columns;
        from * 3 + direction
    }
}

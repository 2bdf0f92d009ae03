//! The network input.

use meeple_core::{Encoder, Shape, Tensor};

use super::{Cell, ConnectFour, Size, Squares, State};

/// Two planes: the mover's stones, the opponent's. One policy output for each column.
#[derive(Debug)]
pub(super) struct Planes(Size);

impl Planes {
    pub(super) fn new(size: Size) -> Planes {
        Planes(size)
    }
}

impl<S: Squares> Encoder<ConnectFour<S>> for Planes {
    fn name(&self) -> &'static str {
        "planes"
    }

    fn shape(&self) -> Shape {
        Shape::planes(2, self.0.rows, self.0.columns)
    }

    fn encode(&self, game: &ConnectFour<S>, view: &State<S>, input: &mut Tensor<'_>) {
        let mover = view.mover();
        for (channel, player) in [mover, 1 - mover].into_iter().enumerate() {
            for row in 0..self.0.rows {
                for column in (0..self.0.columns).filter(|&column| view.stones[player].contains(game.cell(row, column)))
                {
                    input.set(channel, row, column, 1.0);
                }
            }
        }
    }

    fn policy_size(&self) -> usize {
        self.0.columns
    }

    fn policy_index(&self, game: &ConnectFour<S>, _: &State<S>, action: Cell) -> usize {
        game.column(action)
    }
}

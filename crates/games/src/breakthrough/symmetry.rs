//! Left and right are the same game.

use meeple_core::Symmetries;

use super::{Breakthrough, Move, Squares, State};

/// Number 1 mirrors the columns.
impl<S: Squares> Symmetries<Breakthrough<S>> for Breakthrough<S> {
    fn count(&self) -> usize {
        2
    }

    fn state(&self, symmetry: usize, state: &State<S>) -> State<S> {
        let image = |pawns: S| {
            let mut image = S::default();
            pawns.each(|square| image = image | S::of(self.image(symmetry, square)));
            image
        };
        State { own: image(state.own), enemy: image(state.enemy), black_moves: state.black_moves }
    }

    fn view(&self, symmetry: usize, view: &State<S>) -> State<S> {
        self.state(symmetry, view)
    }

    fn action(&self, symmetry: usize, _: &State<S>, action: Move) -> Move {
        let image = |square: u8| self.image(symmetry, square.into()) as u8;
        Move { from: image(action.from), to: image(action.to) }
    }
}

impl<S: Squares> Breakthrough<S> {
    fn image(&self, symmetry: usize, square: u32) -> u32 {
        let columns = self.setup.columns as u32;
        if symmetry == 0 { square } else { square / columns * columns + columns - 1 - square % columns }
    }
}

//! The board as two planes (thesis 001, figure 4.3).

use meeple_core::{Encoder, Shape, Tensor, bits};

use super::board::direction;
use super::history::{HistoryState, WithHistory};
use super::{Action, LinesOfAction, NoMove, State};

/// Plane 0 holds the pieces of the player to move, plane 1 the opponent's. A policy output is a
/// square and one of eight directions, since the distance follows; the last one is the pass.
#[derive(Debug)]
pub(super) struct Planes {
    passes: bool,
}

const MOVES: usize = 64 * 8;

impl Planes {
    pub(super) fn new(game: &LinesOfAction) -> Planes {
        Planes { passes: game.no_move == NoMove::Pass }
    }
}

impl Encoder<LinesOfAction> for Planes {
    fn name(&self) -> &'static str {
        "planes"
    }

    fn shape(&self) -> Shape {
        Shape::planes(2, 8, 8)
    }

    fn encode(&self, _: &LinesOfAction, view: &State, input: &mut Tensor<'_>) {
        let (own, enemy) = view.sides();
        for (channel, pieces) in [own, enemy].into_iter().enumerate() {
            for square in bits::elements(pieces) {
                input.set(channel, square as usize / 8, square as usize % 8, 1.0);
            }
        }
    }

    fn policy_size(&self) -> usize {
        MOVES + usize::from(self.passes)
    }

    fn policy_index(&self, _: &LinesOfAction, _: &State, action: Action) -> usize {
        match action {
            Action::Move { from, to } => usize::from(from) * 8 + direction(from.into(), to.into()),
            Action::Pass => MOVES,
        }
    }
}

/// The history is not shown.
impl Encoder<WithHistory> for Planes {
    fn name(&self) -> &'static str {
        Encoder::<LinesOfAction>::name(self)
    }

    fn shape(&self) -> Shape {
        Encoder::<LinesOfAction>::shape(self)
    }

    fn encode(&self, game: &WithHistory, view: &HistoryState, input: &mut Tensor<'_>) {
        self.encode(&game.game, view.position(), input);
    }

    fn policy_size(&self) -> usize {
        Encoder::<LinesOfAction>::policy_size(self)
    }

    fn policy_index(&self, game: &WithHistory, view: &HistoryState, action: Action) -> usize {
        self.policy_index(&game.game, view.position(), action)
    }
}

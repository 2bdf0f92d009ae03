//! The table as a vector, and in a match its score.

use meeple_core::{Encoder, Shape, Tensor};

use super::{SEATS, Sueca, View};
use crate::cards::Card;
use crate::tricks::{features, team};

/// The shared features of the table; behind them the game points of the viewer's team and of the
/// other as shares of those needed, and whether the hand counts double.
#[derive(Debug)]
pub(super) struct Cards {
    table: usize,
    policy: usize,
}

const MATCH: usize = 3;

impl Cards {
    pub(super) fn new(game: &Sueca) -> Cards {
        Cards { table: features::len(&game.pack, SEATS), policy: game.pack.size() }
    }
}

impl Encoder<Sueca> for Cards {
    fn name(&self) -> &'static str {
        "cards"
    }

    fn shape(&self) -> Shape {
        Shape::vector(self.table + MATCH)
    }

    fn encode(&self, game: &Sueca, view: &View, input: &mut Tensor<'_>) {
        let viewer = view.viewer.unwrap_or(0);
        let (table, rest) = input.vector().split_at_mut(self.table);
        features::write(&game.pack, &view.public.table, SEATS, viewer, view.hand, table);
        let needed = game.rules.to.max(1) as f32;
        rest[0] = f32::from(view.public.games[team(viewer)]) / needed;
        rest[1] = f32::from(view.public.games[1 - team(viewer)]) / needed;
        rest[2] = f32::from(u8::from(view.public.doubled));
    }

    fn policy_size(&self) -> usize {
        self.policy
    }

    fn policy_index(&self, game: &Sueca, view: &View, action: Card) -> usize {
        features::index(&game.pack, &view.public.table, action)
    }
}

//! The table as a vector, and the size of the stock.

use meeple_core::{Encoder, Shape, Tensor};

use super::{Bisca, View};
use crate::cards::Card;
use crate::tricks::features::{self, Order};

/// The shared features of the table; behind them the share of the stock that is left, and whether
/// suits must be followed.
#[derive(Debug)]
pub(super) struct Cards {
    table: usize,
    policy: usize,
}

const STOCK: usize = 2;

impl Cards {
    pub(super) fn new(game: &Bisca) -> Cards {
        Cards { table: features::len(&game.pack, game.rules.players), policy: game.pack.size() }
    }
}

impl Encoder<Bisca> for Cards {
    fn name(&self) -> &'static str {
        "cards"
    }

    fn shape(&self) -> Shape {
        Shape::vector(self.table + STOCK)
    }

    fn encode(&self, game: &Bisca, view: &View, input: &mut Tensor<'_>) {
        let public = &view.public;
        let (table, rest) = input.vector().split_at_mut(self.table);
        let viewer = view.viewer.unwrap_or(0);
        let order = Order::of_suits(&game.pack, &public.table);
        features::write(&game.pack, &public.table, &order, game.rules.players, viewer, view.hand, table);
        rest[0] = game.stock_left(public) as f32 / game.stock_size as f32;
        rest[1] = f32::from(u8::from(game.must_follow(public)));
    }

    fn policy_size(&self) -> usize {
        self.policy
    }

    fn policy_index(&self, game: &Bisca, view: &View, action: Card) -> usize {
        Order::of_suits(&game.pack, &view.public.table).place(action)
    }
}

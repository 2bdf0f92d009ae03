//! The table as a vector, and in a match its score.

use meeple_core::{Encoder, Shape, Tensor};

use super::{SEATS, Sueca, View};
use crate::cards::Card;
use crate::tricks::{features, team};

/// The shared features of the table; behind them the card points of the viewer's team and of the other in steps up to
/// those that win, their game points as shares of those needed, and whether the hand counts double.
#[derive(Debug)]
pub(super) struct Cards {
    table: usize,
    policy: usize,
}

/// Between no points and those that win; what a card brings has to be seen to decide a hand.
const STEPS: usize = 30;

/// What there is beside the table.
const SCORE: usize = 2 * STEPS + 3;

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
        Shape::vector(self.table + SCORE)
    }

    fn encode(&self, game: &Sueca, view: &View, input: &mut Tensor<'_>) {
        let viewer = view.viewer.unwrap_or(0);
        let (table, rest) = input.vector().split_at_mut(self.table);
        features::write(&game.pack, &view.public.table, SEATS, viewer, view.hand, table);
        let (steps, games) = rest.split_at_mut(2 * STEPS);
        let needed = game.rules.to.max(1) as f32;
        let half = game.pack.points_of(game.pack.cards) as usize / 2;
        for (place, side) in [team(viewer), 1 - team(viewer)].into_iter().enumerate() {
            let points = usize::from(view.public.table.points[side]);
            let reached = (points * STEPS / half.max(1)).min(STEPS);
            steps[place * STEPS..][..reached].fill(1.0);
            games[place] = f32::from(view.public.games[side]) / needed;
        }
        games[2] = f32::from(u8::from(view.public.doubled));
    }

    fn policy_size(&self) -> usize {
        self.policy
    }

    fn policy_index(&self, game: &Sueca, view: &View, action: Card) -> usize {
        features::index(&game.pack, &view.public.table, action)
    }
}

//! The table as a vector, and in a match its score.

use meeple_core::{Encoder, Shape, Tensor};

use super::{SEATS, Sueca, View};
use crate::cards::{Card, suit_mask};
use crate::tricks::features::{self, Order};
use crate::tricks::{Pack, team};

/// The shared features of the table, suits ordered by what the viewer was dealt; behind them those of the viewer's cards
/// that no hidden card of their suit beats, the card points of the viewer's team and of the other in steps up to those
/// that win, their game points as shares of those needed, and whether the hand counts double. What is hidden: the hands
/// of the others.
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
        Shape::vector(self.table + self.policy + SCORE)
    }

    fn encode(&self, game: &Sueca, view: &View, input: &mut Tensor<'_>) {
        let viewer = view.viewer.unwrap_or(0);
        let order = order(game, view);
        let (table, rest) = input.vector().split_at_mut(self.table);
        features::write(&game.pack, &view.public.table, &order, SEATS, viewer, view.hand, table);
        let (unbeaten, rest) = rest.split_at_mut(self.policy);
        let hidden = game.pack.cards & !view.hand & !view.public.table.seen();
        order.write(unbeaten_cards(&game.pack, view.hand, hidden), unbeaten);
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
        order(game, view).place(action)
    }

    fn hidden_shape(&self, _: &Sueca) -> Shape {
        Shape::vector((SEATS - 1) * self.policy)
    }

    fn encode_hidden(&self, game: &Sueca, view: &View, others: &[View], input: &mut Tensor<'_>) {
        let order = order(game, view);
        let hands = input.vector().chunks_exact_mut(self.policy);
        others.iter().zip(hands).for_each(|(other, part)| order.write(other.hand, part));
    }
}

/// A spectator sees the suits as they are numbered.
fn order(game: &Sueca, view: &View) -> Order {
    let dealt = view.viewer.map_or(0, |viewer| view.hand | view.public.table.played[viewer]);
    Order::of_cards(&game.pack, &view.public.table, dealt)
}

/// The cards of a hand that are stronger than all hidden ones of their suit.
fn unbeaten_cards(pack: &Pack, hand: u64, hidden: u64) -> u64 {
    let of_suit = |suit: usize| {
        let strongest = (hidden & suit_mask(suit)).checked_ilog2();
        let beaten = strongest.map_or(0, |bit| (1u64 << bit) - 1);
        hand & suit_mask(suit) & !beaten
    };
    (0..pack.suits).fold(0, |cards, suit| cards | of_suit(suit))
}

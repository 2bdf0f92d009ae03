//! The table as a network sees it: seats relative to the viewer, the trump suit before the others, so that nothing has to
//! be learnt once for every trump.

use std::cmp::Reverse;

use meeple_core::Player;
use meeple_core::bits::elements;

use super::{NO_CARD, Pack, Table, team};
use crate::cards::Card;

/// The number of floats that [`write`] fills.
pub(crate) fn len(pack: &Pack, seats: usize) -> usize {
    let cards = pack.size();
    (3 + 2 * seats) * cards + 2 * seats + seats * pack.suits + 4
}

/// The suits in the order in which a network sees them, the trump suit first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    /// Of each suit.
    places: [usize; 4],
    /// Cards of a suit.
    ranks: usize,
}

impl Order {
    /// The other suits as they are numbered.
    pub(crate) fn of_suits(pack: &Pack, table: &Table) -> Order {
        Order::new(pack, table, |_| 0)
    }

    /// The other suits by what a player was dealt of them, the most and then the strongest cards first: hands that differ
    /// by the names of suits alone look the same, and stay so until they are played.
    pub(crate) fn of_cards(pack: &Pack, table: &Table, dealt: u64) -> Order {
        Order::new(pack, table, |suit| {
            let cards = dealt >> (16 * suit) & 0xffff;
            u64::from(cards.count_ones()) << 16 | cards
        })
    }

    /// The others by their weights, heavy ones first.
    fn new(pack: &Pack, table: &Table, weight: impl Fn(usize) -> u64) -> Order {
        let is_trump = |suit: usize| table.trump != NO_CARD && suit == table.trump.suit();
        let mut suits = [0, 1, 2, 3];
        suits[..pack.suits].sort_by_key(|&suit| (!is_trump(suit), Reverse(weight(suit)), suit));
        let mut places = [0; 4];
        suits.iter().enumerate().for_each(|(place, &suit)| places[suit] = place);
        Order { places, ranks: pack.ranks.len() }
    }

    /// The place of a card: that of the policy, and within every part of the input that is about cards.
    pub(crate) fn place(&self, card: Card) -> usize {
        self.places[card.suit()] * self.ranks + card.strength()
    }

    /// Sets what stands for the cards of a set.
    pub(crate) fn write(&self, set: u64, out: &mut [f32]) {
        elements(set).for_each(|bit| out[self.place(Card(bit as u8))] = 1.0);
    }
}

/// Own hand; cards that the viewer has not seen; cards played by each seat; the current trick by seat; the turned-up
/// card while it has not been played; who holds it; suits that each seat is out of; who wins the trick so far; as
/// shares of all: card points of the viewer's team, of the other and of the trick, and tricks that are complete.
pub(crate) fn write(
    pack: &Pack,
    table: &Table,
    order: &Order,
    seats: usize,
    viewer: Player,
    hand: u64,
    out: &mut [f32],
) {
    let mut writer = Writer { cards: pack.size(), order, rest: out };
    writer.cards(hand);
    writer.cards(pack.cards & !hand & !table.seen());
    for place in 0..seats {
        writer.cards(table.played[(viewer + place) % seats]);
    }
    for place in 0..seats {
        let seat = (viewer + place) % seats;
        let card = table.trick.plays(seats).find(|&(player, _)| player == seat);
        writer.cards(card.map_or(0, |(_, card)| card.bit()));
    }
    let turned_up = table.trump != NO_CARD && table.seen() & table.trump.bit() == 0;
    writer.cards(if turned_up { table.trump.bit() } else { 0 });
    let holder = table.trump_holder.filter(|_| turned_up).map(usize::from);
    writer.seat(seats, viewer, holder);
    for place in 0..seats {
        let voids = table.voids[(viewer + place) % seats];
        let part = writer.take(pack.suits);
        (0..pack.suits).for_each(|suit| part[order.places[suit]] = f32::from(voids >> suit & 1));
    }
    writer.seat(seats, viewer, (!table.trick.is_empty()).then(|| table.trick.winner(seats)));
    let all = pack.points_of(pack.cards) as f32;
    let shares = writer.take(4);
    shares[0] = f32::from(table.points[team(viewer)]) / all;
    shares[1] = f32::from(table.points[1 - team(viewer)]) / all;
    shares[2] = f32::from(table.trick.points(pack)) / all;
    shares[3] = (table.completed() * seats) as f32 / pack.size() as f32;
}

/// Hands out one part of the vector after the other.
struct Writer<'a> {
    /// Of the pack.
    cards: usize,
    order: &'a Order,
    rest: &'a mut [f32],
}

impl<'a> Writer<'a> {
    fn take(&mut self, len: usize) -> &'a mut [f32] {
        let (part, rest) = std::mem::take(&mut self.rest).split_at_mut(len);
        self.rest = rest;
        part
    }

    fn cards(&mut self, set: u64) {
        let part = self.take(self.cards);
        self.order.write(set, part);
    }

    fn seat(&mut self, seats: usize, viewer: Player, seat: Option<Player>) {
        let part = self.take(seats);
        if let Some(seat) = seat {
            part[(seat + seats - viewer) % seats] = 1.0;
        }
    }
}

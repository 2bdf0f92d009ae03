//! The table as a network sees it: seats relative to the viewer, cards in the order of the pack with the trump suit
//! before the others, so that nothing has to be learnt once for every trump.

use meeple_core::Player;
use meeple_core::bits::elements;

use super::{NO_CARD, Pack, Table, team};
use crate::cards::Card;

/// The number of floats that [`write`] fills.
pub(crate) fn len(pack: &Pack, seats: usize) -> usize {
    let cards = pack.size();
    (3 + 2 * seats) * cards + 2 * seats + seats * pack.suits + 4
}

/// The place of a card: that of the policy, and within every part of the input that is about cards.
pub(crate) fn index(pack: &Pack, table: &Table, card: Card) -> usize {
    suit_place(table, card.suit()) * pack.ranks.len() + card.strength()
}

fn suit_place(table: &Table, suit: usize) -> usize {
    match table.trump {
        NO_CARD => suit,
        trump if suit == trump.suit() => 0,
        trump => suit + usize::from(suit < trump.suit()),
    }
}

/// Own hand; cards that the viewer has not seen; cards played by each seat; the current trick by seat; the turned-up
/// card while it has not been played; who holds it; suits that each seat is out of; who wins the trick so far; as
/// shares of all: card points of the viewer's team, of the other and of the trick, and tricks that are complete.
pub(crate) fn write(pack: &Pack, table: &Table, seats: usize, viewer: Player, hand: u64, out: &mut [f32]) {
    let mut writer = Writer { pack, table, rest: out };
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
        (0..pack.suits).for_each(|suit| part[suit_place(table, suit)] = f32::from(voids >> suit & 1));
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
    pack: &'a Pack,
    table: &'a Table,
    rest: &'a mut [f32],
}

impl<'a> Writer<'a> {
    fn take(&mut self, len: usize) -> &'a mut [f32] {
        let (part, rest) = std::mem::take(&mut self.rest).split_at_mut(len);
        self.rest = rest;
        part
    }

    fn cards(&mut self, set: u64) {
        let part = self.take(self.pack.size());
        for bit in elements(set) {
            part[index(self.pack, self.table, Card(bit as u8))] = 1.0;
        }
    }

    fn seat(&mut self, seats: usize, viewer: Player, seat: Option<Player>) {
        let part = self.take(seats);
        if let Some(seat) = seat {
            part[(seat + seats - viewer) % seats] = 1.0;
        }
    }
}

//! The table as a network sees it: seats relative to the viewer, cards in the order of the pack.

use meeple_core::Player;
use meeple_core::bits::elements;

use super::{NO_CARD, Pack, Table, team};
use crate::cards::Card;

/// The number of floats that [`write`] fills.
pub(crate) fn len(pack: &Pack, seats: usize) -> usize {
    let cards = pack.size();
    cards + 2 * seats * cards + cards + pack.suits + seats + seats * pack.suits + 2
}

/// Own hand; cards played by each seat; the current trick by seat; the turned-up card while it has
/// not been played; the trump suit; who holds the turned-up card; suits that each seat is out of;
/// card points of the viewer's team and of the other as shares of all.
pub(crate) fn write(pack: &Pack, table: &Table, seats: usize, viewer: Player, hand: u64, out: &mut [f32]) {
    let mut writer = Writer { rest: out };
    writer.cards(pack, hand);
    for place in 0..seats {
        writer.cards(pack, table.played[(viewer + place) % seats]);
    }
    for place in 0..seats {
        let seat = (viewer + place) % seats;
        let card = table.trick.plays(seats).find(|&(player, _)| player == seat);
        writer.cards(pack, card.map_or(0, |(_, card)| card.bit()));
    }
    write_trump(pack, table, seats, viewer, &mut writer);
    for place in 0..seats {
        let voids = table.voids[(viewer + place) % seats];
        for (suit, value) in writer.take(pack.suits).iter_mut().enumerate() {
            *value = f32::from(voids >> suit & 1);
        }
    }
    let all = pack.points_of(pack.cards) as f32;
    let points = writer.take(2);
    points[0] = f32::from(table.points[team(viewer)]) / all;
    points[1] = f32::from(table.points[1 - team(viewer)]) / all;
}

fn write_trump(pack: &Pack, table: &Table, seats: usize, viewer: Player, writer: &mut Writer<'_>) {
    let (turned_up, suit, holder) = (writer.take(pack.size()), writer.take(pack.suits), writer.take(seats));
    if table.trump == NO_CARD {
        return;
    }
    suit[table.trump.suit()] = 1.0;
    if table.seen() & table.trump.bit() == 0 {
        turned_up[pack.index(table.trump)] = 1.0;
        if let Some(seat) = table.trump_holder {
            holder[(usize::from(seat) + seats - viewer) % seats] = 1.0;
        }
    }
}

/// Hands out one part of the vector after the other.
struct Writer<'a> {
    rest: &'a mut [f32],
}

impl<'a> Writer<'a> {
    fn take(&mut self, len: usize) -> &'a mut [f32] {
        let (part, rest) = std::mem::take(&mut self.rest).split_at_mut(len);
        self.rest = rest;
        part
    }

    fn cards(&mut self, pack: &Pack, set: u64) {
        let part = self.take(pack.size());
        for bit in elements(set) {
            part[pack.index(Card(bit as u8))] = 1.0;
        }
    }
}

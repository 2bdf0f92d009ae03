//! The table for a page.

use meeple_core::Player;
use meeple_core::scene::{Area, AreaKind, Remark, Seat};

use super::{NO_CARD, Pack, Table, Trick, View, team};

const SUIT_NAMES: [&str; 4] = ["clubs", "diamonds", "hearts", "spades"];

/// The hands with so many cards, the trick, and the one before. Everybody knows who took the
/// turned-up card.
pub(crate) fn areas<P>(pack: &Pack, view: &View<P>, table: &Table, counts: &[u32]) -> Vec<Area> {
    let hand = |(seat, &count): (Player, &u32)| {
        let trump = table.trump_holder == Some(seat as u8) && table.seen() & table.trump.bit() == 0;
        let known = match view.viewer {
            Some(viewer) if viewer == seat => view.hand,
            _ if trump => table.trump.bit(),
            _ => 0,
        };
        pack.ranks.hand(seat, view.viewer, known, count)
    };
    let mut areas: Vec<Area> = counts.iter().enumerate().map(hand).collect();
    let plays = |trick: Trick| trick.plays(counts.len()).map(|(seat, card)| pack.ranks.played(seat, card)).collect();
    areas.push(Area::new("Trick", AreaKind::Trick, plays(table.trick)));
    areas.push(Area::new("Last trick", AreaKind::Row, plays(table.last_trick)));
    areas
}

pub(crate) fn trump(pack: &Pack, table: &Table) -> Vec<Remark> {
    if table.trump == NO_CARD {
        return Vec::new();
    }
    let value = format!("{} ({})", SUIT_NAMES[table.trump.suit()], pack.ranks.text(table.trump));
    vec![Remark::new("Trump", value)]
}

/// Card points are the score. Partners have the same.
pub(crate) fn seats(table: &Table, seats: usize) -> Vec<Seat> {
    let seat = |seat: Player| Seat {
        score: Some(table.points[team(seat)].to_string()),
        facts: vec![Remark::new("Tricks", table.tricks[team(seat)])],
        ..Seat::default()
    };
    (0..seats).map(seat).collect()
}

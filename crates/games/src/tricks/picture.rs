//! The table for a terminal.

use meeple_core::Player;
use meeple_core::bits::elements;

use super::{NO_CARD, Pack, Table, Trick};
use crate::cards::{Card, SUITS, suit_mask};

/// Trump, points, last trick and current trick, one line each.
pub(crate) fn table(pack: &Pack, table: &Table, seats: usize) -> String {
    let mut lines = vec![trump(pack, table), points(table, seats)];
    if !table.last_trick.is_empty() {
        let taken = format!("to seat {} with {} points", table.trick.leader(), table.last_trick.points(pack));
        lines.push(format!("last trick: {}, {taken}", trick(pack, &table.last_trick, seats)));
    }
    if !table.trick.is_empty() {
        lines.push(format!("trick: {}", trick(pack, &table.trick, seats)));
    }
    lines.join("\n")
}

/// The viewer's cards by suit, the strongest first.
pub(crate) fn hand(pack: &Pack, viewer: Option<Player>, hand: u64) -> String {
    let Some(viewer) = viewer else { return "seen by a spectator".to_string() };
    let by_suit: Vec<String> = (0..pack.suits)
        .filter(|&suit| hand & suit_mask(suit) != 0)
        .map(|suit| {
            let mut cards: Vec<String> =
                elements(hand & suit_mask(suit)).map(|bit| pack.ranks.text(Card(bit as u8))).collect();
            cards.reverse();
            cards.join(" ")
        })
        .collect();
    let cards = if by_suit.is_empty() { "no cards".to_string() } else { by_suit.join("   ") };
    format!("your hand (seat {viewer}): {cards}")
}

fn trump(pack: &Pack, table: &Table) -> String {
    if table.trump == NO_CARD {
        return "no trump yet".to_string();
    }
    let place = match table.trump_holder {
        _ if table.seen() & table.trump.bit() != 0 => "played".to_string(),
        Some(seat) => format!("held by seat {seat}"),
        None => "under the stock".to_string(),
    };
    format!("trump: {} ({}, {place})", SUITS[table.trump.suit()], pack.ranks.text(table.trump))
}

fn points(table: &Table, seats: usize) -> String {
    let names = if seats == 2 { ["seat 0", "seat 1"] } else { ["seats 0+2", "seats 1+3"] };
    let team = |team: usize| format!("{} {} ({} tricks)", names[team], table.points[team], table.tricks[team]);
    format!("points: {}, {}", team(0), team(1))
}

fn trick(pack: &Pack, trick: &Trick, seats: usize) -> String {
    let plays: Vec<String> =
        trick.plays(seats).map(|(seat, card)| format!("seat {seat} {}", pack.ranks.text(card))).collect();
    plays.join(", ")
}

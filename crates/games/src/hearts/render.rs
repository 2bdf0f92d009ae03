//! A view for the terminal.

use super::Hearts;
use super::history::Play;
use super::knowledge::Knowledge;
use super::state::{Phase, SEATS, View};
use crate::cards::{SUITS, suit_mask};

pub(super) fn render(game: &Hearts, view: &View) -> String {
    let mut lines = vec![heading(game, view)];
    lines.extend((0..SEATS).map(|seat| seat_line(game, view, seat)));
    let plays: Vec<Play> = view.table.plays().collect();
    let (done, current) = plays.split_at(plays.len() - plays.len() % 4);
    lines.push(format!("last trick  {}", trick(game, done.chunks(4).next_back().unwrap_or_default())));
    lines.push(format!("trick       {}", trick(game, current)));
    if view.passed != 0 {
        lines.push(format!("passed      {}", game.ranks.set_text(view.passed)));
    }
    if view.received != 0 {
        lines.push(format!("received    {}", game.ranks.set_text(view.received)));
    }
    if view.viewer.is_some() {
        let suits = (0..4).rev().map(|suit| view.hand & suit_mask(suit)).filter(|&cards| cards != 0);
        let suits: Vec<String> = suits.map(|cards| game.ranks.set_text(cards).replace('.', " ")).collect();
        lines.push(format!("your hand   {}", suits.join("   ")));
    }
    lines.join("\n")
}

fn heading(game: &Hearts, view: &View) -> String {
    let table = &view.table;
    let mover = match view.viewer {
        Some(viewer) if viewer == table.turn => "you".to_string(),
        _ => format!("seat {}", table.turn),
    };
    let now = match table.phase {
        Phase::Deal => format!("dealing, {} of {} cards", table.dealt, game.cards),
        Phase::Pass => {
            let direction = ["", "to the left", "across", "to the right"][game.pass_distance(table.hand)];
            format!("passing {direction}, {mover} to choose")
        }
        Phase::Play => format!("trick {}, {mover} to play", table.played / 4 + 1),
        Phase::Over => "over".to_string(),
    };
    let broken = if table.broken { ", hearts broken" } else { "" };
    format!("hand {}, {now}{broken}", table.hand)
}

/// Totals, points of this hand, the number of cards and what is known of them.
fn seat_line(game: &Hearts, view: &View, seat: usize) -> String {
    let table = &view.table;
    let mark = if view.viewer == Some(seat as u8) { '*' } else { ' ' };
    let mut line = format!("seat {seat}{mark} total {:3}, points {:2}", table.totals[seat], table.points[seat]);
    let Some(knowledge) = Knowledge::of(game, view) else { return line };
    line += &format!(", cards {:2}", table.cards_held(game, seat, knowledge.played[seat]));
    if view.viewer == Some(seat as u8) {
        return line;
    }
    if knowledge.known[seat] != 0 {
        line += &format!(", holds {}", game.ranks.set_text(knowledge.known[seat]));
    }
    let ruled_out = table.ruled_out(game)[seat];
    let void: String =
        (0..4).filter(|&suit| game.deck & suit_mask(suit) & !ruled_out == 0).map(|suit| SUITS[suit]).collect();
    if !void.is_empty() {
        line += &format!(", void in {void}");
    }
    line
}

fn trick(game: &Hearts, plays: &[Play]) -> String {
    let cards: Vec<String> = plays.iter().map(|play| format!("{}:{}", play.seat, game.ranks.text(play.card))).collect();
    if cards.is_empty() { "-".to_string() } else { cards.join(" ") }
}

//! A view for the terminal.

use meeple_core::Player;

use super::board::{FIELDS, SIDE};
use super::notation::{hand_text, set_text};
use super::state::Phase;
use super::{Just4Fun, View};

/// Each field with its value, below it the stones of each seat (`*` marks the holder).
pub(super) fn render(game: &Just4Fun, view: &View) -> String {
    let mut lines = Vec::new();
    let players = game.rules().players;
    let width = (3 * players).max(6);
    let border = format!("+{}", format!("{}+", "-".repeat(width)).repeat(SIDE));
    let mut fields = [None; FIELDS];
    for (field, &square) in view.shown.squares.iter().enumerate() {
        if usize::from(square) < FIELDS {
            fields[usize::from(square)] = Some(field);
        }
    }
    for row in fields.chunks(SIDE) {
        let values = row.iter().map(|field| field.map_or(String::new(), |field| (field + 1).to_string()));
        let stones = row.iter().map(|field| field.map_or(String::new(), |field| stones_text(view, players, field)));
        lines.push(border.clone());
        lines.push(format!("|{}", values.map(|text| format!("{text:^width$}|")).collect::<String>()));
        lines.push(format!("|{}", stones.map(|text| format!("{text:^width$}|")).collect::<String>()));
    }
    lines.push(border);
    lines.extend((0..players).map(|player| player_text(view, player)));
    lines.push(format!("stock {}, used {}", view.shown.stock, set_text(view.shown.pile)));
    let kept: Vec<String> = view.kept.iter().filter(|kept| !kept.is_empty()).map(|&kept| set_text(kept)).collect();
    if !kept.is_empty() {
        lines.push(format!("kept by the others through a reshuffle (') {}", kept.join(" ")));
    }
    lines.push(turn_text(view));
    lines.join("\n")
}

fn stones_text(view: &View, players: usize, field: usize) -> String {
    let square = view.shown.squares[field];
    let counts: Vec<u8> = (0..players).map(|player| view.shown.stones.get(player, field)).collect();
    if counts.iter().all(|&count| count == 0) {
        return String::new();
    }
    let count = |player: Player| {
        let holds = view.shown.held(player) >> square & 1 != 0;
        format!("{}{}", counts[player], if holds { "*" } else { "" })
    };
    (0..players).map(count).collect::<Vec<_>>().join(":")
}

fn player_text(view: &View, player: Player) -> String {
    let shown = &view.shown;
    let placed = shown.phase != Phase::Board;
    let points = if placed { shown.points(player).0 } else { 0 };
    let you = if view.viewer() == Some(player) { " (you)" } else { "" };
    let hand = hand_text(shown.hands[player]).replace('.', " ");
    format!("seat {player}{you}: {points} points, {} stones left, cards {hand}", shown.supply[player])
}

fn turn_text(view: &View) -> String {
    let mover = view.shown.mover;
    match view.shown.phase {
        Phase::Board => "the board is drawn".to_string(),
        Phase::Deal => "cards are dealt".to_string(),
        Phase::Shuffle => "the stock is shuffled".to_string(),
        Phase::Play => format!("seat {mover} to play"),
        Phase::Pattern => format!("seat {mover} wins with four in a line"),
        Phase::Scored => "the game is over, points count".to_string(),
    }
}

//! A picture of a relative for the terminal.

use super::Relative;
use super::notation::rank_text;
use super::state::{NONE, Phase, View};
use crate::keezen::board::WAITING;
use crate::keezen::holdings::SEATS;

/// One line for each seat: marbles by their places, hand, and what is public.
pub(super) fn render(game: &Relative, view: &View) -> String {
    let ranks = game.variant.ranks();
    let table = &view.table;
    let mut lines = Vec::new();
    for seat in 0..SEATS {
        let marbles = table.board.0[seat].map(|place| match place {
            WAITING => "waits".to_string(),
            place if place >= game.variant.lane() => format!("lane {}", place - game.variant.lane() + 1),
            place => format!("field {}", game.variant.field(seat, place).unwrap_or_default()),
        });
        lines.push(format!("seat {seat}  hand {:6}  {}", game.hand_text(view, seat), marbles.join(", ")));
    }
    lines.push(format!("played  {}", table.played.text(ranks)));
    if table.drawn != NONE {
        lines.push(format!("drawn   {}", rank_text(ranks, table.drawn)));
    }
    if table.seven.left > 0 {
        lines.push(format!("{} steps of a seven are left", table.seven.left));
    }
    lines.push(match table.phase {
        Phase::Chance => "cards are dealt".to_string(),
        Phase::Give => format!("seat {} gives a card to its partner", table.seat),
        Phase::Play => format!("seat {} to move", table.seat),
        Phase::Over => "the game is over".to_string(),
    });
    lines.join("\n")
}

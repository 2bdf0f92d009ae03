//! A picture of the board for the terminal.

use super::action::RANKS;
use super::board::{WAITING, field_number};
use super::holdings::SEATS;
use super::state::{CHANCE, NOBODY, OVER, View};

const NAMES: [&str; SEATS] = ["North", "East", "South", "West"];

/// The track as a square ring: rows and columns of 17 fields, the published field 4 of seat 0 in
/// the middle of the upper side, clockwise.
pub(super) fn render(view: &View) -> String {
    let mut lines = picture(view);
    lines.push(String::new());
    for seat in 0..SEATS {
        lines.push(seat_line(view, seat));
    }
    lines.push(format!("played  {}", view.played.text(RANKS)));
    let dealer = if view.table.dealer == NOBODY { "nobody yet" } else { NAMES[usize::from(view.table.dealer)] };
    let turn = match view.table.turn {
        CHANCE => "cards are dealt".to_string(),
        OVER => "the game is over".to_string(),
        seat => format!("{} to move", NAMES[usize::from(seat)]),
    };
    lines.push(format!("{turn}, move {}, dealer {dealer}", view.table.moves + 1));
    lines.join("\n")
}

fn seat_line(view: &View, seat: usize) -> String {
    let marbles = view.table.board.0[seat].map(|place| match place {
        WAITING => "w".to_string(),
        place => field_number(seat, place).to_string(),
    });
    let hand = match view.counts[seat] {
        _ if view.viewer == Some(seat) => view.hand.text(RANKS),
        0 => "-".to_string(),
        count => "?".repeat(count.into()),
    };
    format!("{:5} {}  hand {hand:5}  marbles {}", NAMES[seat], mark(seat), marbles.join(" "))
}

/// `n0` for the most advanced marble of North.
fn mark(seat: usize) -> char {
    ['n', 'e', 's', 'w'][seat]
}

fn picture(view: &View) -> Vec<String> {
    let mut cells = vec![vec!["   ".to_string(); 17]; 17];
    for seat in 0..SEATS {
        for local in 0..20 {
            let (row, column) = cell(seat, local);
            cells[row][column] = match local {
                0..=3 => " _ ",
                5 => " o ",
                _ => " . ",
            }
            .to_string();
        }
    }
    for seat in 0..SEATS {
        for (marble, &place) in view.table.board.0[seat].iter().enumerate() {
            if place != WAITING {
                let number = usize::from(field_number(seat, place));
                let (row, column) = cell(number / 24, number % 24);
                cells[row][column] = format!("{}{marble} ", mark(seat));
            }
        }
    }
    cells.into_iter().map(|row| row.concat().trim_end().to_string()).collect()
}

/// Row and column of a field of a seat: its entry is in the middle of its side, its track runs
/// clockwise from there, its lane towards the middle of the board.
fn cell(seat: usize, local: usize) -> (usize, usize) {
    let (row, column) = match local {
        0..=3 => (4 - local, 8),
        4..=12 => (0, 4 + local),
        _ => (local - 12, 16),
    };
    (0..seat).fold((row, column), |(row, column), _| (column, 16 - row))
}

//! The star for the terminal.

use meeple_core::Player;

use super::board::{Board, Field, Fields};

/// Seats are named by letters.
pub(super) fn letter(player: Player) -> char {
    char::from(b'A' + player as u8)
}

/// Who has a piece on the field.
pub(super) fn owner(pieces: &[Fields], field: Field) -> Option<Player> {
    pieces.iter().position(|fields| fields.contains(field))
}

/// One line for each row, between the names of its first and its last field.
pub(super) fn draw(board: &Board, pieces: &[Fields]) -> String {
    let mut text = String::new();
    for row in board.rows() {
        let (first, last) = (row[0], row[row.len() - 1]);
        let point = board.point(first);
        // Half a field further to the right in each row; 3 characters and a blank for the name.
        let indent = 2 * i32::from(point.column) + i32::from(point.row) + 3 * (board.width() as i32 - 1) / 4;
        text += &format!("{:indent$}{:>3} ", "", board.name(first), indent = indent as usize);
        for &field in row {
            text.push(owner(pieces, field).map_or('.', letter));
            text.push(' ');
        }
        text += &format!("{}\n", board.name(last));
    }
    text
}

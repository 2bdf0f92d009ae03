//! A second, slow set of rules for Breakthrough on characters, for comparison.

#[derive(Clone)]
pub(super) struct Board {
    /// Row 0 is the bottom.
    pub(super) rows: Vec<Vec<char>>,
    pub(super) mover: char,
}

impl Board {
    /// Reads the notation with its numbers spelt out.
    pub(super) fn read(text: &str) -> Board {
        let (board, mover) = text.split_once(' ').unwrap();
        let mut rows = Vec::new();
        for row in board.split('/').rev() {
            let mut squares = Vec::new();
            let mut number = String::new();
            for symbol in row.chars().chain(['!']) {
                if symbol.is_ascii_digit() {
                    number.push(symbol);
                    continue;
                }
                squares.extend(vec!['.'; std::mem::take(&mut number).parse().unwrap_or(0)]);
                if symbol != '!' {
                    squares.push(symbol);
                }
            }
            rows.push(squares);
        }
        Board { rows, mover: mover.chars().next().unwrap() }
    }

    pub(super) fn moves(&self) -> Vec<(String, Board)> {
        let (height, width) = (self.rows.len() as i32, self.rows[0].len() as i32);
        let other = if self.mover == 'w' { 'b' } else { 'w' };
        let last = if self.mover == 'w' { 0 } else { height - 1 };
        let mut moves = Vec::new();
        if self.rows[last as usize].contains(&other) {
            return moves;
        }
        let forward = if self.mover == 'w' { 1 } else { -1 };
        for row in 0..height {
            for column in 0..width {
                for aside in [-1, 0, 1] {
                    let (to_row, to_column) = (row + forward, column + aside);
                    let inside = (0..height).contains(&to_row) && (0..width).contains(&to_column);
                    if self.rows[row as usize][column as usize] != self.mover || !inside {
                        continue;
                    }
                    let target = self.rows[to_row as usize][to_column as usize];
                    if target == '.' || (target == other && aside != 0) {
                        let mut next = self.clone();
                        next.rows[row as usize][column as usize] = '.';
                        next.rows[to_row as usize][to_column as usize] = self.mover;
                        next.mover = other;
                        let name = |row: i32, column: i32| format!("{}{}", (b'a' + column as u8) as char, row + 1);
                        moves.push((name(row, column) + &name(to_row, to_column), next));
                    }
                }
            }
        }
        moves
    }

    pub(super) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.moves().iter().map(|(_, next)| next.perft(depth - 1)).sum()
    }
}

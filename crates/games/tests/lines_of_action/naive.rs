//! A second, slow set of rules for Lines of Action on characters, for comparison.

#[derive(Clone)]
pub(super) struct Board {
    /// Row 0 is the bottom.
    rows: Vec<Vec<char>>,
    mover: char,
    ply: u32,
}

impl Board {
    /// Reads the notation.
    pub(super) fn read(text: &str) -> Board {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut rows = Vec::new();
        for row in fields[0].split('/').rev() {
            let mut squares = Vec::new();
            for symbol in row.chars() {
                match symbol.to_digit(10) {
                    Some(empty) => squares.extend(vec!['.'; empty as usize]),
                    None => squares.push(symbol),
                }
            }
            rows.push(squares);
        }
        Board { rows, mover: fields[1].chars().next().unwrap(), ply: fields[2].parse().unwrap() }
    }

    fn at(&self, row: i32, column: i32) -> Option<char> {
        let inside = (0..8).contains(&row) && (0..8).contains(&column);
        inside.then(|| self.rows[row as usize][column as usize])
    }

    fn other(&self) -> char {
        if self.mover == 'b' { 'w' } else { 'b' }
    }

    /// Pieces met on the way from a square, itself excluded, to the edge.
    fn pieces_ahead(&self, row: i32, column: i32, up: i32, right: i32) -> i32 {
        let walk = (1..).map(|distance| self.at(row + distance * up, column + distance * right));
        walk.map_while(|square| square).filter(|&symbol| symbol != '.').count() as i32
    }

    pub(super) fn moves(&self) -> Vec<(String, Board)> {
        let mut moves = Vec::new();
        for row in 0..8 {
            for column in 0..8 {
                if self.at(row, column) != Some(self.mover) {
                    continue;
                }
                for (up, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
                    moves.extend(self.move_along(row, column, up, right));
                }
            }
        }
        moves
    }

    fn move_along(&self, row: i32, column: i32, up: i32, right: i32) -> Option<(String, Board)> {
        let distance = 1 + self.pieces_ahead(row, column, up, right) + self.pieces_ahead(row, column, -up, -right);
        for passed in 1..distance {
            if self.at(row + passed * up, column + passed * right)? == self.other() {
                return None;
            }
        }
        let (to_row, to_column) = (row + distance * up, column + distance * right);
        if self.at(to_row, to_column)? == self.mover {
            return None;
        }
        let mut next = self.clone();
        next.rows[row as usize][column as usize] = '.';
        next.rows[to_row as usize][to_column as usize] = self.mover;
        next.mover = self.other();
        next.ply += 1;
        let name = |row: i32, column: i32| format!("{}{}", (b'a' + column as u8) as char, row + 1);
        Some((name(row, column) + &name(to_row, to_column), next))
    }

    fn connected(&self, colour: char) -> bool {
        let mut left: Vec<(i32, i32)> = (0..64).map(|square| (square / 8, square % 8)).collect();
        left.retain(|&(row, column)| self.at(row, column) == Some(colour));
        let mut reached = vec![left.pop().unwrap()];
        while let Some((row, column)) = reached.pop() {
            let near = |&(r, c): &(i32, i32)| (r - row).abs() <= 1 && (c - column).abs() <= 1;
            reached.extend(left.iter().copied().filter(near));
            left.retain(|square| !near(square));
        }
        left.is_empty()
    }

    /// Why the game is over; empty if it is not.
    pub(super) fn end(&self) -> &'static str {
        match (self.connected('b'), self.connected('w')) {
            (true, true) => "both connected",
            (true, false) | (false, true) => "connected",
            _ if self.moves().is_empty() => "no move",
            _ if self.ply >= 1000 => "too long",
            _ => "",
        }
    }

    pub(super) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if !self.end().is_empty() {
            return 0;
        }
        self.moves().iter().map(|(_, next)| next.perft(depth - 1)).sum()
    }
}

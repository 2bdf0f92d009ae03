//! Rectangular boards with two colours as text and as a picture: square 0 is a1 at the bottom left,
//! the next is b1.

use meeple_core::scene::{Label, Piece, Plan, Site, Tone};
use meeple_core::{NotationError, Player};

/// The width of the names beside a board that is drawn, in fields.
const MARGIN: f32 = 0.6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl Grid {
    /// `a1`, `l12`.
    pub(crate) fn square_text(self, square: usize) -> String {
        format!("{}{}", self.file(square % self.columns), square / self.columns + 1)
    }

    fn file(self, column: usize) -> char {
        char::from(b'a' + column as u8)
    }

    /// The rows from the top, divided by `/`, with a number for each run of empty squares.
    pub(crate) fn write(self, symbol: impl Fn(usize) -> Option<char>) -> String {
        let rows: Vec<String> = (0..self.rows).rev().map(|row| self.write_row(row, &symbol)).collect();
        rows.join("/")
    }

    fn write_row(self, row: usize, symbol: &impl Fn(usize) -> Option<char>) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for column in 0..self.columns {
            let Some(piece) = symbol(row * self.columns + column) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(piece);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }

    /// The squares of each of two colours. Empty squares are numbers or dots.
    pub(crate) fn read(self, text: &str, colours: [char; 2]) -> Result<[Vec<usize>; 2], NotationError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.rows {
            return Err(NotationError::new(format!("{} rows divided by `/`, not {}", rows.len(), self.rows)));
        }
        let mut squares = [Vec::new(), Vec::new()];
        for (row, symbols) in (0..self.rows).rev().zip(rows) {
            self.read_row(row, symbols, colours, &mut squares)?;
        }
        Ok(squares)
    }

    fn read_row(
        self,
        row: usize,
        text: &str,
        colours: [char; 2],
        squares: &mut [Vec<usize>; 2],
    ) -> Result<(), NotationError> {
        let mut column = 0;
        let mut symbols = text.chars().peekable();
        while let Some(symbol) = symbols.next() {
            if let Some(mut run) = symbol.to_digit(10) {
                while let Some(digit) = symbols.peek().and_then(|symbol| symbol.to_digit(10)) {
                    run = run.saturating_mul(10).saturating_add(digit);
                    symbols.next();
                }
                column += run as usize;
            } else {
                let colour = colours.iter().position(|&colour| colour == symbol);
                match colour {
                    Some(colour) => squares[colour].push(row * self.columns + column),
                    None if symbol == '.' => {}
                    None => return Err(unknown_symbol(symbol, colours)),
                }
                column += 1;
            }
            if column > self.columns {
                break;
            }
        }
        if column == self.columns {
            return Ok(());
        }
        let fault = if column > self.columns { "more" } else { "fewer" };
        Err(NotationError::new(format!("row {} has {fault} than {} squares", row + 1, self.columns)))
    }

    /// For the terminal, with the names of rows and columns.
    pub(crate) fn draw(self, symbol: impl Fn(usize) -> Option<char>) -> String {
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            text += &format!("{:>2} ", row + 1);
            for column in 0..self.columns {
                text += &format!(" {}", symbol(row * self.columns + column).unwrap_or('.'));
            }
            text += "\n";
        }
        text += "   ";
        for column in 0..self.columns {
            text += &format!(" {}", self.file(column));
        }
        text
    }
}

/// For a page.
impl Grid {
    /// Checkered, a1 dark, with the names of files and ranks.
    pub(crate) fn plan(self, owner: impl Fn(usize) -> Option<Player>) -> Plan {
        let site = |square: usize| {
            let (x, y) = self.middle(square);
            let dark = (square / self.columns + square % self.columns).is_multiple_of(2);
            Site {
                tone: if dark { Tone::Dark } else { Tone::Light },
                pieces: owner(square).map(Piece::of).into_iter().collect(),
                ..Site::square(self.square_text(square), x, y)
            }
        };
        let rank =
            |row: usize| Label { x: MARGIN / 2.0, y: self.middle(row * self.columns).1, text: (row + 1).to_string() };
        let mut labels = self.files(|column| self.file(column).to_string());
        labels.extend((0..self.rows).map(rank));
        self.plan_of((0..self.rows * self.columns).map(site).collect(), labels)
    }

    /// A board of this size.
    pub(crate) fn plan_of(self, sites: Vec<Site>, labels: Vec<Label>) -> Plan {
        let (width, height) = (self.columns as f32 + MARGIN, self.rows as f32 + MARGIN);
        Plan { width, height, labels, sites, ..Plan::default() }
    }

    /// Names below the columns.
    pub(crate) fn files(self, name: impl Fn(usize) -> String) -> Vec<Label> {
        let label =
            |column: usize| Label { x: self.middle(column).0, y: self.rows as f32 + MARGIN / 2.0, text: name(column) };
        (0..self.columns).map(label).collect()
    }

    /// Of a square.
    pub(crate) fn middle(self, square: usize) -> (f32, f32) {
        let (row, column) = (square / self.columns, square % self.columns);
        (MARGIN + column as f32 + 0.5, (self.rows - row) as f32 - 0.5)
    }
}

fn unknown_symbol(symbol: char, [first, second]: [char; 2]) -> NotationError {
    NotationError::new(format!("`{}` is none of `{first}`, `{second}`, `.` or a number", symbol.escape_default()))
}

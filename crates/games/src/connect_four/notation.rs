//! A position as one line.

use meeple_core::{Notation, NotationError, Player};

use super::{ConnectFour, Squares, State};

/// Of the first player and the second.
pub(super) const SYMBOLS: [char; 2] = ['x', 'o'];
const EMPTY: char = '.';

pub(super) fn symbol<S: Squares>(state: &State<S>, cell: u32) -> char {
    let owner = (0..2).find(|&player| state.stones[player].contains(cell));
    owner.map_or(EMPTY, |player| SYMBOLS[player])
}

impl<S: Squares> Notation<ConnectFour<S>> for ConnectFour<S> {
    fn help(&self) -> String {
        let rows = vec![String::from(EMPTY).repeat(self.size.columns); self.size.rows];
        format!(
            "{} rows of {} from the top, `x` for the first player, `o` for the second, `.` for empty, divided by \
             `/`: `{}`",
            self.size.rows,
            self.size.columns,
            rows.join("/")
        )
    }

    fn state_text(&self, state: &State<S>) -> String {
        let cells = |row| (0..self.size.columns).map(move |column| self.cell(row, column));
        let row = |row| cells(row).map(|cell| symbol(state, cell)).collect::<String>();
        (0..self.size.rows).rev().map(row).collect::<Vec<_>>().join("/")
    }

    fn parse_state(&self, text: &str) -> Result<State<S>, NotationError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.size.rows || rows.iter().any(|row| row.chars().count() != self.size.columns) {
            return Err(NotationError::new(format!("a position is written as {}", self.help())));
        }
        let mut stones = [S::default(); 2];
        for (row, symbols) in rows.iter().rev().enumerate() {
            for (column, symbol) in symbols.chars().enumerate() {
                match SYMBOLS.iter().position(|&known| known == symbol) {
                    Some(player) => stones[player] = stones[player] | S::of(self.cell(row, column)),
                    None if symbol == EMPTY => {}
                    None => return Err(NotationError::new(format!("`{symbol}` is none of `x`, `o`, `.`"))),
                }
            }
        }
        self.check_gravity(stones)?;
        self.checked(stones)
    }

    fn view_text(&self, view: &State<S>) -> String {
        self.state_text(view)
    }

    fn parse_view(&self, text: &str) -> Result<State<S>, NotationError> {
        self.parse_state(text)
    }
}

impl<S: Squares> ConnectFour<S> {
    fn check_gravity(&self, stones: [S; 2]) -> Result<(), NotationError> {
        let occupied = stones[0] | stones[1];
        let floating = (0..self.size.columns).find(|&column| {
            let filled = occupied & self.columns[column];
            filled != filled & (filled << 1 | self.bottoms)
        });
        match floating {
            Some(column) => Err(NotationError::new(format!("a stone in column {} has nothing below it", column + 1))),
            None => Ok(()),
        }
    }

    /// The position with these stones, if their numbers are right and no line was complete before
    /// the last of them.
    fn checked(&self, stones: [S; 2]) -> Result<State<S>, NotationError> {
        let [x, o] = stones.map(Squares::count);
        if x != o && x != o + 1 {
            return Err(NotationError::new(format!("{x} `x` and {o} `o`: x moves first, so as many or one more")));
        }
        let last: Player = usize::from(x == o);
        let won = self.has_line(stones[last]);
        let state = State { stones, moves: (x + o) as u8, won };
        let tops = stones[last] & !(state.occupied() >> 1);
        if state.moves > 0 && (tops.is_empty() || (stones[0] & self.bottoms).is_empty()) {
            return Err(NotationError::new("no stone can have been the first of `x`, or none the last of all"));
        }
        // Some stone that can have been the last is part of every line.
        let mut completed = !won;
        tops.each(|cell| completed |= !self.has_line(stones[last] & !S::of(cell)));
        if self.has_line(stones[1 - last]) || !completed {
            return Err(NotationError::new("the game would have ended before this position"));
        }
        Ok(state)
    }
}

//! A position as one line.

use meeple_core::{Notation, NotationError, Player};

use super::{ConnectFour, State, Word};

/// Of the first player and the second.
pub(super) const SYMBOLS: [char; 2] = ['x', 'o'];
const EMPTY: char = '.';

pub(super) fn symbol<W: Word>(state: &State<W>, cell: u32) -> char {
    let owner = (0..2).find(|&player| state.stones[player].contains(cell));
    owner.map_or(EMPTY, |player| SYMBOLS[player])
}

impl<W: Word> Notation<ConnectFour<W>> for ConnectFour<W> {
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

    fn state_text(&self, state: &State<W>) -> String {
        let cells = |row| (0..self.size.columns).map(move |column| self.cell(row, column));
        let row = |row| cells(row).map(|cell| symbol(state, cell)).collect::<String>();
        (0..self.size.rows).rev().map(row).collect::<Vec<_>>().join("/")
    }

    fn parse_state(&self, text: &str) -> Result<State<W>, NotationError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.size.rows || rows.iter().any(|row| row.chars().count() != self.size.columns) {
            return Err(NotationError::new(format!("a position is written as {}", self.help())));
        }
        let mut stones = [W::default(); 2];
        for (row, symbols) in rows.iter().rev().enumerate() {
            for (column, symbol) in symbols.chars().enumerate() {
                match SYMBOLS.iter().position(|&known| known == symbol) {
                    Some(player) => stones[player] = stones[player] | W::bit(self.cell(row, column)),
                    None if symbol == EMPTY => {}
                    None => return Err(NotationError::new(format!("`{symbol}` is none of `x`, `o`, `.`"))),
                }
            }
        }
        self.check_gravity(stones)?;
        self.checked(stones)
    }

    fn view_text(&self, view: &State<W>) -> String {
        self.state_text(view)
    }

    fn parse_view(&self, text: &str) -> Result<State<W>, NotationError> {
        self.parse_state(text)
    }
}

impl<W: Word> ConnectFour<W> {
    fn check_gravity(&self, stones: [W; 2]) -> Result<(), NotationError> {
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
    fn checked(&self, stones: [W; 2]) -> Result<State<W>, NotationError> {
        let [x, o] = stones.map(Word::count);
        if x != o && x != o + 1 {
            return Err(NotationError::new(format!("{x} `x` and {o} `o`: x moves first, so as many or one more")));
        }
        let last: Player = usize::from(x == o);
        let won = self.has_line(stones[last]);
        let state = State { stones, moves: (x + o) as u8, won };
        if self.has_line(stones[1 - last]) || (won && !self.completed_by_a_top_stone(&state, last)) {
            return Err(NotationError::new("the game would have ended before this position"));
        }
        Ok(state)
    }

    /// Whether a stone that the player could have set last is part of every line he has.
    fn completed_by_a_top_stone(&self, state: &State<W>, player: Player) -> bool {
        let occupied = state.occupied();
        let tops = state.stones[player] & !(occupied >> 1);
        let cells = (0..self.size.bits()).filter(|&cell| tops.contains(cell));
        cells.into_iter().any(|cell| !self.has_line(state.stones[player] & !W::bit(cell)))
    }
}

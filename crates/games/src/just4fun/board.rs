//! The board: which field stands where, stones, majorities and lines of four.

use meeple_core::Player;

/// Rows and columns.
pub const SIDE: usize = 6;
/// Fields, valued 1 to 36.
pub const FIELDS: usize = SIDE * SIDE;
/// The most players.
pub(super) const SEATS: usize = 4;

/// A field of a random board that is not drawn yet.
pub(super) const UNPLACED: u8 = u8::MAX;

/// Thesis 000, equation 5.2, row by row.
const ORIGINAL: [u8; FIELDS] = [
    1, 14, 30, 24, 19, 8, //
    33, 11, 9, 16, 35, 21, //
    6, 27, 31, 20, 3, 12, //
    15, 32, 5, 29, 17, 26, //
    22, 10, 18, 36, 25, 2, //
    28, 7, 23, 4, 13, 34,
];

/// How the values lie on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// As printed (thesis 000, equation 5.2).
    #[default]
    Original,
    /// Ascending row by row (thesis 000, figure A.1).
    Ordered,
    /// Drawn once per game and public.
    Random,
}

impl Layout {
    /// The square (row by row) of each value, indexed from value 1; not placed if drawn per game.
    pub(super) fn squares(self) -> [u8; FIELDS] {
        let mut squares = [UNPLACED; FIELDS];
        match self {
            Layout::Original => {
                for (square, &value) in ORIGINAL.iter().enumerate() {
                    squares[usize::from(value) - 1] = square as u8;
                }
            }
            Layout::Ordered => squares = std::array::from_fn(|field| field as u8),
            Layout::Random => {}
        }
        squares
    }
}

/// Starts of lines of four to the right, down, down right and down left, as bits of squares.
const LINES: [(u32, u64); 4] = [
    (1, starts(0, 3, 0, 6)),
    (SIDE as u32, starts(0, 6, 0, 3)),
    (SIDE as u32 + 1, starts(0, 3, 0, 3)),
    (SIDE as u32 - 1, starts(3, 6, 0, 3)),
];

const fn starts(first_column: usize, end_column: usize, first_row: usize, end_row: usize) -> u64 {
    let mut squares = 0;
    let mut row = first_row;
    while row < end_row {
        let mut column = first_column;
        while column < end_column {
            squares |= 1 << (row * SIDE + column);
            column += 1;
        }
        row += 1;
    }
    squares
}

/// Whether four of the squares (one bit each) are consecutive in a row, column or diagonal.
#[inline]
pub(super) fn has_line(squares: u64) -> bool {
    LINES.iter().any(|&(step, starts)| {
        let pairs = squares & squares >> step;
        pairs & pairs >> (2 * step) & starts != 0
    })
}

/// The 54 lines of four, as squares.
pub(super) fn lines() -> impl Iterator<Item = [usize; 4]> {
    LINES.iter().flat_map(|&(step, starts)| {
        let line = move |start: u32| std::array::from_fn(|i| (start + i as u32 * step) as usize);
        meeple_core::bits::elements(starts).map(line)
    })
}

/// A set of fields or squares: 36 of 40 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Plane([u8; 5]);

impl Plane {
    #[inline]
    pub(super) fn bits(self) -> u64 {
        let [a, b, c, d, e] = self.0;
        u64::from(u32::from_le_bytes([a, b, c, d])) | u64::from(e) << 32
    }

    #[inline]
    pub(super) fn set(&mut self, bit: usize, on: bool) {
        let byte = &mut self.0[bit >> 3];
        *byte = *byte & !(1 << (bit & 7)) | u8::from(on) << (bit & 7);
    }
}

/// The number of stones of each player on each field, five bits each: a player may put all
/// twenty on one field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Stones([[u64; 3]; SEATS]);

impl Stones {
    #[inline]
    pub(super) fn get(&self, player: Player, field: usize) -> u8 {
        (self.0[player][field / 12] >> (5 * (field % 12)) & 31) as u8
    }

    #[inline]
    pub(super) fn add(&mut self, player: Player, field: usize) {
        self.0[player][field / 12] += 1 << (5 * (field % 12));
    }

    pub(super) fn set(&mut self, player: Player, field: usize, stones: u8) {
        let word = &mut self.0[player][field / 12];
        let shift = 5 * (field % 12);
        *word = *word & !(31 << shift) | u64::from(stones) << shift;
    }

    #[inline]
    pub(super) fn words(&self) -> &[[u64; 3]; SEATS] {
        &self.0
    }

    pub(super) fn total(&self, player: Player) -> u32 {
        (0..FIELDS).map(|field| u32::from(self.get(player, field))).sum()
    }
}

/// The standing of one field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// Of the player or players with the most stones.
    pub(super) most: u8,
    /// The only player with the most stones.
    pub(super) holder: Option<Player>,
    /// Whether the holder is at least two stones ahead of everybody.
    pub(super) secured: bool,
}

impl Standing {
    #[inline]
    pub(super) fn of(stones: &Stones, players: usize, field: usize) -> Standing {
        let mut most = 0;
        let mut second = 0;
        let mut best = 0;
        for player in 0..players {
            let count = stones.get(player, field);
            if count > most {
                (second, most, best) = (most, count, player);
            } else {
                second = second.max(count);
            }
        }
        Standing { most, holder: (most > second).then_some(best), secured: most >= second + 2 }
    }

    /// Whether a player with this many stones there may place another one.
    #[inline]
    pub(super) fn is_open(&self, stones: u8, own_secured_open: bool) -> bool {
        stones + 2 > self.most && (own_secured_open || !self.secured)
    }
}

//! Lines and groups on the board of 64 squares: square 0 is a1, 7 is h1, 63 is h8.

use meeple_core::bits;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// Rows up and columns to the right for one square: up, up right, right, down right, then their
/// opposites in the same order.
const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The whole line through a square along one of the first four directions.
#[derive(Clone, Copy)]
struct Line {
    squares: u64,
    /// Multiplying by it gathers the pieces of the line in the highest byte, in distinct bits.
    gather: u64,
}

/// What a piece on some square has ahead in some direction.
#[derive(Clone, Copy)]
struct Ray {
    squares: u64,
    reach: u8,
    /// From a square to the next.
    step: i8,
}

static LINES: [[Line; 4]; 64] = lines();
static RAYS: [[Ray; 8]; 64] = rays();
static BITS_IN_BYTE: [u8; 256] = bits_in_byte();

/// Calls `visit` with the start and the target of every move.
#[inline]
pub(super) fn each_move(own: u64, enemy: u64, mut visit: impl FnMut(u32, u32)) {
    for from in bits::elements(own) {
        for axis in 0..4 {
            let distance = distance(own | enemy, from, axis);
            for direction in [axis, axis + 4] {
                if let Some(to) = landing(own, enemy, from, direction, distance) {
                    visit(from, to);
                }
            }
        }
    }
}

/// Where the piece on `from` moves in a direction, if it may.
#[inline]
pub(super) fn target(own: u64, enemy: u64, from: u32, direction: u32) -> Option<u32> {
    landing(own, enemy, from, direction, distance(own | enemy, from, direction % 4))
}

/// Whether any piece has a move. Stops at the first.
#[inline]
pub(super) fn can_move(own: u64, enemy: u64) -> bool {
    for from in bits::elements(own) {
        for direction in 0..8 {
            if target(own, enemy, from, direction).is_some() {
                return true;
            }
        }
    }
    false
}

/// The direction of a move.
pub(super) fn direction(from: u32, to: u32) -> usize {
    let leads_there = |ray: &Ray| ray.squares >> to & 1 == 1;
    RAYS[from as usize].iter().position(leads_there).expect("a move follows a line")
}

/// As many squares as there are pieces on the line. The default x86-64 target has no instruction
/// that counts bits; this is shorter than what stands in for it.
#[inline]
fn distance(occupied: u64, from: u32, axis: u32) -> u32 {
    let line = &LINES[(from & 63) as usize][(axis & 3) as usize];
    let pieces = (occupied & line.squares).wrapping_mul(line.gather) >> 56;
    BITS_IN_BYTE[pieces as usize].into()
}

/// The square so far ahead, if the board reaches there, no enemy stands in between and no piece
/// of the same colour on it.
#[inline]
fn landing(own: u64, enemy: u64, from: u32, direction: u32, distance: u32) -> Option<u32> {
    let direction = (direction & 7) as usize;
    let ray = &RAYS[(from & 63) as usize][direction];
    if distance > ray.reach.into() {
        return None;
    }
    let to = (from as i32 + distance as i32 * i32::from(ray.step)) as u32 & 63;
    let landing = 1 << to;
    let jumped = ray.squares & !RAYS[to as usize][direction].squares & !landing;
    ((jumped & enemy) | (landing & own) == 0).then_some(to)
}

/// Whether all pieces form one group, neighbours in all eight directions; so does a single piece.
#[inline]
pub(super) fn is_connected(pieces: u64) -> bool {
    let beside = beside(pieces);
    let band = pieces | beside;
    let alone = pieces & !(beside | band << 8 | band >> 8);
    if alone != 0 {
        // Most positions end here: a piece without neighbours is a group of its own.
        return alone == pieces && pieces & (pieces - 1) == 0;
    }
    group(pieces) == pieces
}

/// The group of the lowest piece.
fn group(pieces: u64) -> u64 {
    let mut group = pieces & pieces.wrapping_neg();
    loop {
        let band = group | beside(group);
        let larger = (band | band << 8 | band >> 8) & pieces;
        if larger == group {
            return group;
        }
        group = larger;
    }
}

/// The neighbours in the same row.
#[inline]
fn beside(squares: u64) -> u64 {
    (squares & !FILE_H) << 1 | (squares & !FILE_A) >> 1
}

const fn lines() -> [[Line; 4]; 64] {
    let mut lines = [[Line { squares: 0, gather: 0 }; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut axis = 0;
        while axis < 4 {
            let squares = squares_ahead(square, axis) | squares_ahead(square, axis + 4) | 1 << square;
            let gather = if axis == 0 { gather_column(square % 8) } else { GATHER_ACROSS };
            lines[square as usize][axis] = Line { squares, gather };
            axis += 1;
        }
        square += 1;
    }
    lines
}

/// Rows and diagonals have at most one piece in each column: the sum of the bytes has them all.
const GATHER_ACROSS: u64 = FILE_A;

/// Brings row r of a column to bit 56 + r; all other products fall below bit 56 or beyond 63.
const fn gather_column(column: i32) -> u64 {
    let mut gather = 0;
    let mut row = 0;
    while row < 8 {
        gather |= 1 << (56 - column - 7 * row);
        row += 1;
    }
    gather
}

const fn rays() -> [[Ray; 8]; 64] {
    let mut rays = [[Ray { squares: 0, reach: 0, step: 0 }; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let squares = squares_ahead(square, direction);
            let (up, right) = DIRECTIONS[direction];
            let (reach, step) = (squares.count_ones() as u8, (up * 8 + right) as i8);
            rays[square as usize][direction] = Ray { squares, reach, step };
            direction += 1;
        }
        square += 1;
    }
    rays
}

const fn squares_ahead(square: i32, direction: usize) -> u64 {
    let (up, right) = DIRECTIONS[direction];
    let (mut row, mut column) = (square / 8 + up, square % 8 + right);
    let mut squares = 0;
    while 0 <= row && row < 8 && 0 <= column && column < 8 {
        squares |= 1 << (row * 8 + column);
        row += up;
        column += right;
    }
    squares
}

const fn bits_in_byte() -> [u8; 256] {
    let mut counts = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        counts[byte] = byte.count_ones() as u8;
        byte += 1;
    }
    counts
}

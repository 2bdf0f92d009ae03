//! Shapes of stones on the board, as bits of squares.

use meeple_core::bits::elements;

use crate::just4fun::board::{SIDE, has_line, lines};

const SQUARES: u64 = (1 << (SIDE * SIDE)) - 1;

/// Three squares of a line of four.
#[derive(Clone, Copy, Debug)]
pub(super) struct Three {
    pub(super) stones: u64,
    /// The squares that make it four: two if it is open at both ends.
    pub(super) completing: u64,
    pub(super) diagonal: bool,
    /// Whether the three are not consecutive.
    pub(super) gap: bool,
    /// Squares of the whole row, column or diagonal.
    pub(super) length: usize,
}

/// All 184 threes.
pub(super) fn threes() -> Vec<Three> {
    let mut threes: Vec<Three> = Vec::new();
    for line in lines() {
        for (place, &missing) in line.iter().enumerate() {
            let stones = bits(&line) & !(1 << missing);
            if threes.iter().any(|three| three.stones == stones) {
                continue;
            }
            let step = line[1] - line[0];
            let diagonal = step != 1 && step != SIDE;
            threes.push(Three {
                stones,
                completing: completing(stones),
                diagonal,
                gap: place == 1 || place == 2,
                length: if diagonal { diagonal_length(line[0], step) } else { SIDE },
            });
        }
    }
    threes
}

/// The squares that complete a line of four.
pub(super) fn completing(stones: u64) -> u64 {
    with(stones, has_line)
}

/// The squares after which two squares complete a line of four.
pub(super) fn doubling(stones: u64) -> u64 {
    with(stones, |more| completing(more).count_ones() >= 2)
}

/// The free squares for which this holds once they are taken too.
fn with(stones: u64, holds: impl Fn(u64) -> bool) -> u64 {
    elements(SQUARES & !stones).filter(|square| holds(stones | 1 << square)).fold(0, |set, square| set | 1 << square)
}

/// Two squares that a third one makes an open three, and all five squares of that.
pub(super) struct Pair {
    pub(super) stones: u64,
    pub(super) third: u32,
    pub(super) around: u64,
}

/// Each open three of a row, column or main diagonal without each of its stones: 84. The twelve of the
/// four diagonals of five squares are not among them.
pub(super) fn pairs() -> Vec<Pair> {
    let open = threes().into_iter().filter(|three| three.completing.count_ones() == 2 && three.length == SIDE);
    let without = |three: Three| {
        let pair = move |third: u32| Pair {
            stones: three.stones & !(1 << third),
            third,
            around: three.stones | three.completing,
        };
        elements(three.stones).map(pair)
    };
    open.flat_map(without).collect()
}

/// Two neighbours of a row or column and the square that makes them a triangle.
pub(super) struct Corner {
    pub(super) stones: u64,
    pub(super) third: u32,
}

/// The least number of ways to an open three that a triangle has if both of its legs can grow.
pub(super) const WAYS: u32 = 4;

/// Three squares of a block of two by two with enough ways to an open three, without each of the ends
/// of its legs: 20 triangles, 40 corners, all within the sixteen squares of the middle.
pub(super) fn corners() -> Vec<Corner> {
    let starts = (0..SIDE - 1).flat_map(|row| (0..SIDE - 1).map(move |column| row * SIDE + column));
    let mut corners = Vec::new();
    for start in starts {
        let block = [start, start + 1, start + SIDE, start + SIDE + 1];
        for missing in 0..4 {
            let stones = bits(&block) & !(1 << block[missing]);
            if doubling(stones).count_ones() < WAYS {
                continue;
            }
            // The corner lies opposite to the square that is left out.
            let ends = (0..4).filter(|&place| place != missing && place != 3 - missing);
            corners.extend(ends.map(|end| Corner { stones: stones & !(1 << block[end]), third: block[end] as u32 }));
        }
    }
    corners
}

/// Whether three squares lie in a block of two by two.
pub(super) fn is_triangle(stones: u64) -> bool {
    let place = |square: u32| (square / SIDE as u32, square % SIDE as u32);
    let near = |a: u32, b: u32| {
        let ((a, b), (c, d)) = (place(a), place(b));
        a.abs_diff(c) <= 1 && b.abs_diff(d) <= 1
    };
    stones.count_ones() == 3 && elements(stones).all(|a| elements(stones).all(|b| near(a, b)))
}

fn bits(squares: &[usize]) -> u64 {
    squares.iter().fold(0, |set, &square| set | 1 << square)
}

fn diagonal_length(square: usize, step: usize) -> usize {
    let (row, column) = (square / SIDE, square % SIDE);
    if step == SIDE + 1 { SIDE - row.abs_diff(column) } else { SIDE - (row + column).abs_diff(SIDE - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_the_numbers_of_the_thesis() {
        let threes = threes();
        assert_eq!(threes.len(), 184);
        assert_eq!(threes.iter().filter(|three| three.completing.count_ones() == 1).count(), 152);
        assert_eq!(pairs().len(), 84);
        assert_eq!(corners().len(), 40);
    }

    #[test]
    fn every_three_and_every_corner_is_what_it_says() {
        for three in threes() {
            assert!(three.completing & three.stones == 0 && three.stones.count_ones() == 3);
            assert!(!three.gap || three.completing.count_ones() == 1);
        }
        for corner in corners() {
            assert!(is_triangle(corner.stones | 1 << corner.third));
        }
    }
}

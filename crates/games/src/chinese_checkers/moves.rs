//! Steps and chains of jumps, for both games.

use meeple_core::Rng;
use meeple_core::bits::{elements, select};

use super::board::{Board, DIRECTIONS, Field, Fields, ROW};

/// A step or a whole chain of jumps of one piece, or a pass. A chain keeps the parity of row and
/// column and a step does not, so the two ends tell which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub(super) from: Field,
    pub(super) to: Field,
}

impl Move {
    pub const PASS: Move = Move { from: Field::NONE, to: Field::NONE };

    pub(super) fn code(self) -> u32 {
        (self.from.index() << 8 | self.to.index()) as u32
    }

    pub(super) fn text(self, board: &Board) -> String {
        if self == Move::PASS {
            return "pass".into();
        }
        format!("{}-{}", board.name(self.from), board.name(self.to))
    }
}

/// Where one player comes from, goes to, and may stay.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    pub(super) home: Fields,
    /// Whoever is in does not leave, not even in the middle of a chain.
    pub(super) target: Fields,
    /// Where a jump of a chain may land.
    pub(super) through: Fields,
    /// Where a move may end.
    pub(super) stop: Fields,
    /// Clockwise turns by 60 degrees that bring the home to the south, as thesis 004 looks at it.
    pub(super) turns: usize,
    /// The fields to stop on, class by class.
    ends: [Vec<Field>; 4],
}

impl Seat {
    /// The home is a tip with `rows` further rows; the target lies opposite.
    pub(super) fn new(board: &Board, tip: usize, rows: usize, through: Fields, stop: Fields) -> Seat {
        let mut ends: [Vec<Field>; 4] = Default::default();
        stop.iter().for_each(|field| ends[field.class()].push(field));
        let (home, target) = (board.tip(tip, rows), board.tip(tip + 3, rows));
        Seat { home, target, through, stop, turns: (9 - tip) % 6, ends }
    }
}

/// From class c, a step in direction d leads to class `c ^ FLIP[d]`...
const FLIP: [usize; 6] = [1, 1, 2, 3, 3, 2];

/// ...and to a position that is larger by `SHIFT[c][d]` (modulo 64: shifts are rotations, the bits
/// that go round end beside the star).
const SHIFT: [[u32; 6]; 4] = shifts();

const fn shifts() -> [[u32; 6]; 4] {
    let mut shifts = [[0; 6]; 4];
    let mut i = 0;
    while i < 24 {
        let (class, direction) = (i / 6, i % 6);
        let row = (class as i32 / 2 + DIRECTIONS[direction].row as i32).div_euclid(2);
        let column = (class as i32 % 2 + DIRECTIONS[direction].column as i32).div_euclid(2);
        shifts[class][direction] = (ROW * row + column).rem_euclid(64) as u32;
        i += 1;
    }
    shifts
}

/// One direction of each axis: right, down left, down right.
const AXES: [usize; 3] = [1, 4, 5];

/// By how much a jump along each axis raises the position.
const LEAP: [u32; 3] = [1, ROW as u32 - 1, ROW as u32];

/// After this many refusals a random move is taken from the whole list.
const MOST_TRIALS: u32 = 48;

/// The player to move with the fields of his pieces and of all pieces.
#[derive(Debug)]
pub(super) struct Mover<'a> {
    pub(super) seat: &'a Seat,
    pub(super) own: Fields,
    pub(super) occupied: Fields,
}

impl Mover<'_> {
    /// Adds every move, without passes.
    #[inline]
    pub(super) fn moves(&self, out: &mut Vec<Move>) {
        for class in 0..4 {
            if self.own.0[class] == 0 {
                continue;
            }
            let bridges = self.bridges(class);
            for position in elements(self.own.0[class]) {
                let from = Field::new(class, position);
                self.steps(from, out);
                let ends = self.jumps(from, &bridges);
                out.extend(elements(ends).map(|position| Move { from, to: Field::new(class, position) }));
            }
        }
    }

    /// A uniformly random move: draws a piece and one of its directions or end fields, and tries
    /// again unless that is a move. `None` after many trials.
    #[inline]
    pub(super) fn random(&self, rng: &mut Rng) -> Option<Move> {
        let counts = self.own.0.map(u64::count_ones);
        let pieces = counts.iter().sum::<u32>();
        let slots = 6 + self.seat.ends.iter().map(Vec::len).max().unwrap_or(0) as u32;
        for _ in 0..MOST_TRIALS {
            let drawn = rng.below(pieces * slots);
            let from = self.piece(drawn / slots, &counts);
            let slot = (drawn % slots) as usize;
            if let Some(to) = if slot < 6 { self.step(from, slot) } else { self.jump(from, slot - 6) } {
                return Some(Move { from, to });
            }
        }
        None
    }

    /// The n-th own piece.
    #[inline]
    fn piece(&self, mut n: u32, counts: &[u32; 4]) -> Field {
        let mut class = 0;
        while n >= counts[class] {
            n -= counts[class];
            class += 1;
        }
        Field::new(class, select(self.own.0[class], n))
    }

    #[inline]
    fn steps(&self, from: Field, out: &mut Vec<Move>) {
        for direction in 0..6 {
            if let Some(to) = self.step(from, direction) {
                out.push(Move { from, to });
            }
        }
    }

    #[inline]
    fn step(&self, from: Field, direction: usize) -> Option<Field> {
        let class = from.class() ^ FLIP[direction];
        let end = from.bit().rotate_left(SHIFT[from.class()][direction]);
        let stays = if self.seat.target.contains(from) { self.seat.target.0[class] } else { !0 };
        let free = self.seat.stop.0[class] & !self.occupied.0[class] & stays;
        (end & free != 0).then(|| Field::new(class, end.trailing_zeros()))
    }

    /// Whether a chain leads to the n-th end field of the piece's class.
    #[inline]
    fn jump(&self, from: Field, n: usize) -> Option<Field> {
        let class = from.class();
        let &to = self.seat.ends[class].get(n)?;
        if self.occupied.contains(to) {
            return None;
        }
        let bridges = self.bridges(class);
        let possible = leaps(to.bit(), &bridges) != 0 && leaps(from.bit(), &bridges) & !self.occupied.0[class] != 0;
        (possible && self.jumps(from, &bridges) & to.bit() != 0).then_some(to)
    }

    /// For each axis the fields of a class next to a piece that can be jumped along it.
    #[inline]
    fn bridges(&self, class: usize) -> [u64; 3] {
        AXES.map(|axis| self.occupied.0[class ^ FLIP[axis]].rotate_right(SHIFT[class][axis]))
    }

    /// The ends of all chains of a piece.
    #[inline]
    fn jumps(&self, from: Field, bridges: &[u64; 3]) -> u64 {
        let (class, start) = (from.class(), from.bit());
        let free = self.seat.through.0[class] & !self.occupied.0[class];
        let target = self.seat.target.0[class];
        let outside = if start & target == 0 { flood(start, free & !target, bridges) } else { 0 };
        let inside = flood(start | outside, free & target, bridges);
        (outside | inside) & self.seat.stop.0[class]
    }
}

/// All free fields that chains of jumps reach.
#[inline]
fn flood(start: u64, free: u64, bridges: &[u64; 3]) -> u64 {
    let mut reached = 0;
    let mut fresh = start;
    while fresh != 0 && free != reached {
        fresh = leaps(fresh, bridges) & free & !reached;
        reached |= fresh;
    }
    reached
}

/// Where single jumps lead, free or not.
#[inline]
fn leaps(from: u64, bridges: &[u64; 3]) -> u64 {
    let along = |axis: usize| (from & bridges[axis]) << LEAP[axis] | (from >> LEAP[axis]) & bridges[axis];
    along(0) | along(1) | along(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On the largest star, so on all: they share the positions.
    #[test]
    fn shifts_are_the_neighbours() {
        let board = Board::new(4);
        for &from in board.fields() {
            for direction in 0..6 {
                let class = from.class() ^ FLIP[direction];
                let end = from.bit().rotate_left(SHIFT[from.class()][direction]) & board.all().0[class];
                let expected = board.field(board.point(from).plus(DIRECTIONS[direction]));
                assert_eq!((end != 0).then(|| Field::new(class, end.trailing_zeros())), expected);
            }
        }
    }

    #[test]
    fn leaps_are_two_steps_over_a_piece() {
        let board = Board::new(4);
        for &over in board.fields() {
            let occupied = Fields::from_iter([over]);
            for &from in board.fields().iter().filter(|&&from| from != over) {
                let seat = Seat::new(&board, 0, 0, board.all(), board.all());
                let mover = Mover { seat: &seat, own: Fields::default(), occupied };
                let found = leaps(from.bit(), &mover.bridges(from.class())) & board.all().0[from.class()];
                let behind = DIRECTIONS.iter().find(|&&step| board.point(from).plus(step) == board.point(over));
                let expected = behind.and_then(|&step| board.field(board.point(over).plus(step)));
                assert_eq!(found, expected.map_or(0, Field::bit), "{from:?} over {over:?}");
            }
        }
    }
}

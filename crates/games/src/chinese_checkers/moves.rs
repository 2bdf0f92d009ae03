//! Steps and chains of jumps, for both games.

use meeple_core::bits::{elements, select};
use meeple_core::{Reach, Rng, Sites};

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
        u32::from(self.from.0) << 8 | u32::from(self.to.0)
    }

    pub(super) fn from_code(code: u32) -> Move {
        Move { from: Field((code >> 8) as u8), to: Field(code as u8) }
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
}

impl Seat {
    /// The home is a tip with `rows` further rows; the target lies opposite.
    pub(super) fn new(board: &Board, tip: usize, rows: usize, through: Fields, stop: Fields) -> Seat {
        let (home, target) = (board.tip(tip, rows), board.tip(tip + 3, rows));
        Seat { home, target, through, stop, turns: (9 - tip) % 6 }
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
const MOST_TRIALS: u32 = 24;

/// The player to move with the fields of his pieces and of all pieces.
#[derive(Debug)]
pub(super) struct Mover<'a> {
    pub(super) seat: &'a Seat,
    pub(super) own: Fields,
    pub(super) occupied: Fields,
}

/// The chains of jumps in one class.
struct Chains {
    /// For each axis the fields next to a piece that can be jumped along it.
    bridges: [u64; 3],
    /// Where a jump may land.
    free: u64,
    /// Own pieces that can jump at all.
    starts: u64,
}

/// All that may be a move: each piece with its six directions, and in each class each piece that
/// can jump with each field that some jump reaches.
#[derive(Default)]
struct Slots {
    starts: [u64; 4],
    ends: [u64; 4],
    pieces: [u32; 4],
    ends_count: [u32; 4],
    pairs: [u32; 4],
}

impl Mover<'_> {
    /// Adds every move, without passes.
    #[inline]
    pub(super) fn moves(&self, out: &mut Vec<Move>) {
        for class in 0..4 {
            for position in elements(self.own.0[class]) {
                self.steps(Field::new(class, position), out);
            }
            let chains = self.chains(class);
            for position in elements(chains.starts) {
                let from = Field::new(class, position);
                let ends = self.jumps(from, &chains);
                out.extend(elements(ends).map(|position| Move { from, to: Field::new(class, position) }));
            }
        }
    }

    /// Notes the end of every move.
    pub(super) fn reach(&self, reach: &mut Reach) {
        for class in 0..4 {
            for position in elements(self.own.0[class]) {
                let from = Field::new(class, position);
                let steps = (0..6).filter_map(|direction| self.step(from, direction));
                steps.for_each(|to| reach.add(to.index()));
            }
            let chains = self.chains(class);
            for position in elements(chains.starts) {
                let mut ends = Sites::default();
                ends.0[class] = self.jumps(Field::new(class, position), &chains);
                reach.add_all(ends);
            }
        }
    }

    /// A uniformly random move: draws a slot and tries again unless it holds a move. `None` after
    /// many trials.
    #[inline]
    pub(super) fn random(&self, rng: &mut Rng) -> Option<Move> {
        let slots = self.slots();
        let steps = 6 * slots.pieces.iter().sum::<u32>();
        let all = steps + slots.pairs.iter().sum::<u32>();
        (0..MOST_TRIALS).find_map(|_| {
            let drawn = rng.below(all);
            if drawn < steps { self.step_in(drawn, &slots) } else { self.chain_in(drawn - steps, &slots) }
        })
    }

    #[inline]
    fn slots(&self) -> Slots {
        let mut slots = Slots::default();
        for class in 0..4 {
            let chains = self.chains(class);
            slots.starts[class] = chains.starts;
            slots.ends[class] = self.ends(class, &chains);
            slots.pieces[class] = self.own.0[class].count_ones();
            slots.ends_count[class] = slots.ends[class].count_ones();
            slots.pairs[class] = slots.starts[class].count_ones() * slots.ends_count[class];
        }
        slots
    }

    #[inline]
    fn step_in(&self, slot: u32, slots: &Slots) -> Option<Move> {
        let (class, n) = locate(slot / 6, &slots.pieces);
        let from = Field::new(class, select(self.own.0[class], n));
        Some(Move { from, to: self.step(from, slot as usize % 6)? })
    }

    #[inline]
    fn chain_in(&self, slot: u32, slots: &Slots) -> Option<Move> {
        let (class, n) = locate(slot, &slots.pairs);
        let ends = slots.ends_count[class];
        let from = Field::new(class, select(slots.starts[class], n / ends));
        let to = Field::new(class, select(slots.ends[class], n % ends));
        (self.jumps(from, &self.chains(class)) & to.bit() != 0).then_some(Move { from, to })
    }

    #[inline]
    fn steps(&self, from: Field, out: &mut Vec<Move>) {
        // Without a branch for each direction, which is hard to predict.
        let mut found = [Move::PASS; 6];
        let mut count = 0;
        let leaving = self.seat.target.contains(from);
        for direction in 0..6 {
            let (class, end) = neighbour(from, direction);
            found[count] = Move { from, to: Field::new(class, end.trailing_zeros()) };
            count += usize::from(end & self.room(class, leaving) != 0);
        }
        let length = out.len() + count;
        out.extend_from_slice(&found);
        out.truncate(length);
    }

    #[inline]
    fn step(&self, from: Field, direction: usize) -> Option<Field> {
        let (class, end) = neighbour(from, direction);
        let free = self.room(class, self.seat.target.contains(from));
        (end & free != 0).then(|| Field::new(class, end.trailing_zeros()))
    }

    /// Where a step may end; within the target if it begins there.
    #[inline]
    fn room(&self, class: usize, from_target: bool) -> u64 {
        let allowed = if from_target { self.seat.target.0[class] } else { self.seat.stop.0[class] };
        allowed & !self.occupied.0[class]
    }

    #[inline]
    fn chains(&self, class: usize) -> Chains {
        let bridge = |axis: usize| self.occupied.0[class ^ FLIP[axis]].rotate_right(SHIFT[class][axis]);
        let bridges = [bridge(AXES[0]), bridge(AXES[1]), bridge(AXES[2])];
        let free = self.seat.through.0[class] & !self.occupied.0[class];
        Chains { bridges, free, starts: self.own.0[class] & leaps(free, &bridges) }
    }

    /// Where chains of a class may end: all that do, and some more.
    #[inline]
    fn ends(&self, class: usize, chains: &Chains) -> u64 {
        leaps(chains.starts | chains.free, &chains.bridges) & chains.free & self.seat.stop.0[class]
    }

    /// The ends of all chains of a piece.
    #[inline]
    fn jumps(&self, from: Field, chains: &Chains) -> u64 {
        let (class, start) = (from.class(), from.bit());
        let target = self.seat.target.0[class];
        let outside = if start & target == 0 { flood(start, chains.free & !target, &chains.bridges) } else { 0 };
        let inside = flood(start | outside, chains.free & target, &chains.bridges);
        (outside | inside) & self.seat.stop.0[class]
    }
}

/// The class and the bit of the field next to another one, on the star or beside it.
#[inline]
fn neighbour(from: Field, direction: usize) -> (usize, u64) {
    (from.class() ^ FLIP[direction], from.bit().rotate_left(SHIFT[from.class()][direction]))
}

/// Which class holds number n, and its number there.
#[inline]
fn locate(mut n: u32, counts: &[u32; 4]) -> (usize, u32) {
    let mut class = 0;
    while n >= counts[class] {
        n -= counts[class];
        class += 1;
    }
    (class, n)
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
                let (class, end) = neighbour(from, direction);
                let end = end & board.all().0[class];
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
                let found = leaps(from.bit(), &mover.chains(from.class()).bridges) & board.all().0[from.class()];
                let behind = DIRECTIONS.iter().find(|&&step| board.point(from).plus(step) == board.point(over));
                let expected = behind.and_then(|&step| board.field(board.point(over).plus(step)));
                assert_eq!(found, expected.map_or(0, Field::bit), "{from:?} over {over:?}");
            }
        }
    }
}

//! The boards of the relatives, step by step rather than with sets of fields: simple, not fast.
//!
//! A marble is a number as its own colour counts: 0 waits, 1 is the start, the track and the lane
//! follow. A move that cannot be carried out gives no board.

use super::Variant;
use crate::keezen::board::{Board, START, WAITING};
use crate::keezen::holdings::SEATS;

/// Dog only: the own start, reached again by running. The marble does not block there, and the
/// lane is open to it.
const START_AGAIN: u8 = 65;

impl Variant {
    /// Fields of the common track.
    fn track(self) -> u8 {
        if self == Variant::Sorry { 60 } else { 64 }
    }

    /// The first place of the lane.
    pub(super) fn lane(self) -> u8 {
        match self {
            Variant::Tock => 65,
            Variant::Dog => 66,
            Variant::Sorry => 61,
        }
    }

    /// The furthest place of all; the home of Sorry! takes all four marbles.
    pub(super) fn furthest(self) -> u8 {
        match self {
            Variant::Tock => 68,
            Variant::Dog => 69,
            Variant::Sorry => 66,
        }
    }

    /// Whether the four marbles of a colour have arrived.
    pub(super) fn finished(self, board: &Board, colour: usize) -> bool {
        let arrived = if self == Variant::Sorry { self.furthest() } else { self.lane() };
        board.0[colour][3] >= arrived
    }

    /// Whether opposite seats play together.
    pub(super) fn teams(self) -> bool {
        self != Variant::Sorry
    }

    /// The first seat of those whose marbles, and those of the partner, have all arrived.
    pub(super) fn winner(self, board: &Board) -> Option<usize> {
        let finished = |seat: usize| self.finished(board, seat) && (!self.teams() || self.finished(board, seat ^ 2));
        (0..SEATS).find(|&seat| finished(seat))
    }

    /// The marbles of a colour that have arrived.
    pub(super) fn arrived(self, board: &Board, colour: usize) -> usize {
        let arrived = if self == Variant::Sorry { self.furthest() } else { self.lane() };
        board.0[colour].iter().filter(|&&place| place >= arrived).count()
    }

    /// The field of the track under a place, `None` for waiting marbles and lanes.
    pub(super) fn field(self, colour: usize, place: u8) -> Option<u8> {
        let seat = colour as u8;
        match self {
            _ if place == WAITING || place >= self.lane() => None,
            Variant::Sorry => Some((15 * seat + 4 + place - 1) % 60),
            _ => Some((16 * seat + place - 1) % 64),
        }
    }

    /// The place of a field of the track for a colour's marble that comes there by running or
    /// swapping.
    fn place(self, colour: usize, field: u8) -> u8 {
        let seat = colour as u8;
        match self {
            Variant::Sorry => (field + 60 - (15 * seat + 4) % 60) % 60 + 1,
            Variant::Dog if field == 16 * seat => START_AGAIN,
            _ => (field + 64 - 16 * seat) % 64 + 1,
        }
    }

    /// One step forward; `around` runs past the lane of Dog for another lap.
    fn next(self, place: u8, around: bool) -> Option<u8> {
        match self {
            _ if place == self.furthest() => None,
            Variant::Dog if place == START_AGAIN && around => Some(START + 1),
            // The lane of Sorry! branches off two fields before the start.
            Variant::Sorry if place == 59 => Some(self.lane()),
            Variant::Sorry if place == 60 => Some(START),
            _ => Some(place + 1),
        }
    }

    /// Where a run from a place ends, whatever is in its way.
    pub(super) fn reached(self, place: u8, steps: i8, around: bool) -> Option<u8> {
        let step = |place: u8| if steps > 0 { self.next(place, around) } else { self.back(place) };
        (0..steps.unsigned_abs()).try_fold(place, |place, _| step(place))
    }

    /// One step backward. Only Sorry! lets marbles out of the lane.
    fn back(self, place: u8) -> Option<u8> {
        match self {
            _ if place == START => Some(self.track()),
            Variant::Sorry if place == self.furthest() => None,
            Variant::Sorry if place == self.lane() => Some(59),
            Variant::Dog if place == START + 1 => Some(START_AGAIN),
            Variant::Tock | Variant::Dog if place >= self.lane() => None,
            _ => Some(place - 1),
        }
    }
}

/// Slides of a side of Sorry!, by their first field and their length.
pub(super) const SLIDES: [(u8, u8); 2] = [(1, 3), (9, 4)];

/// Runs a marble; `around` must make a difference.
pub(super) fn run(
    variant: Variant,
    board: &Board,
    colour: usize,
    marble: usize,
    steps: i8,
    around: bool,
) -> Option<Board> {
    let mut place = board.0[colour][marble];
    let laps = i16::from(place) + i16::from(steps) > i16::from(START_AGAIN);
    if place == WAITING || (around && !laps) {
        return None;
    }
    let mut after = *board;
    after.take(colour, marble);
    let blocks = blocks(variant, &after);
    let mut lapped = false;
    for _ in 0..steps.unsigned_abs() {
        let next = if steps > 0 { variant.next(place, around)? } else { variant.back(place)? };
        let blocked = match variant.field(colour, next) {
            Some(field) => blocks >> field & 1 == 1,
            None => variant != Variant::Sorry && after.0[colour].contains(&next),
        };
        if blocked {
            return None;
        }
        lapped |= steps > 0 && place == START_AGAIN && next == START + 1;
        place = next;
    }
    (around == lapped).then_some(())?;
    land(variant, &mut after, colour, place)?;
    Some(after)
}

/// A waiting marble comes to its start.
pub(super) fn start(variant: Variant, board: &Board, colour: usize) -> Option<Board> {
    let mut after = *board;
    let free = board.0[colour][3] == WAITING && !board.0[colour].contains(&START);
    free.then_some(())?;
    hit(variant, &mut after, variant.field(colour, START)?);
    after.put(colour, START);
    Some(after)
}

/// Exchanges two marbles on the track. In Tock and Dog a marble that blocks stays where it is.
pub(super) fn swap(
    variant: Variant,
    board: &Board,
    (colour, marble): (usize, usize),
    (other, other_marble): (usize, usize),
) -> Option<Board> {
    let (place, other_place) = (board.0[colour][marble], board.0[other][other_marble]);
    if variant != Variant::Sorry && (place == START || other_place == START) {
        return None;
    }
    let (field, other_field) = (variant.field(colour, place)?, variant.field(other, other_place)?);
    let mut after = *board;
    after.take(colour, marble);
    after.take(other, other_marble);
    after.put(other, variant.place(other, field));
    land(variant, &mut after, colour, variant.place(colour, other_field))?;
    Some(after)
}

/// A waiting marble takes the field of an opponent's marble on the track.
pub(super) fn take_field(
    variant: Variant,
    board: &Board,
    colour: usize,
    other: usize,
    other_marble: usize,
) -> Option<Board> {
    let field = variant.field(other, board.0[other][other_marble])?;
    let mut after = *board;
    (board.0[colour][3] == WAITING).then_some(())?;
    land(variant, &mut after, colour, variant.place(colour, field))?;
    Some(after)
}

/// The fields of the track that nobody passes: starts with a marble that has not run yet.
fn blocks(variant: Variant, board: &Board) -> u64 {
    if variant == Variant::Sorry {
        return 0;
    }
    let fresh = (0..SEATS).filter(|&colour| board.0[colour].contains(&START));
    fresh.fold(0, |blocks, colour| blocks | 1 << (16 * colour))
}

/// A marble in the hand comes to a place, hits and slides.
fn land(variant: Variant, board: &mut Board, colour: usize, place: u8) -> Option<()> {
    let Some(field) = variant.field(colour, place) else {
        // The home of Sorry! has room for all.
        let taken = place < variant.furthest() || variant != Variant::Sorry;
        (!(taken && board.0[colour].contains(&place))).then_some(())?;
        board.put(colour, place);
        return Some(());
    };
    if variant != Variant::Sorry {
        hit(variant, board, field);
        board.put(colour, place);
        return Some(());
    }
    (!board.0[colour].contains(&place)).then_some(())?;
    let length = slide(colour, field);
    for passed in 0..=length {
        hit(variant, board, (field + passed) % 60);
    }
    board.put(colour, variant.place(colour, (field + length) % 60));
    Some(())
}

/// How far a marble slides from a field of Sorry!: each side has two slides of its colour, which
/// only the other colours use.
fn slide(colour: usize, field: u8) -> u8 {
    let own = usize::from(field / 15) == colour;
    SLIDES.iter().find(|&&(first, _)| first == field % 15 && !own).map_or(0, |&(_, length)| length)
}

/// Sends the marble on a field of the track home, if there is one.
fn hit(variant: Variant, board: &mut Board, field: u8) {
    for colour in 0..SEATS {
        for marble in (0..4).rev() {
            if variant.field(colour, board.0[colour][marble]) == Some(field) {
                board.take(colour, marble);
            }
        }
    }
}

//! Where marbles are and how far they can run.
//!
//! A marble is a number as its own colour counts: 0 waits, 1 is the start, 64 the entry (the last
//! field of the common track before the lane), 65 to 68 are the lane. The 64 fields of the track
//! are numbered from the start of seat 0; the start of seat s is number 16 s.
//! Published field numbers are 24 seat + local: lane 3, 2, 1, 0 (in the order they are entered),
//! entry 4, start 5, track to 19, wait 20 to 23.

use super::holdings::SEATS;

pub(super) const WAITING: u8 = 0;
pub(super) const START: u8 = 1;
pub(super) const ENTRY: u8 = 64;
pub(super) const FURTHEST: u8 = 68;

/// The published numbers of all fields.
pub(super) const FIELDS: usize = 96;

/// The four marbles of a colour, the most advanced first.
pub(super) type Marbles = [u8; 4];

/// A colour whose marbles are all in the lane.
pub(super) const FINISHED: Marbles = [68, 67, 66, 65];

/// The marbles of all colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Board(pub(super) [Marbles; SEATS]);

impl Board {
    #[inline]
    pub(super) fn finished(&self, colour: usize) -> bool {
        self.0[colour] == FINISHED
    }

    /// The team whose eight marbles are in their lanes.
    #[inline]
    pub(super) fn winner(&self) -> Option<usize> {
        (0..2).find(|&team| self.finished(team) && self.finished(team + 2))
    }

    /// The marbles of a colour in its lane.
    pub(super) fn in_lane(&self, colour: usize) -> usize {
        self.0[colour].iter().filter(|&&place| place > ENTRY).count()
    }

    /// Marbles on their own start fields, which nobody passes, hits or swaps; bit 0 is the start
    /// of `colour`, and the track goes on from there as that colour runs.
    #[inline]
    pub(super) fn blocks(&self, colour: usize) -> u64 {
        let blocks = (0..SEATS).fold(0, |blocks, other| blocks | u64::from(has(self.0[other], START)) << (16 * other));
        blocks.rotate_right(16 * colour as u32)
    }

    /// Sends the marble on this field of the track home, if there is one.
    #[inline]
    pub(super) fn hit(&mut self, field: u8) {
        for colour in 0..SEATS {
            if let Some(marble) = find(self.0[colour], place_on_track(colour, field)) {
                self.take(colour, marble);
                return;
            }
        }
    }

    /// Moves a marble to another place of its colour; a marble on that place goes home.
    #[inline]
    pub(super) fn run(&mut self, colour: usize, marble: usize, place: u8) {
        self.take(colour, marble);
        if place <= ENTRY {
            self.hit(track_field(colour, place));
        }
        self.put(colour, place);
    }

    /// A waiting marble comes to its start.
    #[inline]
    pub(super) fn start(&mut self, colour: usize) {
        self.hit(track_field(colour, START));
        self.put(colour, START);
    }

    /// Exchanges two marbles on the track.
    #[inline]
    pub(super) fn swap(&mut self, colour: usize, marble: usize, other: usize, other_marble: usize) {
        let field = track_field(colour, self.0[colour][marble]);
        let other_field = track_field(other, self.0[other][other_marble]);
        self.take(colour, marble);
        self.take(other, other_marble);
        self.put(colour, place_on_track(colour, other_field));
        self.put(other, place_on_track(other, field));
    }

    /// The marble waits.
    #[inline]
    pub(super) fn take(&mut self, colour: usize, marble: usize) {
        let marbles = &mut self.0[colour];
        for next in marble..3 {
            marbles[next] = marbles[next + 1];
        }
        marbles[3] = WAITING;
    }

    /// A waiting marble comes to a place.
    #[inline]
    pub(super) fn put(&mut self, colour: usize, place: u8) {
        let marbles = &mut self.0[colour];
        debug_assert_eq!(marbles[3], WAITING);
        let mut marble = 3;
        while marble > 0 && marbles[marble - 1] < place {
            marbles[marble] = marbles[marble - 1];
            marble -= 1;
        }
        marbles[marble] = place;
    }
}

/// The marbles that occupy their lane, bit 0 for the first field of it, and the wall behind it.
#[inline]
pub(super) fn lane(marbles: Marbles) -> u64 {
    let wall = 1 << (FURTHEST - ENTRY);
    marbles.iter().filter(|&&place| place > ENTRY).fold(wall, |lane, &place| lane | 1 << (place - ENTRY - 1))
}

/// How many steps a marble can run forward before something blocks it. `blocks` as its colour
/// sees them. Far ahead nothing is looked at: a result above 15 only means "far".
#[inline]
pub(super) fn free_steps(blocks: u64, lane: u64, place: u8) -> u32 {
    debug_assert!((START..=FURTHEST).contains(&place));
    let ahead =
        if place <= ENTRY { (blocks >> (place - 1)) >> 1 | lane << (ENTRY - place) } else { lane >> (place - ENTRY) };
    ahead.trailing_zeros()
}

/// Where four steps backward lead: only on the track, and only past fields that are not blocked.
#[inline]
pub(super) fn four_back(blocks: u64, place: u8) -> Option<u8> {
    if !(START..=ENTRY).contains(&place) {
        return None;
    }
    // Bit place - 2 is the field behind the marble.
    let behind = blocks.rotate_right((u32::from(place) + 64 - 5) % 64) & 15;
    (behind == 0).then_some(four_behind(place))
}

/// The place four steps behind one on the track.
#[inline]
pub(super) fn four_behind(place: u8) -> u8 {
    (place + 59) % 64 + 1
}

/// The field of the track on which a colour's marble stands.
#[inline]
pub(super) fn track_field(colour: usize, place: u8) -> u8 {
    debug_assert!((START..=ENTRY).contains(&place));
    (16 * colour as u8 + place - 1) & 63
}

/// The place of a field of the track as a colour counts.
#[inline]
pub(super) fn place_on_track(colour: usize, field: u8) -> u8 {
    (field.wrapping_sub(16 * colour as u8) & 63) + 1
}

/// The published number of the field of a marble that is not waiting.
pub(super) fn field_number(colour: usize, place: u8) -> u8 {
    if place > ENTRY {
        return 24 * colour as u8 + FURTHEST - place;
    }
    let next = (track_field(colour, place) + 1) & 63;
    24 * (next / 16) + 4 + next % 16
}

/// The place of a published field for a colour; `None` for wait fields and foreign lanes.
pub(super) fn place_of_number(colour: usize, number: u8) -> Option<u8> {
    let (seat, local) = (number / 24, number % 24);
    match local {
        0..=3 if usize::from(seat) == colour => Some(FURTHEST - local),
        4..=19 if usize::from(number) < FIELDS => {
            let field = (16 * seat + local - 4).wrapping_sub(1) & 63;
            Some(place_on_track(colour, field))
        }
        _ => None,
    }
}

/// Whether a marble stands on this place.
#[inline]
fn has(marbles: Marbles, place: u8) -> bool {
    find(marbles, place).is_some()
}

/// The marble on this place, which is not the waiting one. Four comparisons at once: a byte of
/// the difference is zero where the place is found.
#[inline]
pub(super) fn find(marbles: Marbles, place: u8) -> Option<usize> {
    const ONES: u32 = 0x0101_0101;
    let difference = u32::from_le_bytes(marbles) ^ (ONES * u32::from(place));
    let zeros = difference.wrapping_sub(ONES) & !difference & (ONES << 7);
    (zeros != 0).then(|| zeros.trailing_zeros() as usize / 8)
}

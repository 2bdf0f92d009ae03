//! Lines that one stone completes, prepares or breaks: what a network would otherwise have to count.

use meeple_core::Player;

use super::board::{FIELDS, lines};
use super::state::State;

/// For every square, how many lines of four a stone of the viewer on it would complete, or bring to three of four that
/// the last stone can complete; the same for stones of the others; and how many lines that the others could complete
/// next a stone of the viewer breaks, on the square that is missing or by taking a majority away.
#[derive(Clone, Debug)]
pub(super) struct Threats([[u8; FIELDS]; Threats::PLANES]);

impl Threats {
    pub(super) const PLANES: usize = 5;

    pub(super) fn of(state: &State, seat: Player, players: usize) -> Threats {
        let mut counts = [[0; FIELDS]; Threats::PLANES];
        let [completes, prepares, others_complete, others_prepare, breaks] = &mut counts;
        for player in 0..players {
            let (held, gainable) = (state.held(player), gainable(state, player, players));
            let breakable = if player == seat { 0 } else { breakable(state, seat, player) };
            let (complete, prepare) = match player == seat {
                true => (&mut *completes, &mut *prepares),
                false => (&mut *others_complete, &mut *others_prepare),
            };
            for line in lines() {
                let missing = line.iter().filter(|&&square| held >> square & 1 == 0);
                if missing.clone().any(|&square| gainable >> square & 1 == 0) {
                    continue;
                }
                match missing.clone().count() {
                    1 => {
                        missing.for_each(|&square| complete[square] += 1);
                        let broken = line.iter().filter(|&&square| breakable >> square & 1 != 0);
                        broken.for_each(|&square| breaks[square] += 1);
                    }
                    2 => missing.for_each(|&square| prepare[square] += 1),
                    _ => {}
                }
            }
        }
        Threats(counts)
    }

    /// The counts of a square on all planes.
    pub(super) fn of_square(&self, square: usize) -> impl Iterator<Item = f32> {
        self.0.iter().map(move |plane| f32::from(plane[square]))
    }
}

fn is_open(state: &State, player: Player, field: usize) -> bool {
    state.open_values(player) >> (field + 1) & 1 != 0
}

/// The squares of the fields of which something holds.
fn squares(state: &State, holds: impl Fn(usize) -> bool) -> u64 {
    let place = |field: usize| if usize::from(state.squares[field]) < FIELDS { 1 << state.squares[field] } else { 0 };
    (0..FIELDS).filter(|&field| holds(field)).fold(0, |squares, field| squares | place(field))
}

/// The squares that a player would hold with one more stone.
fn gainable(state: &State, player: Player, players: usize) -> u64 {
    squares(state, |field| {
        let mut others = (0..players).filter(|&other| other != player);
        let stones = state.stones.get(player, field) + 1;
        is_open(state, player, field) && others.all(|other| state.stones.get(other, field) < stones)
    })
}

/// The squares on which a stone of the viewer takes away another player's majority, or keeps him from having one with one
/// more stone.
fn breakable(state: &State, seat: Player, player: Player) -> u64 {
    let held = state.held(player);
    squares(state, |field| {
        let ahead = u8::from(held.checked_shr(u32::from(state.squares[field])).unwrap_or(0) & 1 != 0);
        is_open(state, seat, field) && state.stones.get(player, field) <= state.stones.get(seat, field) + ahead
    })
}

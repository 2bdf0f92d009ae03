//! Schadd's evaluation (thesis 001, section 3.2.1): 10 for a pawn, 2.5 for each row that the
//! furthest one has reached, own minus the enemy's, scaled by a slope and tanh.

use meeple_core::{Heuristic, Player};

use super::{Breakthrough, Setup, State};
use crate::squares::Squares;

/// What a pawn is worth, with a row as the unit.
const PAWN: i32 = 4;
/// One row ahead is worth tanh(2.5 / 50).
const SLOPE: f32 = 2.5 / 50.0;

#[derive(Clone, Debug)]
pub(super) struct Schadd {
    /// By the difference, which begins at `lowest`.
    values: Vec<f32>,
    lowest: i32,
}

impl Schadd {
    pub(super) fn new(setup: &Setup) -> Schadd {
        let most = PAWN * setup.pawns_per_side() as i32 + setup.rows as i32;
        let values = (-most..=most).map(|difference| libm::tanhf(SLOPE * difference as f32)).collect();
        Schadd { values, lowest: -most }
    }
}

impl<S: Squares> Heuristic<Breakthrough<S>> for Schadd {
    #[inline]
    fn value(&self, game: &Breakthrough<S>, state: &State<S>, player: Player) -> f32 {
        let [white, black] = state.pawns();
        let columns = game.setup.columns as u32;
        let pawns = white.count() as i32 - black.count() as i32;
        // Both sides have pawns: the game is not over.
        let last_row = game.setup.rows as u32 - 1;
        let rows = (white.highest() / columns) as i32 - (last_row - black.lowest() / columns) as i32;
        let value = self.values[(PAWN * pawns + rows - self.lowest) as usize];
        if player == 0 { value } else { -value }
    }
}

#[cfg(test)]
mod tests {
    use meeple_core::{Game, Notation};

    use super::*;

    #[test]
    fn pawns_and_rows_count() {
        let game = Breakthrough::<u64>::new(Setup { rows: 5, columns: 3, rows_per_side: 1 });
        let schadd = Schadd::new(&game.setup);
        for (position, difference) in [
            ("bbb/.../.../.../www w", 0),
            ("b.b/.w./.../.../w.w b", 7),
            ("bbb/.../.../w../.ww b", 1),
            ("bb./.../..b/w.w/.w. w", -1),
        ] {
            let state = game.parse_state(position).unwrap();
            let expected = libm::tanhf(0.05 * difference as f32);
            assert!((schadd.value(&game, &state, 0) - expected).abs() < 1e-6, "{position}");
            assert_eq!(schadd.value(&game, &state, 1), -schadd.value(&game, &state, 0));
        }
        assert_eq!(schadd.value(&game, &game.initial_state(), 0), 0.0);
    }
}

//! The sets of the last stone: 39 turns are played, the last one decides. Nothing in them is
//! systematic, so whole games are drawn until one fits.

use meeple_core::bits::elements;
use meeple_core::{Case, Rng};

use super::plan::{dealt, draw_hand, stated, turn, until};
use super::prospects::{fields, text, wins};
use crate::just4fun::Just4Fun;
use crate::just4fun::cards::{Cards, Hand};
use crate::just4fun::state::{Phase, State};

/// Turns before the last stone.
const TURNS: u32 = 39;

/// Some actions win by points, at least one does not win: 19 cases.
pub(super) fn points(game: &Just4Fun, rng: &mut Rng) -> Vec<Case<State, Cards>> {
    let attempt = |number: u32, rng: &mut Rng| {
        let mut state = late(game, rng)?;
        let (by_points, by_field) = winning(game, &state);
        let open = state.open_values(state.mover());
        let good = |hand: Hand| {
            hand.playable(by_points) != 0 && hand.playable(by_field) == 0 && hand.playable(open & !by_points) != 0
        };
        draw_hand(&mut state, good, rng)?;
        Some(stated(game, format!("{number}: more than {}", deficit(&state)), state, by_points, TURNS))
    };
    (1..=19).map(|number| until(|| attempt(number, rng))).collect()
}

/// One field wins, by the highest field after a tie in points; no other action does: 10 cases.
pub(super) fn max_field(game: &Just4Fun, rng: &mut Rng) -> Vec<Case<State, Cards>> {
    let attempt = |number: u32, rng: &mut Rng| {
        let mut state = late(game, rng)?;
        let (by_points, by_field) = winning(game, &state);
        let open = state.open_values(state.mover());
        let good = |hand: Hand| {
            hand.playable(by_field) != 0 && hand.playable(by_points) == 0 && hand.playable(open & !by_field) != 0
        };
        if by_field == 0 {
            return None;
        }
        draw_hand(&mut state, good, rng)?;
        Some(stated(game, format!("{number}: {}", text(by_field)), state, by_field, TURNS))
    };
    (1..=10).map(|number| until(|| attempt(number, rng))).collect()
}

/// A random game before the last stone, without a pattern so far or in sight.
fn late(game: &Just4Fun, rng: &mut Rng) -> Option<State> {
    let mut state = dealt(game, rng);
    for _ in 0..TURNS {
        let mover = state.mover();
        let lines = wins(game, &state, mover);
        let hand = state.hands[mover];
        let quiet = hand.playable(state.open_values(mover) & !lines);
        let choices: Vec<u32> = elements(u64::from(quiet)).collect();
        let subset = *choices.get(rng.below(choices.len().max(1) as u32) as usize)?;
        turn(game, &mut state, hand.subset(subset), rng)?;
    }
    (wins(game, &state, state.mover()) == 0).then_some(state)
}

/// The fields that win by points, and the one that wins by the highest field.
fn winning(game: &Just4Fun, state: &State) -> (u64, u64) {
    let mover = state.mover();
    let by = |wanted: &str| {
        fields(game, state, mover, |next| {
            let mut end = *next;
            end.phase = Phase::Scored;
            game.winner(&end).is_some_and(|(winner, reason)| winner == mover && reason == wanted)
        })
    };
    (by("points"), by("max field"))
}

/// How far the mover is behind in points.
fn deficit(state: &State) -> i64 {
    let points = |player| i64::from(state.points(player).0);
    points(1 - state.mover()) - points(state.mover())
}

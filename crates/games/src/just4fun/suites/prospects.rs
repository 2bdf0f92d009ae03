//! What stones would achieve, whatever the cards: fields as bits of their values.

use meeple_core::Player;
use meeple_core::bits::elements;

use super::shapes::{WAYS, is_triangle};
use crate::just4fun::state::{Phase, State};
use crate::just4fun::{FIELDS, Just4Fun};

/// The fields that win for a player by a pattern if it places the next stone.
pub(super) fn wins(game: &Just4Fun, state: &State, player: Player) -> u64 {
    fields(game, state, player, |next| next.phase == Phase::Pattern)
}

/// The fields after which a player has two fields that win.
pub(super) fn doubles(game: &Just4Fun, state: &State, player: Player) -> u64 {
    fields(game, state, player, |next| wins(game, next, player).count_ones() >= 2)
}

/// The fields that make the stones of a player a triangle with enough ways to a double.
pub(super) fn triangles(game: &Just4Fun, state: &State, player: Player) -> u64 {
    fields(game, state, player, |next| {
        is_triangle(next.held(player)) && doubles(game, next, player).count_ones() >= WAYS
    })
}

/// The fields without a win that leave the opponent none either.
pub(super) fn blocks(game: &Just4Fun, state: &State, player: Player) -> u64 {
    fields(game, state, player, |next| next.phase != Phase::Pattern && wins(game, next, 1 - player) == 0)
}

/// The open fields for which this holds after a stone of the player there.
pub(super) fn fields(game: &Just4Fun, state: &State, player: Player, holds: impl Fn(&State) -> bool) -> u64 {
    let good = |&value: &u32| {
        let mut next = *state;
        next.mover = player as u8;
        game.place_stone(&mut next, value as usize - 1);
        holds(&next)
    };
    elements(state.open_values(player) & game.reachable).filter(good).fold(0, |set, value| set | 1 << value)
}

/// Squares as the values of their fields.
pub(super) fn values_of(state: &State, squares: u64) -> u64 {
    let on = |&field: &usize| squares >> state.squares[field] & 1 == 1;
    (0..FIELDS).filter(on).fold(0, |set, field| set | 1 << (field + 1))
}

/// The values of a set of fields, for names.
pub(super) fn text(values: u64) -> String {
    let values: Vec<String> = elements(values).map(|value| value.to_string()).collect();
    values.join("+")
}

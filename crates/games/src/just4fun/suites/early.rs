//! The sets of the first turns: one stone on each field, every field of one player only.

use meeple_core::{Case, Rng};

use super::plan::{OTHER, OWN, Plan, case, draw_hand, opponent, stated, until};
use super::prospects::{blocks, doubles, text, triangles, values_of, wins};
use super::shapes::{Three, corners, pairs, threes};
use crate::just4fun::Just4Fun;
use crate::just4fun::cards::Cards;
use crate::just4fun::state::State;

type Cases = Vec<Case<State, Cards>>;

/// All threes that one field completes: 152 cases of six turns.
pub(super) fn win(game: &Just4Fun, rng: &mut Rng) -> Cases {
    let single = threes().into_iter().filter(|three| three.completing.count_ones() == 1);
    let attempt = |three: &Three, rng: &mut Rng| {
        let plan = Plan::new().stones(OWN, three.stones, 1).singles(OTHER, 6, !three.completing & ALL, rng);
        let state = plan.play(game, 6, rng).filter(|state| wins(game, state, opponent(state)) == 0)?;
        let expected = wins(game, &state, state.mover());
        case(game, name(&state, three), state, expected, 6, rng)
    };
    single.map(|three| until(|| attempt(&three, rng))).collect()
}

/// The threes of the opponent that one field completes, but for the 24 at the end of a row or column:
/// with these the count and the turns are those of table 6.1, 72 of rows and columns after five turns
/// and 56 of diagonals after six. A stone on the missing field or on one of the three prevents the
/// loss.
pub(super) fn prevent(game: &Just4Fun, rng: &mut Rng) -> Cases {
    let covered = |three: &Three| three.completing.count_ones() == 1 && (three.gap || three.diagonal);
    let attempt = |three: &Three, rng: &mut Rng| {
        let turns = if three.diagonal { 6 } else { 5 };
        let plan = Plan::new().stones(OTHER, three.stones, 1).singles(OWN, turns, !three.completing & ALL, rng);
        let state = plan.play(game, turns, rng).filter(|state| wins(game, state, state.mover()) == 0)?;
        let expected = blocks(game, &state, state.mover());
        case(game, name(&state, three), state, expected, turns, rng)
    };
    threes().into_iter().filter(covered).map(|three| until(|| attempt(&three, rng))).collect()
}

/// All threes, against a three of the opponent: 184 cases of six turns. The player to move holds the
/// cards for both, to win and to block.
pub(super) fn prefer_win(game: &Just4Fun, rng: &mut Rng) -> Cases {
    let threes = threes();
    let attempt = |own: &Three, rng: &mut Rng| {
        let other = rng.choose(&threes);
        let apart = other.stones & (own.stones | own.completing) == 0 && other.completing & own.stones == 0;
        let plan = Plan::new().stones(OWN, own.stones, 1).stones(OTHER, other.stones, 1);
        let mut state = if apart { plan.play(game, 6, rng)? } else { return None };
        let expected = wins(game, &state, state.mover());
        let blocking = blocks(game, &state, state.mover());
        draw_hand(&mut state, |hand| hand.playable(expected) != 0 && hand.playable(blocking) != 0, rng)?;
        Some(stated(game, name(&state, own), state, expected, 6))
    };
    threes.iter().map(|three| until(|| attempt(three, rng))).collect()
}

/// Open threes without one stone: 84 cases of four turns. Where two fields make an open three both are
/// right.
pub(super) fn double(game: &Just4Fun, rng: &mut Rng) -> Cases {
    let mut cases = Vec::new();
    for pair in pairs() {
        cases.push(until(|| {
            let plan = Plan::new().stones(OWN, pair.stones, 1).singles(OTHER, 4, !pair.around & ALL, rng);
            let state = plan.play(game, 4, rng)?;
            let expected = doubles(game, &state, state.mover());
            let name = for_field(&state, pair.stones, pair.third);
            case(game, name, state, expected, 4, rng)
        }));
    }
    cases
}

/// Triangles in the middle without the end of a leg: 40 cases of four turns. Right is what makes a
/// triangle whose legs can both become open threes.
pub(super) fn triangle(game: &Just4Fun, rng: &mut Rng) -> Cases {
    let mut cases = Vec::new();
    for corner in corners() {
        cases.push(until(|| {
            let plan = Plan::new().stones(OWN, corner.stones, 1).singles(OTHER, 4, !(1 << corner.third) & ALL, rng);
            let state = plan.play(game, 4, rng)?;
            let expected = triangles(game, &state, state.mover());
            let name = for_field(&state, corner.stones, corner.third);
            let meant = expected & values_of(&state, 1 << corner.third) != 0;
            if meant { case(game, name, state, expected, 4, rng) } else { None }
        }));
    }
    cases
}

/// Every square.
pub(super) const ALL: u64 = (1 << crate::just4fun::FIELDS) - 1;

/// The fields of a three and those that complete it.
pub(super) fn name(state: &State, three: &Three) -> String {
    format!("{} for {}", text(values_of(state, three.stones)), text(values_of(state, three.completing)))
}

fn for_field(state: &State, stones: u64, third: u32) -> String {
    format!("{} for {}", text(values_of(state, stones)), text(values_of(state, 1 << third)))
}

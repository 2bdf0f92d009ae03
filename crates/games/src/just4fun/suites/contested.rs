//! The sets in which both players have stones on fields of the line. Thesis 000 does not say which
//! lines these are, nor where the stones lie.

use meeple_core::bits::random_bit;
use meeple_core::{Case, Rng};

use super::early::{ALL, name};
use super::plan::{OTHER, OWN, Plan, case, opponent, until};
use super::prospects::{blocks, values_of, wins};
use super::shapes::{Three, threes};
use crate::just4fun::Just4Fun;
use crate::just4fun::board::SIDE;
use crate::just4fun::cards::Cards;
use crate::just4fun::state::State;

/// All threes that one field completes, but for those of the four diagonals of four squares: 136 cases.
/// The 72 with a gap in a row or column come after 22 turns, all four fields contested; the others after
/// eight, the fewest with a contested field. Median 22 as in table 6.1, where mean and deviation are
/// 14.65 ± 8.20; here they are 15.41 ± 7.01. With this median and at least eight turns no mean is below
/// 15.10.
pub(super) fn win(game: &Just4Fun, rng: &mut Rng) -> Vec<Case<State, Cards>> {
    let covered = |three: &Three| three.completing.count_ones() == 1 && three.length >= SIDE - 1;
    let attempt = |three: &Three, rng: &mut Rng| {
        let long = three.gap && !three.diagonal;
        let turns = if long { 22 } else { 8 };
        let plan = if long { deep(three) } else { shallow(three, rng) };
        let plan = plan.others(turns, ALL & !three.stones & !three.completing, rng);
        let state = plan.play(game, turns, rng)?;
        let expected = wins(game, &state, state.mover());
        let alone = expected == values_of(&state, three.completing) && wins(game, &state, opponent(&state)) == 0;
        if alone { case(game, name(&state, three), state, expected, turns, rng) } else { None }
    };
    threes().into_iter().filter(covered).map(|three| until(|| attempt(&three, rng))).collect()
}

/// Every field of the line contested. More stones would not do: there are four cards for field 1.
fn deep(three: &Three) -> Plan {
    let both = Plan::new().stones(OWN, three.completing, 1).stones(OTHER, three.completing, 1);
    both.stones(OWN, three.stones, 2).stones(OTHER, three.stones, 1)
}

/// One of the three contested.
fn shallow(three: &Three, rng: &mut Rng) -> Plan {
    let contested = 1 << random_bit(three.stones, rng);
    Plan::new().stones(OWN, three.stones, 1).stones(OWN, contested, 1).stones(OTHER, contested, 1)
}

/// Turns of nine cases in a row: ten times these give the median 17, the mean 18.22 and the deviation
/// 4.92 of table 6.1.
const TURNS: [u32; 9] = [12, 14, 14, 14, 17, 21, 21, 25, 26];

/// The threes with a gap of the opponent: all 72 of rows and columns and the first one of each of the
/// 18 diagonals of four, 90 cases. Two of the three are secured, so that a stone on the third or on the
/// missing field prevents the loss.
pub(super) fn prevent(game: &Just4Fun, rng: &mut Rng) -> Vec<Case<State, Cards>> {
    let attempt = |three: &Three, turns: u32, rng: &mut Rng| {
        let plan = threatening(three, turns, rng);
        let plan = plan.others(turns, ALL & !three.stones & !three.completing, rng);
        let state = plan.play(game, turns, rng)?;
        let meant = wins(game, &state, opponent(&state)) == values_of(&state, three.completing);
        if !meant || wins(game, &state, state.mover()) != 0 {
            return None;
        }
        let expected = blocks(game, &state, state.mover());
        case(game, name(&state, three), state, expected, turns, rng)
    };
    let turns = TURNS.iter().cycle();
    gaps().iter().zip(turns).map(|(three, &turns)| until(|| attempt(three, turns, rng))).collect()
}

/// A line of four has two gaps; one after the other, the first one comes first.
fn gaps() -> Vec<Three> {
    let (diagonal, straight): (Vec<Three>, Vec<Three>) =
        threes().into_iter().filter(|three| three.gap).partition(|three| three.diagonal);
    straight.into_iter().chain(diagonal.into_iter().step_by(2)).collect()
}

/// A three of the opponent with one field that can still be fought for; later the missing field is
/// contested too.
fn threatening(three: &Three, turns: u32, rng: &mut Rng) -> Plan {
    let contested = 1 << random_bit(three.stones, rng);
    let plan = Plan::new().stones(OTHER, three.stones, 2).stones(OWN, contested, 1);
    if turns < 17 {
        return plan;
    }
    plan.stones(OTHER, three.completing, 1).stones(OWN, three.completing, 1)
}

//! Laws of the two hooks: they are faster, not different.

use std::collections::HashMap;

use super::{Checked, require};
use crate::statistics::{chi_square_p, two_sample_p};
use crate::{Game, Rng, Turn};

/// A probability below which a deviation is no accident: thousands of tests are run.
const REJECT: f64 = 1e-7;

/// `random_action` is uniform, `sample_chance` follows the weights, `play_chance` agrees with it.
pub(super) fn check_hooks<G: Game>(game: &G, rng: &mut Rng) -> Checked {
    let mut buffer = Vec::new();
    for _ in 0..3 {
        let mut state = game.initial_state();
        let mut step = 0;
        loop {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    if step % 7 == 0 {
                        check_sample_chance(game, &state, rng)?;
                    }
                    game.play_chance(&mut state, rng);
                }
                Turn::Player(_) => {
                    if step % 5 == 0 {
                        check_random_action(game, &state, rng)?;
                    }
                    let action = game.random_action(&state, &mut buffer, rng);
                    game.apply(&mut state, action);
                }
            }
            step += 1;
            if step > 400 {
                break;
            }
        }
    }
    check_play_chance(game, rng)
}

fn check_random_action<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> Checked {
    let mut buffer = Vec::new();
    game.legal_actions(state, &mut buffer);
    let positions: HashMap<G::Action, usize> = buffer.iter().copied().zip(0..).collect();
    let n = positions.len();
    let mut counts = vec![0u64; n];
    for _ in 0..40 * n.max(10) {
        let action = game.random_action(state, &mut buffer, rng);
        match positions.get(&action) {
            Some(&position) => counts[position] += 1,
            None => return require(false, "random actions are legal", || format!("{action:?}")),
        }
    }
    let p = chi_square_p(&counts, &vec![1.0 / n as f64; n]);
    require(p > REJECT, "random actions are uniform", || format!("p = {p:e}, counts {counts:?}"))
}

fn check_sample_chance<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> Checked {
    let mut outcomes = Vec::new();
    game.chance_outcomes(state, &mut outcomes);
    let total: f64 = outcomes.iter().map(|&(_, weight)| f64::from(weight)).sum();
    let positions: HashMap<G::Action, usize> = outcomes.iter().map(|&(action, _)| action).zip(0..).collect();
    let mut counts = vec![0u64; outcomes.len()];
    for _ in 0..40 * outcomes.len().max(10) {
        let action = game.sample_chance(state, rng);
        match positions.get(&action) {
            Some(&position) => counts[position] += 1,
            None => return require(false, "outcomes of chance are listed", || format!("{action:?}")),
        }
    }
    let expected: Vec<f64> = outcomes.iter().map(|&(_, weight)| f64::from(weight) / total).collect();
    let p = chi_square_p(&counts, &expected);
    require(p > REJECT, "outcomes of chance follow their weights", || format!("p = {p:e}, counts {counts:?}"))
}

/// Plays random games once with `sample_chance` and once with `play_chance` and compares how often
/// each action is legal at each early decision, for each seat, and which view keys are met.
fn check_play_chance<G: Game>(game: &G, rng: &mut Rng) -> Checked {
    if !game.info().chance {
        return Ok(());
    }
    let mut counts: HashMap<(u32, u32), [u64; 2]> = HashMap::new();
    let mut actions = Vec::new();
    for side in 0..2 {
        for _ in 0..400 {
            let mut state = game.initial_state();
            let mut decisions = 0;
            while decisions < 12 {
                match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance if side == 0 => {
                        let action = game.sample_chance(&state, rng);
                        game.apply(&mut state, action);
                    }
                    Turn::Chance => game.play_chance(&mut state, rng),
                    Turn::Player(player) => {
                        game.legal_actions(&state, &mut actions);
                        for &action in &actions {
                            let cell = (decisions.min(3) * 8 + player as u32, game.action_code(action));
                            counts.entry(cell).or_default()[side] += 1;
                        }
                        game.apply(&mut state, *rng.choose(&actions));
                        decisions += 1;
                    }
                }
            }
        }
    }
    // Legal actions of one position are not independent, so each is compared with the number of
    // games alone, and the smallest p-value is held against the number of comparisons.
    let mut least = (1.0, (0, 0));
    for (&cell, &[first, second]) in &counts {
        let games = 400 * 12;
        let p = two_sample_p(&[first, games - first.min(games)], &[second, games - second.min(games)]);
        if p < least.0 {
            least = (p, cell);
        }
    }
    require(least.0 > REJECT, "play_chance agrees with sample_chance", || format!("p = {:e} at {:?}", least.0, least.1))
}

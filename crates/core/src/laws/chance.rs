//! Laws of chance and of the two hooks: they are faster, not different.

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
        let (mut decisions, mut chances) = (0, 0);
        while decisions + chances <= 400 {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    if chances % 7 == 0 {
                        check_sample_chance(game, &state, rng)?;
                        check_pending_chance(game, &state, rng)?;
                    }
                    game.play_chance(&mut state, rng);
                    chances += 1;
                }
                Turn::Player(_) => {
                    if decisions % 5 == 0 {
                        check_random_action(game, &state, rng)?;
                    }
                    let action = game.random_action(&state, &mut buffer, rng);
                    game.apply(&mut state, action);
                    decisions += 1;
                }
            }
        }
    }
    check_early_decisions(game, rng)
}

fn check_random_action<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> Checked {
    let mut buffer = Vec::new();
    game.legal_actions(state, &mut buffer);
    let positions: HashMap<G::Action, usize> = buffer.iter().copied().zip(0..).collect();
    let n = positions.len();
    let mut counts = vec![0u64; n];
    for _ in 0..100 * n.max(20) {
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
    for _ in 0..40 * outcomes.len().max(50) {
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

/// The states after all pending chance with their probabilities; `None` if there are too many to
/// compare by counting.
fn after_pending_chance<G: Game>(game: &G, state: &G::State) -> Option<HashMap<G::State, f64>> {
    let mut settled: HashMap<G::State, f64> = HashMap::new();
    let mut pending = HashMap::from([(state.clone(), 1.0)]);
    let mut outcomes = Vec::new();
    while !pending.is_empty() {
        let mut next: HashMap<G::State, f64> = HashMap::new();
        for (state, probability) in pending {
            if game.turn(&state) != Turn::Chance {
                *settled.entry(state).or_default() += probability;
                continue;
            }
            game.chance_outcomes(&state, &mut outcomes);
            let total: f64 = outcomes.iter().map(|&(_, weight)| f64::from(weight)).sum();
            for &(action, weight) in &outcomes {
                let mut after = state.clone();
                game.apply(&mut after, action);
                *next.entry(after).or_default() += probability * f64::from(weight) / total;
            }
        }
        if settled.len() + next.len() > 2000 {
            return None;
        }
        pending = next;
    }
    Some(settled)
}

/// Where the states after all pending chance can be listed, `play_chance` meets each as often as
/// the weights say.
fn check_pending_chance<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> Checked {
    const LAW: &str = "play_chance follows the weights";
    let Some(settled) = after_pending_chance(game, state) else { return Ok(()) };
    let positions: HashMap<&G::State, usize> = settled.keys().zip(0..).collect();
    let mut counts = vec![0u64; settled.len()];
    for _ in 0..40 * settled.len().max(100) {
        let mut after = state.clone();
        while game.turn(&after) == Turn::Chance {
            game.play_chance(&mut after, rng);
        }
        match positions.get(&after) {
            Some(&position) => counts[position] += 1,
            None => return require(false, LAW, || format!("{after:?} cannot follow {state:?}")),
        }
    }
    let expected: Vec<f64> = settled.values().copied().collect();
    let p = chi_square_p(&counts, &expected);
    require(p > REJECT, LAW, || format!("p = {p:e}, counts {counts:?}"))
}

/// Random games on each side of the comparison, and how many decisions of each are looked at.
const GAMES: u64 = 2000;
const DECISIONS: u32 = 6;

/// Decision, seat, and the code of a legal action.
type Feature = (u32, usize, u32);

/// Where a deal has too many results to list: random games with `sample_chance` and with
/// `play_chance` offer every action equally often at each early decision. A game counts at most once for each feature, so games are independent trials.
fn check_early_decisions<G: Game>(game: &G, rng: &mut Rng) -> Checked {
    if !game.info().chance {
        return Ok(());
    }
    let mut games: HashMap<Feature, [u64; 2]> = HashMap::new();
    for side in 0..2 {
        for _ in 0..GAMES {
            for feature in early_features(game, side == 1, rng) {
                games.entry(feature).or_default()[side] += 1;
            }
        }
    }
    for (feature, [first, second]) in games {
        let p = two_sample_p(&[first, GAMES - first], &[second, GAMES - second]);
        require(p > REJECT, "play_chance agrees with sample_chance", || {
            format!("p = {p:e} for {feature:?}: {first} and {second} of {GAMES} games")
        })?;
    }
    Ok(())
}

/// The features of one random game.
fn early_features<G: Game>(game: &G, by_hook: bool, rng: &mut Rng) -> Vec<Feature> {
    let mut features = Vec::new();
    let mut actions = Vec::new();
    let mut state = game.initial_state();
    let mut decision = 0;
    while decision < DECISIONS {
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance if by_hook => game.play_chance(&mut state, rng),
            Turn::Chance => {
                let action = game.sample_chance(&state, rng);
                game.apply(&mut state, action);
            }
            Turn::Player(player) => {
                game.legal_actions(&state, &mut actions);
                features.extend(actions.iter().map(|&action| (decision, player, game.action_code(action))));
                game.apply(&mut state, *rng.choose(&actions));
                decision += 1;
            }
        }
    }
    features
}

//! The strictest law: on a variant small enough to list, the worlds of every view are exactly the
//! states that can be reached and look the same, each with its share of the chances.

use std::collections::HashMap;

use super::play::viewers;
use crate::playout::actions_or_outcomes;
use crate::statistics::chi_square_p;
use crate::{Game, Player, Rng, Turn, Worlds};

/// Every state of a small game that a player can be asked to decide in, with the probability that
/// chance gives it; players' choices have weight 1 each.
fn reachable<G: Game>(game: &G, most: usize) -> HashMap<G::State, f64> {
    let mut decisions: HashMap<G::State, f64> = HashMap::new();
    let mut layer = HashMap::from([(game.initial_state(), 1.0f64)]);
    while !layer.is_empty() {
        let mut next: HashMap<G::State, f64> = HashMap::new();
        for (state, weight) in layer {
            let mut step = |action: G::Action, share: f64| {
                let mut after = state.clone();
                game.apply(&mut after, action);
                *next.entry(after).or_default() += weight * share;
            };
            match game.turn(&state) {
                Turn::Over => continue,
                Turn::Chance => {
                    let mut outcomes = Vec::new();
                    game.chance_outcomes(&state, &mut outcomes);
                    let total: u32 = outcomes.iter().map(|&(_, weight)| weight).sum();
                    for (action, weight) in outcomes {
                        step(action, f64::from(weight) / f64::from(total));
                    }
                }
                Turn::Player(_) => {
                    for action in actions_or_outcomes(game, &state) {
                        step(action, 1.0);
                    }
                    *decisions.entry(state).or_default() += weight;
                }
            }
        }
        assert!(decisions.len() + next.len() <= most, "more than {most} states: choose a smaller variant");
        layer = next;
    }
    decisions
}

/// What each viewer may see, with the states behind it and their weights.
type Groups<'a, G> = HashMap<(Option<Player>, <G as Game>::View), Vec<(&'a <G as Game>::State, f64)>>;

/// Lists all states of a tiny game and checks, for every view of every viewer (or an evenly spaced
/// choice of `views` of them), that `enumerate` gives exactly the consistent states with the right
/// weights, and that sampling passes a chi-square test against them.
///
/// A player's action counts once, in however many ways identical cards could carry it out; so let
/// the cards of the variant differ wherever a hand holds more than one.
pub fn assert_worlds_exhaustively<G: Game>(game: &G, most_states: usize, views: usize) {
    let states = reachable(game, most_states);
    assert!(!states.is_empty());
    let mut groups: Groups<'_, G> = HashMap::new();
    for (state, &weight) in &states {
        for viewer in viewers(game.info().players) {
            groups.entry((viewer, game.view(state, viewer))).or_default().push((state, weight));
        }
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    // A stable choice: by size, then by key, so that large and small groups are both looked at.
    groups.sort_by_cached_key(|((viewer, _), worlds)| (worlds.len(), *viewer, game.view_key(worlds[0].0, *viewer)));
    let stride = groups.len().div_ceil(views).max(1);
    let mut rng = Rng::from_seed(5);
    let mut tested = 0;
    for ((viewer, view), worlds) in groups.iter().rev().step_by(stride) {
        check_group(game, *viewer, view, worlds, &mut rng);
        tested += 1;
    }
    assert!(tested > 0);
}

fn check_group<G: Game>(game: &G, viewer: Option<Player>, view: &G::View, truth: &[(&G::State, f64)], rng: &mut Rng) {
    let name = game.info().name;
    let prepared = game.worlds(view);
    let total: f64 = truth.iter().map(|&(_, weight)| weight).sum();
    let expected: HashMap<&G::State, f64> = truth.iter().map(|&(state, weight)| (state, weight / total)).collect();

    let listed = prepared.enumerate(truth.len()).unwrap_or_else(|| {
        let most = prepared.enumerate(100 * truth.len() + 1000).map(|worlds| worlds.len());
        panic!("{name}: {viewer:?} {view:?}: {} states are reachable, but the worlds are {most:?}", truth.len())
    });
    let weight: f64 = listed.iter().map(|&(_, weight)| weight as f64).sum();
    assert!(prepared.count() >= listed.len() as f64, "{name}: count is below the number of worlds");
    for (world, share) in &listed {
        let Some(&probability) = expected.get(world) else {
            panic!("{name}: {viewer:?} {view:?}: the world {world:?} cannot be reached");
        };
        let share = *share as f64 / weight;
        assert!(
            (share - probability).abs() < 1e-9,
            "{name}: {viewer:?} {view:?}: {world:?} has {share}, not {probability}"
        );
    }
    assert_eq!(listed.len(), truth.len(), "{name}: {viewer:?} {view:?}: worlds are missing or listed twice");

    let positions: HashMap<&G::State, usize> = truth.iter().map(|&(state, _)| state).zip(0..).collect();
    let mut counts = vec![0u64; truth.len()];
    let mut world = game.initial_state();
    for _ in 0..(20 * truth.len()).clamp(200, 200_000) {
        prepared.sample_into(&mut world, rng);
        match positions.get(&world) {
            Some(&position) => counts[position] += 1,
            None => panic!("{name}: {viewer:?} {view:?}: sampled {world:?}, which cannot be reached"),
        }
    }
    let probabilities: Vec<f64> = truth.iter().map(|&(state, _)| expected[state]).collect();
    let p = chi_square_p(&counts, &probabilities);
    assert!(p > 1e-7, "{name}: {viewer:?} {view:?}: not uniform, p = {p:e}: {counts:?}");
}

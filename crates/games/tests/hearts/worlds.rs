//! The worlds of a view are exactly the states that could have led to it.

use std::collections::HashMap;

use meeple_core::laws::assert_worlds_exhaustively;
use meeple_core::playout::actions_or_outcomes;
use meeple_core::statistics::chi_square_p;
use meeple_core::{Game, Player, Rng, Turn, Worlds};
use meeple_games::hearts::{Hearts, HeartsRules, RankOrder};

/// Decks of eight cards with few or many clubs, so that the first trick is followed or not, and
/// with the queen among low spades or alone.
const DECKS: [&str; 4] =
    ["2c.3c.2d.3d.2h.3h.Js.Qs", "2c.3c.2h.3h.4h.5h.Qs.Ks", "2c.3c.4c.5c.2h.3h.2d.Qs", "2c.2h.3h.4h.2s.3s.Qs.As"];

fn game(rules: HeartsRules, deck: &str, passed: u32) -> Hearts {
    Hearts::with_deck(rules, deck, passed).unwrap()
}

#[test]
fn worlds_are_exact_without_passing() {
    for deck in DECKS {
        assert_worlds_exhaustively(&game(HeartsRules::default(), deck, 1), 200_000, 400);
    }
}

#[test]
fn worlds_are_exact_with_passing() {
    let rules = HeartsRules { passing: true, ..HeartsRules::default() };
    for (seed, deck) in DECKS.into_iter().enumerate() {
        for viewer in [Some(seed), None] {
            follow(&game(rules, deck, 1), viewer, &mut Rng::stream(11, seed as u64));
        }
    }
}

#[test]
fn worlds_are_exact_over_several_hands() {
    let rules = HeartsRules { to: 5, ..HeartsRules::full_game() };
    assert_worlds_exhaustively(&game(rules, "2c.3c.2h.3h", 1), 200_000, 300);
}

/// All states that look to the viewer like the given game did so far, with their weights, step by
/// step; the worlds are compared with them at every decision.
fn follow<G: Game>(game: &G, viewer: Option<Player>, rng: &mut Rng) {
    let mut truth = game.initial_state();
    let mut candidates = HashMap::from([(truth.clone(), 1.0f64)]);
    loop {
        match game.turn(&truth) {
            Turn::Over => break,
            Turn::Chance => {}
            Turn::Player(_) => compare(game, &game.view(&truth, viewer), &candidates, rng),
        }
        let action = *rng.choose(&actions_or_outcomes(game, &truth));
        game.apply(&mut truth, action);
        let seen = game.view(&truth, viewer);
        let mut next: HashMap<G::State, f64> = HashMap::new();
        for (state, weight) in candidates {
            for action in actions_or_outcomes(game, &state) {
                let mut after = state.clone();
                game.apply(&mut after, action);
                if game.view(&after, viewer) == seen {
                    *next.entry(after).or_default() += weight;
                }
            }
        }
        candidates = next;
    }
}

/// The worlds listed and, where they are few, those sampled.
fn compare<G: Game>(game: &G, view: &G::View, candidates: &HashMap<G::State, f64>, rng: &mut Rng) {
    let prepared = game.worlds(view);
    let worlds = prepared.enumerate(candidates.len()).unwrap_or_else(|| {
        panic!("more than {} worlds for {view:?}", candidates.len());
    });
    assert_eq!(worlds.len(), candidates.len(), "{view:?}");
    let total: f64 = candidates.values().sum();
    for (world, weight) in &worlds {
        let expected = candidates.get(world).unwrap_or_else(|| panic!("{world:?} is impossible for {view:?}"));
        assert!((expected / total * candidates.len() as f64 - *weight as f64).abs() < 1e-9, "{world:?} for {view:?}");
    }
    if worlds.len() > 5_000 {
        return;
    }
    let places: HashMap<&G::State, usize> = worlds.iter().map(|(world, _)| world).zip(0..).collect();
    let mut counts = vec![0; worlds.len()];
    let mut world = game.initial_state();
    for _ in 0..20 * worlds.len() {
        prepared.sample_into(&mut world, rng);
        counts[*places.get(&world).unwrap_or_else(|| panic!("sampled {world:?} for {view:?}"))] += 1;
    }
    let uniform = vec![1.0 / worlds.len() as f64; worlds.len()];
    assert!(chi_square_p(&counts, &uniform) > 1e-7, "not uniform for {view:?}: {counts:?}");
}

#[test]
fn worlds_are_exact_in_every_direction_of_passing() {
    // A hand has 15 points, so several hands are played.
    let rules = HeartsRules { to: 60, ..HeartsRules::full_game() };
    let game = game(rules, DECKS[0], 1);
    for viewer in [Some(0), Some(1), Some(2), Some(3), None] {
        follow(&game, viewer, &mut Rng::stream(10, viewer.map_or(4, |seat| seat as u64)));
    }
}

#[test]
fn worlds_are_exact_along_games_of_three_tricks() {
    let deck = "2c.3c.4c.2d.3d.2h.3h.4h.5h.Qs.Ks.2s";
    let passing = HeartsRules { passing: true, ..HeartsRules::default() };
    let queen =
        HeartsRules { queen_breaks_hearts: true, rank_order: RankOrder::JackAboveQueen, ..HeartsRules::default() };
    for seed in 0..4 {
        let mut rng = Rng::stream(9, seed);
        let viewer = Some(seed as usize % 4);
        follow(&game(HeartsRules::default(), deck, 1), viewer, &mut rng);
        follow(&game(queen, deck, 1), viewer, &mut rng);
        follow(&game(passing, deck, 1), viewer, &mut rng);
    }
}

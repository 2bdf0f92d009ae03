//! The greedy player and the one that tends forward.

use std::collections::BTreeMap;

use meeple_core::{Game, Notation, Rng, Script, Turn};
use meeple_games::TinyChineseCheckers;

use super::star;

fn script<G: Game>(game: &G, name: &str) -> Box<dyn Script<G>> {
    game.scripts().into_iter().find(|script| script.0 == name).unwrap().1
}

/// How often each action is chosen.
fn choices<G: Game>(game: &G, name: &str, state: &G::State, trials: u32) -> BTreeMap<String, u32> {
    let Turn::Player(player) = game.turn(state) else { unreachable!() };
    let view = game.view(state, Some(player));
    let mut rng = Rng::from_seed(1);
    let mut counts = BTreeMap::new();
    for _ in 0..trials {
        let action = script(game, name).choose(game, &view, &mut rng);
        *counts.entry(game.action_text(state, action)).or_default() += 1;
    }
    counts
}

#[test]
fn the_greedy_player_climbs_the_most_rows() {
    let game = TinyChineseCheckers::default();
    let found = choices(&game, "greedy", &game.initial_state(), 400);
    // The four jumps climb two rows, the six steps one.
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found.values().all(|&count| (70..=130).contains(&count)), "{found:?}");
}

/// One piece alone in the centre of 13 fields, its target in the south: two steps forward, two to
/// the sides, two back.
const LONE_PIECE: &str = "1/4/1A1/C2B/1 A 3 -";

#[test]
fn forward_is_four_times_as_likely_as_backward() {
    let game = star(1, 3);
    let found = choices(&game, "initialise", &game.parse_state(LONE_PIECE).unwrap(), 14_000);
    assert_eq!(found.len(), 6);
    for (action, count) in &found {
        let expected = match (&action[..2], &action[3..]) {
            (from, to) if to[1..] < from[1..] => 4000,
            (from, to) if to[1..] == from[1..] => 2000,
            _ => 1000,
        };
        assert!(count.abs_diff(expected) < 200, "{found:?}");
    }
}

#[test]
fn the_greedy_player_goes_straight_on() {
    let game = star(1, 3);
    let found = choices(&game, "greedy", &game.parse_state(LONE_PIECE).unwrap(), 100);
    assert_eq!(found.len(), 2, "{found:?}");
}

fn finish<G: Game>(game: &G, name: &str, rng: &mut Rng) -> (u32, G::State) {
    let script = script(game, name);
    let mut state = game.initial_state();
    let mut actions = Vec::new();
    let mut moves = 0;
    while let Turn::Player(player) = game.turn(&state) {
        game.legal_actions(&state, &mut actions);
        let action = script.choose(game, &game.view(&state, Some(player)), rng);
        assert!(actions.contains(&action));
        game.apply(&mut state, action);
        moves += 1;
    }
    (moves, state)
}

#[test]
fn greedy_games_on_37_fields_are_short_and_decided() {
    let game = TinyChineseCheckers::default();
    let mut total = 0;
    for seed in 0..100 {
        let (moves, state) = finish(&game, "greedy", &mut Rng::from_seed(seed));
        let mut scores = game.outcome(&state).scores[..3].to_vec();
        scores.sort_by(f32::total_cmp);
        assert_eq!(scores, [0.0, 1.0, 3.0]);
        total += moves;
    }
    assert!((4400..5200).contains(&total), "about 48 moves in the mean, not {total}/100");
}

#[test]
fn both_players_play_every_star() {
    for players in [2, 3, 4, 6] {
        for size in [1, 2, 4] {
            let game = star(size, players);
            for name in ["greedy", "initialise"] {
                finish(&game, name, &mut Rng::from_seed(3));
            }
        }
    }
}

#[test]
fn every_seat_goes_for_its_own_target() {
    for players in [2, 3, 4, 6] {
        let game = star(1, players);
        let (moves, state) = finish(&game, "greedy", &mut Rng::from_seed(1));
        assert_eq!(game.outcome(&state).reason, "finished");
        assert!(moves <= 6 * players as u32, "{moves} moves of {players} players");
    }
}

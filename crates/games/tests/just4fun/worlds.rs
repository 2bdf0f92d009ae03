//! The worlds of Just 4 Fun on variants small enough to list.

use std::collections::HashMap;

use meeple_core::laws;
use meeple_core::statistics::chi_square_p;
use meeple_core::{Game, Notation, Rng, Worlds};
use meeple_games::just4fun::{Layout, Multiset, State};
use meeple_games::{Just4Fun, Just4FunRules};

fn tiny(players: usize, deck: &[u8], hand_size: usize, stones: u8) -> Just4FunRules {
    let deck = Multiset::from_values(deck).unwrap();
    Just4FunRules { players, deck, hand_size, stones, ..Just4FunRules::default() }
}

/// Two cards each: reshuffles, after which the other hand is known in part.
#[test]
fn worlds_of_two_players() {
    let game = Just4Fun::new(tiny(2, &[1, 2, 3, 4, 6], 2, 2)).unwrap();
    laws::assert_worlds_exhaustively(&game, 400_000, 400);
}

/// One card each and fields that close: forced redraws, reshuffles and equal cards.
#[test]
fn worlds_with_redraws() {
    let game = Just4Fun::new(tiny(2, &[1, 1, 1, 2, 2, 3], 1, 3)).unwrap();
    laws::assert_worlds_exhaustively(&game, 400_000, 400);
}

/// Three hands: what they held together at a reshuffle is known, not who held what.
#[test]
fn worlds_of_three_players() {
    let game = Just4Fun::new(tiny(3, &[1, 2, 3, 4, 5], 1, 3)).unwrap();
    laws::assert_worlds_exhaustively(&game, 400_000, 400);
}

/// Two cards each of three players: cards kept through one and through two reshuffles.
#[test]
fn worlds_of_three_hands_of_two() {
    let game = Just4Fun::new(tiny(3, &[1, 2, 3, 4, 5, 6, 8], 2, 1)).unwrap();
    laws::assert_worlds_exhaustively(&game, 400_000, 200);
}

#[test]
fn worlds_with_hidden_discards() {
    let rules = Just4FunRules { hidden_discards: true, ..tiny(3, &[1, 1, 2, 2, 3, 4, 5, 6], 1, 2) };
    laws::assert_worlds_exhaustively(&Just4Fun::new(rules).unwrap(), 400_000, 300);
}

#[test]
fn laws_hold_on_tiny_variants() {
    let random = Just4FunRules { board: Layout::Random, ..tiny(2, &[1, 2, 3, 4, 5, 6, 7], 2, 4) };
    for rules in [random, tiny(4, &[1, 1, 2, 2, 3, 3, 4, 4, 5, 19], 2, 5), tiny(2, &[1, 1, 2], 1, 20)] {
        laws::assert_all(&Just4Fun::new(rules).unwrap());
    }
}

/// Deals all cards that the viewer has not seen in every order and keeps the deals that fit.
fn by_brute_force(game: &Just4Fun, unseen: &[u8], fill: &dyn Fn(&[u8]) -> String) -> HashMap<State, u64> {
    fn permute(cards: &mut Vec<u8>, from: usize, visit: &mut dyn FnMut(&[u8])) {
        if from == cards.len() {
            return visit(cards);
        }
        for i in from..cards.len() {
            cards.swap(from, i);
            permute(cards, from + 1, visit);
            cards.swap(from, i);
        }
    }
    let mut worlds = HashMap::new();
    permute(&mut unseen.to_vec(), 0, &mut |cards| {
        if let Ok(state) = game.parse_state(&fill(cards)) {
            *worlds.entry(state).or_default() += 1;
        }
    });
    worlds
}

/// Plays of two cards of which only the sum is known, with equal cards, against brute force.
#[test]
fn hidden_plays_are_uniform() {
    let deck = [1, 1, 2, 2, 3, 3, 4, 4, 5, 6];
    let rules = Just4FunRules { hidden_discards: true, ..tiny(3, &deck, 2, 3) };
    let game = Just4Fun::new(rules).unwrap();
    // The viewer plays nothing yet and holds 1 and 4.
    let text = "viewer=2 turn=2 stones=5:1.0.0/7:0.1.0 hands=?.?/?.?/1.4 plays=0:?2=5/1:?2=7";
    let view = game.parse_view(text).unwrap();
    let expected = by_brute_force(&game, &[1, 2, 2, 3, 3, 4, 5, 6], &|cards| {
        let [a, b, c, d, e, f, g, h] = cards else { unreachable!() };
        if a + b != 5 || c + d != 7 {
            return String::new();
        }
        format!(
            "turn=2 stones=5:1.0.0/7:0.1.0 hands={e}.{f}/{g}.{h}/1.4 stock=- plays=0:{}.{}/1:{}.{}",
            a.min(b),
            a.max(b),
            c.min(d),
            c.max(d)
        )
    });
    assert!(expected.len() > 20);
    let worlds = game.worlds(&view);
    let listed: HashMap<State, u64> = worlds.enumerate(10_000).unwrap().into_iter().collect();
    assert_eq!(listed.len(), expected.len());
    let (all, all_listed) = (expected.values().sum::<u64>() as f64, listed.values().sum::<u64>() as f64);
    for (state, &count) in &expected {
        let share = listed[state] as f64 / all_listed;
        assert!((share - count as f64 / all).abs() < 1e-9, "{}", game.state_text(state));
    }
    let states: Vec<&State> = expected.keys().collect();
    let probabilities: Vec<f64> = states.iter().map(|state| expected[state] as f64 / all).collect();
    let mut counts = vec![0; states.len()];
    let mut world = game.initial_state();
    let mut rng = Rng::from_seed(2);
    for _ in 0..20_000 {
        worlds.sample_into(&mut world, &mut rng);
        counts[states.iter().position(|&state| *state == world).expect("a possible world")] += 1;
    }
    let p = chi_square_p(&counts, &probabilities);
    assert!(p > 1e-4, "p = {p}: {counts:?}");
}

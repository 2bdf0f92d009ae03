//! What is hidden in Keezen: worlds, notation, encodings.

use std::collections::HashMap;

use crate::position::view_text;
use meeple_core::laws::{self, assert_worlds_exhaustively};
use meeple_core::playout::actions_or_outcomes;
use meeple_core::{Game, Notation, Rng, Tensor, Turn, Worlds};
use meeple_games::Keezen;
use meeple_games::keezen::{Setup, View};
use proptest::prelude::*;

fn small(cards: &str, deal: [u8; 3], marbles: &str, move_limit: u16) -> Keezen {
    let setup = Setup::new(cards, deal, marbles).unwrap();
    Keezen { first_dealer: Some(3), move_limit, setup, ..Keezen::default() }
}

/// Hands of two cards: who has played one still holds one. Only different cards, since the law
/// gives every action the same weight, however many equal cards a player could have played it with.
fn two_cards() -> Keezen {
    small("A2347JQK", [2, 0, 0], "2.91.6.w/24.25.26.28/48.49.50.51/80.w.w.w", 4)
}

/// Two rounds from one stock.
fn two_rounds() -> Keezen {
    small("AA2277JK", [1, 1, 0], "w.w.w.w/24.25.26.w/48.49.50.51/80.w.w.w", 6)
}

/// Every round has its own shuffle, and the first dealer is chosen by chance.
fn two_shuffles() -> Keezen {
    let game = small("A27K", [1, 0, 0], "w.w.w.w/24.25.26.w/48.49.50.51/80.w.w.w", 7);
    Keezen { first_dealer: None, ..game }
}

#[test]
fn worlds_are_exactly_the_reachable_states() {
    for game in [two_cards(), two_rounds(), two_shuffles()] {
        assert_worlds_exhaustively(&game, 400_000, 300);
    }
}

#[test]
fn laws_hold_on_small_setups() {
    for game in [two_cards(), two_rounds(), two_shuffles()] {
        laws::assert_all(&Keezen { move_limit: 40, ..game });
    }
}

/// Two ranks, four of each: the worlds of seat 0 by brute force over the cards told apart.
#[test]
fn identical_cards_count_apart() {
    let setup = Setup::new("AAAA5555", [1, 1, 0], "9.w.w.w/6.w.w.w/7.w.w.w/8.w.w.w");
    let game = Keezen { first_dealer: Some(3), setup: setup.unwrap(), ..Keezen::default() };
    let mut state = game.initial_state();
    game.play_chance(&mut state, &mut Rng::from_seed(3));
    let view = game.view(&state, Some(0));
    let worlds = game.worlds(&view);
    // Seven unseen cards for three hands now and four later.
    assert_eq!(worlds.count(), 5040.0);
    let listed = worlds.enumerate(100).unwrap();
    assert_eq!(listed.len(), 35);
    assert!(listed.iter().all(|&(_, weight)| weight == 144), "7! over 35 ways to place the three");
    assert_eq!(worlds.enumerate(34), None);
    let mut counts: HashMap<_, u64> = HashMap::new();
    let mut world = state;
    let mut rng = Rng::from_seed(4);
    for _ in 0..35_000 {
        worlds.sample_into(&mut world, &mut rng);
        *counts.entry(world).or_default() += 1;
    }
    assert_eq!(counts.len(), 35);
    assert!(counts.values().all(|&count| (850..1150).contains(&count)), "{counts:?}");
}

#[test]
fn a_view_shows_counts_but_no_foreign_card() {
    let game = Keezen::default();
    let mut state = game.initial_state();
    game.play_chance(&mut state, &mut Rng::from_seed(5));
    let text = game.view_text(&game.view(&state, None));
    assert!(text.contains(" ?????/?????/?????/????? ? - "), "{text}");
    let hand = game.state_text(&state).split([' ', '/']).nth(5).unwrap().to_string();
    assert!(game.view_text(&game.view(&state, Some(1))).contains(&format!(" ?????/{hand}/?????/????? ? - ")));
}

#[test]
fn malformed_texts_say_what_is_wrong() {
    let game = Keezen::default();
    let waiting = "w.w.w.w/w.w.w.w/w.w.w.w/w.w.w.w";
    let good = view_text(0, waiting, "A2345");
    game.parse_view(&good).unwrap();
    for (from, to, part) in [
        (waiting, "w.w.w.w/w.w.w.w/w.w.w.w", "3 pieces"),
        ("w.w.w.w/w", "24.w.w.w/w", "no field where a marble of seat 0"),
        ("w.w.w.w/w", "20.w.w.w/w", "no field"),
        ("w.w.w.w/w", "96.w.w.w/w", "no field"),
        ("w.w.w.w/w", "+7.w.w.w/w", "no field"),
        ("w.w.w.w/w.", "7.w.w.w/7.", "two marbles stand on field 7"),
        ("w.w.w.w/w", "7.7.w.w/w", "two marbles stand on field 7"),
        ("A2345", "AAAAA", "only 4 cards `A`"),
        ("A2345", "A234", "has 5 cards, not 4"),
        ("A2345", "A234Z", "`Z` is no card"),
        ("A2345", "-", "no cards"),
        ("t0", "t1", "not 4"),
        ("t0", "t4", "from 0 to 3"),
        ("t0", "over", "not over"),
        ("t0", "deal3", "the hands have the sizes"),
        ("m40", "m2000", "the game is over"),
        ("m40", "m99999999999999999999", "from 0 to 2000"),
        ("d3", "d?", "dealer is known"),
        ("r0", "r3", "from 0 to 2"),
        (" ? - ", " ? K ", "cards are hidden"),
        (" ? - ", " - - ", "later rounds"),
        ("/?????/", "/?x???/", "no hidden hand"),
        ("/?????/", "/öäü/", "no hidden hand"),
        ("v0", "v7", "viewer"),
        ("v0", "", "parts"),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from}");
        let error = game.parse_view(text.trim_end()).expect_err(&text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

/// The last move was a card of one seat, or a throw, in the order of play.
#[test]
fn hands_at_the_end_fit_a_last_move() {
    let game = Keezen { move_limit: 40, ..Keezen::default() };
    let over = |hands: &str, played: &str| {
        let waiting = "w.w.w.w/w.w.w.w/w.w.w.w/w.w.w.w";
        game.parse_view(&format!("{waiting} {hands} ? {played} d3 r0 over m40 v-"))
    };
    for (hands, played) in
        [("????/?????/?????/?????", "5"), ("-/-/?????/?????", "5566688899"), ("????/????/-/-", "55666888999T")]
    {
        assert!(over(hands, played).is_ok(), "{hands}: {:?}", over(hands, played));
    }
    for (hands, played) in
        [("?????/?????/?????/?????", "-"), ("?????/????/?????/?????", "5"), ("???/????/?????/?????", "556")]
    {
        let error = over(hands, played).expect_err(hands).to_string();
        assert!(error.contains("no last move"), "{hands}: {error}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in "\\PC*") {
        let _ = Keezen::default().parse_state(&text);
        let _ = Keezen::default().parse_view(&text);
    }

    #[test]
    fn mutated_texts_are_read_without_panic(seed in 0u64..1000, moves in 0u32..300, at in 0usize..200, by in "[0-9AKQw?./+dtrmv -]{0,3}") {
        let game = Keezen::default();
        let mut rng = Rng::from_seed(seed);
        let mut state = game.initial_state();
        for _ in 0..moves {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => { let action = game.sample_chance(&state, &mut rng); game.apply(&mut state, action) }
                Turn::Player(_) => { let actions = actions_or_outcomes(&game, &state); game.apply(&mut state, *rng.choose(&actions)) }
            }
        }
        let mutate = |mut text: String| {
            let at = at % text.len();
            text.replace_range(at..=at, &by);
            text
        };
        if let Ok(parsed) = game.parse_state(&mutate(game.state_text(&state))) {
            prop_assert_eq!(game.parse_state(&game.state_text(&parsed)), Ok(parsed));
            if let Turn::Player(_) = game.turn(&parsed) {
                prop_assert!(!actions_or_outcomes(&game, &parsed).is_empty());
            }
        }
        if let Ok(parsed) = game.parse_view(&mutate(game.view_text(&game.view(&state, Some(1))))) {
            prop_assert_eq!(game.parse_view(&game.view_text(&parsed)), Ok(parsed));
            let mut world = state;
            game.worlds(&parsed).sample_into(&mut world, &mut rng);
        }
    }
}

fn encode(name: &str, view: &View) -> (Vec<f32>, usize) {
    let game = Keezen::default();
    let encoders = game.encoders();
    let encoder = encoders.iter().find(|encoder| encoder.name() == name).unwrap();
    let mut values = vec![0.0; encoder.shape().len()];
    encoder.encode(&game, view, &mut Tensor::zeroed(encoder.shape(), &mut values));
    (values, encoder.shape().columns)
}

/// The columns with a one in each row.
fn ones(name: &str, view: &View) -> Vec<Vec<usize>> {
    let (values, columns) = encode(name, view);
    let row =
        |row: &[f32]| row.iter().enumerate().filter(|&(_, &value)| value == 1.0).map(|(column, _)| column).collect();
    values.chunks(columns).map(row).collect()
}

/// The hand of figure 4.1, seen by South, with South on 85 and North on 90.
#[test]
fn observations_are_those_of_the_thesis() {
    let game = Keezen::default();
    let view = game.parse_view(&view_text(2, "90.w.w.w/w.w.w.w/85.48.w.w/w.w.w.w", "55Q27")).unwrap();
    let rows = ones("player-4x128", &view);
    // South's fields: 48 is its furthest lane field 0, 85 is 37, its wait fields 20 and 21.
    assert_eq!(rows[0], [0, 27, 27 + 20, 27 + 21, 27 + 37, 123, 124, 125, 126, 127]);
    // West is 24 further: its wait fields are 44 to 47.
    assert_eq!(rows[1], [27 + 44, 27 + 45, 27 + 46, 27 + 47, 123, 124, 125, 126, 127]);
    // North on 90 is 42 for South; the second five stands above the first.
    assert_eq!(rows[2], [5, 27 + 42, 27 + 68, 27 + 69, 27 + 70, 123, 124, 125, 126, 127]);
    assert_eq!(rows[3], [2, 5, 7, 12, 27 + 92, 27 + 93, 27 + 94, 27 + 95, 123, 124, 125, 126, 127]);

    let generic = ones("generic-5x123", &view);
    assert_eq!(generic[0], [27 + 20, 27 + 21, 27 + 22, 27 + 90]);
    assert_eq!(generic[2], [0, 5, 27 + 48, 27 + 68, 27 + 69, 27 + 85]);
    let mut all: Vec<usize> = generic[..4].concat();
    all.sort_unstable();
    all.dedup();
    assert_eq!(generic[4], all);
    assert_eq!(ones("generic-5x128", &view)[3][..4], generic[3][..4]);
    assert_eq!(ones("generic-4x128", &view).len(), 4);
}

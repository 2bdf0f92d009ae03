//! Rules, figures, notation and network inputs of Just 4 Fun.

use std::collections::{BTreeSet, HashMap, HashSet};

use meeple_core::laws::{self, Laws};
use meeple_core::playout::finish;
use meeple_core::{FromRules, Game, Notation, Rng, RuleReader, Rules, Turn, Worlds};
use meeple_games::Just4Fun;
use meeple_games::just4fun::{Cards, State};
use proptest::prelude::*;

pub(super) fn game(rules: &str) -> Just4Fun {
    Just4Fun::from_rules(&mut RuleReader::new(&Rules::parse(rules).unwrap())).unwrap()
}

/// Some state behind a view.
fn state(game: &Just4Fun, view: &str) -> State {
    let view = game.parse_view(view).unwrap_or_else(|error| panic!("{view}: {error}"));
    let mut state = game.initial_state();
    game.worlds(&view).sample_into(&mut state, &mut Rng::from_seed(1));
    state
}

pub(super) fn legal(game: &Just4Fun, state: &State) -> Vec<Cards> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions
}

fn fields(actions: &[Cards]) -> BTreeSet<u8> {
    actions.iter().map(|action| action.sum()).collect()
}

fn play(game: &Just4Fun, state: &mut State, cards: &[u8]) {
    let action = Cards::new(cards);
    assert!(legal(game, state).contains(&action), "{cards:?} cannot be played");
    game.apply(state, action);
}

const VARIANTS: [&str; 10] = [
    "",
    "board=ordered,first_player=1",
    "board=random",
    "own_secured_open=true",
    "return_stones=true",
    "players=3",
    "players=4",
    "players=4,return_stones=true,own_secured_open=true,board=random",
    "players=3,hidden_discards=true",
    "players=4,hidden_discards=true,board=random,first_player=3",
];

#[test]
fn laws_hold_for_every_option() {
    for rules in VARIANTS {
        let hidden = rules.contains("hidden");
        laws::assert_with(&game(rules), &Laws { games: if hidden { 1 } else { 4 }, ..Laws::default() });
    }
}

#[test]
fn the_state_is_small() {
    assert!(size_of::<State>() <= 256);
}

#[test]
fn impossible_rules_are_refused() {
    for (rules, part) in [
        ("hidden_discards=true", "more than two players"),
        ("first_player=2", "last seat is 1"),
        ("players=5", "2..4"),
        ("board=round", "original|ordered|random"),
    ] {
        let error = Just4Fun::from_rules(&mut RuleReader::new(&Rules::parse(rules).unwrap())).unwrap_err();
        assert!(error.to_string().contains(part), "{rules}: {error}");
    }
}

// The examples of the rules.

#[test]
fn example_1_sums_of_cards() {
    let game = Just4Fun::default();
    let actions = legal(&game, &state(&game, "viewer=0 turn=0 hands=5.11.13.2/?.?.?.?"));
    assert!(actions.contains(&Cards::new(&[5, 11, 13])));
    assert!(fields(&actions).contains(&29));
    let actions = legal(&game, &state(&game, "viewer=0 turn=0 hands=12.12.12.12/?.?.?.?"));
    assert_eq!(actions.len(), 3);
    assert_eq!(fields(&actions), BTreeSet::from([12, 24, 36]));
}

#[test]
fn example_2_two_ways_to_35() {
    let game = Just4Fun::default();
    let actions = legal(&game, &state(&game, "viewer=0 turn=0 hands=16.17.18.19/?.?.?.?"));
    assert_eq!(actions.len(), 9);
    assert_eq!(fields(&actions), BTreeSet::from([16, 17, 18, 19, 33, 34, 35, 36]));
    assert_eq!(actions.iter().filter(|action| action.sum() == 35).count(), 2);
}

#[test]
fn example_3_two_behind_is_closed() {
    let game = game("players=3");
    for (seat, open) in [(0, true), (1, true), (2, false)] {
        let mut hands = ["?.?.?.?"; 3];
        hands[seat] = "11.12.12.12";
        let view = format!("viewer={seat} turn={seat} stones=11:2.1.0 hands={}", hands.join("/"));
        let state = state(&game, &view);
        assert_eq!(fields(&legal(&game, &state)).contains(&11), open, "seat {seat}");
        assert!(game.render(&game.view(&state, None)).contains("seat 0: 11 points"));
    }
}

#[test]
fn example_4_open_and_closed_for_two() {
    for (stones, open, own_open) in [("2.0", false, true), ("2.1", true, true), ("3.1", false, true)] {
        for (rules, expected) in [("", [open, open]), ("own_secured_open=true", [own_open, open])] {
            let game = game(rules);
            for (seat, hands) in ["7.12.12.12/?.?.?.?", "?.?.?.?/7.12.12.12"].into_iter().enumerate() {
                let view = format!("viewer={seat} turn={seat} stones=7:{stones} hands={hands}");
                let actions = legal(&game, &state(&game, &view));
                assert_eq!(fields(&actions).contains(&7), expected[seat], "{rules} {stones} seat {seat}");
            }
        }
    }
}

#[test]
fn example_5_a_diagonal_wins() {
    let game = Just4Fun::default();
    let hands = "5.11.13.2/?.?.?.?";
    let mut won = state(&game, &format!("viewer=0 turn=0 stones=1:1.0/11:2.1/31:1.0/2:0.2 hands={hands}"));
    play(&game, &mut won, &[5, 11, 13]);
    assert_eq!(game.turn(&won), Turn::Over);
    let outcome = game.outcome(&won);
    assert_eq!((outcome.reason, &outcome.payoffs[..2]), ("pattern", &[1.0, -1.0][..]));
    assert_eq!(&outcome.scores[..2], &[72.0, 2.0]);
    let mut tied = state(&game, &format!("viewer=0 turn=0 stones=1:1.0/11:2.1/31:1.0/29:0.1 hands={hands}"));
    play(&game, &mut tied, &[5, 11, 13]);
    assert_ne!(game.turn(&tied), Turn::Over);
}

#[test]
fn example_6_ties_go_to_the_highest_field() {
    let game_of_two = Just4Fun::default();
    let stones = "1:8.9/2:9.9/5:1.0/10:1.0/15:0.2";
    let mut end = state(&game_of_two, &format!("viewer=0 turn=0 stones={stones} hands=1.12.12.12/?.?.?.?"));
    play(&game_of_two, &mut end, &[1]);
    let outcome = game_of_two.outcome(&end);
    assert_eq!((outcome.reason, &outcome.payoffs[..2]), ("max field", &[-1.0, 1.0][..]));
    assert_eq!(&outcome.scores[..2], &[15.0, 15.0]);

    let game_of_three = game("players=3");
    let stones = "20:1.0.0/19:0.1.0/1:0.1.0/5:0.0.1/2:9.9.9/3:9.9.9/4:1.0.0";
    let view = format!("viewer=2 turn=2 stones={stones} hands=?.?.?.?/?.?.?.?/4.12.12.12");
    let mut end = state(&game_of_three, &view);
    play(&game_of_three, &mut end, &[4]);
    let outcome = game_of_three.outcome(&end);
    assert_eq!((outcome.reason, &outcome.payoffs[..3]), ("max field", &[1.0, -0.5, -0.5][..]));
    assert_eq!(&outcome.scores[..3], &[20.0, 20.0, 5.0]);
}

#[test]
fn points_and_draws() {
    let game = Just4Fun::default();
    for (stones, reason, first) in [("1:9.10/2:9.9/3:1.1", "draw", 0.0), ("1:9.10/2:9.9/3:1.0/4:0.1", "points", -1.0)] {
        let mut end = state(&game, &format!("viewer=0 turn=0 stones={stones} hands=1.12.12.12/?.?.?.?"));
        play(&game, &mut end, &[1]);
        let outcome = game.outcome(&end);
        assert_eq!((outcome.reason, outcome.payoffs[0]), (reason, first), "{stones}");
    }
}

#[test]
fn a_player_without_stones_is_passed_over() {
    let game = game("players=3");
    let stones = "1:9.9.0/2:9.9.0/3:0.2.0";
    let mut state = state(&game, &format!("viewer=0 turn=0 stones={stones} hands=5.6.7.8/?.?.?.?/?.?.?.?"));
    play(&game, &mut state, &[5]);
    assert!(game.state_text(&state).starts_with("turn=2 "), "{}", game.state_text(&state));
}

#[test]
fn secured_fields_send_stones_home_if_asked() {
    for (rules, after) in [("", "7:3.1"), ("return_stones=true", "7:3.0")] {
        let game = game(rules);
        let mut state = state(&game, "viewer=0 turn=0 stones=7:2.1 hands=7.12.12.12/?.?.?.?");
        play(&game, &mut state, &[7]);
        let text = game.state_text(&state);
        assert!(text.contains(after), "{rules}: {text}");
        let left = if rules.is_empty() { "19 stones left" } else { "20 stones left" };
        assert!(game.render(&game.view(&state, None)).contains(&format!("seat 1: 0 points, {left}")), "{rules}");
    }
}

/// The values in a text, whatever divides them.
fn cards(text: &str) -> Vec<u8> {
    let mut values: Vec<u8> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|piece| !piece.is_empty())
        .map(|piece| piece.parse().unwrap())
        .collect();
    values.sort_unstable();
    values
}

/// With two players the other hand is known at a reshuffle, and what is kept of it stays known.
#[test]
fn a_reshuffle_shows_the_other_hand() {
    let game = Just4Fun::default();
    let mut rng = Rng::from_seed(7);
    let mut checked = 0;
    for _ in 0..20 {
        let mut state = game.initial_state();
        let mut before = 0;
        loop {
            let text = game.state_text(&state);
            if text.starts_with("turn=shuffle") && before > 0 {
                checked += 1;
                let hands = text.split_once("hands=").unwrap().1.split_once(' ').unwrap().0;
                for viewer in 0..2 {
                    let other = hands.split('/').nth(1 - viewer).unwrap();
                    let view = game.view_text(&game.view(&state, Some(viewer)));
                    let kept = view.split_once("kept=").map_or("-", |(_, rest)| rest.split_once(' ').unwrap().0);
                    assert_eq!(cards(kept), cards(other), "{text} and {view}");
                }
            }
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let card = game.sample_chance(&state, &mut rng);
                    game.apply(&mut state, card);
                }
                Turn::Player(_) => {
                    before += 1;
                    let action = game.random_action(&state, &mut Vec::new(), &mut rng);
                    game.apply(&mut state, action);
                }
            }
        }
    }
    assert!(checked > 100);
}

// Figures.

/// Thesis 000, section 3.1.1: 45.32 % patterns, 11.603 playable fields and 34.917 turns.
#[test]
fn random_play_gives_the_published_figures() {
    let game = Just4Fun::default();
    let mut rng = Rng::from_seed(11);
    let mut buffer = Vec::new();
    let games = 20_000;
    let (mut turns, mut playable, mut reasons) = (0u32, 0usize, HashMap::new());
    for _ in 0..games {
        let mut state = game.initial_state();
        loop {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => game.play_chance(&mut state, &mut rng),
                Turn::Player(_) => {
                    game.legal_actions(&state, &mut buffer);
                    playable += buffer.iter().fold(0u64, |set, action| set | 1 << action.sum()).count_ones() as usize;
                    turns += 1;
                    game.apply(&mut state, *rng.choose(&buffer));
                }
            }
        }
        *reasons.entry(game.outcome(&state).reason).or_insert(0u32) += 1;
    }
    let games = f64::from(games);
    let patterns = f64::from(reasons["pattern"]) / games;
    assert!((patterns - 0.4532).abs() < 0.012, "{reasons:?}");
    assert!((f64::from(turns) / games - 34.917).abs() < 0.2, "{turns}");
    assert!((playable as f64 / f64::from(turns) - 11.603).abs() < 0.04, "{playable}");
    assert!(f64::from(reasons["max field"]) / games < 0.01, "{reasons:?}");
}

#[test]
fn first_player_begins_and_all_seats_can_win() {
    let game = game("players=4,first_player=2");
    let mut rng = Rng::from_seed(3);
    let mut wins = [0; 4];
    for _ in 0..200 {
        let mut state = game.initial_state();
        game.play_chance(&mut state, &mut rng);
        assert_eq!(game.turn(&state), Turn::Player(2));
        finish(&game, &mut state, &mut Vec::new(), &mut rng);
        game.outcome(&state).winners(4).for_each(|seat| wins[seat] += 1);
    }
    assert!(wins.iter().all(|&wins| wins > 20), "{wins:?}");
}

/// Thesis 000, equation 5.11 by value: estimates from a million hands.
const ESTIMATES: [f64; 36] = [
    0.26729, 0.28683, 0.31642, 0.33798, 0.36902, 0.39241, 0.42499, 0.45061, 0.48448, 0.51268, 0.54831, 0.57851,
    0.46713, 0.46924, 0.47742, 0.47750, 0.48332, 0.48087, 0.48385, 0.41948, 0.40535, 0.38196, 0.36178, 0.33259,
    0.30623, 0.28535, 0.26695, 0.24392, 0.22352, 0.19872, 0.17633, 0.14947, 0.13534, 0.11814, 0.10548, 0.09019,
];

#[test]
fn facts_are_exact() {
    let facts: HashMap<String, (Option<f64>, String)> =
        Just4Fun::default().facts().into_iter().map(|fact| (fact.name, (fact.number, fact.text))).collect();
    let number = |name: &str| facts[name].0.unwrap();
    assert_eq!(number("hands, identical cards counted apart"), 341_055.0);
    assert_eq!(number("lines of four"), 54.0);
    assert_eq!(number("card combinations that are actions"), 3_923.0);
    let sizes: Vec<f64> = (1..=4).map(|size| number(&format!("card combinations of {size}"))).collect();
    assert_eq!(sizes, [19.0, 182.0, 945.0, 2_777.0]);
    for (field, hands) in [(1, 91_155.0), (12, 197_308.0), (19, 165_024.0), (36, 30_766.0)] {
        let share = number(&format!("% of hands that reach field {field}"));
        assert!((share * 3_410.55 - hands).abs() < 1e-6, "field {field}: {share}");
    }
    for (field, estimate) in (1..).zip(ESTIMATES) {
        let share = number(&format!("% of hands that reach field {field}")) / 100.0;
        assert!((share - estimate).abs() < 0.000_06, "field {field}: {share} and {estimate}");
    }
    assert!(facts["line 1, from the easiest"].1.starts_with("14-9-20-17"), "{:?}", facts["line 1, from the easiest"]);
    assert!(facts.contains_key("line 54, from the easiest"));
}

// Views and keys.

#[test]
fn different_views_have_different_keys() {
    for rules in VARIANTS {
        let game = game(rules);
        let mut rng = Rng::from_seed(5);
        let mut views = HashSet::new();
        let mut keys = HashSet::new();
        for _ in 0..15 {
            let mut state = game.initial_state();
            while game.turn(&state) != Turn::Over {
                for viewer in (0..game.info().players).map(Some).chain([None]) {
                    views.insert(game.view(&state, viewer));
                    keys.insert(game.view_key(&state, viewer));
                }
                match game.turn(&state) {
                    Turn::Player(_) => {
                        let action = game.random_action(&state, &mut Vec::new(), &mut rng);
                        game.apply(&mut state, action);
                    }
                    _ => game.play_chance(&mut state, &mut rng),
                }
            }
        }
        assert_eq!(views.len(), keys.len(), "{rules}");
    }
}

#[test]
fn impossible_positions_say_what_is_wrong() {
    let hands = "hands=1.2.3.4/?.?.?.?";
    for (text, part) in [
        ("".to_string(), "`viewer=` is missing"),
        ("viewer=7 turn=0".to_string(), "`7` is not a whole number from 0 to 1"),
        (format!("viewer=0 turn=0 turn=1 {hands}"), "given twice"),
        (format!("viewer=0 turn=0 {hands} colour=red"), "`colour` is none of"),
        (format!("viewer=0 turn=0 stones=7:21.0 {hands}"), "`21` is not"),
        (format!("viewer=0 turn=0 stones=7:11.10/8:11.10 {hands}"), "22 stones"),
        (format!("viewer=0 turn=0 stones=7:3.0 {hands}"), "more than two stones ahead"),
        (format!("viewer=0 turn=0 stones=40:1.0 {hands}"), "`40` is not"),
        (format!("viewer=0 turn=0 stones=1:1.0/14:1.0/30:1.0/24:1.0 {hands}"), "four in a line"),
        (format!("viewer=0 turn=0 used=13.13 {hands}"), "more used cards"),
        (format!("viewer=0 turn=0 used=1.1.1.1 {hands}"), "more cards of value 1"),
        (format!("viewer=0 turn=0 used=20 {hands}"), "no card"),
        (format!("viewer=0 turn=0 stock=?12 {hands}"), "must be ?47"),
        ("viewer=0 turn=0 hands=1.2.3/?.?.?.?".to_string(), "seat 0 has 3 cards"),
        ("viewer=0 turn=0 hands=1.2.3.4.5/?.?.?.?".to_string(), "more than 4 cards"),
        ("viewer=0 turn=0 hands=1.2.3.4/5.6.7.8".to_string(), "`?` for all others"),
        ("viewer=0 turn=0 hands=1.2.3.4/?'.?.?.?".to_string(), "kept through 1 reshuffles"),
        ("viewer=0 turn=0 stones=12:2.0/24:2.0/36:0.2 hands=12.12.12.12/?.?.?.?".to_string(), "has to redraw"),
        (format!("viewer=0 turn=scored:0 {hands}"), "the game goes on"),
        (format!("viewer=0 turn=0 plays=1:?2=9 {hands}"), "not hidden by these rules"),
        ("viewer=0 turn=ß hands=ü".to_string(), "`ß` is not"),
        ("viewer=0 turn=99999999999999999999999 hands=-".to_string(), "is not a whole number"),
    ] {
        let error = Just4Fun::default().parse_view(&text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    let error = Just4Fun::default().parse_state("turn=0 hands=1.2.3.4/1.2.3.4").unwrap_err().to_string();
    assert!(error.contains("are nowhere"), "{error}");
    let hidden = game("players=3,hidden_discards=true");
    let view = "viewer=0 turn=0 stones=2:0.0.1/4:0.1.0 plays=1:?4=4/2:?2=2 hands=1.2.3.4/?.?.?.?/?.?.?.?";
    let error = hidden.parse_view(view).unwrap_err().to_string();
    assert!(error.contains("no cards are left"), "{error}");
    // Ten plays for 36 take 360 points, but the unseen cards have 354: too many ways to try them all.
    let plays = ["1:?4=36/2:?4=36"; 5].join("/");
    let view = format!("viewer=0 turn=0 stones=36:4.5.5 plays={plays} hands=16.17.18.19/?.?.?.?/?.?.?.?");
    let error = hidden.parse_view(&view).unwrap_err().to_string();
    assert!(error.contains("no cards are left"), "{error}");
    let view = "viewer=0 turn=0 stones=9:0.1.0 plays=1:?2=9/1:?1=9 hands=1.2.3.4/?.?.?.?/?.?.?.?";
    let error = hidden.parse_view(view).unwrap_err().to_string();
    assert!(error.contains("more plays than stones of seat 1"), "{error}");
    let view = "viewer=0 turn=0 stones=4:0.1.0 plays=1:?1=36 hands=1.2.3.4/?.?.?.?/?.?.?.?";
    let error = hidden.parse_view(view).unwrap_err().to_string();
    assert!(error.contains("is no play for a field"), "{error}");
    let view = "viewer=0 turn=pattern:0 stones=1:1.0/14:1.0/30:1.0/24:1.0 hands=1.2.3.4/?.?.?.?";
    let error = Just4Fun::default().parse_view(view).unwrap_err().to_string();
    assert!(error.contains("seat 0 has 4 cards"), "{error}");
}

/// A position of a random game.
pub(super) fn position(game: &Just4Fun, seed: u64, steps: usize) -> State {
    let mut rng = Rng::from_seed(seed);
    let mut state = game.initial_state();
    for _ in 0..steps {
        let action = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => game.sample_chance(&state, &mut rng),
            Turn::Player(_) => game.random_action(&state, &mut Vec::new(), &mut rng),
        };
        game.apply(&mut state, action);
    }
    state
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_is_answered(text in ".{0,80}", variant in 0..VARIANTS.len()) {
        let game = game(VARIANTS[variant]);
        prop_assert!(game.parse_state(&text).is_err());
        prop_assert!(game.parse_view(&text).is_err());
    }

    /// What is accepted after a change is written and read alike, and has worlds.
    #[test]
    fn changed_texts_are_refused_or_read(
        variant in 0..VARIANTS.len(), seed in 0u64..1000, steps in 0usize..250,
        at in any::<prop::sample::Index>(), with in "[-0-9?.:/=' a-zé]{0,2}", viewer in 0usize..3,
    ) {
        let game = game(VARIANTS[variant]);
        let state = position(&game, seed, steps);
        let mutate = |text: String| {
            let mut text: Vec<char> = text.chars().collect();
            let at = at.index(text.len());
            text.splice(at..at + 1, with.chars());
            text.into_iter().collect::<String>()
        };
        if let Ok(read) = game.parse_state(&mutate(game.state_text(&state))) {
            prop_assert_eq!(game.parse_state(&game.state_text(&read)), Ok(read));
            let _ = legal(&game, &read).len();
            let _ = game.render(&game.view(&read, None));
        }
        let viewer = (viewer < 2).then_some(viewer);
        if let Ok(read) = game.parse_view(&mutate(game.view_text(&game.view(&state, viewer)))) {
            let text = game.view_text(&read);
            prop_assert_eq!(game.parse_view(&text), Ok(read));
            let _ = game.render(&read);
            if (0..4).any(|seat| text.contains(&format!(" turn={seat} "))) {
                let mut world = state;
                game.worlds(&read).sample_into(&mut world, &mut Rng::from_seed(seed));
                prop_assert_eq!(game.view(&world, read.viewer()), read);
            }
        }
    }
}

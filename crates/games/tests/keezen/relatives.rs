//! Tock, Dog and Sorry!: what each of them does differently.

use meeple_core::laws::{self, Laws, assert_worlds_exhaustively};
use meeple_core::playout::{actions_or_outcomes, finish};
use meeple_core::{FromRules, Game, Notation, Rng, RuleReader, Rules, Turn, Worlds};
use meeple_games::keezen::relatives::{Relative, Setup, State, Variant};
use proptest::prelude::*;

const VARIANTS: [Variant; 3] = [Variant::Tock, Variant::Dog, Variant::Sorry];
const WAITING: &str = "w.w.w.w";

struct Position {
    game: Relative,
    state: State,
}

impl Position {
    /// Seat 0 is to move with one card.
    fn new(variant: Variant, marbles: &str, card: char) -> Position {
        let (cards, deal): (String, &[u8]) = match variant {
            Variant::Sorry => (format!("{card}2"), &[]),
            _ => (format!("{card}333"), &[1]),
        };
        let setup = Setup::new(variant, &cards, deal, marbles).unwrap();
        let game = Relative { first_dealer: Some(3), setup, ..Relative::new(variant) };
        let mut position = Position { state: game.initial_state(), game };
        let card = card.to_string();
        let give = format!("give{card}");
        let texts: &[&str] = match variant {
            Variant::Tock => &[&card, "3", "3", "3"],
            // The partner gets the card and gives it away.
            Variant::Dog => &["3", "3", &card, "3", "give3", "give3", &give, "give3"],
            Variant::Sorry => &[&card],
        };
        for text in texts {
            position.play(text);
        }
        position
    }

    fn legal(&self) -> Vec<String> {
        let actions = actions_or_outcomes(&self.game, &self.state);
        let mut texts: Vec<String> =
            actions.into_iter().map(|action| self.game.action_text(&self.state, action)).collect();
        texts.sort();
        texts
    }

    fn play(&mut self, text: &str) {
        let actions = actions_or_outcomes(&self.game, &self.state);
        let action = actions.into_iter().find(|&action| self.game.action_text(&self.state, action) == text);
        let action = action.unwrap_or_else(|| panic!("{text} is not among {:?}", self.legal()));
        self.game.apply(&mut self.state, action);
    }

    fn marbles(&self) -> String {
        self.game.state_text(&self.state).split(' ').next().unwrap().to_string()
    }
}

/// The legal actions of seat 0, and the marbles after each of some.
fn check(variant: Variant, marbles: &str, card: char, legal: &[&str], after: &[(&str, &str)]) {
    let mut expected = legal.to_vec();
    expected.sort_unstable();
    assert_eq!(Position::new(variant, marbles, card).legal(), expected, "{variant:?} {marbles} {card}");
    for (action, marbles_after) in after {
        let mut position = Position::new(variant, marbles, card);
        position.play(action);
        assert_eq!(position.marbles(), *marbles_after, "{variant:?} {marbles} {action}");
    }
}

fn first(marbles: &str) -> String {
    format!("{marbles}/{WAITING}/{WAITING}/{WAITING}")
}

#[test]
fn laws_hold_for_every_relative() {
    for variant in VARIANTS {
        let laws = Laws { games: 2, ..Laws::default() };
        laws::assert_with(&Relative { move_limit: 600, ..Relative::new(variant) }, &laws);
        laws::assert_with(&Relative { move_limit: 2, ..Relative::new(variant) }, &laws);
        laws::assert_with(&Relative { move_limit: 25, first_dealer: Some(1), ..Relative::new(variant) }, &laws);
    }
}

#[test]
fn tock_red_jacks_run_and_black_ones_swap() {
    let marbles = format!("10.w.w.w/{WAITING}/20.w.w.w/{WAITING}");
    check(Variant::Tock, &marbles, 'R', &["R+11P0"], &[("R+11P0", &format!("21.w.w.w/{WAITING}/20.w.w.w/{WAITING}"))]);
    // Place 20 of seat 2 is field 51, place 52 of seat 0.
    check(Variant::Tock, &marbles, 'J', &["J=P0T0"], &[("J=P0T0", &format!("52.w.w.w/{WAITING}/42.w.w.w/{WAITING}"))]);
}

#[test]
fn tock_fives_move_other_marbles_and_kings_run() {
    check(Variant::Tock, &first("10.w.w.w"), '5', &["TC"], &[]);
    let marbles = format!("10.w.w.w/{WAITING}/{WAITING}/62.w.w.w");
    // On its own way the marble of seat 3 runs into its lane.
    check(Variant::Tock, &marbles, '5', &["5+5B0"], &[("5+5B0", &format!("10.w.w.w/{WAITING}/{WAITING}/67.w.w.w"))]);
    check(Variant::Tock, &first("10.w.w.w"), 'K', &["KS", "K+13P0"], &[("KS", &first("10.1.w.w"))]);
}

#[test]
fn tock_sevens_are_divided_over_all_marbles_and_used_up() {
    let mut position = Position::new(Variant::Tock, &first("40.30.20.w"), '7');
    assert_eq!(position.legal().len(), 21);
    for part in ["7:2P0", "7:4P2"] {
        position.play(part);
        assert_eq!(position.game.turn(&position.state), Turn::Player(0));
    }
    assert_eq!(position.legal(), ["7:1P0", "7:1P1", "7:1P2"]);
    position.play("7:1P1");
    assert_eq!(position.marbles(), first("42.31.24.w"));
    assert_eq!(position.game.turn(&position.state), Turn::Player(1));
    // Six steps are not enough.
    check(Variant::Tock, &first("65.w.w.w"), '7', &["TC"], &[]);
    check(Variant::Tock, &first("66.63.w.w"), '7', &["TC"], &[]);
}

#[test]
fn dog_marbles_pass_their_start_before_the_lane() {
    check(Variant::Dog, &first("1.w.w.w"), '2', &["2+2P0"], &[("2+2P0", &first("3.w.w.w"))]);
    check(
        Variant::Dog,
        &first("65.w.w.w"),
        '2',
        &["2+2P0", "2+2P0r"],
        &[("2+2P0", &first("67.w.w.w")), ("2+2P0r", &first("3.w.w.w"))],
    );
    check(Variant::Dog, &first("63.w.w.w"), 'Q', &["Q+12P0r"], &[("Q+12P0r", &first("11.w.w.w"))]);
    check(Variant::Dog, &first("63.w.w.w"), '2', &["2+2P0"], &[("2+2P0", &first("65.w.w.w"))]);
    check(Variant::Dog, &first("5.w.w.w"), '4', &["4+4P0", "4-4P0"], &[("4-4P0", &first("65.w.w.w"))]);
    let marbles = format!("10.w.w.w/49.w.w.w/{WAITING}/{WAITING}");
    let swapped = format!("65.w.w.w/58.w.w.w/{WAITING}/{WAITING}");
    check(Variant::Dog, &marbles, 'J', &["J=P0A0"], &[("J=P0A0", &swapped)]);
    check(Variant::Dog, &first("2.w.w.w"), '4', &["4+4P0", "4-4P0"], &[("4-4P0", &first("62.w.w.w"))]);
}

#[test]
fn dog_aces_kings_and_jokers() {
    check(Variant::Dog, &first("10.w.w.w"), 'A', &["AS", "A+1P0", "A+11P0"], &[]);
    check(Variant::Dog, &first("10.w.w.w"), 'K', &["KS", "K+13P0"], &[]);
    let runs = [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13].map(|steps| format!("X+{steps}P0"));
    let mut expected: Vec<&str> = runs.iter().map(String::as_str).collect();
    expected.extend(["X-4P0", "XS", "X:1P0"]);
    check(Variant::Dog, &first("10.w.w.w"), 'X', &expected, &[]);
}

/// A fresh marble on its start stops everybody, one that came back does not.
#[test]
fn dog_only_fresh_marbles_block() {
    // The start of seat 1 is place 17 of seat 0.
    check(Variant::Dog, &format!("16.w.w.w/1.w.w.w/{WAITING}/{WAITING}"), '2', &["TC"], &[]);
    check(Variant::Dog, &format!("16.w.w.w/65.w.w.w/{WAITING}/{WAITING}"), '2', &["2+2P0"], &[]);
}

#[test]
fn dog_sevens_hit_what_they_pass() {
    // Seat 1's place 60 is field 11, place 12 of seat 0.
    let mut position = Position::new(Variant::Dog, &format!("10.w.w.w/60.w.w.w/{WAITING}/{WAITING}"), '7');
    for _ in 0..7 {
        assert_eq!(position.legal(), ["7:1P0"]);
        position.play("7:1P0");
    }
    assert_eq!(position.marbles(), first("17.w.w.w"));
    assert_eq!(position.game.turn(&position.state), Turn::Player(1));
}

#[test]
fn dog_partners_know_their_gifts_and_nobody_else_does() {
    let position = Position::new(Variant::Dog, &first("10.w.w.w"), 'A');
    let gifts = |viewer| {
        let text = position.game.view_text(&position.game.view(&position.state, viewer));
        text.split(' ').nth(4).unwrap().to_string()
    };
    assert_eq!([gifts(Some(0)), gifts(Some(1)), gifts(None)], ["3?A?", "?3?3", "????"]);
}

#[test]
fn sorry_slides_and_sends_home() {
    // Place 13 is the first field of seat 1's slide; it ends on seat 1's start.
    let marbles = format!("12.14.w.w/1.w.w.w/{WAITING}/{WAITING}");
    let mut position = Position::new(Variant::Sorry, &marbles, 'A');
    assert_eq!(position.legal(), ["A+1P0", "A+1P1", "AS"]);
    position.play("A+1P1");
    assert_eq!(position.marbles(), first("16.w.w.w"));
    // The long slide of the same side.
    check(Variant::Sorry, &first("20.w.w.w"), 'A', &["AS", "A+1P0"], &[("A+1P0", &first("25.w.w.w"))]);
    // The own slide is an ordinary way: place 58 is its first field, and the lane begins behind 59.
    check(Variant::Sorry, &first("57.w.w.w"), 'A', &["AS", "A+1P0"], &[("A+1P0", &first("58.w.w.w"))]);
}

#[test]
fn sorry_home_needs_exact_steps_and_holds_all() {
    check(Variant::Sorry, &first("66.63.w.w"), '3', &["3+3P1"], &[("3+3P1", &first("66.66.w.w"))]);
    check(Variant::Sorry, &first("66.63.w.w"), '5', &["NO"], &[]);
    check(Variant::Sorry, &first("61.w.w.w"), '4', &["4-4P0"], &[("4-4P0", &first("56.w.w.w"))]);
    check(Variant::Sorry, &first("60.w.w.w"), '3', &["3+3P0"], &[("3+3P0", &first("3.w.w.w"))]);
    // Marbles jump over each other, but never land on an own one.
    check(Variant::Sorry, &first("64.62.w.w"), '3', &["3+3P1"], &[]);
    check(Variant::Sorry, &first("8.5.w.w"), '3', &["3+3P0"], &[]);
}

#[test]
fn sorry_elevens_tens_and_the_card_sorry() {
    let marbles = format!("50.w.w.w/20.w.w.w/{WAITING}/{WAITING}");
    check(Variant::Sorry, &marbles, 'J', &["J+11P0", "J=P0A0"], &[]);
    // Eleven steps are too many: the swap may be declined. Place 20 of seat 1 is place 35 of seat 0.
    let marbles = format!("58.w.w.w/20.w.w.w/{WAITING}/{WAITING}");
    check(
        Variant::Sorry,
        &marbles,
        'J',
        &["J=P0A0", "NO"],
        &[("J=P0A0", &format!("35.w.w.w/43.w.w.w/{WAITING}/{WAITING}"))],
    );
    check(Variant::Sorry, &marbles, 'X', &["X>A0"], &[("X>A0", &first("58.35.w.w"))]);
    check(Variant::Sorry, &marbles, 'T', &["T-1P0"], &[]);
}

#[test]
fn sorry_sevens_are_divided_between_two() {
    let mut position = Position::new(Variant::Sorry, &first("64.30.w.w"), '7');
    assert_eq!(position.legal(), ["7:1P0", "7:2P0", "7:5P1", "7:6P1", "7:7P1"]);
    position.play("7:2P0");
    assert_eq!(position.legal(), ["7:5P1"]);
    position.play("7:5P1");
    assert_eq!(position.marbles(), first("66.35.w.w"));
}

#[test]
fn sorry_twos_draw_again() {
    let mut position = Position::new(Variant::Sorry, &first(WAITING), '2');
    position.play("2S");
    position.play("2");
    assert_eq!(position.game.turn(&position.state), Turn::Player(0));
}

/// Nobody can start, so everybody throws at once.
#[test]
fn the_seat_after_the_dealer_begins_and_the_deal_goes_round() {
    for variant in [Variant::Tock, Variant::Dog] {
        let setup = Setup::new(variant, "666688889999", &[2, 1], &first(WAITING)).unwrap();
        let game = Relative { first_dealer: Some(3), setup, ..Relative::new(variant) };
        let mut rng = Rng::from_seed(2);
        let mut state = game.initial_state();
        let mut movers = Vec::new();
        while movers.len() < 16 {
            let actions = actions_or_outcomes(&game, &state);
            let action = *rng.choose(&actions);
            if let Turn::Player(seat) = game.turn(&state)
                && game.action_text(&state, action) == "TC"
            {
                movers.push(seat);
            }
            game.apply(&mut state, action);
        }
        let expected: Vec<usize> = (0..4).flat_map(|round| (0..4).map(move |seat| (round + seat) % 4)).collect();
        assert_eq!(movers, expected, "{variant:?}");
    }
}

#[test]
fn random_games_end_and_are_fair() {
    for (variant, teams) in [(Variant::Tock, 2.0), (Variant::Dog, 2.0), (Variant::Sorry, 4.0)] {
        let game = Relative::new(variant);
        let mut rng = Rng::from_seed(11);
        let games = 200;
        let (mut first, mut draws) = (0.0, 0);
        for _ in 0..games {
            let mut state = game.initial_state();
            finish(&game, &mut state, &mut Vec::new(), &mut rng);
            let outcome = game.outcome(&state);
            first += f64::from(u8::from(outcome.payoffs[0] == 1.0));
            draws += u32::from(outcome.reason == "move limit");
        }
        // Three and a half standard errors.
        let share = first / f64::from(games);
        assert!((share - 1.0 / teams).abs() < 0.125, "{variant:?}: {share}");
        assert!(draws <= 2, "{variant:?}: {draws}");
    }
}

#[test]
fn worlds_are_exactly_the_reachable_states() {
    let tiny = |variant, cards: &str, deal: &[u8], move_limit| {
        let setup = Setup::new(variant, cards, deal, "68.w.w.w/60.w.w.w/68.67.66.65/w.w.w.w").unwrap();
        Relative { first_dealer: Some(3), move_limit, setup, ..Relative::new(variant) }
    };
    assert_worlds_exhaustively(&tiny(Variant::Tock, "A27KJQ48", &[2], 4), 400_000, 200);
    assert_worlds_exhaustively(&tiny(Variant::Tock, "AAKKJJ55", &[1, 1], 5), 400_000, 200);
}

/// Two cards each, so that a gift is a choice; and more cards than are dealt.
#[test]
fn worlds_of_dog_know_the_gifts() {
    let tiny = |cards: &str, deal: &[u8], move_limit| {
        let setup = Setup::new(Variant::Dog, cards, deal, "69.w.w.w/60.w.w.w/69.68.67.66/w.w.w.w").unwrap();
        Relative { first_dealer: Some(3), move_limit, setup, ..Relative::new(Variant::Dog) }
    };
    assert_worlds_exhaustively(&tiny("A23KJQ58", &[2], 6), 900_000, 150);
    assert_worlds_exhaustively(&tiny("A23KJ5", &[1], 9), 400_000, 150);
}

#[test]
fn malformed_texts_say_what_is_wrong() {
    let game = Relative::new(Variant::Dog);
    let good = format!(
        "{WAITING}/{WAITING}/{WAITING}/{WAITING} A23456/??????/??????/?????? ? - ---- -/-/-/- - d3 r0 give0 s0 m0 v0"
    );
    game.parse_view(&good).unwrap();
    for (from, to, part) in [
        ("w.w.w.w/w", "70.w.w.w/w", "from 0 to 69"),
        ("w.w.w.w/w", "0.w.w.w/w", "cannot stand there"),
        ("w.w.w.w/w", "1.65.w.w/w", "cannot stand there"),
        ("A23456", "A2345", "not 6 cards"),
        ("----", "A---", "has not given"),
        ("----", "---", "not four gifts"),
        ("give0", "t0", "has given"),
        ("give0", "draw0", "seat"),
        (" - d3", " A d3", "only Sorry!"),
        ("s0", "s4.7.0", "cannot be used"),
        ("s0", "s4.Z.0", "no card"),
        ("m0", "m4000", "over"),
        (" - ----", " A ----", "not seen"),
    ] {
        let text = good.replacen(from, to, 1);
        let error = game.parse_view(&text).expect_err(&text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn rules_are_read_and_refused() {
    let read = |text: &str| Relative::from_rules(&mut RuleReader::new(&Rules::parse(text).unwrap()));
    assert_eq!(read("variant=dog"), Ok(Relative::new(Variant::Dog)));
    assert!(read("variant=ludo").unwrap_err().0.contains("keezen|tock|dog|sorry"));
    assert!(read("variant=keezen").is_err());
}

proptest! {
    #[test]
    fn mutated_texts_are_read_without_panic(
        seed in 0u64..1000, moves in 0u32..300, at in 0usize..300, by in "[0-9AKXRw?./+dtrmsvgieo -]{0,3}",
    ) {
        let game = Relative::new(VARIANTS[seed as usize % 3]);
        let mut rng = Rng::from_seed(seed);
        let mut state = game.initial_state();
        for _ in 0..moves {
            if game.turn(&state) == Turn::Over {
                break;
            }
            let actions = actions_or_outcomes(&game, &state);
            game.apply(&mut state, *rng.choose(&actions));
        }
        let mutate = |mut text: String| {
            let at = at % text.len();
            text.replace_range(at..=at, &by);
            text
        };
        if let Ok(parsed) = game.parse_state(&mutate(game.state_text(&state))) {
            prop_assert_eq!(game.parse_state(&game.state_text(&parsed)), Ok(parsed));
            prop_assert!(game.turn(&parsed) == Turn::Over || !actions_or_outcomes(&game, &parsed).is_empty());
        }
        if let Ok(parsed) = game.parse_view(&mutate(game.view_text(&game.view(&state, Some(1))))) {
            prop_assert_eq!(game.parse_view(&game.view_text(&parsed)), Ok(parsed));
            if !game.view_text(&parsed).contains("over") {
                game.worlds(&parsed).sample_into(&mut state, &mut rng);
            }
        }
    }

    #[test]
    fn any_text_is_read_without_panic(text in "\\PC*") {
        for variant in VARIANTS {
            let _ = Relative::new(variant).parse_state(&text);
            let _ = Relative::new(variant).parse_view(&text);
        }
    }
}

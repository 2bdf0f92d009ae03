use meeple_core::erased::{AnyPosition, erase, only_random};
use meeple_core::{Game, Notation, Turn, Worlds, laws};
use meeple_games::LeducPoker;
use proptest::prelude::*;

use crate::solving::{best_response, equilibrium, information_sets, value};

#[test]
fn laws_hold() {
    laws::assert_with(&LeducPoker, &laws::Laws { games: 200, ..Default::default() });
}

#[test]
fn the_worlds_of_every_view_are_exactly_the_reachable_ones() {
    laws::assert_worlds_exhaustively(&LeducPoker, 10_000, usize::MAX);
}

fn played(texts: &str) -> Box<dyn AnyPosition> {
    let mut position = erase(LeducPoker, Vec::new(), only_random).start();
    texts.split(' ').for_each(|text| position.apply(text).unwrap_or_else(|error| panic!("{texts}: {error}")));
    position
}

#[test]
fn chips_change_hands_as_in_the_rules() {
    for (texts, chips, reason) in [
        ("K Q call call J call call", 1.0, "showdown"),
        ("K Q call call Q call call", -1.0, "showdown"), // a pair beats the king
        ("J Q call call J call call", 1.0, "showdown"),
        ("K K call call Q call call", 0.0, "showdown"),
        ("K Q raise fold", 1.0, "fold"),
        ("K Q call raise fold", -1.0, "fold"),
        ("K Q raise raise fold", -3.0, "fold"),
        ("K Q call raise raise fold", 3.0, "fold"),
        ("K Q raise call J raise fold", 3.0, "fold"),
        ("K Q raise call J call raise raise fold", 7.0, "fold"),
        ("K Q raise raise call Q raise raise call", -13.0, "showdown"),
        ("K Q call raise raise call J call raise raise call", 13.0, "showdown"),
    ] {
        let position = played(texts);
        assert_eq!(position.turn(), Turn::Over, "{texts}");
        let outcome = position.outcome();
        assert_eq!((outcome.scores[0], outcome.payoffs[0], outcome.reason), (chips, chips / 13.0, reason), "{texts}");
    }
}

#[test]
fn a_round_has_two_raises_and_folding_needs_one() {
    for (texts, legal) in [
        ("K Q", vec!["call", "raise"]),
        ("K Q call", vec!["call", "raise"]),
        ("K Q raise", vec!["fold", "call", "raise"]),
        ("K Q raise raise", vec!["fold", "call"]),
        ("K Q raise raise call J", vec!["call", "raise"]),
        ("K K call call", vec!["J", "Q"]),
        ("K", vec!["J", "Q", "K"]),
    ] {
        assert_eq!(played(texts).actions(), legal, "{texts}");
    }
    assert_eq!(played("K Q raise call J").turn(), Turn::Player(0));
}

#[test]
fn there_are_288_information_sets_and_936_with_suits() {
    let sets = information_sets(&LeducPoker);
    assert_eq!(sets.len(), 288);
    // Each of the two cards of a rank counted apart: 2 own cards, and 2 public ones or the other
    // card of the own rank.
    let with_suits: u32 = sets.keys().map(suits).sum();
    assert_eq!(with_suits, 936);
}

fn suits(view: &meeple_games::poker::leduc::View) -> u32 {
    let text = LeducPoker.view_text(view);
    let cards: Vec<char> = text.chars().skip(2).take(3).collect();
    let own = if text.starts_with('0') { cards[0] } else { cards[1] };
    match cards[2] {
        '-' => 2,
        public if public == own => 2,
        _ => 4,
    }
}

#[test]
fn learned_play_reaches_the_known_value() {
    // The first player's value in chips, as published for this game.
    const KNOWN: f64 = -0.0856;
    let strategy = equilibrium(&LeducPoker, 400);
    let [first, second] = [0, 1].map(|seat| 13.0 * best_response(&LeducPoker, &strategy, seat));
    assert!(first + second < 0.02, "{first} and {second}");
    assert!(-second - 1e-4 <= KNOWN && KNOWN <= first + 1e-4, "{first} and {second}");
    let chips = 13.0 * value(&LeducPoker, &strategy, &LeducPoker.initial_state());
    assert!((chips - KNOWN).abs() < 0.002, "{chips}");
}

#[test]
fn a_seat_knows_its_card_and_all_that_is_public() {
    let state = LeducPoker.parse_state("KJK raise call").unwrap();
    let views = [Some(0), Some(1), None].map(|viewer| LeducPoker.view(&state, viewer));
    assert_eq!(
        views.map(|view| LeducPoker.view_text(&view)),
        ["0:K?K raise call", "1:?JK raise call", "*:??K raise call"]
    );
    // Seat 0 sees both kings: four cards are left for seat 1, two of each rank.
    assert_eq!(LeducPoker.worlds(&views[0]).count(), 4.0);
    assert_eq!(
        LeducPoker.worlds(&views[0]).enumerate(2).unwrap().iter().map(|world| world.1).collect::<Vec<_>>(),
        [2, 2]
    );
    let mut weights: Vec<u64> =
        LeducPoker.worlds(&views[1]).enumerate(3).unwrap().iter().map(|world| world.1).collect();
    weights.sort();
    assert_eq!(weights, [1, 1, 2]);
    let drawn = LeducPoker.render(&views[1]);
    let expected = "seat 0: ?, 3 chips in the pot\nseat 1: J, 3 chips in the pot\npublic: K\nfirst round: raise call\n\
                    second round: -\nseat 0 to move";
    assert_eq!(drawn, expected);
}

#[test]
fn impossible_texts_say_what_is_wrong() {
    for (text, part) in [
        ("", "3 cards were expected"),
        ("KQ", "3 cards were expected"),
        ("KQX", "`X` is none of"),
        ("KKK call call", "than the 2 in the deck"),
        ("K?-", "only in views"),
        ("-K-", "seat 0 is dealt its card first"),
        ("K-- call", "before both cards"),
        ("KQ- fold", "`fold` cannot be said here, only call or raise"),
        ("KQ- raise raise raise", "`raise` cannot be said here, only fold or call"),
        ("KQ- raise fold call", "after the end"),
        ("KQJ raise", "after the first round"),
        ("KQJ raise fold", "after the first round"),
        ("KQ- call call call", "before the second round"),
        ("KQJ call call call call call", "after the end"),
        ("KQ? call call", "everybody sees the public card"),
    ] {
        let error = LeducPoker.parse_state(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    for (text, part) in [
        ("K?-", "begins with"),
        ("0:??-", "sees the card of seat 0"),
        ("0:KJ-", "does not see the card of seat 1"),
        ("*:??J call call call call", "sees the card of seat 0"),
        ("1:?KK call call raise raise raise", "cannot be said"),
    ] {
        let error = LeducPoker.parse_view(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

proptest! {
    #[test]
    fn any_text_gives_a_position_or_an_error(text in "\\PC*", near in "[01*]?:?[JQK?é-]{2,4}( (call|raise|fold|)){0,9}") {
        for text in [text, near] {
            if let Ok(state) = LeducPoker.parse_state(&text) {
                prop_assert_eq!(LeducPoker.state_text(&state), text.clone());
            }
            if let Ok(view) = LeducPoker.parse_view(&text) {
                prop_assert_eq!(LeducPoker.view_text(&view), text);
            }
        }
    }
}

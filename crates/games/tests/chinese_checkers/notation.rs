//! Positions as text, good and bad.

use meeple_core::{Game, Notation, Rng, Turn};
use meeple_games::TinyChineseCheckers;
use meeple_games::chinese_checkers::ChineseCheckersRules;
use proptest::prelude::*;

use super::{ChineseCheckers, star};

/// The message that refuses a text.
fn refusal<G: Game>(notation: &dyn Notation<G>, text: &str) -> String {
    notation.parse_state(text).map_or_else(|error| error.0, |state| panic!("{text} is accepted: {state:?}"))
}

#[test]
fn impossible_tiny_positions_are_refused() {
    let game = TinyChineseCheckers::default();
    let cases = [
        ("", "0 words instead of four"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA2/AA/A A 0", "3 words"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA2/AA A 0 0-0-0", "8 rows instead of 9"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA3/AA/A A 0 0-0-0", "row `2AAA3` does not describe 7 fields"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA99999999999999999999999/AA/A A 0 0-0-0", "does not describe 7 fields"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA2/A1/A A 0 0-0-0", "5 pieces of A instead of 6"),
        ("1/2/ABB1CCC/BB2CC/B3C/B5/3AA2/AA/A A 3 0-0-0", "A cannot have a piece on c7"),
        ("1/2/BBB1CCC/BB2CC/B3C/1A4/3AA2/AA/A A 0 0-0-0", "1 pieces have left their homes"),
        ("1/2/BBB1CCC/BB2CC/B3D/6/2AAA2/AA/A A 0 0-0-0", "`D` is no seat"),
        ("1/2/BBB1CCC/BB2CC/B3ü/6/2AAA2/AA/A A 0 0-0-0", "is no seat"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA2/AA/A AB 0 0-0-0", "one letter"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA2/AA/A B 0 0-0-0", "after 0 moves A is to move"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA2/AA/A A 121 0-0-0", "must be a whole number in 0..120"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA2/AA/A A -3 0-0-0", "must be a whole number"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA2/AA/A A 0 0-0", "not like `3-1-0`"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA2/AA/A A 0 1-0-0", "not like `3-1-0`"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA2/AA/A A 0 3-3-0", "not like `3-1-0`"),
        ("1/2/BBB1CCC/BB2CC/B3C/6/2AAA2/AA/A A 0 3-0-0", "A has 3 points but"),
        ("A/AA/BBAAACC/BB2CC/B3C/1B4/C6/2/1 A 9 0-0-0", "A has filled its target"),
        ("A/AA/BBAAACC/BB2CC/B3C/1B4/C6/2/1 A 9 3-1-0", "B has a point but"),
    ];
    for (text, part) in cases {
        let message = refusal(&game, text);
        assert!(message.contains(part), "{text}: {message}");
    }
    let finished = game.parse_state("A/AA/BBAAACC/BB2CC/B3C/1B4/C6/2/1 A 9 3-0-0").unwrap();
    assert_eq!(game.turn(&finished), Turn::Player(0));
}

#[test]
fn impossible_positions_are_refused() {
    let game = star(1, 3);
    let cases = [
        ("A/4/3/C2B/1 A 0", "3 words"),
        ("A/4/3/C2B A 0 -", "4 rows instead of 5"),
        ("A/4/3/C2B/A A 0 -", "2 pieces of A instead of 1"),
        ("A/4/3/C2B/1 B 0 -", "after 0 moves A is to move"),
        ("A/4/3/C2B/1 A 0 A", "A is among the finished but its target is not filled"),
        ("1/4/3/C2B/A B 1 -", "A has filled its target but is not among the finished"),
        ("1/4/3/C2B/A B 0 A", "1 pieces have left their homes, but there were 0 moves"),
        ("1/B2C/3/4/A A 9 ABC", "the game ends when 2 have finished"),
        ("1/4/3/C2B/A A 3 A", "A has finished and cannot be to move"),
        ("1/4/3/C2B/A B 1 AA", "A is among the finished twice"),
        ("1/4/3/C2B/A B 1 AF", "`F` is no seat"),
        ("A/4/3/C2B/1 A 1001 -", "0..1000"),
    ];
    for (text, part) in cases {
        let message = refusal(&game, text);
        assert!(message.contains(part), "{text}: {message}");
    }
    assert!(game.parse_state("1/4/3/C2B/A B 1 A").is_ok());
}

/// Whatever is accepted is written and read again as the same position.
fn check<G: Game>(notation: &dyn Notation<G>, text: &str) {
    if let Ok(state) = notation.parse_state(text) {
        let written = notation.state_text(&state);
        assert_eq!(notation.parse_state(&written).as_ref(), Ok(&state), "{text} and {written}");
    }
}

/// A position after some random moves, as text.
fn sample<G: Game>(game: &G, notation: &dyn Notation<G>, moves: u32, seed: u64) -> String {
    let mut rng = Rng::from_seed(seed);
    let mut state = game.initial_state();
    for _ in 0..moves {
        if game.turn(&state) == Turn::Over {
            break;
        }
        let action = game.random_action(&state, &mut Vec::new(), &mut rng);
        game.apply(&mut state, action);
    }
    notation.state_text(&state)
}

/// Puts, takes out or exchanges one character.
fn mutate(text: &str, place: usize, symbol: char, kind: u8) -> String {
    let mut symbols: Vec<char> = text.chars().collect();
    let place = place % symbols.len();
    match kind {
        0 => symbols[place] = symbol,
        1 => symbols.insert(place, symbol),
        2 => drop(symbols.remove(place)),
        _ => symbols.swap(place, 0),
    }
    symbols.into_iter().collect()
}

proptest! {
    #[test]
    fn no_text_breaks_the_readers(text in "\\PC{0,60}|[A-F0-9/ -]{0,60}") {
        check(&TinyChineseCheckers::default(), &text);
        check(&star(1, 6), &text);
    }

    #[test]
    fn no_misprint_breaks_the_readers(
        moves in 0u32..150, seed: u64, place: usize, symbol in "[A-G0-9/ ?ß-]", kind in 0u8..4,
    ) {
        let symbol = symbol.chars().next().unwrap();
        let tiny = TinyChineseCheckers::default();
        check(&tiny, &mutate(&sample(&tiny, &tiny, moves, seed), place, symbol, kind));
        let rules = ChineseCheckersRules { size: 1, players: 4, anti_block: true, ..Default::default() };
        let game = ChineseCheckers::new(rules);
        check(&game, &mutate(&sample(&game, &game, moves, seed), place, symbol, kind));
        let game = star(3, 2);
        check(&game, &mutate(&sample(&game, &game, moves, seed), place, symbol, kind));
    }
}

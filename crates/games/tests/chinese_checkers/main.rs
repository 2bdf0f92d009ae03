//! Chinese Checkers: the laws, the rules, positions as text, counts against a second generator.

mod naive;
mod notation;
mod perft;
mod star;
mod tiny;

use meeple_core::laws::{self, Laws};
use meeple_core::playout::actions_or_outcomes;
use meeple_core::{FromRules, Game, RuleError, RuleReader, Rules};
use meeple_games::chinese_checkers::{ChineseCheckersRules, End, Variant};
use meeple_games::{ChineseCheckers, TinyChineseCheckers};

/// The usual game with these parameters.
fn star(size: usize, players: usize) -> ChineseCheckers {
    ChineseCheckers::new(ChineseCheckersRules { size, players, ..Default::default() })
}

fn variant(rules: &str) -> Result<Variant, RuleError> {
    let mut reader = RuleReader::new(&Rules::parse(rules)?);
    let variant = Variant::from_rules(&mut reader)?;
    reader.finish()?;
    Ok(variant)
}

/// The legal actions as texts.
fn legal<G: Game>(game: &G, state: &G::State) -> Vec<String> {
    actions_or_outcomes(game, state).into_iter().map(|action| game.action_text(state, action)).collect()
}

/// Plays actions given as texts.
fn play<G: Game>(game: &G, state: &mut G::State, texts: &[&str]) {
    for &text in texts {
        let mut actions = actions_or_outcomes(game, state).into_iter();
        let action = actions.find(|&action| game.action_text(state, action) == text);
        game.apply(state, action.unwrap_or_else(|| panic!("{text} is not legal: {:?}", legal(game, state))));
    }
}

#[test]
fn laws_hold_for_the_tiny_game() {
    laws::assert_all(&TinyChineseCheckers::default());
}

#[test]
fn laws_hold_on_every_star() {
    for size in 1..=4 {
        for players in [2, 3, 4, 6] {
            let cap = if size < 3 { 1000 } else { 200 };
            let rules = ChineseCheckersRules { size, players, cap, ..Default::default() };
            laws::assert_with(&ChineseCheckers::new(rules), &Laws { games: 2, ..Laws::default() });
        }
    }
    laws::assert_with(&star(4, 3), &Laws { games: 1, ..Laws::default() });
}

#[test]
fn laws_hold_with_every_option() {
    for (size, players) in [(1, 2), (1, 6), (2, 4), (2, 6)] {
        for options in 0..8 {
            let rules = ChineseCheckersRules {
                size,
                players,
                forbid_foreign_tips: options & 1 != 0,
                anti_block: options & 2 != 0,
                end: if options & 4 != 0 { End::First } else { End::Places },
                cap: 300,
            };
            laws::assert_with(&ChineseCheckers::new(rules), &Laws { games: 3, ..Laws::default() });
        }
    }
}

/// Everybody plays the action with a number and takes it back; `None` if somebody cannot.
fn there_and_back<G: Game>(game: &G, number: usize) -> Option<G::State> {
    let mut state = game.initial_state();
    let key = game.position_key(&state);
    let mut moves = Vec::new();
    for _ in 0..game.info().players {
        moves.push(legal(game, &state).into_iter().nth(number)?);
        play(game, &mut state, &[moves.last().unwrap()]);
        assert_ne!(game.position_key(&state), key);
    }
    for action in moves {
        let (from, to) = action.split_once('-')?;
        let back = format!("{to}-{from}");
        legal(game, &state).contains(&back).then(|| play(game, &mut state, &[&back]))?;
    }
    Some(state)
}

fn return_to_the_start<G: Game>(game: &G) {
    let state = (0..10).find_map(|number| there_and_back(game, number)).unwrap();
    assert_ne!(state, game.initial_state(), "moves are counted");
    assert_eq!(game.position_key(&state), game.position_key(&game.initial_state()));
}

#[test]
fn positions_are_the_same_whenever_they_come() {
    return_to_the_start(&TinyChineseCheckers::default());
    return_to_the_start(&star(4, 2));
    return_to_the_start(&star(2, 6));
}

#[test]
fn rules_choose_the_game() {
    assert!(matches!(variant("board=37").unwrap(), Variant::Tiny(_)));
    let fields = |rules| match variant(rules).unwrap() {
        Variant::Tiny(game) => (game.info().players, game.facts()[0].number),
        Variant::Star(game) => (game.info().players, game.facts()[0].number),
    };
    assert_eq!(fields(""), (3, Some(121.0)));
    assert_eq!(fields("board=37,players=2"), (2, Some(37.0)));
    assert_eq!(fields("board=73,players=6,end=first,anti_block=true"), (6, Some(73.0)));
    assert_eq!(fields("board=13,players=4,forbid_foreign_tips=true,cap=9"), (4, Some(13.0)));
    for wrong in ["board=38", "players=5", "players=1", "cap=0", "board=37,anti_block=true", "end=last"] {
        assert!(variant(wrong).is_err(), "{wrong}");
    }
}

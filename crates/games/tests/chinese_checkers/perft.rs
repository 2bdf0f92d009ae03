//! Counts of move sequences, from a file and from the second generator.

use std::collections::BTreeSet;

use meeple_core::playout::perft;
use meeple_core::{Game, Notation, Rng, Rules, Turn};
use meeple_games::chinese_checkers::{ChineseCheckersRules, Variant};
use meeple_games::{ChineseCheckers, TinyChineseCheckers};

use super::{legal, naive, variant};

const GOLDEN: &str = include_str!("../perft/chinese-checkers.txt");

const TINY: naive::Rules = naive::Rules { size: 2, players: 3, tiny: true, forbid_foreign_tips: false };

fn naive_rules(size: usize, players: usize) -> naive::Rules {
    naive::Rules { size: size as i32, players, tiny: false, forbid_foreign_tips: false }
}

/// Rules, position, depth and number of sequences.
fn golden() -> impl Iterator<Item = (&'static str, &'static str, u32, u64)> {
    let lines = GOLDEN.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| match line.split(';').map(str::trim).collect::<Vec<_>>()[..] {
        [rules, text, depth, nodes] => (rules, text, depth.parse().unwrap(), nodes.parse().unwrap()),
        _ => panic!("{line}: four columns"),
    })
}

fn count(rules: &str, text: &str, depth: u32) -> u64 {
    match variant(rules).unwrap() {
        Variant::Tiny(game) => perft(&game, &game.parse_state(text).unwrap(), depth),
        Variant::Star(game) => perft(&game, &game.parse_state(text).unwrap(), depth),
    }
}

#[test]
fn counts_are_those_of_the_file() {
    assert!(golden().count() > 20);
    for (rules, text, depth, nodes) in golden() {
        assert_eq!(count(rules, text, depth), nodes, "{rules}; {text}");
    }
}

/// Where nobody finishes within the depth.
#[test]
fn counts_are_those_of_the_second_generator() {
    for (rules, text, depth, _) in
        golden().filter(|(rules, ..)| !rules.contains("board=13,") && !rules.contains("anti"))
    {
        let given = Rules::parse(rules).unwrap().0;
        let size = ["37", "73", "121"].iter().position(|&board| board == given["board"]).unwrap() + 2;
        let players = given["players"].parse().unwrap();
        let forbid_foreign_tips = given.contains_key("forbid_foreign_tips");
        let rules_here = match (size, players) {
            (2, 3) => TINY,
            _ => naive::Rules { forbid_foreign_tips, ..naive_rules(size, players) },
        };
        assert_eq!(count(rules, text, depth), rules_here.perft(&rules_here.parse(text), depth), "{rules}; {text}");
    }
}

/// Random games, every position of which has the moves of the second generator.
fn compare<G: Game>(game: &G, notation: &dyn Notation<G>, rules: &naive::Rules, games: u64) {
    for number in 0..games {
        let mut rng = Rng::stream(7, number);
        let mut state = game.initial_state();
        let mut finished = BTreeSet::new();
        while let Turn::Player(player) = game.turn(&state) {
            let text = notation.state_text(&state);
            let found: BTreeSet<String> = legal(game, &state).into_iter().collect();
            let expected = rules.texts(&rules.parse(&text));
            if found != expected {
                // Only who has finished may pass with moves left.
                assert_eq!(found, BTreeSet::from(["pass".to_string()]), "{text}: {expected:?}");
                finished.insert(player);
            }
            let action = game.random_action(&state, &mut Vec::new(), &mut rng);
            game.apply(&mut state, action);
        }
        assert!(finished.len() <= 1);
    }
}

#[test]
fn moves_are_those_of_the_second_generator() {
    let tiny = TinyChineseCheckers::default();
    compare(&tiny, &tiny, &TINY, 30);
    for size in 1..=4 {
        for players in [2, 3, 4, 6] {
            for forbid_foreign_tips in [false, true] {
                let cap = if size < 3 { 500 } else { 200 };
                let rules = ChineseCheckersRules { size, players, forbid_foreign_tips, cap, ..Default::default() };
                let game = ChineseCheckers::new(rules);
                let rules = naive::Rules { forbid_foreign_tips, ..naive_rules(size, players) };
                compare(&game, &game, &rules, 2);
            }
        }
    }
}

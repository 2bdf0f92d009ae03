//! Counts of action sequences, from the files in `perft/`: one line for each count,
//! `rules ; position ; depth ; count`, where the position `start` is the initial one.

use std::path::Path;

use meeple_core::playout::perft;
use meeple_core::{FromRules, Game, RuleReader, Rules};
use meeple_games::breakthrough::{Breakthrough, Setup, Wide};
use meeple_games::lines_of_action;

/// A new file needs an arm here.
fn count(name: &str, rules: &Rules, position: &str, depth: u32) -> u64 {
    match name {
        "breakthrough" => match read::<Setup>(rules) {
            setup if setup.squares() <= 64 => count_from(&Breakthrough::<u64>::new(setup), position, depth),
            setup => count_from(&Breakthrough::<Wide>::new(setup), position, depth),
        },
        "lines-of-action" => match read(rules) {
            lines_of_action::Variant::WithoutHistory(game) => count_from(&game, position, depth),
            lines_of_action::Variant::WithHistory(game) => count_from(&game, position, depth),
        },
        _ => panic!("{name}: no game for this file"),
    }
}

fn read<G: FromRules>(rules: &Rules) -> G {
    G::from_rules(&mut RuleReader::new(rules)).unwrap()
}

fn count_from<G: Game>(game: &G, position: &str, depth: u32) -> u64 {
    let state = match position {
        "start" => game.initial_state(),
        text => game.notation().expect("the game has a notation").parse_state(text).unwrap(),
    };
    perft(game, &state, depth)
}

fn check_file(path: &Path) {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let &[rules, position, depth, expected] = fields.as_slice() else { panic!("{name}: `{line}`") };
        let found = count(name, &Rules::parse(rules).unwrap(), position, depth.parse().unwrap());
        assert_eq!(found, expected.parse::<u64>().unwrap(), "{name}: {line}");
    }
}

#[test]
fn counts_are_the_written_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty());
    files.iter().for_each(|file| check_file(file));
}

//! Counts of action sequences, from the files in `crates/games/tests/perft`, each named after its
//! game: one line for each count, `rules ; position ; depth ; count`, where the position `start` is
//! the initial one.

use std::path::Path;

use meeple_catalog::game;
use meeple_core::Rules;

fn count(name: &str, rules: &str, position: &str, depth: u32) -> u64 {
    let game = game(name, &Rules::parse(rules).unwrap()).unwrap();
    match position {
        "start" => game.start(),
        text => game.parse_position(text).unwrap(),
    }
    .perft(depth)
}

fn check_file(path: &Path) {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let &[rules, position, depth, expected] = fields.as_slice() else { panic!("{name}: `{line}`") };
        let found = count(name, rules, position, depth.parse().unwrap());
        assert_eq!(found, expected.parse::<u64>().unwrap(), "{name}: {line}");
    }
}

#[test]
fn counts_are_the_written_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests/perft");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty());
    files.iter().for_each(|file| check_file(file));
}

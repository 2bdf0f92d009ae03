//! Golden transcripts: a change of rules, views, texts or notation shows as a difference here.
//! `scripts/transcripts` writes them anew; reading the difference is the review.

use std::fs;
use std::path::PathBuf;

use meeple_catalog::{GAMES, game};
use meeple_core::Rules;
use meeple_core::transcript::transcript;

/// Variants that get a transcript beside the default of every game.
const VARIANTS: &[(&str, &str)] = &[];

fn check(name: &str, rules: &str) -> Result<(), String> {
    let game = game(name, &Rules::parse(rules).unwrap()).unwrap();
    let suffix = if rules.is_empty() { String::new() } else { format!("-{}", rules.replace(['=', ','], "-")) };
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/transcripts/{name}{suffix}.txt"));
    let found = transcript(&*game, 7);
    if std::env::var_os("MEEPLE_WRITE_TRANSCRIPTS").is_some() {
        fs::write(&file, found).unwrap();
        return Ok(());
    }
    let golden = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    match golden.lines().zip(found.lines()).position(|(golden, found)| golden != found) {
        None if golden.lines().count() == found.lines().count() => Ok(()),
        None => Err(format!("{name}{suffix}: the lengths differ")),
        Some(line) => Err(format!(
            "{name}{suffix}, line {}:\n  golden: {}\n  found:  {}",
            line + 1,
            golden.lines().nth(line).unwrap(),
            found.lines().nth(line).unwrap()
        )),
    }
}

#[test]
fn transcripts_are_unchanged() {
    let defaults = GAMES.iter().map(|entry| (entry.name, ""));
    let changed: Vec<String> =
        defaults.chain(VARIANTS.iter().copied()).filter_map(|(name, rules)| check(name, rules).err()).collect();
    assert!(
        changed.is_empty(),
        "{}\nIf this is meant, run scripts/transcripts and read the difference.",
        changed.join("\n")
    );
}

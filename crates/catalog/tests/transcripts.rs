//! Golden transcripts: a change of rules, views, texts or notation shows as a difference here.
//! `scripts/transcripts` writes them anew; reading the difference is the review.

use std::fs;
use std::path::PathBuf;

use meeple_catalog::{GAMES, game};
use meeple_core::Rules;
use meeple_core::transcript::transcript;

/// Variants that get a transcript beside the default of every game.
const VARIANTS: &[(&str, &str)] = &[
    ("breakthrough", "rows=10,columns=9"),
    ("lines-of-action", "repetition=third,no_move=pass"),
    ("just4fun", "players=3,board=random"),
    ("just4fun", "players=4,hidden_discards=true"),
    ("sueca", "to=4,redeal_weak_hands=true"),
    ("bisca", "players=4"),
    ("bisca", "hand_size=3,follow_after_stock=false"),
    ("hearts", "passing=true"),
    ("keezen", "variant=tock"),
    ("keezen", "variant=dog"),
    ("keezen", "variant=sorry"),
    ("chinese-checkers", "board=37"),
    ("chinese-checkers", "board=73,players=6"),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts")
}

fn file_name(name: &str, rules: &str) -> String {
    let suffix = if rules.is_empty() { String::new() } else { format!("-{}", rules.replace(['=', ','], "-")) };
    format!("{name}{suffix}.txt")
}

fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    GAMES.iter().map(|entry| (entry.name, "")).chain(VARIANTS.iter().copied())
}

/// The first difference, if any.
fn difference(name: &str, rules: &str) -> Option<String> {
    let game = game(name, &Rules::parse(rules).unwrap()).unwrap();
    let file = file_name(name, rules);
    let found = transcript(&*game, 7);
    if std::env::var_os("MEEPLE_WRITE_TRANSCRIPTS").is_some() {
        fs::write(folder().join(file), found).unwrap();
        return None;
    }
    let golden = match fs::read_to_string(folder().join(&file)) {
        Ok(golden) => golden,
        Err(error) => return Some(format!("{file}: {error}")),
    };
    let mut lines = golden.lines();
    for (number, found) in found.lines().enumerate() {
        let golden = lines.next().unwrap_or("(the end)");
        if golden != found {
            return Some(format!("{file}, line {}:\n  golden: {golden}\n  found:  {found}", number + 1));
        }
    }
    lines.next().map(|line| format!("{file} goes on with {line}"))
}

#[test]
fn transcripts_are_unchanged() {
    let changed: Vec<String> = all().filter_map(|(name, rules)| difference(name, rules)).collect();
    assert!(
        changed.is_empty(),
        "{}\nIf this is meant, run scripts/transcripts and read the difference.",
        changed.join("\n")
    );
}

#[test]
fn every_transcript_belongs_to_a_game() {
    let known: Vec<String> = all().map(|(name, rules)| file_name(name, rules)).collect();
    for file in fs::read_dir(folder()).unwrap() {
        let file = file.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&file), "{file} belongs to no game");
    }
}

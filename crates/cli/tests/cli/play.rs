//! `meeple play`: a table at the terminal.

use serde_json::Value;

use crate::common::{Scratch, output, outputs};

/// What the table shows to people who type this.
fn played(arguments: &[&str], input: impl AsRef<[u8]>) -> String {
    outputs(arguments, input, 0).0
}

#[test]
fn a_game_is_played_at_the_terminal_and_recorded() {
    let file = Scratch::new("play.jsonl");
    let moves = "?\nz9\na1\na2\nb1\nb2\nc1\n";
    let text = played(&["play", "tic-tac-toe", "--seats", "human,human", "--record", file.path()], moves);
    assert!(text.contains("not legal for seat 0"));
    assert!(text.contains("seat 0 (human): score 1, payoff 1  wins"));
    output(&["replay", file.path()]);
}

#[test]
fn an_answer_that_is_no_text_is_asked_again() {
    let text = played(&["play", "tic-tac-toe", "--seats", "human,human"], b"a1\n\xff\xfe\na2\nb1\nb2\nc1\n");
    assert!(text.contains("is not legal for seat 1") && text.contains("over: line"), "{text}");
}

#[test]
fn every_move_that_was_watched_is_recorded() {
    let file = Scratch::new("watch.jsonl");
    let text = played(&["play", "tic-tac-toe", "--watch", "--seed", "1", "--record", file.path()], "\nquit\n");
    let record: Value = serde_json::from_str(&file.text()).unwrap();
    assert_eq!(text.matches(" plays ").count(), 2);
    assert_eq!(record["actions"].as_array().unwrap().len(), 2);
}

#[test]
fn a_cheater_at_the_table_is_announced() {
    let seats = ["play", "kuhn-poker", "--watch", "--seats", "random,cheating-mcts:iterations=10", "--seed", "1"];
    let shown = played(&seats, "");
    assert!(shown.contains("warning: seat 1 (cheating-mcts:iterations=10) cheats"), "{shown}");
}

#[test]
fn watching_stops_when_the_input_ends() {
    let text = played(&["play", "kuhn-poker", "--watch", "--reveal", "--seed", "1"], "");
    assert!(text.contains("seat 0 sees:") && text.contains("seat 1 sees:") && text.contains("stopped"), "{text}");
    let text = played(&["play", "kuhn-poker", "--watch", "--seed", "1"], "");
    assert!(!text.contains("sees:"), "{text}");
}

#[test]
fn people_at_a_table_play_with_the_rules_they_expect() {
    let file = Scratch::new("table.jsonl");
    played(&["play", "lines-of-action", "--watch", "--record", file.path()], "");
    let record: Value = serde_json::from_str(&file.text()).unwrap();
    assert_eq!(record["rules"]["repetition"], "third");
}

/// The lines that say what agents play, up to the first decision of a person in seat 3.
fn told(rules: &str, seed: &str) -> Vec<String> {
    let table = ["play", "hearts", "--rules", rules, "--seats", "random,random,random,human", "--seed", seed];
    let shown = played(&table, "");
    shown.lines().filter(|line| line.contains(" plays ")).map(str::to_string).collect()
}

#[test]
fn people_are_not_told_what_their_seat_does_not_see() {
    let passed = told("passing=true", "1");
    assert_eq!(passed, [0, 1, 2].map(|seat| format!("seat {seat} (random) plays what others do not see")));
    let cards: Vec<String> = ["1", "2", "3", "4"].iter().flat_map(|seed| told("passing=false", seed)).collect();
    assert!(!cards.is_empty() && !cards.iter().any(|line| line.contains("do not see")), "{cards:?}");
}

#[test]
fn spectators_see_what_is_passed_only_if_they_wish() {
    let table = ["play", "hearts", "--rules", "passing=true", "--watch", "--seed", "1"];
    let enters = "\n".repeat(7);
    let hidden = |shown: String| shown.matches("plays what others do not see").count();
    let (seen, revealed) = (played(&table, &enters), played(&[&table[..], &["--reveal"]].concat(), &enters));
    assert_eq!((seen.matches(" plays ").count(), revealed.matches(" plays ").count()), (8, 8));
    assert_eq!((hidden(seen), hidden(revealed)), (4, 0));
}

/// Two ways to split a seven between marbles can come to the same.
#[test]
fn actions_that_do_the_same_hide_nothing() {
    let shown = played(&["play", "keezen", "--watch", "--seed", "1"], "\n".repeat(2000));
    assert!(shown.contains("over: ") && !shown.contains("do not see"), "{shown}");
}

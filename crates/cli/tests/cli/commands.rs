//! The lines that people's scripts rely on.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::common::{json, output, refused};

/// A command whose reader has gone away before it prints, as in `meeple games | true`.
fn meeple_unread(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_meeple"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect()
}

#[test]
fn every_command_has_help_with_an_example() {
    let help = output(&["help"]);
    for command in [
        "games",
        "agents",
        "serve",
        "play",
        "match",
        "experiment",
        "analyze",
        "solve",
        "replay",
        "db",
        "perft",
        "check-game",
    ] {
        assert!(help.contains(command), "{command}");
        assert!(output(&[command, "--help"]).contains("Example"), "{command}");
    }
    for bench in ["playouts", "determinize", "search"] {
        assert!(output(&["bench", bench, "--help"]).contains("Example"), "{bench}");
    }
}

#[test]
fn games_are_listed_and_described() {
    let list = json(&["games"]);
    for name in names(&list) {
        let game = json(&["games", name]);
        assert_eq!(game["name"], name);
        assert!(game["players"].as_u64().unwrap() >= 2);
        assert!(game["notation"].is_string(), "{name} has no notation");
        assert!(!game["encoders"].as_array().unwrap().is_empty(), "{name} has no encoder");
    }
}

#[test]
fn stats_come_from_formulas_and_random_games() {
    let game = json(&["games", "tic-tac-toe", "--stats", "--games", "2000"]);
    let random = &game["random_games"];
    // Random play: the first player wins 58.5 %, 12.7 % are drawn (exact: 0.5849, 0.1270).
    assert!((random["wins"][0].as_f64().unwrap() - 0.5849).abs() < 0.04);
    assert!((random["draws"].as_f64().unwrap() - 0.1270).abs() < 0.03);
    assert_eq!(random["action_space"], 9);
    assert_eq!(random["branching"]["most"], 9.0);
}

#[test]
fn bad_usage_ends_with_2_and_says_what_would_be_right() {
    for (arguments, part) in [
        (&["games", "chess"][..], "there is no game `chess`"),
        (&["perft", "tic-tac-toe", "--rules", "rows=3"], "unknown rule `rows`"),
        (&["perft", "tic-tac-toe", "--rules", "rows"], "has no `=`"),
        (&["perft", "tic-tac-toe", "--position", "xxx"], "three rows"),
        (&["play", "tic-tac-toe", "--seats", "random"], "has 2 seats"),
        (&["play", "tic-tac-toe", "--seats", "random,minimax"], "there is no agent `minimax`"),
        (&["play", "tic-tac-toe", "--watch", "--seats", "human,random"], "--watch is for agents"),
        (&["bench", "playouts", "tic-tac-toe", "--seconds", "-1"], "--seconds"),
        (&["bench", "playouts", "tic-tac-toe", "--seconds", "1e308"], "at most a day"),
        (&["bench", "determinize", "tic-tac-toe", "--samples", "0"], "--samples"),
        (&["perft", "tic-tac-toe", "--depth", "0"], "--depth"),
        (&["check-game", "tic-tac-toe", "--games", "0"], "--games"),
        (&["check-game", "tic-tac-toe", "--worlds", "0"], "--worlds"),
        (&["nothing"], "unrecognized subcommand"),
    ] {
        let errors = refused(arguments);
        assert!(errors.contains(part), "{arguments:?}: {errors}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let enters = "\n".repeat(20);
    for arguments in [
        &["games"][..],
        &["games", "tic-tac-toe"],
        &["play", "tic-tac-toe", "--watch"],
        &["perft", "tic-tac-toe"],
        &["check-game", "tic-tac-toe", "--games", "1"],
        &["bench", "playouts", "tic-tac-toe", "--seconds", "0.01"],
        &["bench", "determinize", "tic-tac-toe", "--seconds", "0.01", "--json"],
    ] {
        let output = meeple_unread(arguments, &enters);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
        assert!(errors.is_empty(), "{arguments:?}: {errors}");
    }
}

#[test]
fn perft_counts_and_divides() {
    let counts = json(&["perft", "tic-tac-toe", "--depth", "4", "--divide"]);
    assert_eq!(counts["nodes"], serde_json::json!([9, 72, 504, 3024]));
    assert_eq!(counts["divide"]["b2"], 336);
    let counts = json(&["perft", "tic-tac-toe", "--depth", "1", "--position", ".../.x./..."]);
    assert_eq!(counts["nodes"], serde_json::json!([8]));
}

#[test]
fn check_game_reports_what_it_saw() {
    let report = json(&["check-game", "tic-tac-toe", "--games", "3"]);
    assert_eq!(report["games"], 3);
    assert!(report["worlds"].as_u64().unwrap() > 0);
}

#[test]
fn benches_report_speed() {
    let speed = json(&["bench", "playouts", "tic-tac-toe", "--seconds", "0.1"]);
    for field in ["games_per_s", "moves_per_s", "mean_length", "state_bytes", "cpu_s"] {
        assert!(speed[field].is_number(), "{field}");
    }
    assert!(speed["moves_per_s"].as_f64().unwrap() > 0.0);
    let speed = json(&["bench", "determinize", "tic-tac-toe", "--seconds", "0.1"]);
    assert!(speed["sample_ns"].as_f64().unwrap() > 0.0);
    let speed = json(&["bench", "determinize", "tic-tac-toe", "--seconds", "1e-10"]);
    assert!(speed["sample_ns"].as_f64().unwrap() > 0.0, "at least one game is measured");
}

#[test]
fn perft_ends_with_the_longest_game() {
    let counts = json(&["perft", "tic-tac-toe", "--depth", "4000000000"]);
    assert_eq!(counts["nodes"].as_array().unwrap().len(), 10);
    assert_eq!(counts["nodes"][9], 0);
}

#[test]
fn numbers_in_rules_have_one_form() {
    let game = json(&["games", "connect-four", "--rules", "rows=+06"]);
    let rows = game["parameters"].as_array().unwrap().iter().find(|rule| rule["name"] == "rows").unwrap();
    assert_eq!(rows["value"], "6");
}

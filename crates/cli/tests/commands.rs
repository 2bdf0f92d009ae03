//! The lines that people's scripts rely on.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn meeple(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_meeple"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

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

/// Standard output of a command that must end with this code.
fn output(arguments: &[&str], input: &str, code: i32) -> String {
    let output = meeple(arguments, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "meeple {arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str], input: &str, code: i32) -> Value {
    let text = output(arguments, input, code);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect()
}

#[test]
fn every_command_has_help_with_an_example() {
    let help = output(&["help"], "", 0);
    for command in
        ["games", "agents", "play", "match", "experiment", "analyze", "solve", "replay", "db", "perft", "check-game"]
    {
        assert!(help.contains(command), "{command}");
        assert!(output(&[command, "--help"], "", 0).contains("Example"), "{command}");
    }
    for bench in ["playouts", "determinize", "search"] {
        assert!(output(&["bench", bench, "--help"], "", 0).contains("Example"), "{bench}");
    }
}

#[test]
fn without_arguments_it_says_what_can_be_done() {
    let text = output(&[], "", 0);
    assert!(text.contains("tic-tac-toe") && text.contains("meeple play"));
}

#[test]
fn games_are_listed_and_described() {
    let list = json(&["games", "--json"], "", 0);
    for name in names(&list) {
        let game = json(&["games", name, "--json"], "", 0);
        assert_eq!(game["name"], name);
        assert!(game["players"].as_u64().unwrap() >= 2);
        assert!(game["notation"].is_string(), "{name} has no notation");
        assert!(!game["encoders"].as_array().unwrap().is_empty(), "{name} has no encoder");
    }
}

#[test]
fn stats_come_from_formulas_and_random_games() {
    let game = json(&["games", "tic-tac-toe", "--stats", "--games", "2000", "--json"], "", 0);
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
        let output = meeple(arguments, "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: {errors}");
    }
}

#[test]
fn replay_reads_records_and_shows_steps() {
    let records = r#"{"game": "tic-tac-toe", "rules": {}, "actions": ["b2", "a1", "c3"]}
{"game": "tic-tac-toe", "actions": ["b2", "b2"]}

{"game": "tic-tac-toe", "actions": ["a1", "a2", "b1", "b2", "c1"], "note": "other fields are allowed"}
not a record
"#;
    let text = output(&["replay", "-", "--json", "--steps"], records, 1);
    let verdicts: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(verdicts.len(), 4);
    assert_eq!(verdicts[0]["ok"], true);
    assert_eq!(verdicts[0]["steps"].as_array().unwrap().len(), 4);
    assert_eq!(verdicts[0]["steps"][3]["turn"], 1);
    assert_eq!(verdicts[0]["steps"][3]["legal"], serde_json::json!(["a2", "a3", "b1", "b3", "c1", "c2"]));
    assert!(verdicts[0]["payoffs"].is_null());
    assert_eq!(verdicts[1]["ok"], false);
    assert_eq!(verdicts[1]["step"], 1);
    assert!(verdicts[1]["error"].as_str().unwrap().contains("not legal for seat 1"));
    assert_eq!(verdicts[2]["payoffs"], serde_json::json!([1.0, -1.0]));
    assert_eq!(verdicts[2]["reason"], "line");
    assert_eq!(verdicts[3]["ok"], false);
    output(&["replay"], r#"{"game": "tic-tac-toe", "actions": []}"#, 0);
}

#[test]
fn replay_says_in_words_what_is_wrong() {
    for (record, part) in [
        (r#"{"game": "tic-tac-toe", "actions": ["b2"], "payoffs": [1, -1]}"#, "has payoffs [1.0, -1.0], but"),
        (r#"{"game": "tic-tac-toe", "actions": ["b2"], "payoffs": [1, -1]}"#, "stops before the end"),
        (
            r#"{"game": "tic-tac-toe", "actions": ["a1", "a2", "b1", "b2", "c1"], "scores": [0, 0]}"#,
            "has scores [0.0, 0.0], but the rules give [1.0, -1.0]",
        ),
        (
            r#"{"game": "tic-tac-toe", "actions": ["a1", "a2", "b1", "b2", "c1"], "reason": "time"}"#,
            "has the reason `time`, but the rules give `line`",
        ),
        (r#"["tic-tac-toe", {}, [], ["b2"]]"#, "not a JSON object"),
        (r#"{"game": "tic-tac-toe", "rules": {"rows": {"deep": [3]}}, "actions": []}"#, "rule `rows` cannot be"),
    ] {
        let verdict = json(&["replay", "--json"], record, 1);
        let error = verdict["error"].as_str().unwrap();
        assert!(error.contains(part), "{record}: {error}");
        assert!(!error.contains("Some("), "{error}");
    }
}

#[test]
fn a_verdict_begins_with_ok() {
    let records = "{\"game\": \"tic-tac-toe\", \"actions\": []}\nnonsense\n";
    let text = output(&["replay", "--json"], records, 1);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], r#"{"ok":true,"payoffs":null,"scores":null,"reason":null}"#);
    assert!(lines[1].starts_with(r#"{"ok":false,"step":0,"error":"#), "{}", lines[1]);
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
fn replay_of_a_missing_file_fails() {
    output(&["replay", "no-such-file.jsonl"], "", 1);
}

#[test]
fn perft_counts_and_divides() {
    let counts = json(&["perft", "tic-tac-toe", "--depth", "4", "--divide", "--json"], "", 0);
    assert_eq!(counts["nodes"], serde_json::json!([9, 72, 504, 3024]));
    assert_eq!(counts["divide"]["b2"], 336);
    let counts = json(&["perft", "tic-tac-toe", "--depth", "1", "--position", ".../.x./...", "--json"], "", 0);
    assert_eq!(counts["nodes"], serde_json::json!([8]));
}

#[test]
fn check_game_reports_what_it_saw() {
    let report = json(&["check-game", "tic-tac-toe", "--games", "3", "--json"], "", 0);
    assert_eq!(report["games"], 3);
    assert!(report["worlds"].as_u64().unwrap() > 0);
}

#[test]
fn benches_report_speed() {
    let speed = json(&["bench", "playouts", "tic-tac-toe", "--seconds", "0.1", "--json"], "", 0);
    for field in ["games_per_s", "moves_per_s", "mean_length", "state_bytes", "cpu_s"] {
        assert!(speed[field].is_number(), "{field}");
    }
    assert!(speed["moves_per_s"].as_f64().unwrap() > 0.0);
    let speed = json(&["bench", "determinize", "tic-tac-toe", "--seconds", "0.1", "--json"], "", 0);
    assert!(speed["sample_ns"].as_f64().unwrap() > 0.0);
    let speed = json(&["bench", "determinize", "tic-tac-toe", "--seconds", "1e-10", "--json"], "", 0);
    assert!(speed["sample_ns"].as_f64().unwrap() > 0.0, "at least one game is measured");
}

#[test]
fn a_game_is_played_at_the_terminal_and_recorded() {
    let file = std::env::temp_dir().join(format!("meeple-play-{}.jsonl", std::process::id()));
    let path = file.to_str().unwrap();
    let moves = "?\nz9\na1\na2\nb1\nb2\nc1\n";
    let text = output(&["play", "tic-tac-toe", "--seats", "human,human", "--record", path], moves, 0);
    assert!(text.contains("not legal for seat 0"));
    assert!(text.contains("seat 0 (human): score 1, payoff 1  wins"));
    output(&["replay", path], "", 0);
    std::fs::remove_file(file).unwrap();
}

#[test]
fn an_answer_that_is_no_text_is_asked_again() {
    let file = std::env::temp_dir().join(format!("meeple-bytes-{}", std::process::id()));
    std::fs::write(&file, b"a1\n\xff\xfe\na2\nb1\nb2\nc1\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_meeple"))
        .args(["play", "tic-tac-toe", "--seats", "human,human"])
        .stdin(std::fs::File::open(&file).unwrap())
        .output()
        .unwrap();
    std::fs::remove_file(file).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("is not legal for seat 1") && text.contains("over: line"), "{text}");
}

#[test]
fn every_move_that_was_watched_is_recorded() {
    let file = std::env::temp_dir().join(format!("meeple-watch-{}.jsonl", std::process::id()));
    let path = file.to_str().unwrap();
    let text = output(&["play", "tic-tac-toe", "--watch", "--seed", "1", "--record", path], "\nquit\n", 0);
    let record: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    std::fs::remove_file(file).unwrap();
    assert_eq!(text.matches(" plays ").count(), 2);
    assert_eq!(record["actions"].as_array().unwrap().len(), 2);
}

#[test]
fn a_cheater_at_the_table_is_announced() {
    let seats = ["play", "kuhn-poker", "--watch", "--seats", "random,cheating-mcts:iterations=10", "--seed", "1"];
    let shown = output(&seats, "", 0);
    assert!(shown.contains("warning: seat 1 (cheating-mcts:iterations=10) cheats"), "{shown}");
}

#[test]
fn watching_stops_when_the_input_ends() {
    let text = output(&["play", "kuhn-poker", "--watch", "--reveal", "--seed", "1"], "", 0);
    assert!(text.contains("seat 0 sees:") && text.contains("seat 1 sees:") && text.contains("stopped"), "{text}");
    let text = output(&["play", "kuhn-poker", "--watch", "--seed", "1"], "", 0);
    assert!(!text.contains("sees:"), "{text}");
}

#[test]
fn people_at_a_table_play_with_the_rules_they_expect() {
    let file = std::env::temp_dir().join(format!("meeple-table-{}.jsonl", std::process::id()));
    let path = file.to_str().unwrap();
    output(&["play", "lines-of-action", "--watch", "--record", path], "", 0);
    let record: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(record["rules"]["repetition"], "third");
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_record_of_other_rules_is_refused() {
    let record = r#"{"game": "tic-tac-toe", "actions": [], "versions": {"meeple": "0.0.1", "rules": 99}}"#;
    let verdict = json(&["replay", "-", "--json"], record, 1);
    assert!(verdict["error"].as_str().unwrap().contains("version 99"));
}

#[test]
fn perft_ends_with_the_longest_game() {
    let counts = json(&["perft", "tic-tac-toe", "--depth", "4000000000", "--json"], "", 0);
    assert_eq!(counts["nodes"].as_array().unwrap().len(), 10);
    assert_eq!(counts["nodes"][9], 0);
}

#[test]
fn numbers_in_rules_have_one_form() {
    let game = json(&["games", "connect-four", "--rules", "rows=+06", "--json"], "", 0);
    let rows = game["parameters"].as_array().unwrap().iter().find(|rule| rule["name"] == "rows").unwrap();
    assert_eq!(rows["value"], "6");
}

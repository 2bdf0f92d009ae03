//! `meeple replay`: verdicts about records.

use serde_json::Value;

use crate::common::outputs;

/// What is wrong with a record.
fn complaint(record: &str) -> String {
    let text = outputs(&["replay", "--json"], record, 1).0;
    let verdict: Value = serde_json::from_str(&text).unwrap();
    verdict["error"].as_str().unwrap().to_string()
}

#[test]
fn replay_reads_records_and_shows_steps() {
    let records = r#"{"game": "tic-tac-toe", "rules": {}, "actions": ["b2", "a1", "c3"]}
{"game": "tic-tac-toe", "actions": ["b2", "b2"]}

{"game": "tic-tac-toe", "actions": ["a1", "a2", "b1", "b2", "c1"], "note": "other fields are allowed"}
not a record
"#;
    let text = outputs(&["replay", "-", "--json", "--steps"], records, 1).0;
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
    outputs(&["replay"], r#"{"game": "tic-tac-toe", "actions": []}"#, 0);
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
        let error = complaint(record);
        assert!(error.contains(part), "{record}: {error}");
        assert!(!error.contains("Some("), "{error}");
    }
}

#[test]
fn a_verdict_begins_with_ok() {
    let records = "{\"game\": \"tic-tac-toe\", \"actions\": []}\nnonsense\n";
    let text = outputs(&["replay", "--json"], records, 1).0;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], r#"{"ok":true,"payoffs":null,"scores":null,"reason":null}"#);
    assert!(lines[1].starts_with(r#"{"ok":false,"step":0,"error":"#), "{}", lines[1]);
}

#[test]
fn replay_of_a_missing_file_fails() {
    outputs(&["replay", "no-such-file.jsonl"], "", 1);
}

#[test]
fn a_record_of_other_rules_is_refused() {
    let record = r#"{"game": "tic-tac-toe", "actions": [], "versions": {"meeple": "0.0.1", "rules": 99}}"#;
    assert!(complaint(record).contains("version 99"));
}

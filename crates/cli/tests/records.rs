//! Records of matches: kept, resumed, and decided again.

mod common;

use std::path::{Path, PathBuf};

use common::{json, meeple, refused};
use serde_json::Value;

/// A file of this test program that is deleted in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("meeple-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Scratch(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A result without what depends on the clock.
fn timeless(mut result: Value) -> Value {
    result["seconds"].take();
    for agent in result["agents"].as_array_mut().unwrap() {
        agent["decisions_per_s"].take();
    }
    result
}

/// The records by number, without clocks.
fn by_number(file: &Path) -> Vec<(u64, Value)> {
    let text = std::fs::read_to_string(file).unwrap();
    let record = |line: &str| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        record["clocks"].take();
        (record["run"]["number"].as_u64().unwrap(), record)
    };
    let mut records: Vec<(u64, Value)> = text.lines().map(record).collect();
    records.sort_by_key(|&(number, _)| number);
    records
}

const MATCH: [&str; 7] = ["match", "hearts", "--agents", "ismcts:iterations=15,random", "--games", "12", "--json"];

#[test]
fn an_interrupted_match_ends_like_one_that_was_not() {
    let (whole, cut) = (Scratch::new("whole.jsonl"), Scratch::new("cut.jsonl"));
    let result = json(&[&MATCH[..], &["--records", whole.name()]].concat());
    let text = whole.text();
    let lines: Vec<&str> = text.lines().collect();
    let half = &lines[7][..lines[7].len() / 2];
    std::fs::write(&cut.0, format!("{}\nno record\n{}\n{half}", lines[..3].join("\n"), lines[3..7].join("\n")))
        .unwrap();
    let resume = [&MATCH[..], &["--records", cut.name(), "--resume", "--threads", "1"]].concat();
    let output = meeple(&resume);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains(":4: no record") && errors.contains(":9: the last record was cut short"), "{errors}");
    assert_eq!(timeless(serde_json::from_slice(&output.stdout).unwrap()), timeless(result));
    std::fs::write(&cut.0, cut.text().replace("no record\n", "")).unwrap();
    assert_eq!(by_number(&cut.0), by_number(&whole.0));
    assert!(meeple(&["replay", whole.name()]).status.success());
}

#[test]
fn games_of_a_match_are_not_mixed_up() {
    let file = Scratch::new("mixed.jsonl");
    let match_of = |seed: &str, more: &[&str]| {
        let fixed = ["match", "tic-tac-toe", "--agents", "random,random", "--games", "4", "--records", file.name()];
        meeple(&[&fixed[..], &["--seed", seed], more].concat())
    };
    assert!(match_of("1", &[]).status.success());
    let again = match_of("1", &[]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("--resume goes on"));
    assert!(match_of("2", &[]).status.success(), "another match may share the file");
    assert_eq!(file.text().lines().count(), 8);
    assert!(match_of("1", &["--resume"]).status.success(), "a finished match is only counted");
    assert_eq!(file.text().lines().count(), 8);
}

/// Agents that remember, that draw random numbers, and that look at the clock.
#[test]
fn decisions_are_made_again_as_they_were() {
    for (game, agents) in [
        ("connect-four", "mcts:iterations=60,reuse=true,alphabeta:time=4ms"),
        ("connect-four", "mcts:time=3ms,ubfm:time=3ms"),
        ("sueca", "ismcts:time=2ms,mo-ismcts:iterations=40"),
        ("just4fun", "ismcts:iterations=40,keys=board,reuse=game,cheating-mcts:iterations=30"),
        ("just4fun", "ismcts-rollouts:iterations=60,random"),
        ("bisca", "determinized-uct:time=2ms,trees=5,random"),
        ("breakthrough", "alphabeta:depth=3,mcts:select=puct,iterations=40"),
    ] {
        let file = Scratch::new(&format!("again-{}.jsonl", agents.len()));
        json(&["match", game, "--agents", agents, "--games", "2", "--records", file.name(), "--json"]);
        let mut checked = 0;
        for (number, line) in file.text().lines().enumerate() {
            let record: Value = serde_json::from_str(line).unwrap();
            let last = record["actions"].as_array().unwrap().len() - 1;
            let number = number + 1;
            for ply in [last / 2, last - 3, last - 2, last - 1, last] {
                let output = meeple(&["replay", file.name(), "--decision", &format!("{number}:{ply}"), "--json"]);
                let errors = String::from_utf8_lossy(&output.stderr);
                if errors.contains("was chance") {
                    continue;
                }
                let again: Value = serde_json::from_slice(&output.stdout).expect(&errors);
                assert_eq!(again["same"], true, "{game} {agents} {number}:{ply} {again}");
                checked += 1;
            }
        }
        assert!(checked >= 4, "{game} {agents}: {checked}");
    }
}

#[test]
fn another_agent_decides_at_the_same_moment() {
    let (file, tree) = (Scratch::new("other.jsonl"), Scratch::new("other-tree.json"));
    json(&["match", "kuhn-poker", "--agents", "random,random", "--games", "2", "--records", file.name(), "--json"]);
    let at = |moment: &str, more: &[&str]| meeple(&[&["replay", file.name(), "--decision", moment][..], more].concat());
    let searched = at("1:2", &["--agent", "ismcts:iterations=50", "--tree", tree.name(), "--json"]);
    let searched: Value = serde_json::from_slice(&searched.stdout).unwrap();
    assert_eq!((&searched["agent"], &searched["iterations"]), (&"ismcts:iterations=50".into(), &50.into()));
    assert!(tree.text().contains("\"nodes\""));
    for (moment, part) in [("1:0", "was chance"), ("1:99", "the game has actions 0 to"), ("9:2", "has 2 records")] {
        let output = at(moment, &[]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && errors.contains(part), "{moment}: {errors}");
    }
    assert!(refused(&["replay", file.name(), "--decision", "1-2"]).contains("write GAME:PLY"));
}

#[test]
fn summaries_hold_what_was_searched() {
    let file = Scratch::new("summaries.jsonl");
    let agents = ["--agents", "mcts:iterations=30,random", "--games", "2"];
    json(&[&["match", "tic-tac-toe"][..], &agents, &["--records", file.name(), "--searches", "--json"]].concat());
    let record: Value = serde_json::from_str(file.text().lines().next().unwrap()).unwrap();
    let searched = record["searches"].as_array().unwrap();
    let visits: u64 =
        searched[0]["actions"].as_array().unwrap().iter().map(|one| one["visits"].as_u64().unwrap()).sum();
    assert_eq!((visits, searched[0]["iterations"].as_u64().unwrap()), (30, 30), "{record}");
    assert_eq!(record["iterations"][0], 30);
}

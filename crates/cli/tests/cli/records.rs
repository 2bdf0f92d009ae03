//! Records of matches: kept, resumed, and decided again.

use serde_json::Value;

use crate::common::{Scratch, json, meeple, output, outputs, refused, timeless};

/// The records by number, without clocks.
fn by_number(file: &Scratch) -> Vec<(u64, Value)> {
    let record = |line: &str| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        record["clocks"].take();
        (record["run"]["number"].as_u64().unwrap(), record)
    };
    let mut records: Vec<(u64, Value)> = file.text().lines().map(record).collect();
    records.sort_by_key(|&(number, _)| number);
    records
}

const MATCH: [&str; 6] = ["match", "hearts", "--agents", "ismcts:iterations=15,random", "--games", "12"];

#[test]
fn an_interrupted_match_ends_like_one_that_was_not() {
    let (whole, cut) = (Scratch::new("whole.jsonl"), Scratch::new("cut.jsonl"));
    let result = json(&[&MATCH[..], &["--records", whole.path()]].concat());
    let text = whole.text();
    let lines: Vec<&str> = text.lines().collect();
    let half = &lines[7][..lines[7].len() / 2];
    cut.write(&format!("{}\nno record\n{}\n{half}", lines[..3].join("\n"), lines[3..7].join("\n")));
    let resume = [&MATCH[..], &["--records", cut.path(), "--resume", "--threads", "1", "--json"]].concat();
    let (resumed, errors) = outputs(&resume, "", 0);
    assert!(errors.contains(":4: no record") && errors.contains(":9: the last record was cut short"), "{errors}");
    assert_eq!(timeless(serde_json::from_str(&resumed).unwrap()), timeless(result));
    cut.write(&cut.text().replace("no record\n", ""));
    assert_eq!(by_number(&cut), by_number(&whole));
    output(&["replay", whole.path()]);
}

#[test]
fn games_of_a_match_are_not_mixed_up() {
    let file = Scratch::new("mixed.jsonl");
    let match_of = |seed: &str, more: &[&str]| {
        let fixed = ["match", "tic-tac-toe", "--agents", "random,random", "--games", "4", "--records", file.path()];
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
        json(&["match", game, "--agents", agents, "--games", "2", "--records", file.path()]);
        let mut checked = 0;
        for (number, line) in file.text().lines().enumerate() {
            let record: Value = serde_json::from_str(line).unwrap();
            let last = record["actions"].as_array().unwrap().len() - 1;
            let number = number + 1;
            for ply in [last / 2, last - 3, last - 2, last - 1, last] {
                let output = meeple(&["replay", file.path(), "--decision", &format!("{number}:{ply}"), "--json"]);
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
    json(&["match", "kuhn-poker", "--agents", "random,random", "--games", "2", "--records", file.path()]);
    let at = |moment: &str, more: &[&str]| meeple(&[&["replay", file.path(), "--decision", moment][..], more].concat());
    let searched = at("1:2", &["--agent", "ismcts:iterations=50", "--tree", tree.path(), "--json"]);
    let searched: Value = serde_json::from_slice(&searched.stdout).unwrap();
    assert_eq!((&searched["agent"], &searched["iterations"]), (&"ismcts:iterations=50".into(), &50.into()));
    assert!(tree.text().contains("\"nodes\""));
    for (moment, part) in [("1:0", "was chance"), ("1:99", "the game has actions 0 to"), ("9:2", "has 2 records")] {
        let output = at(moment, &[]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && errors.contains(part), "{moment}: {errors}");
    }
    assert!(refused(&["replay", file.path(), "--decision", "1-2"]).contains("write GAME:PLY"));
}

#[test]
fn summaries_hold_what_was_searched() {
    let file = Scratch::new("summaries.jsonl");
    let agents = ["--agents", "mcts:iterations=30,random", "--games", "2"];
    json(&[&["match", "tic-tac-toe"][..], &agents, &["--records", file.path(), "--searches"]].concat());
    let record: Value = serde_json::from_str(file.text().lines().next().unwrap()).unwrap();
    let searched = record["searches"].as_array().unwrap();
    let visits: u64 =
        searched[0]["actions"].as_array().unwrap().iter().map(|one| one["visits"].as_u64().unwrap()).sum();
    assert_eq!((visits, searched[0]["iterations"].as_u64().unwrap()), (30, 30), "{record}");
    assert_eq!(record["iterations"][0], 30);
}

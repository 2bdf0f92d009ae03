//! Matches, analysis and search benchmarks, as scripts use them.

use std::process::Command;

use serde_json::Value;

fn json(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_meeple")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_meeple")).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn search_beats_chance() {
    let result = json(&[
        "match",
        "connect-four",
        "--agents",
        "mcts:iterations=300,random",
        "--games",
        "40",
        "--seed",
        "1",
        "--json",
    ]);
    let [search, random] = [&result["agents"][0], &result["agents"][1]];
    assert_eq!(search["name"], "mcts:iterations=300");
    assert!(search["win_rate"].as_f64().unwrap() > 0.9, "{result}");
    assert_eq!(search["wins"], random["losses"]);
    assert!(search["interval"][0].as_f64().unwrap() < search["win_rate"].as_f64().unwrap());
    for field in ["draws", "mean_score", "mean_payoff"] {
        assert!(search[field].is_number(), "{field}");
    }
}

#[test]
fn cheaters_are_marked() {
    let match_of = ["match", "kuhn-poker", "--agents", "cheating-mcts:iterations=50,random", "--games", "4"];
    let result = json(&[&match_of[..], &["--json"]].concat());
    assert_eq!((&result["agents"][0]["cheats"], &result["agents"][1]["cheats"]), (&true.into(), &false.into()));
    let output = Command::new(env!("CARGO_BIN_EXE_meeple")).args(match_of).output().unwrap();
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(table.contains("cheating-mcts:iterations=50 *") && table.contains("* cheats"), "{table}");
}

/// Same deals, all seatings, and no influence of the number of threads.
#[test]
fn a_match_does_not_depend_on_threads() {
    let run = |threads: &str| {
        let mut result = json(&[
            "match",
            "hearts",
            "--agents",
            "ismcts:iterations=20,random",
            "--games",
            "18",
            "--seed",
            "5",
            "--threads",
            threads,
            "--json",
        ]);
        result["seconds"].take();
        for agent in result["agents"].as_array_mut().unwrap() {
            agent["decisions_per_s"].take();
        }
        result
    };
    let one = run("1");
    assert_eq!(one, run("3"));
    assert_eq!(one["seatings"], 6);
    // 26 points in every hand (78 where the moon was shot), whoever takes them.
    let points: f64 = one["agents"].as_array().unwrap().iter().map(|agent| agent["mean_score"].as_f64().unwrap()).sum();
    assert!(points >= 13.0 - 1e-9, "{one}");
}

#[test]
fn partners_are_one_agent() {
    let result = json(&["match", "sueca", "--agents", "random,random", "--games", "10", "--json"]);
    assert_eq!(result["seatings"], 2);
    let count = |field: &str| result["agents"][0][field].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 10);
    assert!(refused(&["match", "sueca", "--agents", "random,random,random"]).contains("2 teams"));
    assert!(refused(&["match", "hearts", "--agents", "mcts,random"]).contains("use ismcts"));
}

#[test]
fn analysis_shows_every_action() {
    let agent = "mcts:iterations=1000,solver=false"; // a solver stops at the first winning action
    let analysis = json(&["analyze", "tic-tac-toe", "--position", "xx./oo./...", "--agent", agent, "--json"]);
    assert_eq!(analysis["action"], "c3");
    assert_eq!(analysis["seat"], 0);
    assert_eq!(analysis["actions"].as_array().unwrap().len(), 5);
    assert_eq!(analysis["actions"][0]["value"], 1.0);
    assert_eq!(analysis["principal_variation"][0], "c3");
    assert!(refused(&["analyze", "tic-tac-toe", "--position", "xxx/oo./...", "--agent", "mcts"]).contains("nobody"));
}

#[test]
fn search_speed_is_measured() {
    let speed = json(&["bench", "search", "hearts", "--agent", "ismcts:iterations=200", "--seconds", "0.1", "--json"]);
    for field in ["iterations_per_s", "nodes", "bytes_per_node", "cpu_s"] {
        assert!(speed[field].as_f64().unwrap() > 0.0, "{field}: {speed}");
    }
}

#[test]
fn kuhn_poker_is_solved() {
    let result = json(&["solve", "kuhn-poker", "--iterations", "500", "--strategy", "--json"]);
    assert_eq!((&result["histories"], &result["information_sets"]), (&58.into(), &12.into()));
    let last = result["measures"].as_array().unwrap().last().unwrap();
    assert_eq!(last["label"], "500");
    assert!((last["score"]["value"].as_f64().unwrap() + 1.0 / 18.0).abs() < 1e-3, "{last}");
    assert!(last["score"]["exploitability"].as_f64().unwrap() < 1e-3, "{last}");
    let queen = result["strategy"].as_array().unwrap().iter().find(|set| set["view"] == "0:Q?").unwrap();
    assert!(queen["actions"]["bet"].as_f64().unwrap() < 0.01);
}

#[test]
fn agents_are_measured_against_their_best_response() {
    let result = json(&["solve", "kuhn-poker", "--agent", "ismcts:iterations=100", "--samples", "3", "--json"]);
    let labels: Vec<&Value> = result["measures"].as_array().unwrap().iter().map(|measure| &measure["label"]).collect();
    assert_eq!(labels, ["visits", "moves"]);
    assert!(result["measures"][1]["exploitability"].as_f64().unwrap() > 0.0);
    assert!(refused(&["solve", "hearts"]).contains("two players"));
    assert!(refused(&["solve", "connect-four", "--limit", "1000"]).contains("more than 1000 histories"));
}

//! Matches, analysis and search benchmarks, as scripts use them.

use serde_json::Value;

use crate::common::{Scratch, json, output, refused, result};

#[test]
fn search_beats_chance() {
    let result =
        json(&["match", "connect-four", "--agents", "mcts:iterations=300,random", "--games", "40", "--seed", "1"]);
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
    let result = json(&match_of);
    assert_eq!((&result["agents"][0]["cheats"], &result["agents"][1]["cheats"]), (&true.into(), &false.into()));
    let table = output(&match_of);
    assert!(table.contains("cheating-mcts:iterations=50 *") && table.contains("* cheats"), "{table}");
}

/// Same deals, all seatings, and no influence of the number of threads.
#[test]
fn a_match_does_not_depend_on_threads() {
    let run = |threads: &str| {
        result(&[
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
        ])
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
    let result = json(&["match", "sueca", "--agents", "random,random", "--games", "10"]);
    assert_eq!(result["seatings"], 2);
    let count = |field: &str| result["agents"][0][field].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 10);
    assert!(refused(&["match", "sueca", "--agents", "random,random,random"]).contains("2 teams"));
    assert!(refused(&["match", "hearts", "--agents", "mcts,random"]).contains("use ismcts"));
}

#[test]
fn analysis_shows_every_action() {
    let agent = "mcts:iterations=1000,solver=false"; // a solver stops at the first winning action
    let analysis = json(&["analyze", "tic-tac-toe", "--position", "xx./oo./...", "--agent", agent]);
    assert_eq!(analysis["action"], "c3");
    assert_eq!(analysis["seat"], 0);
    assert_eq!(analysis["actions"].as_array().unwrap().len(), 5);
    assert_eq!(analysis["actions"][0]["value"], 1.0);
    assert_eq!(analysis["principal_variation"][0], "c3");
    assert!(refused(&["analyze", "tic-tac-toe", "--position", "xxx/oo./...", "--agent", "mcts"]).contains("nobody"));
}

#[test]
fn search_speed_is_measured() {
    let speed = json(&["bench", "search", "hearts", "--agent", "ismcts:iterations=200", "--seconds", "0.1"]);
    for field in ["iterations_per_s", "nodes", "bytes_per_node", "cpu_s"] {
        assert!(speed[field].as_f64().unwrap() > 0.0, "{field}: {speed}");
    }
}

/// An agent that is refused is called by the settings that it was given.
#[test]
fn searches_get_the_threads_that_they_do_not_name() {
    let search = |agent, threads| {
        ["bench", "search", "tic-tac-toe", "--seconds", "0.01", "--agent", agent, "--threads", threads]
    };
    for (agent, threads, given) in [
        ("mcts", "300", "mcts:threads=300"),
        ("mcts:", "300", "mcts:threads=300"),
        ("mcts:time=1s", "300", "mcts:time=1s,threads=300"),
        ("mcts:threads=400,time=1s", "2", "mcts:threads=400,time=1s"),
        ("random", "2", "random:threads=2"),
    ] {
        let errors = refused(&search(agent, threads));
        assert!(errors.contains(&format!("agent `{given}`")), "{agent}: {errors}");
    }
    output(&search("random", "1"));
    output(&search("mcts:iterations=10", "2"));
}

#[test]
fn kuhn_poker_is_solved() {
    let result = json(&["solve", "kuhn-poker", "--iterations", "500", "--strategy"]);
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
    let result = json(&["solve", "kuhn-poker", "--agent", "ismcts:iterations=100", "--samples", "3"]);
    let labels: Vec<&Value> = result["measures"].as_array().unwrap().iter().map(|measure| &measure["label"]).collect();
    assert_eq!(labels, ["visits", "moves"]);
    assert!(result["measures"][1]["exploitability"].as_f64().unwrap() > 0.0);
    assert!(refused(&["solve", "hearts"]).contains("two players"));
    assert!(refused(&["solve", "connect-four", "--limit", "1000"]).contains("more than 1000 histories"));
}

#[test]
fn what_a_seat_knows_is_analysed_like_a_position() {
    let view = "?12/Ks.2s.Ah.Kh.Jh.9h.Qd.8d.3d.Jc.9c.6c.4c/?13/?13 -/-/-/- 0:2c 1 0/0/0/0 1";
    let analysis = json(&["analyze", "hearts", "--view", view, "--agent", "ismcts:iterations=200"]);
    assert_eq!(analysis["seat"], 1);
    assert_eq!(analysis["actions"].as_array().unwrap().len(), 4, "four clubs");
    assert!(refused(&["analyze", "hearts", "--view", view, "--agent", "cheating-mcts"]).contains("whole position"));
    let other =
        view.replace("1 0/0/0/0 1", "1 0/0/0/0 2").replace("/?13/?13", "/2s.3s.4s.5s.6s.7s.8s.9s.Ts.Js.Qs.As.2h/?13");
    let other = other.replace("Ks.2s.Ah.Kh.Jh.9h.Qd.8d.3d.Jc.9c.6c.4c", "?13");
    assert!(refused(&["analyze", "hearts", "--view", &other, "--agent", "random"]).contains("not to move"));
}

#[test]
fn trees_are_written_down() {
    for (ending, agent) in [("json", "mcts:iterations=300"), ("dot", "ismcts:iterations=300")] {
        let file = Scratch::new(&format!("tree.{ending}"));
        let start = ".../.../...";
        json(&[
            "analyze",
            "tic-tac-toe",
            "--position",
            start,
            "--agent",
            agent,
            "--tree",
            file.path(),
            "--tree-visits",
            "1",
            "--tree-depth",
            "2",
        ]);
        let text = file.text();
        if ending == "dot" {
            assert!(text.starts_with("digraph") && text.contains("n0 -> n1;") && text.contains("seat 1: "), "{text}");
        } else {
            let tree: Value = serde_json::from_str(&text).unwrap();
            let nodes = tree["nodes"].as_array().unwrap();
            assert_eq!(nodes[0]["visits"], 300);
            let below = nodes.iter().filter(|node| node["parent"] == 0);
            assert_eq!(below.map(|node| node["visits"].as_u64().unwrap()).sum::<u64>(), 300);
        }
    }
    let refusal =
        refused(&["analyze", "tic-tac-toe", "--position", ".../.../...", "--agent", "random", "--tree", "t.json"]);
    assert!(refusal.contains("keeps no tree"), "{refusal}");
}

#[test]
fn agents_tell_what_can_be_set() {
    let agents = json(&["agents"]);
    assert!(agents.as_array().unwrap().iter().any(|agent| agent["name"] == "mo-ismcts"));
    let keys = |agent: &str| {
        let settings = json(&["agents", agent])["settings"].take();
        settings
            .as_array()
            .unwrap()
            .iter()
            .map(|setting| setting["name"].as_str().unwrap().to_string())
            .collect::<Vec<_>>()
    };
    assert!(keys("mcts").contains(&"threads".to_string()));
    assert!(keys("mcts:select=puct").contains(&"fpu".to_string()));
    assert!(keys("rules").contains(&"script".to_string()), "the first game that has rules");
    assert!(refused(&["agents", "mcts:select=puct,threads=2"]).contains("unknown setting `threads`"));
}

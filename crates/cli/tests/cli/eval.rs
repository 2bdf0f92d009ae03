//! Suites of positions, as scripts use them.

use serde_json::Value;

use crate::common::{json, meeple, output, refused};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_suites_are_listed() {
    let text = output(&["eval", "--list"]);
    assert_eq!(text.lines().filter(|line| line.starts_with("just4fun/")).count(), 9, "{text}");
}

#[test]
fn search_finds_wins_that_chance_does_not() {
    let arguments = ["eval", "just4fun/win-pattern", "--agent", "random", "--agent", "cheating-mcts:iterations=900"];
    let report = json(&[&arguments[..], &["--repetitions", "2"]].concat());
    let [random, search] = [&report["results"][0], &report["results"][1]];
    for result in [random, search] {
        assert_eq!(
            (&result["cases"], &result["repetitions"], &result["judged"]),
            (&152.into(), &2.into(), &304.into())
        );
        assert_eq!((&result["turns"]["median"], &result["turns"]["deviation"]), (&6.0.into(), &0.0.into()));
    }
    assert!(number(&random["accuracy"]) < 0.2 && number(&search["accuracy"]) > 0.8, "{report}");
    let entropy = |result: &Value| number(&result["metrics"]["cross_entropy"]["spread"]["mean"]);
    assert!(entropy(search) < 1.5 && entropy(random) > 2.0, "{report}");
    assert!(random["metrics"]["value"].is_null() && search["cheats"] == true);
    // A win is worth 1, and scaling keeps that.
    for metric in ["value", "bound", "policy"] {
        let ratings = &search["metrics"][metric]["ratings"];
        let sum: f64 = ["successful", "acceptable", "unsuccessful"].iter().map(|name| number(&ratings[name])).sum();
        assert!((sum - 1.0).abs() < 1e-9 && number(&ratings["successful"]) > 0.7, "{metric}: {ratings}");
    }
}

/// 15 card combinations at most: the policy of chance is at least 1/15 and on a single field at most one half.
#[test]
fn policies_of_chance_are_what_they_are_called() {
    let entropy = |policy: &str| {
        let report = json(&["eval", "just4fun/win-pattern", "--agent", "random", "--policy", policy]);
        let spread = &report["results"][0]["metrics"]["cross_entropy"]["spread"];
        (number(&spread["mean"]), number(&spread["deviation"]))
    };
    let (actions, groups, drawn) = (entropy("actions"), entropy("groups"), entropy("drawn"));
    for uniform in [actions, groups] {
        assert!(uniform.0 < 15f64.ln() && uniform.0 > 1.5 && uniform.1 < 0.7, "{uniform:?}");
    }
    // ln of a uniform number has the mean and the deviation 1.
    assert!(drawn.0 > groups.0 && (0.7..1.3).contains(&drawn.1), "{drawn:?} {groups:?}");
    // What was taken is right or wrong: 0 or -ln of the machine's epsilon.
    assert!(entropy("taken").0 > 20.0);
}

#[test]
fn results_do_not_depend_on_threads() {
    let run = |threads: &str| {
        let agent = "ismcts:iterations=30,select=puct,determinizations=3";
        json(&["eval", "just4fun/win-points-ms", "--agent", agent, "--repetitions", "3", "--threads", threads])
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn all_suites_of_a_game_in_one_table() {
    let text = output(&["eval", "just4fun", "--agent", "random"]);
    assert_eq!(text.lines().filter(|line| line.starts_with("random")).count(), 9, "{text}");
    assert!(text.contains("just4fun/win-max-field-ms: 10 positions, turns 39.00 ± 0.00 (median 39)"), "{text}");
}

#[test]
fn what_does_not_exist_is_refused() {
    for (arguments, reason) in [
        (&["eval", "just4fun/no-such", "--agent", "random"][..], "win-pattern"),
        (&["eval", "hearts", "--agent", "random"], "no suite"),
        (&["eval", "just4fun", "--agent", "no-such"], "no agent"),
        (&["eval", "just4fun", "--rules", "players=3", "--agent", "random"], "no suite"),
        (&["eval", "just4fun"], "--agent"),
    ] {
        let error = refused(arguments);
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
}

#[test]
fn positions_come_from_files_too() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/breakthrough.toml");
    let found = json(&["eval", suite, "--agent", "random", "--agent", "alphabeta:depth=3"]);
    let right = |agent: usize| found["results"][agent]["accuracy"].as_f64().unwrap();
    assert!(right(0) < 0.3 && right(1) > 0.6, "{} {}", right(0), right(1));
    assert!(refused(&["eval", suite, "--agent", "random", "--rules", "rows=5"]).contains("rules of its own"));
    let missing = meeple(&["eval", "no-such.toml", "--agent", "random"]);
    assert!(String::from_utf8_lossy(&missing.stderr).contains("cannot read no-such.toml"));
}

#[test]
fn behaviours_are_found_in_played_games() {
    let count = ["eval", "keezen/behaviours", "--agent", "rules", "--agent", "random", "--games", "4"];
    let found = json(&count);
    let score = |agent: usize| found["results"][agent]["behaviours"][0]["score"].as_f64().unwrap();
    assert_eq!(found["results"][0]["behaviours"].as_array().unwrap().len(), 20);
    assert!(score(0) > score(1), "rules start with the ace: {} {}", score(0), score(1));
    assert!(refused(&["eval", "sueca/behaviours", "--agent", "random"]).contains("knows no behaviours"));
}

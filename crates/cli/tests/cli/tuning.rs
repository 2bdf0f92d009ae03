//! Tuning, as scripts use it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{folder, refused, result};

const TUNE: [&str; 8] = ["tune", "tic-tac-toe", "--against", "mcts:iterations=20", "--games", "64", "--confirm", "8"];

fn tuned(out: &Path, more: &[&str]) -> Value {
    result(&[&TUNE[..], &["--out", out.to_str().unwrap()], more].concat())
}

#[test]
fn a_tuning_that_was_interrupted_ends_like_one_that_was_not() {
    let agent = ["--agent", "mcts:iterations=?{1,5,200}"];
    let (whole, cut) = (folder("tune-whole"), folder("tune-cut"));
    let best = tuned(&whole, &agent);
    assert_eq!(best["tried"][0]["values"][0], "200", "{best}");
    assert_eq!(best["confirmed"]["games"], 8);
    assert!(fs::read_to_string(whole.join("tried.svg")).unwrap().contains("<svg"));
    // Half of the games of each candidate are lost.
    for entry in fs::read_dir(&whole).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            let text = fs::read_to_string(&path).unwrap();
            let half: Vec<&str> = text.lines().step_by(2).collect();
            fs::write(cut.join(path.file_name().unwrap()), half.join("\n") + "\n").unwrap();
        }
    }
    assert_eq!(tuned(&cut, &agent), best);
    assert_eq!(tuned(&whole, &[&agent[..], &["--threads", "1"]].concat()), best, "nothing is played again");
}

#[test]
fn bad_questions_are_refused() {
    for (agent, part) in [
        ("mcts:iterations=10", "nothing open"),
        ("mcts:speed=?{1,2}", "unknown setting `speed`"),
        ("mcts:exploration=?[2,1]", "lower end comes first"),
    ] {
        let out = folder("tune-bad");
        let errors = refused(&[&TUNE[..], &["--out", out.to_str().unwrap(), "--agent", agent]].concat());
        assert!(errors.contains(part), "{agent}: {errors}");
    }
}

//! Tuning, as scripts use it.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn tune(out: &PathBuf, more: &[&str]) -> Output {
    let fixed = ["tune", "tic-tac-toe", "--against", "mcts:iterations=20", "--games", "64", "--confirm", "8"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_meeple"));
    command.args(fixed).arg("--out").arg(out).args(more).output().unwrap()
}

fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tune-{test}"));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// A result without what depends on the clock.
fn timeless(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut tuned: Value = serde_json::from_slice(&output.stdout).unwrap();
    tuned["confirmed"]["seconds"].take();
    for agent in tuned["confirmed"]["agents"].as_array_mut().unwrap() {
        agent["decisions_per_s"].take();
    }
    tuned
}

#[test]
fn a_tuning_that_was_interrupted_ends_like_one_that_was_not() {
    let agent = ["--agent", "mcts:iterations=?{1,5,200}", "--json"];
    let (whole, cut) = (folder("whole"), folder("cut"));
    let tuned = timeless(&tune(&whole, &agent));
    assert_eq!(tuned["tried"][0]["values"][0], "200", "{tuned}");
    assert_eq!(tuned["confirmed"]["games"], 8);
    assert!(std::fs::read_to_string(whole.join("tried.svg")).unwrap().contains("<svg"));
    // Half of the games of each candidate are lost.
    std::fs::create_dir_all(&cut).unwrap();
    for entry in std::fs::read_dir(&whole).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            let text = std::fs::read_to_string(&path).unwrap();
            let half: Vec<&str> = text.lines().step_by(2).collect();
            std::fs::write(cut.join(path.file_name().unwrap()), half.join("\n") + "\n").unwrap();
        }
    }
    assert_eq!(timeless(&tune(&cut, &agent)), tuned);
    assert_eq!(timeless(&tune(&whole, &[&agent[..], &["--threads", "1"]].concat())), tuned, "nothing is played again");
}

#[test]
fn bad_questions_are_refused() {
    for (agent, part) in [
        ("mcts:iterations=10", "nothing open"),
        ("mcts:speed=?{1,2}", "unknown setting `speed`"),
        ("mcts:exploration=?[2,1]", "lower end comes first"),
    ] {
        let output = tune(&folder("bad"), &["--agent", agent]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && errors.contains(part), "{agent}: {errors}");
    }
}

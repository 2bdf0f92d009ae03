//! Programs that play over standard input and output.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use meeple_core::agent::{Budget, Decision};
use meeple_core::erased::{AnyAgent, AnyGame};
use meeple_core::{Rng, Rules};
use serde_json::{Value, json};

use crate::the;

/// A shell script in a file of its own.
fn script(name: &str, text: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, text).unwrap();
    file
}

fn decide(game: &dyn AnyGame, agent: &mut AnyAgent, time: Duration) -> Decision<String> {
    let limit = Budget { time: Some(time), ..Budget::NONE };
    game.start().decide(agent, &limit, &mut Rng::from_seed(1))
}

#[test]
fn a_program_is_told_the_rules_and_its_limit() {
    let heard = script("rules.heard", "");
    let text = "while read -r line; do printf '%s\\n' \"$line\" >>$1; case $line in *decide*) echo 4;; esac; done";
    let program = script("rules.sh", text);
    let game = meeple_catalog::game("connect-four", &Rules::default().with("rows", 5)).unwrap();
    let mut agent = game.agent(&format!("exec:sh {} {}", program.display(), heard.display())).unwrap();
    agent.new_game();
    assert_eq!(decide(&*game, &mut agent, Duration::from_secs(20)).action, "4");
    let heard = fs::read_to_string(heard).unwrap();
    let lines: Vec<Value> = heard.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], json!({"type": "new", "game": "connect-four", "rules": {"rows": "5"}}));
    let Value::Object(decision) = &lines[1] else { panic!("{heard}") };
    assert_eq!((&decision["type"], &decision["game"]), (&json!("decide"), &json!("connect-four")));
    assert_eq!((&decision["rules"], &decision["seconds"]), (&json!({"rows": "5"}), &json!(20.0)));
}

#[test]
fn a_silent_program_is_given_up() {
    let game = the("tic-tac-toe");
    let mut agent = game.agent("exec:sleep 1000").unwrap();
    for _ in 0..3 {
        assert_eq!(agent.failure(), None);
        let asked = Instant::now();
        decide(&*game, &mut agent, Duration::from_millis(20));
        assert!((1.0..10.0).contains(&asked.elapsed().as_secs_f64()), "the limit and a second");
    }
    assert!(agent.failure().unwrap().0.contains("exec:sleep 1000: it did not answer 3 times in a row"));
}

/// It holds its tongue until it is started for the second time.
#[test]
fn a_program_is_started_again() {
    let mark = script("again.mark", "");
    fs::remove_file(&mark).unwrap();
    let text = "[ -e $1 ] || { touch $1; exec sleep 1000; }\nwhile read -r line; do case $line in *decide*) echo b2;; esac; done";
    let program = script("again.sh", text);
    let game = the("tic-tac-toe");
    let mut agent = game.agent(&format!("exec:sh {} {}", program.display(), mark.display())).unwrap();
    decide(&*game, &mut agent, Duration::from_secs(1));
    for _ in 0..4 {
        assert_eq!(decide(&*game, &mut agent, Duration::from_secs(20)).action, "b2");
    }
    assert_eq!(agent.failure(), None);
}

//! Experiment files: each one that ships can be played, and a small one is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use meeple_arena::Experiment;

fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

#[test]
fn every_shipped_experiment_can_be_played() {
    assert!(shipped().len() >= 5);
    for file in shipped() {
        let experiment = Experiment::parse(&fs::read_to_string(&file).unwrap()).unwrap_or_else(|error| {
            panic!("{}: {error}", file.display());
        });
        for planned in &experiment.matches {
            let game = meeple_catalog::game(&planned.game, &planned.rules).unwrap();
            for agent in &planned.agents {
                game.agent(agent).unwrap_or_else(|error| panic!("{}: {error}", planned.name));
            }
            assert!(planned.quick <= planned.games, "{}", planned.name);
        }
    }
}

fn run(text: &str, arguments: &[&str]) -> Output {
    let file = std::env::temp_dir().join(format!("meeple-experiment-{}-{}.toml", std::process::id(), text.len()));
    fs::write(&file, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_meeple"))
        .args(["experiment", "run"])
        .arg(&file)
        .args(arguments)
        .output()
        .unwrap();
    fs::remove_file(file).unwrap();
    output
}

const SMALL: &str = r#"
title = "Search against chance"
source = "nowhere"
[[match]]
name = "a little search"
game = "tic-tac-toe"
agents = ["mcts:iterations=100", "random"]
games = 40
quick = 20
published = 0.9
[[match]]
name = "none"
game = "tic-tac-toe"
agents = ["random", "random"]
games = 40
quick = 20
"#;

#[test]
fn theirs_stand_beside_ours() {
    let output = run(SMALL, &["--quick"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).collect();
    assert_eq!(rows.len(), 3, "{text}");
    assert!(rows[1].starts_with("| a little search | 90.0 | ") && rows[1].contains("| 20 |"), "{text}");
    assert!(rows[2].ends_with("| - |"), "nothing published: {text}");
    let output = run(SMALL, &["--quick", "--only", "little", "--json"]);
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((line["games"].as_u64(), line["published"].as_f64()), (Some(20), Some(0.9)));
}

#[test]
fn bad_files_are_refused() {
    for (text, arguments, part) in [
        (SMALL.replace("quick = 20", "quick = 0"), vec![], "at least one game"),
        (SMALL.replace("tic-tac-toe", "chess"), vec![], "there is no game `chess`"),
        (SMALL.replace("mcts:iterations=100", "mcts:iteration=1"), vec![], "unknown setting `iteration`"),
        (SMALL.to_string(), vec!["--only", "nobody"], "no match is named like `nobody`"),
    ] {
        let output = run(&text, &arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(part), "{error}");
    }
}

//! Experiment files: each one that ships can be played, and a small one is, with interruptions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use meeple_arena::Experiment;
use meeple_arena::experiment::Line;
use meeple_core::Rules;
use serde_json::Value;

fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// Checkpoints are no part of the program: they are files of the folder `models`.
fn with_checkpoints(agent: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut pieces = agent.split("checkpoints/");
    let first = pieces.next().unwrap_or_default().to_string();
    pieces.fold(first, |text, piece| {
        let (name, rest) = piece.split_at(piece.find([',', '+']).unwrap_or(piece.len()));
        format!("{text}{}/checkpoints/{name}.safetensors{rest}", models.display())
    })
}

#[test]
fn every_shipped_experiment_can_be_played() {
    assert!(shipped().len() >= 20);
    for file in shipped() {
        let experiment = Experiment::parse(&fs::read_to_string(&file).unwrap()).unwrap_or_else(|error| {
            panic!("{}: {error}", file.display());
        });
        for line in &experiment.lines {
            for (game, rules, agent) in line.agents() {
                let game = meeple_catalog::game(&game, &Rules::parse(&rules).unwrap()).unwrap();
                let agent = with_checkpoints(&agent);
                game.agent(&agent).unwrap_or_else(|error| panic!("{}: {}: {error}", file.display(), line.name()));
                if let Line::Suite(planned) = line {
                    assert!(game.suites().iter().any(|suite| suite.name == planned.suite), "{}", planned.suite);
                }
            }
            for (full, quick) in line.parts(false).iter().zip(line.parts(true)) {
                assert!(quick.games <= full.games, "{}: {}", file.display(), line.name());
            }
        }
    }
}

/// A folder with an experiment file and its results, taken away in the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str, text: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("meeple-experiment-{}-{name}", std::process::id()));
        fs::create_dir_all(folder.join("experiments")).unwrap();
        let place = Place(folder);
        place.write(text);
        place
    }

    fn write(&self, text: &str) {
        fs::write(self.0.join("experiments/small.toml"), text).unwrap();
    }

    fn meeple(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_meeple"));
        command.current_dir(&self.0).arg("experiment").args(arguments).output().unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.meeple(&[&["run", "experiments/small.toml"], arguments].concat())
    }

    /// The figures of a run.
    fn figures(&self, arguments: &[&str]) -> Vec<Value> {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const SMALL: &str = r#"
title = "Search against chance"
source = "nowhere"
axis = "iterations"
[[match]]
name = "a little search"
game = "tic-tac-toe"
agents = ["mcts:iterations=100", "random"]
games = 40
quick = 20
x = 100
published = { wins = 0.9, length = { claim = "short", range = [5, 9] } }
[[match]]
name = "none"
game = "tic-tac-toe"
agents = ["random", "random"]
games = 40
quick = 20
x = 0
[[skill]]
name = "skill"
game = "kuhn-poker"
beginner = "random"
average = "ismcts:iterations=50"
informed = "cheating-mcts:iterations=50"
opponent = "random"
games = 40
quick = 20
[[suite]]
name = "patterns"
game = "just4fun"
suite = "win-pattern"
agent = "random"
repetitions = 4
quick = 2
published_repetitions = 3
published = { cross-entropy = { mean = 2.8, deviation = 1.0 } }
show = ["accuracy"]
[[uniformity]]
name = "deals"
sampler = "exact"
hands = ["1111", "0111"]
need = [2, 2]
deals = 300
samples = 10
quick = 5
"#;

#[test]
fn theirs_stand_beside_ours() {
    let place = Place::new("table", SMALL);
    let text = String::from_utf8(place.run(&["--quick"]).stdout).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).collect();
    assert_eq!(rows.len(), 14, "{text}");
    assert!(rows[1].starts_with("| a little search | wins | 90.0 % | ") && rows[1].contains("| 20 |"), "{text}");
    assert!(rows[2].starts_with("| a little search | length | short | ") && rows[2].ends_with("| yes |"), "{text}");
    assert!(rows[3].starts_with("| none | wins | - | ") && rows[3].ends_with("| - |"), "{text}");
    assert!(rows[8].starts_with("| patterns | cross-entropy | 2.80 ± 1.00 | "), "{text}");
    for (chart, part) in [("wins.svg", "iterations"), ("skill.svg", "95 % interval"), ("chi-square.svg", "deals")] {
        let svg = place.read(&format!("runs/small-quick/{chart}"));
        assert!(svg.starts_with("<svg") && svg.contains(part), "{chart}: {svg}");
    }
    let report = place.read("runs/small-quick/report.md");
    assert!(report.starts_with("# Search against chance\n\nPublished: nowhere.\n\nSize: quick; "), "{report}");
    assert!(rows.iter().all(|row| report.contains(row)) && report.contains("](wins.svg)"), "{report}");
    let figures = place.figures(&["--quick", "--only", "little"]);
    assert_eq!((figures.len(), figures[0]["n"].as_u64(), figures[0]["published"].as_f64()), (2, Some(20), Some(0.9)));
}

/// A line that stopped in the middle ends like one that did not.
#[test]
fn interrupted_lines_go_on() {
    let place = Place::new("resume", SMALL);
    let whole = place.figures(&["--keep-records"]);
    let records = "runs/small/a-little-search.jsonl";
    let text = place.read(records);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 40);
    let begun = lines[..13].join("\n") + "\n" + &lines[13][..20];
    fs::write(place.0.join(records), begun).unwrap();
    fs::remove_file(place.0.join("runs/small/a-little-search.json")).unwrap();
    let resumed = place.figures(&["--keep-records", "--threads", "2"]);
    assert_eq!(whole, resumed);
    let kept = place.read(records);
    assert_eq!(kept.lines().count(), 40);
    assert!(kept.starts_with(&lines[..13].join("\n")), "games that were played stay as they are");
}

#[test]
fn finished_lines_are_measured_again_only_if_they_changed() {
    let place = Place::new("again", SMALL);
    let notes = |arguments: &[&str]| String::from_utf8(place.run(arguments).stderr).unwrap();
    assert!(!notes(&[]).contains("finished"));
    assert!(!place.0.join("runs/small/none.jsonl").exists(), "the games of finished lines are not kept");
    assert_eq!(notes(&[]).matches("is finished").count(), 5);
    assert!(!notes(&["--again"]).contains("is finished"));
    // Other published figures are compared with the same games; another agent is played anew.
    place.write(&SMALL.replace("wins = 0.9", "wins = 0.1"));
    assert_eq!(notes(&[]).matches("is finished").count(), 5);
    assert_eq!(place.figures(&["--only", "little"])[0]["agrees"], false);
    place.write(&SMALL.replace("mcts:iterations=100", "mcts:iterations=20"));
    let notes = notes(&[]);
    assert!(!notes.contains("`a little search` is finished") && notes.contains("`none` is finished"), "{notes}");
}

#[test]
fn results_are_gathered_on_one_page() {
    let place = Place::new("report", SMALL);
    let refused = place.meeple(&["report"]);
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    place.run(&["--quick"]);
    place.run(&["--only", "little"]);
    let output = place.meeple(&["report", "--out", "page.md"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("of 3 published figures agree"), "{said}");
    let page = place.read("page.md");
    assert!(
        page.contains("1 of 5 lines full, 4 quick") && page.contains("| a little search | wins | 90.0 % |"),
        "{page}"
    );
    let linked: Vec<&str> = page.split("](page-charts/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(linked.len() >= 4, "{page}");
    for chart in linked {
        assert!(place.read(&format!("page-charts/{chart}")).starts_with("<svg"));
    }
}

#[test]
fn bad_files_are_refused() {
    for (number, (text, arguments, part)) in [
        (SMALL.replace("quick = 20", "quick = 0"), vec![], "at least one game"),
        (SMALL.replace("tic-tac-toe", "chess"), vec![], "there is no game `chess`"),
        (SMALL.replace("mcts:iterations=100", "mcts:iteration=1"), vec![], "unknown setting `iteration`"),
        (SMALL.replace("wins = 0.9", "luck = 0.9"), vec![], "there is no figure `luck`"),
        (SMALL.replace("win-pattern", "win-game"), vec![], "just4fun has no suite `win-game`"),
        (SMALL.replace("[\"accuracy\"]", "[\"luck\"]"), vec![], "there is no figure `luck`"),
        (SMALL.to_string(), vec!["--only", "nobody"], "no line is named like `nobody`"),
    ]
    .into_iter()
    .enumerate()
    {
        let output = Place::new(&format!("bad-{number}"), &text).run(&arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(part), "{error}");
    }
}

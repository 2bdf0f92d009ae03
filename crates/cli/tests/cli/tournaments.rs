//! Tournaments and sequential tests: what holds for every one of them, on small ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use meeple_arena::{Tournament, Unwatched, play_match};
use serde_json::Value;

use crate::common::{Scratch, folder, output, outputs, refused, result};

const SMALL: &str = r#"
title = "A small one"
game = "tic-tac-toe"
kind = "round-robin"
games = 60
quick = 20
seed = 3
[[agent]]
agent = "random"
[[agent]]
name = "random again"
agent = "random"
[[agent]]
agent = "mcts:iterations=100"
"#;

#[test]
fn the_two_sides_of_a_pairing_add_up() {
    let file = Scratch::with("laws", SMALL);
    let standings = result(&["tournament", file.path()]);
    let cells = standings["cross_table"].as_array().unwrap();
    assert_eq!(cells.len(), 6);
    for cell in cells {
        let number = |name: &str| cell[name].as_f64().unwrap();
        let other = cells.iter().find(|other| other["row"] == cell["column"] && other["column"] == cell["row"]);
        let other = other.unwrap();
        assert!((number("share") + other["share"].as_f64().unwrap() - 1.0).abs() < 1e-12);
        assert_eq!((&cell["wins"], &cell["draws"]), (&other["losses"], &other["draws"]));
        assert_eq!(number("wins") + number("draws") + number("losses"), 60.0);
        let [low, high] = [0, 1].map(|end| cell["interval"][end].as_f64().unwrap());
        assert!((low - (1.0 - other["interval"][1].as_f64().unwrap())).abs() < 1e-12);
        assert!(low <= number("share") && number("share") <= high);
    }
    let elo = |agent: usize| standings["elo"]["ratings"][agent]["elo"].as_f64().unwrap();
    assert!(elo(2) > elo(0) + 100.0 && elo(2) > elo(1) + 100.0, "{standings}");
    assert!((elo(0) + elo(1) + elo(2)).abs() < 1e-6);
    assert!(standings["elo"]["superiority"][2][0].as_f64().unwrap() > 0.99);
    assert_eq!((&standings["games"], &standings["planned"]), (&180.into(), &180.into()));
}

#[test]
fn a_tournament_leaves_a_report() {
    let (file, folder) = (Scratch::with("report", SMALL), folder("tournament-report").join("small"));
    let printed = output(&["tournament", file.path(), "--quick", "--out", folder.to_str().unwrap()]);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("report.md"), printed + "\n![Ratings](ratings.svg)\n");
    let standings: Value = serde_json::from_str(&read("tournament.json")).unwrap();
    assert_eq!((&standings["title"], &standings["games"]), (&"A small one".into(), &60.into()));
    let chart = read("ratings.svg");
    assert!(chart.starts_with("<svg") && chart.contains("mcts:iterations=100") && chart.contains("Elo"), "{chart}");
}

/// Whatever the seed, in about 95 of 100 tournaments of an agent against itself the interval holds a half.
#[test]
fn an_agent_is_as_strong_as_itself() {
    let mut held = 0;
    for seed in 1..=100 {
        let text = SMALL.replace("seed = 3", &format!("seed = {}", 10 * seed)).replace("round-robin", "gauntlet");
        let tournament = Tournament::parse(&text).unwrap();
        let game = meeple_catalog::game(&tournament.game, &tournament.rules).unwrap();
        let meeting = tournament.meetings(&*game).unwrap().swap_remove(0);
        let settings = tournament.settings(&meeting, false);
        let result = play_match(&*game, &settings, &[], &mut Unwatched).unwrap();
        let agents = tournament.participants(&*game).unwrap();
        let standings = tournament.standings(&*game, agents, settings.games, &[(meeting, result)]);
        let [low, high] = standings.cross_table[0].interval;
        held += u32::from(low <= 0.5 && 0.5 <= high);
    }
    assert!((88..=100).contains(&held), "{held}");
}

#[test]
fn a_tournament_goes_on_where_it_was_cut() {
    let file = Scratch::with("resume", SMALL);
    let whole = result(&["tournament", file.path(), "--threads", "1"]);
    assert_eq!(whole, result(&["tournament", file.path(), "--threads", "3"]), "threads do not matter");
    let records = Scratch::new("records");
    let kept = ["tournament", file.path(), "--records", records.path()];
    assert_eq!(result(&kept), whole);
    assert!(refused(&kept).contains("--resume"));
    let text = records.text();
    assert_eq!(text.lines().count(), 180);
    // Games of two meetings, not in order, and one that was cut short.
    let some: Vec<&str> = text.lines().enumerate().filter(|(line, _)| line % 3 == 1).map(|(_, text)| text).collect();
    records.write(&format!("{}\n{}", some[..35].join("\n"), &some[35][..40]));
    assert_eq!(result(&[&kept[..], &["--resume"]].concat()), whole);
    assert_eq!(records.text().lines().count(), 180);
}

#[cfg(unix)]
#[test]
fn an_interrupted_tournament_shows_what_it_has() {
    let text = SMALL.replace("mcts:iterations=100", "mcts:iterations=2000,solver=false").replace("= 60", "= 200");
    let file = Scratch::with("interrupt", &text);
    let records = Scratch::new("interrupted-records");
    let mut command = Command::new(env!("CARGO_BIN_EXE_meeple"));
    command.args(["tournament", file.path(), "--records", records.path(), "--json", "--threads", "1"]);
    let begun = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let games = || fs::read_to_string(records.path()).map_or(0, |text| text.lines().count());
    for _ in 0..3000 {
        if games() > 205 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    Command::new("kill").args(["-INT", &begun.id().to_string()]).status().unwrap();
    let output = begun.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let standings: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(standings["games"], games());
    assert_eq!((&standings["planned"], &standings["meetings"][0]["games"]), (&600.into(), &200.into()));
    assert!(games() < 600 && standings["cross_table"].as_array().unwrap().len() >= 2, "{standings}");
}

#[test]
fn a_gauntlet_is_one_against_all() {
    let text = SMALL.replace("round-robin", "gauntlet\"\nchallenger = \"random again");
    let file = Scratch::with("gauntlet", &text);
    let standings = result(&["tournament", file.path(), "--quick"]);
    let meetings: Vec<&Value> =
        standings["meetings"].as_array().unwrap().iter().map(|meeting| &meeting["agents"]).collect();
    assert_eq!(meetings, [&serde_json::json!([1, 0]), &serde_json::json!([1, 2])]);
    let table = output(&["tournament", file.path(), "--quick"]);
    let row = table.lines().find(|line| line.starts_with("| random | X |")).unwrap();
    assert!(row.ends_with("| - |"), "random and mcts do not meet: {row}");
    assert_eq!(table.lines().filter(|line| line.contains(" | 20 | 2 | ")).count(), 2, "{table}");
}

#[test]
fn tables_of_four_give_skills() {
    let text = SMALL.replace("tic-tac-toe", "hearts").replace("round-robin", "tables");
    let text = text.replace("mcts:iterations=100", "ismcts:iterations=30").replace("quick = 20", "quick = 48");
    let file = Scratch::with("tables", &text);
    let standings = result(&["tournament", file.path(), "--quick"]);
    assert_eq!(standings["meetings"].as_array().unwrap().len(), 1, "three agents share one table");
    assert!(standings["elo"].is_null());
    let skill = |agent: usize| standings["skills"][agent]["mean"].as_f64().unwrap();
    assert!(skill(2) > skill(0) && skill(2) > skill(1), "{standings}");
    assert_eq!(standings["skills"][0]["games"], 48);
    let more =
        format!("{text}\n[[agent]]\nname = \"c\"\nagent = \"random\"\n[[agent]]\nname = \"d\"\nagent = \"random\"");
    let file = Scratch::with("more-tables", &more.replace("quick = 48", "quick = 2"));
    let standings = result(&["tournament", file.path(), "--quick"]);
    assert_eq!(standings["meetings"].as_array().unwrap().len(), 5, "four of five at each table");
}

#[test]
fn bad_files_are_refused() {
    for (text, part) in [
        (SMALL.replace("mcts:iterations=100", "mtcs"), "mtcs"),
        (SMALL.replace("mcts:iterations=100", "mcts:iteration=1"), "unknown setting `iteration`"),
        (SMALL.replace("tic-tac-toe", "chess"), "there is no game `chess`"),
        (SMALL.replace("round-robin", "tables"), "tables need more than two seats"),
        (SMALL.replace("tic-tac-toe", "sueca").replace("round-robin", "tables").replace("mcts", "ismcts"), "2 teams"),
        (SMALL.replace("round-robin", "swiss"), "unknown variant `swiss`"),
        (SMALL.replace("name = \"random again\"", ""), "two agents are called `random`"),
        (SMALL.replace("kind = \"round-robin\"", "kind = round"), "line 4"),
    ] {
        let file = Scratch::with("bad", &text);
        let error = refused(&["tournament", file.path()]);
        assert!(error.contains(part) && error.contains(file.path()), "{error}");
    }
    assert!(outputs(&["tournament", "no-such-file.toml"], "", 1).1.contains("no-such-file.toml"));
}

#[test]
fn every_shipped_tournament_can_be_played() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/tournaments");
    let files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 2);
    for file in files {
        let tournament = Tournament::parse(&fs::read_to_string(&file).unwrap()).unwrap();
        let game = meeple_catalog::game(&tournament.game, &tournament.rules).unwrap();
        tournament.participants(&*game).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        tournament.meetings(&*game).unwrap();
        assert!(tournament.quick <= tournament.games, "{}", file.display());
    }
}

const TESTED: [&str; 8] =
    ["match", "connect-four", "--agents", "mcts:iterations=50,random", "--sprt", "0,100", "--seed", "5"];

#[test]
fn a_sequential_test_ends_the_match() {
    let run = |more: &[&str]| result(&[&TESTED[..], more].concat());
    let whole = run(&["--games", "500", "--threads", "1"]);
    let test = &whole["sprt"];
    assert_eq!(test["accepted"], "elo1", "{whole}");
    assert!(whole["games"].as_u64().unwrap() < 100, "{whole}");
    assert_eq!(whole["games"].as_u64().unwrap(), 2 * test["deals"].as_u64().unwrap());
    assert!(test["llr"].as_f64().unwrap() >= test["bounds"][1].as_f64().unwrap());
    assert_eq!(whole, run(&["--games", "500", "--threads", "3"]), "threads do not matter");
    let records = Scratch::new("tested");
    let kept = ["--records", records.path(), "--threads", "2"];
    let begun = run(&[&kept[..], &["--games", "5"]].concat());
    assert_eq!((&begun["games"], &begun["sprt"]["accepted"]), (&5.into(), &Value::Null));
    assert_eq!(run(&[&kept[..], &["--games", "500", "--resume"]].concat()), whole);
    assert_eq!(run(&[&kept[..], &["--games", "500", "--resume"]].concat()), whole, "nothing is left to play");
    let shown = output(&[&TESTED[..], &["--games", "500"]].concat());
    assert!(shown.contains("100 accepted") && shown.contains("bounds -2.94 and 2.94"), "{shown}");
}

#[test]
fn equals_are_told_from_stronger_ones() {
    // In Hearts two agents share the four seats: the one with the winning seat is placed first.
    let result = result(&["match", "hearts", "--agents", "random,random", "--sprt", "0,150", "--games", "3000"]);
    assert_eq!(result["sprt"]["accepted"], "elo0", "{result}");
    assert_eq!(result["games"].as_u64().unwrap(), 6 * result["sprt"]["deals"].as_u64().unwrap());
}

#[test]
fn bad_tests_are_refused() {
    let refused = |agents: &str, test: &str| refused(&["match", "hearts", "--agents", agents, "--sprt", test]);
    assert!(refused("random,random", "5").contains("elo0,elo1"));
    assert!(refused("random,random", "5,0").contains("the lower one first"));
    assert!(refused("random,random", "-5,five").contains("two numbers"));
    assert!(refused("random,random,random", "0,5").contains("two agents, not 3"));
}

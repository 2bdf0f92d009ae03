//! Training runs: they go on after any interruption and end as if there had been none.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use meeple_core::Rules;
use meeple_training::run::{Config, Run, Scale, initial_model, preset};

use crate::common::{folder, json, output, outputs, refused};

const CONFIG: &str = r#"
game = "tic-tac-toe"
seed = 3
iterations = 6
threads = 2
[network]
preset = "dense"
layers = 1
neurons = 16
[self_play]
agent = "puct:iterations=12"
games = 30
together = 8
[replay]
positions = 500
merge = "view"
[evaluation]
every = 3
games = 20
anchors = ["random", "previous"]
"#;

fn config(folder: &Path, text: &str) -> String {
    let path = folder.join("config.toml");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// All networks of a run, by file name.
fn models(run: &Path) -> Vec<(String, Vec<u8>)> {
    let mut models: Vec<(String, Vec<u8>)> = fs::read_dir(run.join("models"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), weights(&path)))
        .collect();
    models.sort();
    models
}

/// Without the header, which says how long it took.
fn weights(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    bytes[8 + header..].to_vec()
}

#[test]
fn a_killed_run_ends_like_one_that_was_not() {
    let folder = folder("train-kill");
    let config = config(&folder, CONFIG);
    let whole = folder.join("whole").display().to_string();
    output(&["train", &config, "--out", &whole]);
    let killed = folder.join("killed").display().to_string();
    let mut arguments = vec!["train", &config, "--out", &killed];
    for attempt in 0.. {
        let mut child = Command::new(env!("CARGO_BIN_EXE_meeple"))
            .args(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(30 + 40 * attempt));
        if child.try_wait().unwrap().is_some_and(|status| status.success()) {
            break;
        }
        child.kill().unwrap(); // as with kill -9
        child.wait().unwrap();
        if Path::new(&killed).join("config.toml").exists() {
            arguments = vec!["train", "--resume", &killed];
        }
    }
    assert_eq!(models(Path::new(&whole)), models(Path::new(&killed)));
    let lines = fs::read_to_string(Path::new(&killed).join("metrics.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 6, "a line for each iteration: {lines}");
}

/// What a scripted player played is not learnt from again, even if its file was left behind.
#[test]
fn a_run_goes_on_by_another_configuration() {
    let folder = folder("train-longer");
    let more = r#"games = 30
first = "random"
settings = { iterations = { linear = [[1, 12], [6, 15]] }, final = { steps = [[1, "sampled(1)"], [4, "sampled(0.5)"]] } }"#;
    let text = CONFIG.replace("games = 30", more).replace("puct:iterations=12", "puct");
    let whole = folder.join("whole");
    output(&["train", &config(&folder, &text), "--out", &whole.display().to_string()]);
    let run = folder.join("run");
    let short = config(&folder, &text.replace("iterations = 6", "iterations = 3"));
    output(&["train", &short, "--out", &run.display().to_string()]);
    let seeded = folder.join("seeded");
    output(&["train", &short, "--seed", "4", "--out", &seeded.display().to_string()]);
    assert_ne!(models(&seeded)[1], models(&run)[1]);
    let learnt = seeded.join("models/0003.safetensors");
    let begun = folder.join("begun");
    let text_from = format!("begin_with = {learnt:?}\n{text}");
    output(&["train", &config(&folder, &text_from), "--out", &begun.display().to_string()]);
    assert_eq!(models(&begun)[0].1, weights(&learnt));
    fs::copy(run.join("samples/0002.bin"), run.join("samples/0001.bin")).unwrap();
    output(&["train", &config(&folder, &text), "--resume", &run.display().to_string()]);
    assert_eq!(models(&whole), models(&run));
    let other = config(&folder, &text.replace("neurons = 16", "neurons = 17"));
    assert!(
        refused(&["train", &other, "--resume", &run.display().to_string()])
            .contains("another game, other rules, another encoder or another network")
    );
}

/// Without any search a policy learns from how its own games end; and a run that is stopped goes on as if it had not been.
#[test]
fn a_policy_learns_without_a_search() {
    let folder = folder("train-alone");
    let text = CONFIG
        .replace("iterations = 6", "iterations = 12")
        .replace("puct:iterations=12", "network")
        .replace("games = 30", "games = 400")
        .replace("[replay]\npositions = 500\nmerge = \"view\"\n", "")
        + "[learning]\nlearning_rate = 0.01\nreuse = 2\n";
    let [whole, parts] = ["whole", "parts"].map(|name| folder.join(name));
    let train = |text: &str, more: &[&str]| output(&[&["train", &config(&folder, text)], more].concat());
    train(&text, &["--out", &whole.display().to_string()]);
    let points = |iteration: u32| {
        let model = whole.join(format!("models/{iteration:04}.safetensors"));
        let agents = format!("network:model={},random", model.display());
        let result = output(&["match", "tic-tac-toe", "--agents", &agents, "--games", "400", "--json"]);
        let result: serde_json::Value = serde_json::from_str(&result).unwrap();
        result["agents"][0]["points"]["mean"].as_f64().unwrap()
    };
    let (before, after) = (points(0), points(12));
    assert!(after > before + 0.2, "{before} of the points against random before, {after} after");

    train(&text.replace("iterations = 12", "iterations = 5"), &["--out", &parts.display().to_string()]);
    train(&text, &["--resume", &parts.display().to_string()]);
    let weights = |run: &Path| meeple_network::Model::load(&run.join("models/0012.safetensors")).unwrap().parameters;
    assert!(weights(&whole) == weights(&parts), "the same network, interrupted or not");
}

/// Whoever sees both cards of Kuhn poker is surprised less by how the game ends, and is not there when it is played.
#[test]
fn a_critic_sees_more_and_goes_on_after_a_stop() {
    let folder = folder("train-critic");
    let plain = CONFIG
        .replace("tic-tac-toe", "kuhn-poker")
        .replace("puct:iterations=12", "ispuct:iterations=12")
        .replace("games = 30", "games = 100")
        .replace("merge = \"view\"", "merge = \"none\"")
        + "[learning]\nreuse = 40\nlearning_rate = 0.01\n";
    let text = format!("{plain}critic = 0.5\n");
    let whole = folder.join("whole");
    let lines = output(&["train", &config(&folder, &text), "--out", &whole.display().to_string(), "--json"]);
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let without = folder.join("without").display().to_string();
    let others = output(&["train", &config(&folder, &plain), "--out", &without, "--json"]);
    let other: serde_json::Value = serde_json::from_str(others.lines().last().unwrap()).unwrap();
    let (critic, blind) = (lines[5]["critic"].as_f64().unwrap(), other["losses"]["value"].as_f64().unwrap());
    assert!(critic < 0.8 * blind, "the critic is {critic} off, who sees one card {blind}");
    let run = folder.join("run");
    let short = config(&folder, &text.replace("iterations = 6", "iterations = 3"));
    output(&["train", &short, "--out", &run.display().to_string()]);
    output(&["train", &config(&folder, &text), "--resume", &run.display().to_string()]);
    assert_eq!(models(&whole), models(&run));
    let complaint = refused(&["train", &config(&folder, &text), "--resume", &without]);
    assert!(complaint.contains("critic"), "{complaint}");
    let merged = config(&folder, &text.replace("merge = \"none\"", "merge = \"view\""));
    assert!(
        refused(&["train", &merged, "--out", &folder.join("merged").display().to_string()]).contains("replay.merge")
    );
}

#[test]
fn a_run_says_how_it_goes() {
    let folder = folder("train-lines");
    let config = config(&folder, CONFIG);
    let run = folder.join("run").display().to_string();
    let text = output(&["train", &config, "--out", &run, "--json"]);
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[0]["games"], 30);
    assert!(lines[5]["losses"]["policy"].as_f64() < lines[0]["losses"]["policy"].as_f64(), "{text}");
    assert_eq!(lines[2]["anchors"][1]["anchor"], "previous");
    for picture in ["losses.svg", "policy.svg", "speed.svg", "anchors.svg"] {
        assert!(fs::read_to_string(Path::new(&run).join(picture)).unwrap().starts_with("<svg"), "{picture}");
    }
    let model = Path::new(&run).join("models/0006.safetensors").display().to_string();
    let players = format!("network:model={model},puct:iterations=20,model={model}");
    let result = json(&["match", "tic-tac-toe", "--agents", &players, "--games", "20"]);
    assert_eq!(result["games"], 20);
    let exported = folder.join("network.onnx").display().to_string();
    assert!(output(&["export", &model, "--onnx", &exported]).contains("plays tic-tac-toe"));
    let refusal =
        refused(&["match", "connect-four", "--agents", &format!("random,network:model={model}"), "--games", "2"]);
    assert!(refusal.contains("plays tic-tac-toe, not connect-four"), "{refusal}");
    assert!(outputs(&["train", &config, "--out", &run], "", 1).1.contains("holds a run already"));
}

/// The network of each configuration beside a network that ships is that network.
#[test]
fn networks_have_the_shape_of_their_configurations() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for name in meeple_catalog::model_names() {
        let text = fs::read_to_string(models.join(name).with_added_extension("toml")).unwrap();
        let config = Config::parse(&text).unwrap();
        let header = meeple_catalog::model(name).unwrap().header;
        assert_eq!(header.description, config.description().unwrap(), "{name}");
        assert_eq!((header.game, header.training.iterations), (config.game, config.iterations), "{name}");
    }
}

#[test]
fn bad_configurations_are_refused() {
    let folder = folder("train-bad");
    for (from, to, why) in [
        ("seed = 3", "sed = 3", "unknown field `sed`"),
        ("iterations = 6", "iterations = 0", "there is nothing to do"),
        ("\"dense\"", "\"denser\"", "there is no preset"),
        ("neurons = 16", "neuron = 16", "unknown field `neuron`"),
        ("neurons = 16", "neurons = 0", "a size is 0"),
        ("layers = 1", "layers = 1000000000000", "too many layers"),
        ("tic-tac-toe", "tic-tac", "there is no game"),
        ("puct:iterations=12", "puct:iteration=12", "iteration"),
        ("puct:iterations=12", "putc:iterations=12", "there is no agent `putc`"),
        ("puct:iterations=12", "cheating-mcts:iterations=12", "sees what is hidden, and the network does not"),
        ("puct:iterations=12", "puct:iterations=12,solver=true", "self-play does not know `solver`"),
        ("games = 30", "games = -1", "self_play.games is -1"),
        ("games = 20", "games = 0", "not at least 1"),
        ("[replay]", "settings = { noise = { steps = [[1, 0.2], [4, 2.0]] } }\n[replay]", "noise"),
        ("positions = 500", "sessions = 0", "replay.sessions is 0"),
        ("[replay]", "[replay]\nsessions = 3", "not both"),
        ("[replay]", "[learning]\noptimiser = { rule = \"adam\", first = 1.0 }\n[replay]", "first is 1"),
        ("\"view\"", "\"colour\"", "samples are merged by one of"),
        ("\"random\"", "\"randem\"", "there is no agent `randem`"),
        ("seed = 3", "seed = 3\nencoder = \"cubes\"", "there is no encoder `cubes`"),
        ("[replay]", "[learning]\nbackend = \"wgpu\"\n[replay]", "without the feature `gpu`"),
        ("[replay]", "[learning]\nlearning_rate = { steps = [[5, 1], [2, 1]] }\n[replay]", "in the order"),
        ("[replay]", "[learning]\nreuse = { steps = [[1, 4]], until = 3 }\n[replay]", "must be a number"),
        ("puct:iterations=12\"", "ispuct:iterations=12\"\ncut_loops = true", "ispuct does not cut loops"),
        ("[replay]", "target_discount = 0.0\n[replay]", "target_discount must be above 0"),
        ("[replay]", "target_discount = { steps = [[1, 1.0], [4, 0.0]] }\n[replay]", "target_discount must be above 0"),
        ("[replay]", "settings = { temperature = 1.5, final = \"sampled(1)\" }\n[replay]", "set one of them"),
        ("[replay]", "settings = { temperature = \"hot\" }\n[replay]", "temperature=hot"),
        ("[replay]", "settings = { final = { steps = [[1, \"sampled(1)\"]], until = 3 } }\n[replay]", "a schedule of"),
        ("[replay]", "opening = { share = 0.5, moves = 0 }\n[replay]", "opening.moves is 0"),
        ("[replay]", "archive = { share = 0.5, sessions = 2000 }\n[replay]", "archive.sessions is 2000"),
        ("[replay]", "surprise = 0.5\n[replay]", "set replay.merge to none"),
    ] {
        let config = config(&folder, &CONFIG.replacen(from, to, 1));
        let run = folder.join("run").display().to_string();
        let refusal = refused(&["train", &config, "--out", &run]);
        assert!(refusal.contains(why), "{to}: {refusal}");
        assert!(!Path::new(&run).join("config.toml").exists(), "{to}: a run was begun");
    }
}

/// Weights that blow up end the run with a reason, and what was there stays.
#[test]
fn a_broken_run_keeps_what_it_had() {
    let folder = folder("train-broken");
    let learning = "[learning]
optimiser = { rule = \"momentum\" }
learning_rate = { steps = [[1, 0.001], [3, 10]] }
decay = { steps = [[1, 0], [3, 1000]] }
clip = 1e30
[replay]";
    let text = CONFIG.replacen("[replay]", learning, 1);
    let config = config(&folder, &text);
    let run = folder.join("run").display().to_string();
    let (_, errors) = outputs(&["train", &config, "--out", &run], "", 1);
    assert!(errors.contains("the run is kept as it was after iteration"), "{errors}");
    assert!(Path::new(&run).join("models/0002.safetensors").exists());
}

/// A line without the network that another run has made, or with another agent in the place of one that has it.
fn without_networks_of_runs(line: &str) -> String {
    match (line.split_once("others=runs/"), line.split_once("cheating-network:model=runs/")) {
        (Some((before, after)), _) => format!("{before}{}", after.split_once(',').unwrap().1),
        (_, Some((before, _))) => format!("{before}cheating-mcts\""),
        _ => line.to_string(),
    }
}

#[test]
fn every_configuration_can_begin() {
    let folder = folder("train-configurations");
    let mut count = 0;
    let mut rest = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")];
    while let Some(path) = rest.pop() {
        if path.is_dir() {
            rest.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            // What they begin with is made by other runs, or is no part of the program.
            let config = fs::read_to_string(&path).unwrap();
            let elsewhere = |line: &&str| {
                line.starts_with("begin_with")
                    || line.contains("checkpoints/")
                    || line.starts_with("opponent") && line.contains("runs/")
            };
            let config: Vec<String> =
                config.lines().filter(|line| !elsewhere(line)).map(without_networks_of_runs).collect();
            let config = config.join("\n");
            let begun = Run::create(&folder.join(count.to_string()), &config);
            assert!(begun.is_ok(), "{}: {}", path.display(), begun.err().unwrap());
            count += 1;
        }
    }
    assert!(count >= 10, "{count} configurations");
}

/// Every game can be learnt without writing a configuration.
#[test]
fn presets_fit_every_game() {
    for entry in meeple_catalog::GAMES {
        for scale in Scale::ALL {
            let text = preset(entry.name, &Rules::default(), scale).unwrap();
            if ["lines-of-action", "chinese-checkers"].contains(&entry.name) {
                assert!(text.contains("cut_loops = true") && text.contains("most_moves"), "{text}");
            }
            let config = Config::parse(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
            let player = meeple_catalog::self_player(entry.name, &Rules::default()).unwrap();
            initial_model(&config, &*player).unwrap_or_else(|error| panic!("{text}\n{error}"));
            let folder = folder(&format!("preset-{}-{scale}", entry.name));
            if scale == Scale::Minutes {
                Run::create(&folder.join("run"), &text).unwrap_or_else(|error| panic!("{text}\n{error}"));
            }
        }
    }
    let small = Rules::parse("board=37").unwrap();
    assert!(preset("chinese-checkers", &small, Scale::Minutes).unwrap().contains("rules = { board = \"37\" }"));
    assert!(refused(&["train", "checkers", "--preset", "minutes"]).contains("checkers"));
    let other = ["train", "chinese-checkers", "--preset", "minutes", "--rules", "board=38"];
    assert!(refused(&other).contains("board"));
    assert!(refused(&["train", "connect-four", "--preset", "weeks"]).contains("weeks"));
}

/// In a few iterations on a game this small the network beats random players, and the page says so.
#[test]
fn a_run_ends_with_a_page_that_says_whether_it_learnt() {
    let folder = folder("report");
    let learns = CONFIG.replace("games = 30", "games = 200").replace("games = 20", "games = 200");
    let run = folder.join("run");
    let path = config(&folder, &learns);
    let text = output(&["train", &path, "--out", &run.display().to_string()]);
    assert!(text.contains("It has learnt: ") && text.contains("report.md"), "{text}");
    let page = fs::read_to_string(run.join("report.md")).unwrap();
    assert!(page.starts_with("# tic-tac-toe: iteration 6 of 6\n\nIt has learnt: "), "{page}");
    assert!(page.contains("| `random` | ") && page.contains("calibration error"), "{page}");
}

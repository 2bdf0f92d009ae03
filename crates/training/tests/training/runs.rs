//! Whole runs in their folders. What the command line shows of them is tested there.

use std::fs;
use std::path::{Path, PathBuf};

use meeple_arena::Stop;
use meeple_network::samples;
use meeple_network::{Header, Model};
use meeple_training::run::{Config, Metrics, Run, Watch};

const CONFIG: &str = r#"
game = "tic-tac-toe"
iterations = 2
threads = 1
[network]
preset = "dense"
layers = 1
neurons = 8
[self_play]
agent = "puct:iterations=4"
games = 3
[evaluation]
games = 2
"#;

/// An empty folder; its name belongs to one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[derive(Default)]
struct All(Vec<Metrics>);

impl Watch for All {
    fn iteration(&mut self, metrics: &Metrics, _line: &str) {
        self.0.push(metrics.clone());
    }
}

fn go(run: Run) -> Vec<Metrics> {
    let mut all = All::default();
    run.go(&Stop::default(), &mut all).unwrap();
    all.0
}

fn why(result: Result<Run, meeple_training::run::RunError>) -> String {
    result.expect_err("it is refused").to_string()
}

/// Puts the network in a file down as one for something else.
fn change_header(file: &Path, change: impl Fn(&mut Header)) {
    let mut model = Model::load(file).unwrap();
    change(&mut model.header);
    model.save(file).unwrap();
}

#[test]
fn iterations_that_nothing_is_learnt_from_change_nothing() {
    let path = folder("nothing-learnt").join("run");
    let quick = CONFIG.replace("games = 3", "games = 1\nquick = { share = 0.99999, iterations = 2 }");
    let short = quick.replace("iterations = 2\nthreads", "iterations = 1\nthreads");
    let mut metrics = go(Run::create(&path, &short).unwrap());
    metrics.extend(go(Run::resume(&path, Some(&quick)).unwrap()));
    assert_eq!(metrics.len(), 2);
    for metrics in &metrics {
        assert_eq!((metrics.games, metrics.positions, metrics.updates, metrics.reuse), (1, 0, 0, 0.0));
        assert_eq!(metrics.losses, Default::default());
        let line = serde_json::to_string(metrics).unwrap();
        assert_eq!(&serde_json::from_str::<Metrics>(&line).unwrap(), metrics, "all figures are numbers");
        assert!(metrics.warnings.len() == 1 && metrics.warnings[0].contains("quick"), "{:?}", metrics.warnings);
    }
    let models = ["0000", "0002"].map(|name| Model::load(&path.join(format!("models/{name}.safetensors"))).unwrap());
    assert_eq!(models[0].parameters, models[1].parameters);
}

#[test]
fn runs_begin_with_networks_of_their_kind_only() {
    let folder = folder("begin-with");
    let other = folder.join("other.safetensors");
    let begun = Run::create(&folder.join("first"), CONFIG).unwrap();
    let text = format!("begin_with = {other:?}\n{CONFIG}");
    let change = |change: fn(&mut Header)| {
        fs::copy(begun.folder().model(0), &other).unwrap();
        change_header(&other, change);
    };
    let differences: [fn(&mut Header); 2] =
        [|header| header.version += 1, |header| header.rules = "size=4".to_string()];
    for difference in differences {
        change(difference);
        let why = why(Run::create(&folder.join("second"), &text));
        assert!(why.contains("other rules"), "{why}");
    }
    change(|_| {});
    Run::create(&folder.join("second"), &text).unwrap();
}

#[test]
fn networks_go_on_without_their_norms() {
    let folder = folder("without-norms");
    let with_norm = CONFIG.replace("neurons = 8", "neurons = 8\nnorm = 0.1");
    go(Run::create(&folder.join("first"), &with_norm).unwrap());
    let learnt = folder.join("first/models/0002.safetensors");
    let begun = Run::create(&folder.join("second"), &format!("begin_with = {learnt:?}\n{CONFIG}")).unwrap();
    let plain = Model::load(&learnt).unwrap().without_norms().unwrap();
    assert_eq!(Model::load(&begun.folder().model(0)).unwrap().parameters, plain.parameters);
    let unlike = format!("begin_with = {:?}\n{with_norm}", begun.folder().model(0));
    assert!(why(Run::create(&folder.join("third"), &unlike)).contains("another network"));
}

/// The fields are what they were, and no combination of cards is preferred; but not the other way round.
#[test]
fn networks_go_on_with_encoders_that_tell_apart_more() {
    let folder = folder("tell-apart");
    let fields =
        CONFIG.replace("\"tic-tac-toe\"", "\"just4fun\"\nencoder = \"cards-fields\"").replace("puct", "ispuct");
    let combinations = fields.replace("cards-fields", "cards-combinations");
    let first = Run::create(&folder.join("first"), &fields).unwrap().folder().model(0);
    let second = Run::create(&folder.join("second"), &format!("begin_with = {first:?}\n{combinations}")).unwrap();
    let [narrow, wide] = [&first, &second.folder().model(0)].map(|file| Model::load(file).unwrap());
    for ((info, narrow), wide) in wide.graph.parameters.iter().zip(&narrow.parameters.0).zip(&wide.parameters.0) {
        let (few, all) = if info.name.starts_with("policy.last") { (36, 51) } else { (1, 1) };
        let rows = wide.chunks_exact(all);
        assert_eq!(rows.clone().flat_map(|row| row[..few].to_vec()).collect::<Vec<_>>(), *narrow, "{}", info.name);
        assert!(rows.flat_map(|row| &row[few..]).all(|value| *value == 0.0));
    }
    let back = format!("begin_with = {:?}\n{fields}", second.folder().model(0));
    assert!(why(Run::create(&folder.join("third"), &back)).contains("another encoder"));
}

/// It says what it said, whatever the further planes show, as long as it has not learnt from them; a network for which planes
/// are no planes does not know which of its inputs they are.
#[test]
fn networks_go_on_with_encoders_that_see_more() {
    let folder = folder("see-more");
    let dense = CONFIG
        .replace("\"tic-tac-toe\"", "\"just4fun\"\nencoder = \"cards-combinations\"")
        .replace("puct:iterations=4", "network");
    let network = "preset = \"cardfieldnet\"\nnorm = 0.0\ncommon_norm = 0.0\ndropout = 0.0\nfilters = 8\nblocks = 1";
    let few = dense.replace("preset = \"dense\"\nlayers = 1\nneurons = 8", network);
    let more = |few: &str| few.replace("cards-combinations", "cards-threats");
    let begun = |name: &str, config: &str| Run::create(&folder.join(name), config).map(|run| run.folder().model(0));
    let first = begun("first", &few).unwrap();
    let second = begun("second", &format!("begin_with = {first:?}\n{}", more(&few))).unwrap();
    let [narrow, wide] = [&first, &second].map(|file| Model::load(file).unwrap());
    let of = |model: &Model, more: f32| {
        let (ports, mut input) = (model.graph.ports, Vec::new());
        let seen = |place: usize| (place % 7) as f32 / 7.0;
        for field in 0..36 {
            input.extend(
                (0..ports.channels).map(|channel| if channel < 11 { seen(field * 11 + channel) } else { more }),
            );
        }
        input.extend((0..ports.vector).map(seen));
        let nodes = meeple_network::reference::evaluate(model, &input, 0);
        [model.graph.policy, model.graph.value].map(|head| nodes[head.unwrap()].clone())
    };
    let said = of(&narrow, 0.0);
    assert!(said[0].iter().any(|&logit| logit != 0.0));
    assert_eq!([of(&wide, 0.0), of(&wide, 3.0)], [said.clone(), said]);
    let first = begun("dense", &dense).unwrap();
    let second = Run::create(&folder.join("wider"), &format!("begin_with = {first:?}\n{}", more(&dense)));
    assert!(why(second).contains("another encoder"));
}

#[test]
fn runs_go_on_with_their_own_networks_only() {
    let folder = folder("go-on");
    let other_rules = |header: &mut Header| header.rules = "size=4".to_string();
    for (name, iteration) in [("first", 0), ("playing", 2)] {
        let path = folder.join(name);
        go(Run::create(&path, CONFIG).unwrap());
        let file = Run::resume(&path, None).unwrap().folder().model(iteration);
        change_header(&file, other_rules);
        for config in [None, Some(CONFIG)] {
            let why = why(Run::resume(&path, config));
            assert!(why.contains("other rules"), "{name}: {why}");
        }
    }
}

/// Files of samples are looked for where there are some, not wherever there might be.
#[test]
fn a_state_that_claims_too_much_takes_no_time() {
    let path = folder("claims").join("run");
    let short = CONFIG.replace("iterations = 2\nthreads", "iterations = 1\nthreads");
    go(Run::create(&path, &short).unwrap());
    let file = path.join("state.json");
    let state = fs::read_to_string(&file).unwrap();
    let claim = state.replace("\"iteration\": 1", &format!("\"iteration\": {}", u32::MAX));
    assert_ne!(state, claim);
    fs::write(&file, claim).unwrap();
    let started = std::time::Instant::now();
    assert!(go(Run::resume(&path, None).unwrap()).is_empty(), "there is nothing left to do");
    assert!(started.elapsed().as_secs() < 20);
}

/// Agents are named by texts with the path in them, where these characters mean something.
#[test]
fn runs_do_not_stand_where_agents_cannot_name_them() {
    let folder = folder("names");
    for name in ["a,b", "a(b", "a)b"] {
        let path = folder.join(name).join("run");
        let why = why(Run::create(&path, CONFIG));
        assert!(why.contains("comma") && why.contains(name), "{why}");
        assert!(!path.exists());
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("config.toml"), CONFIG).unwrap();
        assert!(Run::resume(&path, None).err().unwrap().to_string().contains("comma"));
    }
}

/// A run that is stopped after each iteration and goes on has the same windows.
#[test]
fn what_another_agent_played_is_kept_if_that_is_wanted() {
    let windows = |keep: bool| {
        let path = folder("keep-first").join(format!("{keep}"));
        let config = |iterations: u32| {
            let more = format!("games = 3\nfirst = \"random\"\n[replay]\nkeep_first = {keep}");
            CONFIG.replacen("games = 3", &more, 1).replacen("iterations = 2", &format!("iterations = {iterations}"), 1)
        };
        let mut metrics = go(Run::create(&path, &config(1)).unwrap());
        for iterations in 2..=3 {
            metrics.extend(go(Run::resume(&path, Some(&config(iterations))).unwrap()));
        }
        metrics.iter().map(|metrics| (metrics.positions as usize, metrics.window)).collect::<Vec<_>>()
    };
    let [(first, all), (second, two), (third, three)] = windows(false)[..] else { panic!("three iterations") };
    assert_eq!([all, two, three], [first, second, second + third]);
    let [(first, all), (second, two), (third, three)] = windows(true)[..] else { panic!("three iterations") };
    assert_eq!([all, two, three], [first, first + second, first + second + third]);
}

/// The same games are worth what their ends say, or what the network says at the next position of each seat.
#[test]
fn values_learn_what_the_network_expects_later() {
    let payoffs = |trace: &str| {
        let path = folder("trace").join(trace);
        let run = Run::create(&path, &format!("{CONFIG}[learning]\nvalue_trace = {trace}\n")).unwrap();
        let file = path.join("samples/0001.bin");
        go(run);
        samples::read(&file).unwrap().iter().map(|sample| sample.payoffs[0]).collect::<Vec<_>>()
    };
    let [outcomes, half, next] = ["1.0", "0.5", "0.0"].map(payoffs);
    let is_outcome = |payoff: &f32| [-1.0, 0.0, 1.0].contains(payoff);
    assert!(outcomes.iter().all(is_outcome));
    let ends = |payoffs: &[f32]| payoffs.iter().filter(|payoff| is_outcome(payoff)).count();
    assert_eq!((ends(&half), ends(&next)), (6, 6), "the last positions of two seats in three games");
    assert!(outcomes.len() > 6 && half.len() == outcomes.len() && next.len() == outcomes.len());
    let path = folder("trace").join("refused");
    let images = CONFIG.replacen("games = 3", "games = 3\nsymmetries = \"all\"", 1);
    let why = why(Run::create(&path, &format!("{images}[learning]\nvalue_trace = 0.5\n")));
    assert!(why.contains("self_play.symmetries to one") && !path.exists(), "{why}");
}

/// A network that has to win more than it can does not play in the next iteration; one that has to win nothing does.
#[test]
fn a_gate_keeps_the_network_that_plays() {
    for (share, passes) in [(0.0, true), (1.0, false)] {
        let path = folder("gate").join(format!("{share}"));
        let gate = format!("{CONFIG}[gate]\ngames = 20\nshare = {share:.1}\nagent = \"network\"\n");
        let metrics = go(Run::create(&path, &gate).unwrap());
        assert!(metrics.iter().all(|metrics| metrics.gate.is_some_and(|(_, passed)| passed == passes)), "{metrics:?}");
        let state = fs::read_to_string(path.join("state.json")).unwrap();
        let playing = if passes { 2 } else { 0 };
        assert!(state.contains(&format!("\"playing\": {playing}")), "{state}");
    }
}

/// Tic-tac-toe has at least five moves, unless a game begins in the middle of one that was played before.
#[test]
fn games_begin_at_positions_of_the_archive() {
    let lengths = |archive: &str| {
        let path = folder("archive").join(if archive.is_empty() { "without" } else { "with" });
        let metrics =
            go(Run::create(&path, &CONFIG.replacen("games = 3", &format!("games = 30\n{archive}"), 1)).unwrap());
        metrics.iter().map(|metrics| metrics.game_length).collect::<Vec<_>>()
    };
    let [plain, archive] = ["", "archive = { share = 1.0, sessions = 5 }"].map(lengths);
    assert!(archive[0] >= 5.0, "there is no archive yet");
    assert!(plain[1] >= 5.0 && archive[1] < 5.0, "{plain:?} {archive:?}");
}

/// Whatever the iteration is at which they would first be met.
#[test]
fn impossible_settings_are_refused_before_there_is_a_folder() {
    let path = folder("impossible").join("run");
    let ispuct = "ispuct:iterations=4\"\ncut_loops = true";
    let first = format!("{ispuct}\nfirst = \"random\"");
    for (from, to, reason) in [
        ("puct:iterations=4\"", ispuct, "ispuct does not cut loops"),
        ("puct:iterations=4\"", &first, "ispuct does not cut loops"),
        ("puct:iterations=4\"", "network:temperature=1\"", "has no settings"),
        ("games = 3", "games = 3\nopponent = { agent = \"nobody\" }", "nobody"),
        ("games = 3", "games = 3\nopponent = { agent = \"cheating-ispuct:iteration=8\" }", "does not know `iteration`"),
        ("games = 3", "games = 3\ntarget_discount = 0.0", "target_discount must be above 0"),
        ("games = 3", "games = 3\ntarget_discount = { steps = [[1, 1], [2, 0]] }", "target_discount must be above 0"),
    ] {
        let why = why(Run::create(&path, &CONFIG.replacen(from, to, 1)));
        assert!(why.contains(reason) && !path.exists(), "{to}: {why}");
    }
}

#[test]
fn configurations_out_of_range_are_refused() {
    let refused = |more: &str| Config::parse(&CONFIG.replacen("games = 3", more, 1)).err().map(|error| error.0);
    for (more, reason) in [
        ("opponent = { agent = \"random\", share = 2.0 }", "opponent.share is 2"),
        ("opening = { share = 0.5, moves = 0 }", "opening.moves is 0"),
        ("opening = { share = 0.5, moves = 10001 }", "opening.moves is 10001"),
        ("archive = { share = 0.5, sessions = 0 }", "archive.sessions is 0"),
        ("archive = { share = 0.5, sessions = 1001 }", "archive.sessions is 1001"),
        ("surprise = 0.5\n[replay]\nmerge = \"view\"", "set replay.merge to none"),
        ("games = 3\n[learning]\ntrace = 1.5", "learning.trace is 1.5"),
        ("games = 3\n[learning]\nratio = 0", "learning.ratio is 0"),
        ("games = 3\n[learning]\nvalue_trace = { linear = [[1, 0.5], [2, 1.5]] }", "learning.value_trace is 1.5"),
        ("settings = { final = { steps = [[1, \"sampled(1)\"]], until = 3 } }", "a schedule of numbers or words"),
    ] {
        let error = refused(more).unwrap_or_else(|| panic!("{more} is accepted"));
        assert!(error.contains(reason), "{more}: {error}");
    }
    for more in ["opening = { share = 0.5, moves = 10000 }", "surprise = 0.5", "[replay]\nmerge = \"view\""] {
        assert_eq!(refused(more), None, "{more}");
    }
}

/// Who sees all cards may be imitated by a network that does, which plays for a cheater and for nobody else.
#[test]
fn cheating_players_are_imitated_by_who_sees_as_much() {
    let folder = folder("imitation");
    let imitation = CONFIG
        .replace("tic-tac-toe", "kuhn-poker")
        .replace("puct:iterations=4", "cheating-mcts:iterations=20")
        .replace("games = 3", "games = 40\nopponent = { agent = \"random\" }");
    let open = format!("open = true\n{imitation}agent = \"cheating-network\"\n");
    let run = Run::create(&folder.join("open"), &open).unwrap();
    let file = run.folder().model(2);
    let metrics = go(run);
    assert!(
        metrics.iter().all(|metrics| metrics.updates > 0 && metrics.anchors.is_empty() != (metrics.iteration == 2))
    );
    let model = Model::load(&file).unwrap();
    assert!(model.header.open && model.header.ports.vector > 0);
    let refused = |config: &str, reason: &str| {
        let path = folder.join("refused");
        let why = why(Run::create(&path, config));
        assert!(why.contains(reason) && !path.join("config.toml").exists(), "{why}");
    };
    refused(&imitation, "set open");
    refused(&open.replace("\"cheating-network\"", "\"network\""), "sees the cards of all players");
    refused(&open.replace("cheating-mcts:iterations=20", "network"), "set agent to one that it imitates");
    refused(&open.replace("cheating-mcts:iterations=20", "ispuct:iterations=4"), "set agent to one that it imitates");
    refused(&open.replace("cheating-mcts:iterations=20", "nobody"), "nobody");
    refused(&format!("{open}[learning]\ncritic = 0.5\n"), "sees all cards itself");
    let perfect = open.replace("kuhn-poker", "tic-tac-toe").replace("cheating-mcts:iterations=20", "random");
    refused(&perfect, "everybody sees everything");
    // A search may ask it where others are to move.
    let asking =
        imitation.replace("cheating-mcts:iterations=20", &format!("ispuct:iterations=4,others={}", file.display()));
    assert_eq!(go(Run::create(&folder.join("asking"), &asking).unwrap()).len(), 2);
    refused(&asking.replace("others=", "others=no"), "no");
    let rival = format!("opponent = {{ agent = \"ispuct:iterations=4,others={}\" }}", file.display());
    refused(&asking.replace("opponent = { agent = \"random\" }", &rival), "for the search that learns");
}

/// A policy that plays alone is compared with what it was when it played, by what it has just done.
#[test]
fn what_means_nothing_to_a_policy_that_plays_alone_is_refused() {
    let path = folder("alone").join("run");
    let alone = CONFIG.replace("puct:iterations=4", "network");
    for (from, to, reason) in [
        ("games = 3", "games = 3\nsurprise = 0.5", "self_play.surprise does nothing"),
        ("games = 3", "games = 3\nquick = { share = 0.5, iterations = 0 }", "self_play.quick does nothing"),
        ("games = 3", "games = 3\n[replay]\nsessions = 3", "replay does nothing"),
        ("neurons = 8", "neurons = 8\nnorm = 0.1", "no batch norm"),
        ("games = 3", "games = 3\n[learning]\nvalue_trace = 0.5", "learning.value_trace does nothing"),
    ] {
        assert!(alone.contains(from), "{from}");
        let why = why(Run::create(&path, &alone.replacen(from, to, 1)));
        assert!(why.contains(reason) && !path.exists(), "{to}: {why}");
    }
    assert_eq!(go(Run::create(&path, &alone).unwrap()).last().unwrap().iteration, 2);
}

/// The first games of a critic are its own lesson; only in those after them can it judge a policy.
#[test]
fn a_policy_waits_for_its_critic() {
    let path = folder("waits").join("run");
    let config = CONFIG.replace("tic-tac-toe", "kuhn-poker").replace("puct:iterations=4", "network");
    let metrics = go(Run::create(&path, &format!("{config}[learning]\ncritic = 0.5\n")).unwrap());
    let of_critic: Vec<bool> = metrics.iter().map(|metrics| metrics.critic.is_some()).collect();
    let updates: Vec<bool> = metrics.iter().map(|metrics| metrics.updates > 0).collect();
    assert_eq!((of_critic, updates), (vec![true; 2], vec![false, true]));
    let after =
        |iteration: u32| Model::load(&path.join(format!("models/{iteration:04}.safetensors"))).unwrap().parameters;
    assert_eq!(after(0), after(1));
    assert_ne!(after(1), after(2));
}

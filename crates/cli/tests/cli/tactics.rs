//! Suite files: each one that ships is read, and what can be proven quickly is proven again. Behaviours
//! in played games.

use std::fs;
use std::path::{Path, PathBuf};

use meeple_arena::MatchSettings;
use meeple_arena::eval::{SuiteFile, count_behaviours, judge_records};
use meeple_core::agent::Budget;
use meeple_core::erased::{AnyCase, AnyGame, AnyPosition};
use meeple_core::{Record, Rng, Rules, Turn};

fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn read(name: &str) -> (Box<dyn AnyGame>, SuiteFile, Vec<AnyCase>) {
    let file = shipped().into_iter().find(|file| file.file_name().unwrap() == name).unwrap();
    let suite = SuiteFile::parse(name, &fs::read_to_string(file).unwrap()).unwrap();
    let game = meeple_catalog::game(&suite.game, &suite.rules).unwrap();
    let cases = suite.cases(&*game).unwrap();
    (game, suite, cases)
}

#[test]
fn every_shipped_suite_can_be_read() {
    assert!(shipped().len() >= 4);
    for file in shipped() {
        let name = file.file_name().unwrap().to_str().unwrap().to_string();
        let (_, suite, cases) = read(&name);
        assert_eq!(cases.len(), suite.cases.len());
        for (case, written) in cases.iter().zip(&suite.cases) {
            assert!(case.expected.len() < case.position.action_count(), "{name} {}: any action is right", case.name);
            assert_eq!(case.position.state_text().unwrap(), written.position, "{name} {}", case.name);
        }
    }
}

/// The payoff of `player` under best play after an action, if so many positions are enough to know.
fn value(game: &dyn AnyGame, position: &dyn AnyPosition, action: &str, player: usize) -> Option<f32> {
    let mut after = position.clone_box();
    after.apply(action).unwrap();
    if after.turn() == Turn::Over {
        return Some(after.outcome().payoffs[player]);
    }
    let mut prover = game.agent("alphabeta:depth=all,nodes=60000").unwrap();
    let decision = after.decide(&mut prover, &Budget::NONE, &mut Rng::from_seed(1));
    let chosen = decision.report.actions.iter().find(|action| action.action == decision.action);
    chosen?.proven.map(|payoffs| payoffs[player])
}

/// Proves what the names of cases promise: all winning actions are expected, or all that do not lose.
/// Returns the number of cases with nothing left to prove, and of actions that were proven.
fn prove(name: &str, every: usize) -> (usize, usize) {
    let (game, _, cases) = read(name);
    let (mut whole, mut proven) = (0, 0);
    for case in cases.iter().step_by(every) {
        let Turn::Player(mover) = case.position.turn() else { unreachable!() };
        let defend = case.name.starts_with("defend");
        let mut open = 0;
        for action in case.position.actions() {
            let expected = case.expected.contains(&action);
            match value(&*game, &*case.position, &action, mover) {
                Some(value) if expected && defend => assert!(value > -1.0, "{name} {}: {action} loses", case.name),
                Some(value) if expected => assert_eq!(value, 1.0, "{name} {}: {action} does not win", case.name),
                Some(value) if defend => {
                    assert_eq!(value, -1.0, "{name} {}: {action} holds too", case.name);
                }
                Some(value) => assert!(value < 1.0, "{name} {}: {action} wins too", case.name),
                None => open += 1,
            }
            proven += 1;
        }
        whole += usize::from(open == 0);
        proven -= open;
    }
    (whole, proven)
}

#[test]
fn wins_and_defences_of_breakthrough_are_proven_again() {
    let (whole, proven) = prove("breakthrough.toml", 4);
    assert!(whole >= 4 && proven >= 100, "{whole} cases, {proven} actions");
}

#[test]
fn wins_and_defences_of_lines_of_action_are_proven_again() {
    let (_, proven) = prove("lines-of-action.toml", 8);
    assert!(proven >= 30, "{proven} actions");
}

#[test]
fn expected_cards_of_sueca_are_the_best_of_all_worlds() {
    let (game, _, cases) = read("sueca-endgames.toml");
    for case in cases.iter().step_by(5) {
        let mut solver = game.agent("ismcts:iterations=1,endgame=3000,endgame_nodes=1000000000").unwrap();
        let decision = case.position.decide(&mut solver, &Budget::NONE, &mut Rng::from_seed(1));
        let best = decision.report.actions[0].value_for_mover;
        let means = decision.report.actions.iter();
        let mut found: Vec<&String> =
            means.filter(|action| action.value_for_mover > best - 1e-6).map(|action| &action.action).collect();
        let mut expected: Vec<&String> = case.expected.iter().collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{}", case.name);
    }
}

/// The points that players of Chinese Checkers have, as the position ends with them.
fn points(position: &dyn AnyPosition) -> Vec<u32> {
    let text = position.state_text().unwrap();
    text.rsplit(' ').next().unwrap().split('-').map(|points| points.parse().unwrap()).collect()
}

fn after(position: &dyn AnyPosition, action: &str) -> Box<dyn AnyPosition> {
    let mut next = position.clone_box();
    next.apply(action).unwrap();
    next
}

/// Whether a player of Chinese Checkers gets so many points within some plies whatever the others do;
/// only that they finish first when they can is taken for granted.
fn forces(position: &dyn AnyPosition, player: usize, least: u32, plies: u32) -> bool {
    let before = points(position);
    let Turn::Player(mover) = position.turn() else { return before[player] >= least };
    if before[player] >= least || plies == 0 {
        return before[player] >= least;
    }
    let mut next: Vec<_> = position.actions().iter().map(|action| after(position, action)).collect();
    let finishes = |next: &dyn AnyPosition| points(next)[mover] == 3;
    if mover != player && before == [0; 3] && next.iter().any(|next| finishes(&**next)) {
        next.retain(|next| finishes(&**next));
    }
    let good = |next: &dyn AnyPosition| forces(next, player, least, plies - 1);
    let mut next = next.iter().map(|next| &**next);
    if mover == player { next.any(good) } else { next.all(good) }
}

#[test]
fn scenarios_of_chinese_checkers_are_proven_again() {
    let (_, _, cases) = read("chinese-checkers.toml");
    for case in &cases {
        let Turn::Player(mover) = case.position.turn() else { unreachable!() };
        let parts: Vec<&str> = case.name.split('-').collect();
        let right = |next: &dyn AnyPosition| match parts[0] {
            "zugzwang" => forces(next, mover, 3, 3),
            _ => forces(next, mover, 1, parts[1].parse::<u32>().unwrap() - 1),
        };
        // The others take too long.
        if !["zugzwang", "timer-2", "timer-4-a"].iter().any(|begin| case.name.starts_with(begin)) {
            continue;
        }
        let actions = case.position.actions();
        let found: Vec<&String> = actions.iter().filter(|action| right(&*after(&*case.position, action))).collect();
        let all_expected = found.iter().all(|action| case.expected.contains(action));
        // Of a timer, some expected actions may take longer.
        let none_missing = found.len() == case.expected.len() || parts[0] == "timer" && !found.is_empty();
        assert!(all_expected && none_missing, "{}: {found:?}, not {:?}", case.name, case.expected);
    }
}

const SMALL: &str = "
title = \"small\"
source = \"none\"
game = \"tic-tac-toe\"
[[case]]
name = \"one\"
position = \"xx./oo./...\"
expected = [\"c3\"]
";

fn complaint(text: &str) -> String {
    let game = meeple_catalog::game("tic-tac-toe", &Rules::default()).unwrap();
    SuiteFile::parse("small.toml", text).and_then(|suite| suite.cases(&*game).map(|_| ())).unwrap_err()
}

#[test]
fn a_wrong_file_is_refused_with_file_case_and_reason() {
    let game = meeple_catalog::game("tic-tac-toe", &Rules::default()).unwrap();
    let cases = SuiteFile::parse("small.toml", SMALL).unwrap().cases(&*game).unwrap();
    assert_eq!((cases[0].name.as_str(), cases[0].expected.as_slice()), ("one", &["c3".to_string()][..]));
    for (from, to, reason) in [
        ("\"c3\"", "\"a1\", \"a3\"", "case `one`: expected action `a3` is not legal"),
        ("\"c3\"", "\"c3\", \"c3\"", "case `one`: expected action `c3` is there twice"),
        ("\"c3\"", "", "case `one`: there is no expected action"),
        ("oo.", "ooo", "case `one`:"),
        ("xx./oo./...", "xxx/oo./...", "case `one`: nobody is to move"),
        ("source", "sauce", "unknown field `sauce`"),
        ("[[case]]", "[[case]]\nview = \"\"", "unknown field `view`"),
    ] {
        let complaint = complaint(&SMALL.replace(from, to));
        assert!(complaint.starts_with("small.toml: ") && complaint.contains(reason), "{complaint}");
    }
    let twice = SMALL.to_string() + &SMALL[SMALL.find("[[case]]").unwrap()..];
    assert!(complaint(&twice).contains("case `one` is there twice"));
}

#[test]
fn behaviours_are_counted_whatever_the_threads() {
    let game = meeple_catalog::game("keezen", &Rules::default()).unwrap();
    let agents = vec!["random".to_string(), "rules".to_string()];
    let settings = |threads| MatchSettings { threads, ..MatchSettings::new(agents.clone(), 4, 5) };
    let result = count_behaviours(&*game, &settings(1)).unwrap();
    assert_eq!(result, count_behaviours(&*game, &settings(3)).unwrap());
    assert_eq!((result.games, result.behaviours.len(), result.agent.as_str()), (4, 20, "random"));
    assert!(result.decisions > 100);
    for behaviour in &result.behaviours {
        let events = behaviour.good + behaviour.bad;
        assert_eq!(behaviour.score, (events > 2).then(|| behaviour.good as f64 / events as f64));
        assert!(events <= result.decisions);
    }
    // Among themselves random players are all measured.
    let alone = vec!["random".to_string(); 2];
    let both = count_behaviours(&*game, &MatchSettings::new(alone, 2, 5)).unwrap();
    assert!(both.decisions > result.decisions / 2, "{} {}", both.decisions, result.decisions);
}

#[test]
fn a_record_that_breaks_the_rules_is_not_judged() {
    let game = meeple_catalog::game("keezen", &Rules::default()).unwrap();
    let record = Record {
        game: "keezen".to_string(),
        seats: vec!["random".to_string(); 4],
        actions: vec!["D0".to_string(), "nonsense".to_string()],
        ..Record::default()
    };
    let error = judge_records(&*game, "random", std::slice::from_ref(&record)).unwrap_err();
    assert!(error.contains("game 0: step 1"), "{error}");
    // Whoever has no seat has no decisions.
    assert_eq!(judge_records(&*game, "rules", &[record]).unwrap().decisions, 0);
}

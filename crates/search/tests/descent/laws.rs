//! What holds for the tree and the decision of every search.

use std::collections::HashMap;
use std::time::Duration;

use meeple_core::agent::{Agent, Budget, Decision};
use meeple_core::{Game, Rng, Turn};
use meeple_games::breakthrough::{Breakthrough, Setup};
use meeple_games::{ConnectFour, TicTacToe};
use meeple_search::descent::{BestFirst, DescentSettings, FinalChoice, Method, Select, Terminal, TreeEntry, Worth};

use crate::games::Coins;
use crate::minimax::successors;
use crate::{METHODS, agent, decide, settings, small_breakthrough};

const SELECTS: [Select; 4] = [Select::Best, Select::Greedy(0.05), Select::Softmax(1.0), Select::Ordinal(0.05)];

fn breakthrough() -> Breakthrough<u64> {
    Breakthrough::new(Setup::default())
}

/// Every way to search with the given ends of games.
fn all_settings(iterations: u64, terminals: &[Terminal]) -> Vec<DescentSettings> {
    let mut all = Vec::new();
    for method in METHODS {
        for select in SELECTS {
            for choice in [FinalChoice::Best, FinalChoice::Safest] {
                for &terminal in terminals {
                    for (completed, reuse) in [(true, true), (true, false), (false, true)] {
                        let settings = settings(method, iterations);
                        all.push(DescentSettings { select, choice, terminal, completed, reuse, ..settings });
                    }
                }
            }
        }
    }
    all
}

fn play<G: Game>(game: &G, mut player: BestFirst<G>) {
    let (mut rng, mut state, mut actions) = (Rng::from_seed(1), game.initial_state(), Vec::new());
    while game.turn(&state) != Turn::Over {
        let decision = player.decide(game, &game.view(&state, None), &Budget::NONE, &mut rng);
        game.legal_actions(&state, &mut actions);
        assert!(actions.contains(&decision.action), "{player:?}");
        assert_eq!(decision.report.actions.len(), actions.len());
        assert_eq!(decision.report.principal_variation[0], decision.action, "{player:?}");
        game.apply(&mut state, decision.action);
    }
}

#[test]
fn every_combination_plays_a_legal_game() {
    let coins = Coins { coins: vec![3, 9, 1, 2, 7, 5, 4, 8, 6], players: 4, partners_adjacent: true };
    for settings in all_settings(20, &[Terminal::Classic, Terminal::Depth]) {
        let (game, schadd) = small_breakthrough();
        play(&game, BestFirst::new(&game, schadd, settings));
        play(&TicTacToe, agent(&TicTacToe, settings));
    }
    for settings in all_settings(20, &[Terminal::Classic, Terminal::Depth, Terminal::Score]) {
        play(&coins, agent(&coins, settings));
    }
}

/// The worth of an entry follows from its actions, which are all the legal ones.
#[test]
fn entries_follow_from_their_actions() {
    let game = ConnectFour::default();
    for settings in all_settings(200, &[Terminal::Classic, Terminal::Depth]) {
        let mut searcher = agent(&game, settings);
        decide(&game, &game.initial_state(), &mut searcher, 1);
        assert!(searcher.entries().count() >= 200);
        for entry in searcher.entries() {
            let Turn::Player(mover) = game.turn(entry.state) else { panic!("an end has no entry") };
            assert_eq!(game.team(mover), entry.team);
            let mut codes: Vec<u32> = entry.actions.iter().map(|action| action.code).collect();
            let mut legal: Vec<u32> =
                successors(&game, entry.state).iter().map(|&(action, _)| game.action_code(action)).collect();
            codes.sort_unstable();
            legal.sort_unstable();
            assert_eq!(codes, legal);
            let pair = |worth: Worth| (worth.completion, worth.value);
            let pairs = entry.actions.iter().map(|action| pair(action.worth));
            assert_eq!(Some(pair(entry.worth)), pairs.max_by(|a, b| a.partial_cmp(b).unwrap()));
        }
    }
}

/// One more iteration changes nothing about what was resolved before.
#[test]
fn resolved_positions_are_left_alone() {
    let visits = |entry: &TreeEntry<'_, _>| entry.actions.iter().map(|action| action.visits).sum();
    for method in METHODS {
        let mut resolved: HashMap<_, u32> = HashMap::new();
        for iterations in 1..400 {
            let mut searcher = agent(&TicTacToe, settings(method, iterations));
            decide(&TicTacToe, &TicTacToe.initial_state(), &mut searcher, 1);
            let visits: HashMap<_, u32> = searcher.entries().map(|entry| (*entry.state, visits(&entry))).collect();
            assert!(resolved.iter().all(|(state, before)| visits[state] == *before), "{method:?}");
            resolved = searcher
                .entries()
                .filter(|entry| entry.worth.resolved)
                .map(|entry| (*entry.state, visits[entry.state]))
                .collect();
        }
        assert!(resolved.len() > 20, "{method:?}: {}", resolved.len());
    }
}

#[test]
fn a_resolved_root_ends_the_search() {
    for method in METHODS {
        let mut searcher = agent(&TicTacToe, settings(method, 1_000_000));
        let first = decide(&TicTacToe, &TicTacToe.initial_state(), &mut searcher, 1).report;
        assert!(first.iterations < 20_000, "{} iterations", first.iterations);
        let again = decide(&TicTacToe, &TicTacToe.initial_state(), &mut searcher, 1).report;
        assert_eq!(again.iterations, 0);
        assert_eq!(again.actions[0].proven, first.actions[0].proven);
    }
}

#[test]
fn same_seed_same_decision() {
    let game = breakthrough();
    for settings in all_settings(20, &[Terminal::Depth]) {
        let run = |seed| {
            let report = decide(&game, &game.initial_state(), &mut agent(&game, settings), seed).report;
            let actions = report.actions.iter().map(|action| (action.action, action.visits));
            (actions.collect::<Vec<_>>(), report.principal_variation)
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }
}

#[test]
fn visits_add_up() {
    for method in METHODS {
        let game = breakthrough();
        let report = decide(&game, &game.initial_state(), &mut agent(&game, settings(method, 100)), 1).report;
        assert_eq!(report.iterations, 100);
        assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), 100);
    }
}

#[test]
fn memory_is_bounded_and_the_search_goes_on() {
    for method in METHODS {
        for memory in [0, 1 << 16, 1 << 20] {
            let game = breakthrough();
            let settings = DescentSettings { memory, ..settings(method, 5000) };
            let mut searcher = agent(&game, settings);
            let mut state = game.initial_state();
            for _ in 0..4 {
                let Decision { action, report } = decide(&game, &state, &mut searcher, 1);
                let bytes = report.bytes as usize;
                assert!(bytes <= memory.max(8 << 10), "{bytes} bytes"); // the root is always kept
                assert!(2 * bytes > memory, "{bytes} bytes");
                assert_eq!(report.iterations, 5000);
                assert!(report.actions.iter().map(|action| action.visits).sum::<u64>() >= 5000);
                game.apply(&mut state, action);
            }
        }
    }
}

#[test]
fn budgets_are_kept() {
    let game = breakthrough();
    for method in METHODS {
        let search = |budget: Budget| {
            let mut searcher = agent(&game, DescentSettings { budget, ..settings(method, 1) });
            let report = decide(&game, &game.initial_state(), &mut searcher, 1).report;
            (report, searcher.entries().map(|entry| entry.actions.len()).sum::<usize>())
        };
        assert_eq!(search(Budget::iterations(7)).0.iterations, 7);
        let (_, evaluated) = search(Budget { nodes: Some(5000), ..Budget::NONE });
        let last_iteration = if method == Method::Ubfm { 48 } else { 200 * 48 };
        assert!((5000..5000 + last_iteration).contains(&evaluated), "{method:?}: {evaluated}");
        let (report, _) = search(Budget { time: Some(Duration::from_millis(20)), ..Budget::NONE });
        assert!(report.time < Duration::from_secs(2), "{method:?}: {:?}", report.time);
        let (report, _) = search(Budget { time: Some(Duration::ZERO), ..Budget::NONE });
        assert!(report.nodes <= 17, "{method:?}: {} nodes", report.nodes);
    }
}

#[test]
fn entries_stay_for_three_searches() {
    let game = ConnectFour::default();
    let start = game.initial_state();
    let mut elsewhere = start;
    for _ in 0..4 {
        elsewhere = successors(&game, &elsewhere)[3].1;
    }
    for (reuse, searches_kept) in [(true, 3), (false, 0)] {
        let settings = DescentSettings { reuse, ..settings(Method::Ubfm, 10) };
        let mut searcher = agent(&game, settings);
        decide(&game, &start, &mut searcher, 1);
        let mut searches = 0;
        while searcher.entries().any(|entry| *entry.state == start) {
            decide(&game, &elsewhere, &mut searcher, 1);
            searches += 1;
        }
        assert_eq!(searches, searches_kept + 1);
    }
}

//! Monte Carlo tree search on games whose truth is known.

use meeple_core::agent::{Agent, Budget, Decision};
use meeple_core::{Game, Notation, Player, Rng, Turn};
use meeple_games::breakthrough::{Breakthrough, Setup};
use meeple_games::{ConnectFour, LinesOfAction, TicTacToe, TinyChineseCheckers};
use meeple_search::mcts::{Mcts, MctsSettings, Parallel, Reuse, Selection};
use meeple_search::{Reward, TreeSettings};

fn settings(iterations: u64) -> MctsSettings {
    let tree = TreeSettings { budget: Budget::iterations(iterations), memory: 1 << 26, ..Default::default() };
    tree.into()
}

fn decide<G: Game>(game: &G, state: &G::State, settings: MctsSettings) -> Decision<G::Action> {
    let view = game.view(state, None);
    Mcts::new(game, settings).decide(game, &view, &Budget::NONE, &mut Rng::from_seed(1))
}

/// The payoff of the player to move under best play, in a game for two.
fn minimax<G: Game>(game: &G, state: &G::State) -> f32 {
    let Turn::Player(mover) = game.turn(state) else { unreachable!("somebody is to move") };
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let values = actions.into_iter().map(|action| value(game, state, action, mover));
    values.fold(f32::NEG_INFINITY, f32::max)
}

fn value<G: Game>(game: &G, state: &G::State, action: G::Action, mover: Player) -> f32 {
    let mut next = state.clone();
    game.apply(&mut next, action);
    match game.turn(&next) {
        Turn::Over => game.payoffs(&next)[mover],
        Turn::Player(player) if player == mover => minimax(game, &next),
        _ => -minimax(game, &next),
    }
}

fn small_breakthrough(rows: usize, columns: usize) -> Breakthrough<u64> {
    Breakthrough::new(Setup { rows, columns, rows_per_side: 1 })
}

/// A position after so many random actions, in which there is a choice.
fn random_position<G: Game>(game: &G, plies: usize, rng: &mut Rng) -> Option<G::State> {
    let (mut state, mut actions) = (game.initial_state(), Vec::new());
    for _ in 0..plies {
        if game.turn(&state) == Turn::Over {
            return None;
        }
        let action = game.random_action(&state, &mut actions, rng);
        game.apply(&mut state, action);
    }
    if game.turn(&state) == Turn::Over {
        return None;
    }
    game.legal_actions(&state, &mut actions);
    (actions.len() > 1).then_some(state)
}

/// Every result that the search calls proven must be true, and with so many iterations the root
/// must be proven.
fn check_proofs<G: Game>(game: &G, state: &G::State, settings: MctsSettings) {
    let Turn::Player(mover) = game.turn(state) else { unreachable!("somebody is to move") };
    let truth = minimax(game, state);
    let decision = decide(game, state, settings.clone());
    let proven = decision.report.actions.iter().filter_map(|action| Some((action.action, action.proven?)));
    for (action, payoffs) in proven {
        assert_eq!(payoffs[mover], value(game, state, action, mover), "{state:?} {action:?} {settings:?}");
    }
    assert_eq!(value(game, state, decision.action, mover), truth, "{state:?} {settings:?}");
    let chosen = decision.report.actions.iter().find(|action| action.action == decision.action).unwrap();
    assert_eq!(chosen.proven.map(|payoffs| payoffs[mover]), Some(truth), "{state:?} {settings:?}");
}

#[test]
fn tic_tac_toe_is_proven_a_draw() {
    let game = TicTacToe;
    let report = decide(&game, &game.initial_state(), settings(400_000)).report;
    assert!(report.iterations < 400_000, "a proof ends the search");
    let best = &report.actions[0];
    assert_eq!(best.proven, Some([0.0; 6]));
    assert_eq!(best.payoffs, Some([0.0; 6]));
    let without = decide(&game, &game.initial_state(), MctsSettings { solver: false, ..settings(5000) }).report;
    assert!(without.actions.iter().all(|action| action.proven.is_none()));
    assert_eq!(without.iterations, 5000);
}

#[test]
fn proofs_agree_with_minimax() {
    let mut rng = Rng::from_seed(1);
    for (rows, columns) in [(5, 3), (5, 4), (4, 4)] {
        let game = small_breakthrough(rows, columns);
        for plies in 0..10 {
            let Some(state) = random_position(&game, plies, &mut rng) else { continue };
            for solver_threshold in [0, 5] {
                check_proofs(&game, &state, MctsSettings { solver_threshold, ..settings(100_000) });
            }
        }
    }
    for plies in 2..8 {
        let state = random_position(&TicTacToe, plies, &mut rng).unwrap();
        check_proofs(&TicTacToe, &state, settings(50_000));
    }
}

#[test]
fn every_rule_and_every_way_of_sharing_finds_forced_wins() {
    let mut rng = Rng::from_seed(2);
    let game = small_breakthrough(5, 3);
    let states: Vec<_> = (3..8).filter_map(|plies| random_position(&game, plies, &mut rng)).collect();
    let selections = [
        Selection::Ucb1,
        Selection::Ucb1Tuned,
        Selection::Rave { k: 100.0 },
        Selection::Grave { reference: 20, bias: 1e-3 },
        Selection::History { weight: 1.0 },
    ];
    for state in &states {
        for selection in selections {
            check_proofs(&game, state, MctsSettings { selection, ..settings(50_000) });
            for parallel in [Parallel::Tree, Parallel::Root, Parallel::Leaf] {
                check_proofs(&game, state, MctsSettings { selection, parallel, threads: 2, ..settings(50_000) });
            }
        }
    }
}

#[test]
fn every_rule_plays_well_without_proofs() {
    let game: ConnectFour<u64> = ConnectFour::default();
    let state = game.parse_state("......./......./......./......./ooo..../xxx....").unwrap();
    for selection in [
        Selection::Ucb1,
        Selection::Ucb1Tuned,
        Selection::Rave { k: 1000.0 },
        Selection::Grave { reference: 50, bias: 1e-5 },
        Selection::History { weight: 3.0 },
    ] {
        let decision = decide(&game, &state, MctsSettings { selection, solver: false, ..settings(3000) });
        assert_eq!(game.action_text(&state, decision.action), "4", "{selection:?}");
        let share = decision.report.actions[0].visits as f64 / 3000.0;
        assert!(share > 0.5, "{selection:?}: {share}");
    }
}

#[test]
fn threads_share_the_budget_and_lose_no_visit() {
    let game: ConnectFour<u64> = ConnectFour::default();
    for parallel in [Parallel::Tree, Parallel::Root, Parallel::Leaf] {
        for threads in [2, 3] {
            for virtual_loss in [1, 3] {
                let settings = MctsSettings { parallel, threads, virtual_loss, ..settings(10_001) };
                let report = decide(&game, &game.initial_state(), settings).report;
                let visits: u64 = report.actions.iter().map(|action| action.visits).sum();
                assert_eq!((report.iterations, visits), (10_001, 10_001), "{parallel:?} {threads}");
                assert!(report.nodes > 1000, "{parallel:?}: {}", report.nodes);
                let payoffs = report.actions[0].payoffs.unwrap();
                assert!((f64::from(payoffs[0]) - report.actions[0].value_for_mover).abs() < 1e-3, "{parallel:?}");
            }
        }
    }
}

#[test]
fn memory_bounds_hold_for_threads() {
    let game: ConnectFour<u64> = ConnectFour::default();
    for parallel in [Parallel::Tree, Parallel::Root, Parallel::Leaf] {
        for reuse in [Reuse::Nothing, Reuse::Moves] {
            let mut settings = MctsSettings { parallel, threads: 2, reuse, ..settings(50_000) };
            settings.tree.memory = 1 << 21;
            let report = decide(&game, &game.initial_state(), settings).report;
            assert!(report.bytes <= 1 << 21, "{parallel:?}: {}", report.bytes);
            assert_eq!(report.iterations, 50_000);
        }
    }
}

#[test]
fn nodes_are_a_budget() {
    let game: ConnectFour<u64> = ConnectFour::default();
    for threads in [1, 2] {
        let mut settings = MctsSettings { threads, ..settings(1) };
        settings.tree.budget = Budget { nodes: Some(5000), ..Budget::NONE };
        let report = decide(&game, &game.initial_state(), settings).report;
        assert!((5000..5100).contains(&report.nodes), "{threads}: {}", report.nodes);
    }
    // A tree that cannot grow so far ends as well.
    let mut settings = MctsSettings { solver: false, ..settings(1) };
    settings.tree.budget = Budget { nodes: Some(1000), ..Budget::NONE };
    let state = TicTacToe.parse_state("xox/oxo/...").unwrap();
    assert!(decide(&TicTacToe, &state, settings).report.iterations <= 4000);
}

#[test]
fn a_single_action_needs_no_search() {
    let state = TicTacToe.parse_state("xox/xoo/.xo").unwrap();
    let decision = decide(&TicTacToe, &state, settings(1000));
    assert_eq!(decision.report.iterations, 0);
    assert_eq!(decision.report.actions.len(), 1);
    assert_eq!(TicTacToe.action_text(&state, decision.action), "a1");
}

#[test]
fn a_discount_prefers_the_shorter_win() {
    // White wins at once by c4b5, and a move later by others.
    let game = small_breakthrough(5, 3);
    let state = game.parse_state("b../..w/.../w../... w").unwrap();
    let visits = |discount: f64| {
        let mut settings = MctsSettings { solver: false, discount, ..settings(20_000) };
        settings.tree.exploration = 0.2;
        let report = decide(&game, &state, settings).report;
        let at_once = |action: &&_| value_text(&game, &state, action).contains('5');
        report.actions.iter().filter(at_once).map(|action| action.visits).sum::<u64>()
    };
    assert!(visits(0.8) > 19_000, "{}", visits(0.8));
    assert!(visits(0.8) > visits(1.0), "{} {}", visits(0.8), visits(1.0));
}

fn value_text<G: Game>(game: &G, state: &G::State, action: &meeple_core::agent::ActionReport<G::Action>) -> String {
    game.action_text(state, action.action)
}

#[test]
fn reuse_keeps_visits() {
    let game: ConnectFour<u64> = ConnectFour::default();
    let mut rng = Rng::from_seed(1);
    let mut actions = Vec::new();
    for parallel in [Parallel::Tree, Parallel::Root] {
        for (reuse, keeps) in [(Reuse::Nothing, false), (Reuse::Moves, true), (Reuse::Games, true)] {
            let threads = if parallel == Parallel::Root { 2 } else { 1 };
            let mut agent = Mcts::new(&game, MctsSettings { reuse, parallel, threads, ..settings(4000) });
            let mut state = game.initial_state();
            for decision_number in 0..3 {
                let decision = agent.decide(&game, &state, &Budget::NONE, &mut rng);
                let visits: u64 = decision.report.actions.iter().map(|action| action.visits).sum();
                let more = visits > decision.report.iterations;
                assert_eq!(more, keeps && decision_number > 0, "{reuse:?} {visits}");
                assert!(decision.report.actions.iter().all(|action| action.value_for_mover.abs() <= 1.0));
                game.apply(&mut state, decision.action);
                let reply = decision.report.principal_variation[1];
                game.legal_actions(&state, &mut actions);
                assert!(actions.contains(&reply));
                game.apply(&mut state, reply);
            }
            agent.new_game();
            let report = agent.decide(&game, &game.initial_state(), &Budget::NONE, &mut rng).report;
            let visits: u64 = report.actions.iter().map(|action| action.visits).sum();
            assert_eq!(visits > report.iterations, reuse == Reuse::Games, "{reuse:?}");
        }
    }
}

#[test]
fn a_tree_that_does_not_fit_is_forgotten() {
    let game: ConnectFour<u64> = ConnectFour::default();
    let mut agent = Mcts::new(&game, MctsSettings { reuse: Reuse::Moves, ..settings(1000) });
    let mut rng = Rng::from_seed(1);
    agent.decide(&game, &game.initial_state(), &Budget::NONE, &mut rng);
    let elsewhere = random_position(&game, 9, &mut rng).unwrap();
    let report = agent.decide(&game, &elsewhere, &Budget::NONE, &mut rng).report;
    assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), 1000);
}

#[test]
fn loops_are_cut() {
    let game = LinesOfAction::default();
    // Two pieces each, far apart: moving there and back is most of what can be done.
    let state = game.parse_state("b6b/8/8/w6w/8/8/8/8 b").unwrap();
    let depth_of_repetition = |cut_loops: bool| {
        let report = decide(&game, &state, MctsSettings { cut_loops, solver: false, ..settings(20_000) }).report;
        let mut seen = vec![game.position_key(&state)];
        let mut now = state;
        for action in report.principal_variation {
            game.apply(&mut now, action);
            let key = game.position_key(&now);
            if seen.contains(&key) {
                return true;
            }
            seen.push(key);
        }
        false
    };
    assert!(!depth_of_repetition(true));
    for cut_loops in [false, true] {
        let tiny = TinyChineseCheckers::default();
        let settings = MctsSettings { cut_loops, ..settings(2000) };
        assert_eq!(decide(&tiny, &tiny.initial_state(), settings).report.iterations, 2000);
    }
}

#[test]
fn rewards_that_count_scores_prove_nothing() {
    let report = decide(&TicTacToe, &TicTacToe.initial_state(), {
        let mut settings = settings(20_000);
        settings.tree.reward = Reward::Positive;
        settings
    })
    .report;
    assert!(report.actions.iter().all(|action| (0.0..=1.0).contains(&action.value_for_mover)));
}

//! Monte Carlo tree search on games whose truth is known.

use std::collections::HashMap;

use meeple_core::agent::{Agent, Budget, Decision};
use meeple_core::{Game, Notation, Player, Rng, TreeLimits, Turn};
use meeple_games::breakthrough::{Breakthrough, Setup};
use meeple_games::{ConnectFour, LinesOfAction, TicTacToe, TinyChineseCheckers};
use meeple_search::mcts::{Mcts, MctsSettings, Parallel, Reuse, Selection};
use meeple_search::{Reward, TreeSettings};

fn settings<G: Game>(iterations: u64) -> MctsSettings<G> {
    let tree = TreeSettings { budget: Budget::iterations(iterations), memory: 1 << 26, ..Default::default() };
    tree.into()
}

fn decide<G: Game>(game: &G, state: &G::State, settings: MctsSettings<G>) -> Decision<G::Action> {
    let view = game.view(state, None);
    Mcts::new(game, settings).decide(game, &view, &Budget::NONE, &mut Rng::from_seed(1))
}

/// Exact results of a game for two, by looking at everything.
struct Minimax<'a, G: Game> {
    game: &'a G,
    /// Of the player to move.
    payoffs: HashMap<G::State, f32>,
}

impl<G: Game> Minimax<'_, G> {
    fn new(game: &G) -> Minimax<'_, G> {
        Minimax { game, payoffs: HashMap::new() }
    }

    /// The payoff of the player to move under best play.
    fn best(&mut self, state: &G::State) -> f32 {
        if let Some(&payoff) = self.payoffs.get(state) {
            return payoff;
        }
        let mut actions = Vec::new();
        self.game.legal_actions(state, &mut actions);
        let payoffs = actions.into_iter().map(|action| self.after(state, action));
        let payoff = payoffs.fold(f32::NEG_INFINITY, f32::max);
        self.payoffs.insert(state.clone(), payoff);
        payoff
    }

    /// What an action brings the player who takes it.
    fn after(&mut self, state: &G::State, action: G::Action) -> f32 {
        let mover = mover(self.game, state);
        let mut next = state.clone();
        self.game.apply(&mut next, action);
        match self.game.turn(&next) {
            Turn::Over => self.game.payoffs(&next)[mover],
            _ => -self.best(&next), // the other one moves
        }
    }
}

fn mover<G: Game>(game: &G, state: &G::State) -> Player {
    let Turn::Player(player) = game.turn(state) else { unreachable!("somebody is to move") };
    player
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

/// Every result that the search calls proven must be true; if enough is left of the iterations, the
/// chosen action must be proven the best.
fn check_proofs<G: Game + std::fmt::Debug>(
    truth: &mut Minimax<'_, G>,
    state: &G::State,
    enough: bool,
    settings: &MctsSettings<G>,
) {
    let game = truth.game;
    let mover = mover(game, state);
    let decision = decide(game, state, settings.clone());
    let proven = decision.report.actions.iter().filter_map(|action| Some((action.action, action.proven?)));
    for (action, payoffs) in proven {
        assert_eq!(payoffs[mover], truth.after(state, action), "{state:?} {action:?} {settings:?}");
    }
    let chosen = decision.report.actions.iter().find(|action| action.action == decision.action).unwrap();
    if !enough {
        return;
    }
    assert_eq!(chosen.proven.map(|payoffs| payoffs[mover]), Some(truth.best(state)), "{state:?} {settings:?}");
}

#[test]
fn tic_tac_toe_is_proven_a_draw() {
    let game = TicTacToe;
    let report = decide(&game, &game.initial_state(), settings(100_000)).report;
    assert!(report.iterations < 100_000, "a proof ends the search");
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
        let mut truth = Minimax::new(&game);
        for plies in 0..10 {
            let Some(state) = random_position(&game, plies, &mut rng) else { continue };
            for solver_threshold in [0, 5] {
                let enough = plies >= 4;
                check_proofs(&mut truth, &state, enough, &MctsSettings { solver_threshold, ..settings(100_000) });
            }
        }
    }
    let mut truth = Minimax::new(&TicTacToe);
    for plies in 2..7 {
        if let Some(state) = random_position(&TicTacToe, plies, &mut rng) {
            check_proofs(&mut truth, &state, true, &settings(50_000));
        }
    }
}

#[test]
fn every_rule_and_every_way_of_sharing_finds_forced_wins() {
    let mut rng = Rng::from_seed(2);
    let game = small_breakthrough(5, 3);
    let mut truth = Minimax::new(&game);
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
            check_proofs(&mut truth, state, true, &MctsSettings { selection, ..settings(50_000) });
        }
        for parallel in [Parallel::Tree, Parallel::Root, Parallel::Leaf] {
            for selection in [Selection::Ucb1, Selection::Grave { reference: 20, bias: 1e-3 }] {
                let settings = MctsSettings { selection, parallel, threads: 2, ..settings(50_000) };
                check_proofs(&mut truth, state, true, &settings);
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
                let settings = MctsSettings { parallel, threads, virtual_loss, ..settings(3001) };
                let report = decide(&game, &game.initial_state(), settings).report;
                let visits: u64 = report.actions.iter().map(|action| action.visits).sum();
                assert_eq!((report.iterations, visits), (3001, 3001), "{parallel:?} {threads}");
                assert!(report.nodes > 500, "{parallel:?}: {}", report.nodes);
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
            let mut settings = MctsSettings { parallel, threads: 2, reuse, ..settings(20_000) };
            settings.tree.memory = 1 << 21;
            let report = decide(&game, &game.initial_state(), settings).report;
            assert!(report.bytes <= 1 << 21, "{parallel:?}: {}", report.bytes);
            assert_eq!(report.iterations, 20_000);
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
        let at_once = report.actions.iter().filter(|action| game.action_text(&state, action.action).contains('5'));
        at_once.map(|action| action.visits).sum::<u64>()
    };
    assert!(visits(0.8) > 19_000, "{}", visits(0.8));
    assert!(visits(0.8) > visits(1.0), "{} {}", visits(0.8), visits(1.0));
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
fn proven_values_are_on_the_scale_of_the_reward() {
    let state = TicTacToe.parse_state("xx./oo./...").unwrap();
    let mut settings = settings(20_000);
    settings.tree.reward = Reward::Positive;
    let report = decide(&TicTacToe, &state, settings).report;
    assert_eq!((report.actions[0].proven.unwrap()[0], report.actions[0].value_for_mover), (1.0, 1.0));
    assert!(report.actions.iter().all(|action| (0.0..=1.0).contains(&action.value_for_mover)));
}

#[test]
fn the_tree_can_be_read() {
    let game: ConnectFour<u64> = ConnectFour::default();
    let mut agent = Mcts::new(&game, settings(3000));
    let report = agent.decide(&game, &game.initial_state(), &Budget::NONE, &mut Rng::from_seed(1)).report;
    let all = agent
        .tree(&game, &game.initial_state(), TreeLimits { depth: u32::MAX, visits: 0, nodes: usize::MAX })
        .unwrap()
        .nodes;
    assert_eq!(all.len() as u64, report.nodes);
    assert_eq!((all[0].parent, all[0].visits), (None, 3000));
    let best = all.iter().find(|node| node.action == Some(report.actions[0].action) && node.parent == Some(0)).unwrap();
    assert_eq!((best.visits, best.value), (report.actions[0].visits, Some(report.actions[0].value_for_mover)));
    let few = agent
        .tree(&game, &game.initial_state(), TreeLimits { depth: 2, visits: 100, nodes: usize::MAX })
        .unwrap()
        .nodes;
    assert!(few.len() > 8 && few.iter().all(|node| node.visits >= 100));
    for node in &few[1..] {
        let parent = &few[node.parent.unwrap() as usize];
        assert_eq!(node.player, Some(if parent.parent.is_none() { 0 } else { 1 }));
        assert!(parent.visits >= node.visits);
    }
    let most = agent.tree(&game, &game.initial_state(), TreeLimits { depth: u32::MAX, visits: 0, nodes: 50 }).unwrap();
    assert_eq!(most.nodes[..], all[..50]);
    assert!(all[50..].iter().all(|node| node.visits <= all[49].visits), "the most visited come first");
}

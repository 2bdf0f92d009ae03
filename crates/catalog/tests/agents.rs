//! Agents on games: known truths, fairness, reproducibility, bounds, errors.

use meeple_catalog::{GAMES, game};
use meeple_core::agent::{Budget, Decision};
use meeple_core::erased::AnyGame;
use meeple_core::{Information, Rng, Rules, Turn, laws};
use meeple_games::{Bisca, Hearts, Just4Fun, Keezen, KuhnPoker, LeducPoker, Sueca};
use meeple_search::TreeSettings;
use meeple_search::ismcts::Ismcts;

fn the(name: &str) -> Box<dyn AnyGame> {
    game(name, &Rules::default()).unwrap()
}

fn decide(game: &dyn AnyGame, position: &str, agent: &str) -> Decision<String> {
    let position = game.parse_position(position).unwrap();
    position.decide(&mut game.agent(agent).unwrap(), &Budget::NONE, &mut Rng::from_seed(1))
}

/// Agents that can play a game, with few iterations.
fn agents(game: &dyn AnyGame) -> Vec<&'static str> {
    let info = game.info();
    let all = ["random", "mcts:iterations=200", "ismcts:iterations=200"];
    let perfect = info.information == Information::Perfect && !info.chance;
    all.into_iter().filter(|agent| perfect || !agent.starts_with("mcts")).collect()
}

#[test]
fn forced_wins_are_found() {
    for (name, position, best) in [
        ("tic-tac-toe", "xx./oo./...", "c3"),
        ("tic-tac-toe", "xx./o../o..", "c3"),
        ("connect-four", "......./......./......./......./ooo..../xxx....", "4"),
    ] {
        for agent in [
            "mcts:iterations=2000",
            "mcts:iterations=2000,playout=mast",
            "ismcts:iterations=2000",
            "ismcts:iterations=2000,playout=nast(2,ucb1(0.7))",
        ] {
            assert_eq!(decide(&*the(name), position, agent).action, best, "{agent} at {position}");
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let game = the("tic-tac-toe");
    for agent in ["mcts:iterations=3000", "ismcts:iterations=3000"] {
        let mut player = game.agent(agent).unwrap();
        let mut rng = Rng::from_seed(2);
        let mut position = game.start();
        while position.turn() != Turn::Over {
            position.act(&mut player, &Budget::NONE, &mut rng);
        }
        assert_eq!(position.outcome().payoffs[0], 0.0, "{agent}");
    }
}

#[test]
fn reports_add_up() {
    for (name, agent) in [("connect-four", "mcts:iterations=500"), ("connect-four", "ismcts:iterations=500")] {
        let game = the(name);
        let report = game.start().decide(&mut game.agent(agent).unwrap(), &Budget::NONE, &mut Rng::from_seed(1)).report;
        assert_eq!(report.iterations, 500);
        assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), 500, "{agent}");
        assert_eq!(report.actions.len(), 7);
        for action in &report.actions {
            let payoffs = action.payoffs.unwrap();
            assert!((payoffs[0] + payoffs[1]).abs() < 1e-5, "zero sum");
            assert!((f64::from(payoffs[0]) - action.value_for_mover).abs() < 1e-5, "seat 0 is to move");
        }
        assert_eq!(report.principal_variation[0], report.actions[0].action);
    }
}

#[test]
fn same_seed_same_decision() {
    for entry in GAMES {
        let game = the(entry.name);
        for agent in agents(&*game) {
            let run = || {
                let mut player = game.agent(agent).unwrap();
                let (mut rng, mut position) = (Rng::from_seed(3), game.start());
                let mut actions = Vec::new();
                while actions.len() < 4 && position.turn() != Turn::Over {
                    match position.turn() {
                        Turn::Chance => drop(position.apply_chance(&mut rng)),
                        _ => actions.push(position.act(&mut player, &Budget::NONE, &mut rng)),
                    }
                }
                actions
            };
            assert_eq!(run(), run(), "{} {agent}", entry.name);
        }
    }
}

#[test]
fn nothing_hidden_moves_an_agent() {
    fn check<G: meeple_core::Game>(game: &G, iterations: u64, games: u32) {
        let settings = TreeSettings { budget: Budget::iterations(iterations), memory: 1 << 20, ..Default::default() };
        laws::assert_fair(game, || Box::new(Ismcts::new(game, settings.clone())), games);
    }
    check(&KuhnPoker, 50, 20);
    check(&LeducPoker, 50, 20);
    check(&Hearts::default(), 30, 2);
    check(&Sueca::default(), 30, 2);
    check(&Bisca::default(), 30, 2);
    check(&Just4Fun::default(), 30, 2);
    check(&Keezen::default(), 5, 1);
}

#[test]
fn a_search_without_time_returns_a_legal_action() {
    for (name, agent) in [("breakthrough", "mcts:time=0ms"), ("connect-four", "ismcts:time=0ms")] {
        let game = the(name);
        let position = game.start();
        let action = position.decide(&mut game.agent(agent).unwrap(), &Budget::NONE, &mut Rng::from_seed(1)).action;
        assert!(position.actions().contains(&action));
    }
}

#[test]
fn a_limit_shortens_a_search() {
    let game = the("connect-four");
    for agent in ["mcts:iterations=1000000000", "ismcts:iterations=1000000000"] {
        let limit = Budget::iterations(77);
        let report = game.start().decide(&mut game.agent(agent).unwrap(), &limit, &mut Rng::from_seed(1)).report;
        assert_eq!(report.iterations, 77);
    }
}

#[test]
fn memory_is_bounded_and_the_search_goes_on() {
    let game = the("breakthrough");
    for agent in ["mcts:iterations=60000,memory=1", "ismcts:iterations=60000,memory=1"] {
        let report = game.start().decide(&mut game.agent(agent).unwrap(), &Budget::NONE, &mut Rng::from_seed(1)).report;
        assert!(report.bytes <= 1 << 20, "{agent}: {} bytes", report.bytes);
        assert!(report.bytes > 1 << 19, "{agent}: {} bytes", report.bytes);
        assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), 60_000, "{agent}");
    }
}

#[test]
fn every_setting_of_mcts_is_understood() {
    let game = the("lines-of-action");
    for settings in [
        "nodes=100",
        "select=ucb1-tuned,solver=false",
        "select=rave(500),discount=0.99",
        "select=grave(50,1e-4),reuse=true",
        "select=history(2),loops=cut",
        "solver_threshold=5,reuse=games",
        "threads=2,virtual_loss=2",
        "threads=2,parallel=root",
        "threads=2,parallel=leaf",
    ] {
        let mut agent = game.agent(&format!("mcts:iterations=100,{settings}")).unwrap();
        let (mut rng, mut position) = (Rng::from_seed(1), game.start());
        for _ in 0..4 {
            position.act(&mut agent, &Budget::NONE, &mut rng);
        }
    }
}

#[test]
fn a_search_tree_has_texts() {
    let game = the("connect-four");
    let (position, mut agent) = (game.start(), game.agent("mcts:iterations=500").unwrap());
    let report = position.decide(&mut agent, &Budget::NONE, &mut Rng::from_seed(1)).report;
    let nodes = position.search_tree(&agent, 2, 1).unwrap().nodes;
    assert_eq!((nodes[0].visits, nodes[0].action.as_ref()), (500, None));
    let first: Vec<_> = nodes.iter().filter(|node| node.parent == Some(0)).collect();
    assert_eq!(first.len(), report.actions.len());
    for action in &report.actions {
        assert!(first.iter().any(|node| node.action == Some(action.action.clone()) && node.visits == action.visits));
    }
    assert!(nodes.iter().any(|node| node.parent.is_some_and(|parent| parent > 0)));
    assert!(position.search_tree(&game.agent("random").unwrap(), 2, 1).is_none());
}

#[test]
fn bad_agents_say_what_would_work() {
    for (name, agent, part) in [
        ("hearts", "mcts", "use ismcts"),
        ("connect-four", "minimax", "there are: random, "),
        ("connect-four", "mcts:iteration=5", "unknown setting `iteration` (possible: select, iterations, time"),
        ("connect-four", "mcts:iterations=0", "must be a whole number in 1.."),
        ("connect-four", "mcts:exploration=-1", "must be a number in 0..1000"),
        ("connect-four", "mcts:time=5", "a time like 250ms"),
        ("connect-four", "mcts:time=-5s", "a time like 250ms"),
        ("connect-four", "mcts:iterations", "has no `=`"),
        ("connect-four", "mcts:memory=1,memory=2", "twice"),
        ("connect-four", "random:seed=1", "unknown setting `seed` (there are none)"),
        ("connect-four", "", "there is no agent"),
        ("connect-four", "mcts:playout=mast(greedy(2))", "must be random | mast(POLICY)"),
        ("connect-four", "mcts:playout=nast(0)", "must be random | mast(POLICY)"),
        ("connect-four", "mcts:playout=nast(2,gibbs(0))", "must be random | mast(POLICY)"),
        ("connect-four", "mcts:playout=mast(", "must be random | mast(POLICY)"),
        ("connect-four", "mcts:select=ucb2", "must be ucb1 | ucb1-tuned"),
        ("connect-four", "mcts:select=grave(100)", "must be ucb1 | ucb1-tuned"),
        ("connect-four", "mcts:discount=0", "must be a number in 0.01..1"),
        ("connect-four", "mcts:threads=0", "must be a whole number in 1..256"),
        ("connect-four", "mcts:parallel=all", "must be one of tree|root|leaf"),
    ] {
        let error = the(name).agent(agent).map(drop).unwrap_err().to_string();
        assert!(error.contains(part), "{name} {agent}: {error}");
    }
}

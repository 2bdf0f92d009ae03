//! Solving Kuhn and Leduc poker exactly, and how exploitable agents are.

use meeple_core::agent::{AgentError, Budget, Seated};
use meeple_core::erased::{AnyGame, erase};
use meeple_core::game_tree::{GameTree, Node};
use meeple_core::rules::Parameter;
use meeple_core::{Game, RandomAgent, Rules};
use meeple_games::poker::{kuhn::KuhnPoker, leduc::LeducPoker};
use meeple_games::{Hearts, Sueca, TicTacToe};
use meeple_search::TreeSettings;
use meeple_search::cfr::{Algorithm, Equilibrium, Solver, Strategy, best_response, exploitability, of_agent, value};
use meeple_search::ismcts::Ismcts;

const LIMIT: usize = 1_000_000;

fn kuhn() -> GameTree {
    GameTree::new(&KuhnPoker, LIMIT).unwrap()
}

fn solve(tree: &GameTree, algorithm: Algorithm, iterations: u32) -> Strategy {
    let mut solver = Solver::new(tree, algorithm, 1);
    for _ in 0..iterations {
        solver.iterate();
    }
    solver.average()
}

/// The probability of an action where a player sees this.
fn probability(tree: &GameTree, strategy: &Strategy, view: &str, action: &str) -> f64 {
    let set = tree.sets.iter().find(|set| set.view == view).unwrap();
    strategy.at(set)[set.actions.iter().position(|text| text == action).unwrap()]
}

/// The views have perfect recall: memory of earlier decisions tells no more histories apart.
#[test]
fn trees_have_the_known_sizes() {
    let leduc = GameTree::new(&LeducPoker, LIMIT).unwrap();
    for (tree, sets, scale) in [(&kuhn(), 12, 2.0), (&leduc, 288, 13.0f64)] {
        assert_eq!(tree.sets.len(), sets);
        let mut views: Vec<&str> = tree.sets.iter().map(|set| set.view.as_str()).collect();
        views.sort_unstable();
        views.dedup();
        assert_eq!(views.len(), sets, "a view is one information set");
        assert!((tree.scale.unwrap() - scale).abs() < 1e-5);
        let chances: f64 = tree.outcomes.iter().map(|outcome| outcome.1).sum();
        let turns = tree.nodes.iter().filter(|node| matches!(node, Node::Chance { .. })).count();
        assert!((chances - turns as f64).abs() < 1e-9, "probabilities of each turn of chance add up to 1");
    }
    // Each of 6 deals has 4 decisions and 5 ends; chance is to move before and after the first card.
    assert_eq!(kuhn().nodes.len(), 6 * (4 + 5) + 4);
}

#[test]
fn large_games_and_other_games_are_refused() {
    let error = GameTree::new(&Hearts::default(), 1000).unwrap_err().0;
    assert!(error.contains("two players"), "{error}");
    let error = GameTree::new(&TicTacToe, 1000).unwrap_err().0;
    assert!(error.contains("more than 1000 histories"), "{error}");
    assert!(GameTree::new(&Sueca::default(), 1000).is_err());
}

#[test]
fn cfr_plus_finds_the_equilibria_of_kuhn_poker() {
    let tree = kuhn();
    let strategy = solve(&tree, Algorithm::Plus, 1000);
    let chips = tree.scale.unwrap();
    assert!((chips * value(&tree, &strategy) + 1.0 / 18.0).abs() < 1e-3);
    assert!(chips * exploitability(&tree, &strategy) < 1e-3);
    let of = |view: &str, action: &str| probability(&tree, &strategy, view, action);
    let bluff = of("0:J?", "bet");
    assert!((0.0..=1.0 / 3.0 + 0.01).contains(&bluff), "bluffs {bluff}");
    for (view, action, expected) in [
        ("0:Q?", "bet", 0.0),
        ("0:K?", "bet", 3.0 * bluff),
        ("0:J? check bet", "call", 0.0),
        ("0:Q? check bet", "call", bluff + 1.0 / 3.0),
        ("0:K? check bet", "call", 1.0),
        ("1:?J check", "bet", 1.0 / 3.0),
        ("1:?Q check", "bet", 0.0),
        ("1:?K check", "bet", 1.0),
        ("1:?J bet", "call", 0.0),
        ("1:?Q bet", "call", 1.0 / 3.0),
        ("1:?K bet", "call", 1.0),
    ] {
        assert!((of(view, action) - expected).abs() < 0.02, "{view} {action}: {} for {expected}", of(view, action));
    }
}

#[test]
fn cfr_plus_solves_leduc_poker() {
    let tree = GameTree::new(&LeducPoker, LIMIT).unwrap();
    let strategy = solve(&tree, Algorithm::Plus, 300);
    let chips = tree.scale.unwrap();
    let (value, exploitability) = (chips * value(&tree, &strategy), chips * exploitability(&tree, &strategy));
    assert!((value + 0.0856).abs() < 2e-3, "value {value}");
    assert!(exploitability < 1e-2, "exploitability {exploitability}");
}

#[test]
fn sampling_comes_close_as_well() {
    let tree = kuhn();
    let strategy = solve(&tree, Algorithm::ExternalSampling, 100_000);
    let chips = tree.scale.unwrap();
    assert!(chips * exploitability(&tree, &strategy) < 0.02);
    assert!((chips * value(&tree, &strategy) + 1.0 / 18.0).abs() < 0.01);
    assert_eq!(strategy, solve(&tree, Algorithm::ExternalSampling, 100_000), "same seed, same strategy");
}

/// By hand, in chips, against a player who does everything half of the time. Seat 0 bets: with a
/// jack (1 - 2) / 2, with a queen (1 + 0) / 2, with a king (1 + 2) / 2. Seat 1 bets after a check for
/// the same; after a bet it folds the jack for -1 and calls with the queen for 0, the king for 2.
/// Uniform play of both: all showdowns cancel, seat 0 wins 1 by 1 / 4 and loses 1 by 1 / 8.
#[test]
fn best_responses_to_uniform_play_are_known() {
    let tree = kuhn();
    let uniform = Strategy::uniform(&tree);
    let chips = tree.scale.unwrap();
    assert!((chips * best_response(&tree, &uniform, 0) - 0.5).abs() < 1e-9);
    assert!((chips * best_response(&tree, &uniform, 1) - (1.0 / 3.0 + 0.5) / 2.0).abs() < 1e-9);
    assert!((chips * value(&tree, &uniform) - 0.125).abs() < 1e-9);
}

/// In a game without secrets the value is that of perfect play.
#[test]
fn tic_tac_toe_is_a_draw() {
    let tree = GameTree::new(&TicTacToe, LIMIT).unwrap();
    assert_eq!(tree.nodes.len(), 549_946);
    let strategy = solve(&tree, Algorithm::Plus, 3);
    assert!(best_response(&tree, &strategy, 0) >= 0.0 && best_response(&tree, &strategy, 1) >= 0.0);
}

fn agents<G: Game>(game: &G, _: &Rules, text: &str) -> Result<(Seated<G>, Vec<Parameter>), AgentError> {
    let agent = match text {
        "random" => Seated::fair(RandomAgent::default()),
        "equilibrium" => Seated::fair(Equilibrium::new(game, 300, LIMIT).unwrap()),
        iterations => {
            let budget = Budget::iterations(iterations.parse().unwrap());
            Seated::fair(Ismcts::new(game, TreeSettings { budget, memory: 1 << 22, ..Default::default() }))
        }
    };
    Ok((agent, Vec::new()))
}

fn kuhn_with_agents() -> Box<dyn AnyGame> {
    erase(KuhnPoker, Vec::new(), agents)
}

#[test]
fn the_random_agent_is_the_uniform_strategy() {
    let (game, tree) = (kuhn_with_agents(), kuhn());
    let found = of_agent(&*game, &tree, &mut game.agent("random").unwrap(), 20_000, 1);
    let expected = exploitability(&tree, &Strategy::uniform(&tree));
    assert!((exploitability(&tree, &found.played) - expected).abs() < 0.01);
    assert!(found.visited.is_none());
}

#[test]
fn an_equilibrium_that_plays_is_hardly_exploitable() {
    let (game, tree) = (kuhn_with_agents(), kuhn());
    let found = of_agent(&*game, &tree, &mut game.agent("equilibrium").unwrap(), 20_000, 1);
    let exploitability = exploitability(&tree, &found.played);
    assert!(exploitability < 0.01, "{exploitability}");
    assert!(Equilibrium::new(&Sueca::default(), 1, 1000).is_err());
}

#[test]
fn visits_and_moves_of_a_search_are_strategies() {
    let (game, tree) = (kuhn_with_agents(), kuhn());
    let found = of_agent(&*game, &tree, &mut game.agent("500").unwrap(), 10, 1);
    let visited = found.visited.unwrap();
    for strategy in [&found.played, &visited] {
        let exploitability = exploitability(&tree, strategy);
        assert!((0.0..0.5).contains(&exploitability), "{exploitability}");
        assert!(probability(&tree, strategy, "1:?K bet", "call") > 0.9);
        assert!(probability(&tree, strategy, "1:?J bet", "call") < 0.1);
    }
    assert!(tree.sets.iter().all(|set| visited.at(set).iter().all(|&share| share > 0.0)), "all actions are tried");
}

//! What is known to be true, found and proven by every search that can.

use meeple_catalog::game;
use meeple_core::Rng;
use meeple_core::Rules;
use meeple_core::agent::Budget;

/// Searches that prove results, draws included; they stop as soon as they have one.
const PROVERS: &[&str] = &[
    "alphabeta:depth=all,nodes=20000000",
    "ubfm:iterations=100000",
    "descent:iterations=20000",
    "mcts:iterations=1000000",
    "mcts:iterations=1000000,select=grave",
    "mcts:iterations=1000000,select=ucb1-tuned,playout=mast",
];

/// Searches that prove wins and losses, and draws where they happen to look at everything.
const DECIDERS: &[&str] = &[
    "mcts:iterations=200000,select=puct",
    "mcts:iterations=200000,select=bias",
    "mcts:iterations=200000,select=implicit",
];

/// A game, its rules, a position (else the start), and the payoff of the player to move under best
/// play.
const TRUTHS: &[(&str, &str, Option<&str>, f32)] = &[
    ("tic-tac-toe", "", None, 0.0),
    ("tic-tac-toe", "", Some("x.o/.../..x"), -1.0),
    ("connect-four", "rows=4,columns=4", Some("..../..../o.../xo.x"), 0.0),
    ("breakthrough", "rows=5,columns=3,rows_per_side=1", None, 1.0),
    ("breakthrough", "rows=4,columns=4,rows_per_side=1", None, 1.0),
    ("lines-of-action", "", Some("1b1b1b2/3bw3/4bw2/3w4/b1bw4/6w1/1b1b4/b4w2 w 49"), 1.0),
    ("lines-of-action", "", Some("1b1b4/4www1/8/3w4/2w5/b2b3b/w2w4/4b3 w 109"), 1.0),
];

#[test]
fn every_prover_finds_the_truth() {
    for &(name, rules, position, expected) in TRUTHS {
        let game = game(name, &Rules::parse(rules).unwrap()).unwrap();
        let position = position.map_or_else(|| game.start(), |text| game.parse_position(text).unwrap());
        let meeple_core::Turn::Player(mover) = position.turn() else { unreachable!() };
        let deciders = if expected == 0.0 { &[] } else { DECIDERS };
        for agent in PROVERS.iter().chain(deciders) {
            let mut agent_at_work = game.agent(agent).unwrap();
            let decision = position.decide(&mut agent_at_work, &Budget::NONE, &mut Rng::from_seed(1));
            let chosen = decision.report.actions.iter().find(|action| action.action == decision.action);
            let proven = chosen.and_then(|action| action.proven).map(|payoffs| payoffs[mover]);
            assert_eq!(proven, Some(expected), "{agent} at {name} {rules} {:?}", position.state_text());
        }
    }
}

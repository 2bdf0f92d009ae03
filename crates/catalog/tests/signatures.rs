//! Golden signatures: what every agent decides, and with which visits, after a fixed deal. A change
//! of play changes them; `scripts/signatures` writes them anew, and the commit says why.

use std::fs;
use std::path::PathBuf;

use meeple_catalog::{GAMES, game};
use meeple_core::agent::Budget;
use meeple_core::erased::AnyGame;
use meeple_core::key::key_of;
use meeple_core::{Rng, Rules, Turn};

const AGENTS: &[&str] = &[
    "random",
    "greedy",
    "rules",
    "alphabeta:nodes=3000",
    "alphabeta:nodes=3000,players=paranoid",
    "ubfm:iterations=100",
    "descent:iterations=3",
    "mcts:iterations=500",
    "mcts:iterations=200,playout=mast",
    "mcts:iterations=200,playout=replies,select=ucb1-tuned",
    "mcts:iterations=200,select=grave(20,1e-4),final=secure",
    "mcts:iterations=200,select=history,loops=cut,discount=0.99",
    "mcts:iterations=100,select=puct,noise=0.25,final=sampled(1),batch=4",
    "mcts:iterations=100,select=bias,playout=greedy,stop=lead(0.4)",
    "mcts:iterations=100,select=implicit,stop=depth(4)",
    "ismcts:iterations=500",
    "ismcts:iterations=100,playout=nast(2,gibbs(0.5))",
    "ismcts:iterations=100,playout=nast(3,ucb1(0.7)),reward=steps",
    "ismcts:iterations=100,playout=mast(roulette),reward=positive",
    "ismcts:iterations=100,reward=hybrid,belief=play,endgame=10",
    "ismcts:iterations=100,keys=view,select=puct,reuse=game,determinizations=5",
    "ismcts:iterations=100,actions=fields,cards=lowest",
    "ismcts-rollouts:iterations=100",
    "mo-ismcts:iterations=100",
    "determinized-uct:trees=5,iterations=40",
    "cheating-mcts:iterations=100",
];

/// The decisions of one agent over the first moves of a game that it plays against itself.
fn signature(game: &dyn AnyGame, agent: &str) -> Option<String> {
    let mut player = game.agent(agent).ok()?;
    let (mut rng, mut position) = (Rng::from_seed(11), game.start());
    let mut decisions = Vec::new();
    let mut visits = Vec::new();
    while decisions.len() < 3 && position.turn() != Turn::Over {
        if position.turn() == Turn::Chance {
            position.apply_chance(&mut rng);
            continue;
        }
        let decision = position.decide(&mut player, &Budget::NONE, &mut rng);
        visits.extend(decision.report.actions.iter().map(|action| (action.action.clone(), action.visits)));
        position.apply(&decision.action).unwrap();
        decisions.push(decision.action);
    }
    Some(format!("{} ; {agent} ; {} ; {:016x}", game.info().name, decisions.join(" "), key_of(&visits)))
}

#[test]
fn agents_play_as_before() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/signatures.txt");
    let mut lines = Vec::new();
    for entry in GAMES {
        let game = game(entry.name, &Rules::default()).unwrap();
        lines.extend(AGENTS.iter().filter_map(|agent| signature(&*game, agent)));
    }
    if std::env::var_os("MEEPLE_WRITE_SIGNATURES").is_some() {
        fs::write(&file, lines.join("\n") + "\n").unwrap();
    }
    let golden = fs::read_to_string(&file).unwrap();
    for (golden, found) in golden.lines().zip(&lines) {
        assert_eq!(golden, found, "play changed; if this is meant, run scripts/signatures");
    }
    assert_eq!(golden.lines().count(), lines.len());
}

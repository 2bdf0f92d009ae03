//! The strategy that an agent plays, found by asking it at every information set.

use meeple_core::Rng;
use meeple_core::agent::{Budget, Decision};
use meeple_core::erased::{AnyAgent, AnyGame, AnyPosition};
use meeple_core::game_tree::{GameTree, InformationSet};

use super::Strategy;

/// What an agent does at every information set.
#[derive(Clone, Debug)]
pub struct AgentStrategies {
    /// How often it takes each action.
    pub played: Strategy,
    /// How its visits are shared between the actions, as if it played in proportion to them; `None`
    /// if the agent reports none.
    pub visited: Option<Strategy>,
}

/// Asks an agent `samples` times at each information set with several actions, each time as in a
/// new game. `tree` is that of the game.
pub fn of_agent(game: &dyn AnyGame, tree: &GameTree, agent: &mut AnyAgent, samples: u32, seed: u64) -> AgentStrategies {
    let mut played = vec![0.0; tree.actions];
    let mut visited = vec![0.0; tree.actions];
    let mut reports = true;
    for (number, set) in tree.sets.iter().enumerate().filter(|(_, set)| set.actions.len() > 1) {
        let position = replay(game, set);
        for sample in 0..u64::from(samples) {
            let mut rng = Rng::stream(seed, (number as u64) << 32 | sample);
            agent.new_game();
            let decision = position.decide(agent, &Budget::NONE, &mut rng);
            played[set.first + place(set, &decision.action)] += 1.0;
            reports &= add_visits(set, &decision, &mut visited);
        }
    }
    AgentStrategies {
        played: Strategy::proportional(tree, &played),
        visited: reports.then(|| Strategy::proportional(tree, &visited)),
    }
}

/// One of the positions of an information set; the others look the same.
fn replay(game: &dyn AnyGame, set: &InformationSet) -> Box<dyn AnyPosition> {
    let mut position = game.start();
    for text in &set.path {
        position.apply(text).expect("the tree was made from this game");
    }
    position
}

fn place(set: &InformationSet, text: &str) -> usize {
    set.actions.iter().position(|action| action == text).expect("an agent takes legal actions")
}

/// Adds the share of visits of each action; whether there were any.
fn add_visits(set: &InformationSet, decision: &Decision<String>, visited: &mut [f64]) -> bool {
    let actions = &decision.report.actions;
    let total: u64 = actions.iter().map(|action| action.visits).sum();
    for action in actions.iter().filter(|_| total > 0) {
        visited[set.first + place(set, &action.action)] += action.visits as f64 / total as f64;
    }
    total > 0
}

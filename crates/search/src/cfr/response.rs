//! How good strategies are: their value, and what a player gains who knows them.

use meeple_core::Player;
use meeple_core::game_tree::{GameTree, Node};

use super::{Strategy, payoff_for};

/// The expected payoff of seat 0 when both play their strategies.
pub fn value(tree: &GameTree, strategy: &Strategy) -> f64 {
    value_after(tree, strategy, 0)
}

fn value_after(tree: &GameTree, strategy: &Strategy, node: u32) -> f64 {
    match tree.nodes[node as usize] {
        Node::Over(payoff) => payoff,
        Node::Chance { first, count } => {
            let outcomes = &tree.outcomes[first as usize..][..count as usize];
            outcomes.iter().map(|&(next, chance)| chance * value_after(tree, strategy, next)).sum()
        }
        Node::Decision { set, first } => {
            let probabilities = strategy.at(&tree.sets[set as usize]);
            let choices = probabilities.iter().zip(&tree.choices[first as usize..]);
            choices.map(|(&probability, &next)| probability * value_after(tree, strategy, next)).sum()
        }
    }
}

/// The mean over both seats of what a best response gains beyond the strategy's own value: half of
/// what is called NashConv. 0 exactly in an equilibrium.
pub fn exploitability(tree: &GameTree, strategy: &Strategy) -> f64 {
    (best_response(tree, strategy, 0) + best_response(tree, strategy, 1)) / 2.0
}

/// The payoff that `player` expects with the best answer to the other player's strategy.
pub fn best_response(tree: &GameTree, strategy: &Strategy, player: Player) -> f64 {
    let mut response = Response {
        tree,
        strategy,
        player,
        members: vec![Vec::new(); tree.sets.len()],
        chosen: vec![None; tree.sets.len()],
        values: vec![None; tree.nodes.len()],
    };
    response.gather(0, 1.0);
    response.value(0)
}

struct Response<'a> {
    tree: &'a GameTree,
    strategy: &'a Strategy,
    player: Player,
    /// For each set of the player the places of its choices in the tree, each with the probability
    /// that the other player and chance let the history happen.
    members: Vec<Vec<(u32, f64)>>,
    /// The best action of each set, once it is known.
    chosen: Vec<Option<usize>>,
    /// For the player, after each history, once it is known.
    values: Vec<Option<f64>>,
}

impl Response<'_> {
    fn gather(&mut self, node: u32, reach: f64) {
        let tree = self.tree;
        match tree.nodes[node as usize] {
            Node::Over(_) => {}
            Node::Chance { first, count } => {
                for &(next, chance) in &tree.outcomes[first as usize..][..count as usize] {
                    self.gather(next, reach * chance);
                }
            }
            Node::Decision { set, first } => {
                let members = &tree.sets[set as usize];
                let own = members.player == self.player;
                if own {
                    self.members[set as usize].push((first, reach));
                }
                for (&probability, &next) in self.strategy.at(members).iter().zip(&tree.choices[first as usize..]) {
                    self.gather(next, if own { reach } else { reach * probability });
                }
            }
        }
    }

    fn value(&mut self, node: u32) -> f64 {
        if let Some(value) = self.values[node as usize] {
            return value;
        }
        let (tree, strategy) = (self.tree, self.strategy);
        let value = match tree.nodes[node as usize] {
            Node::Over(payoff) => payoff_for(self.player, payoff),
            Node::Chance { first, count } => {
                let outcomes = &tree.outcomes[first as usize..][..count as usize];
                outcomes.iter().map(|&(next, chance)| chance * self.value(next)).sum()
            }
            Node::Decision { set, first } if tree.sets[set as usize].player == self.player => {
                let best = self.best(set as usize);
                self.value(tree.choices[first as usize + best])
            }
            Node::Decision { set, first } => {
                let probabilities = strategy.at(&tree.sets[set as usize]);
                let choices = probabilities.iter().zip(&tree.choices[first as usize..]);
                choices.map(|(&probability, &next)| probability * self.value(next)).sum()
            }
        };
        self.values[node as usize] = Some(value);
        value
    }

    /// The best action of a set over all its histories. Perfect recall makes the histories after it
    /// independent of the choice here.
    fn best(&mut self, set: usize) -> usize {
        if let Some(chosen) = self.chosen[set] {
            return chosen;
        }
        let members = std::mem::take(&mut self.members[set]);
        let mut best = (0, f64::NEG_INFINITY);
        for action in 0..self.tree.sets[set].actions.len() {
            let after = |&(first, reach): &(u32, f64)| reach * self.value(self.tree.choices[first as usize + action]);
            let total: f64 = members.iter().map(after).sum();
            if total > best.1 {
                best = (action, total);
            }
        }
        self.chosen[set] = Some(best.0);
        best.0
    }
}

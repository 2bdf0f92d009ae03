//! CFR+ over the whole tree.

use meeple_core::Player;
use meeple_core::game_tree::{GameTree, Node};

use super::{Strategy, payoff_for};

/// Every vector has a number for each action of each set.
#[derive(Debug)]
pub(super) struct Plus {
    /// Never negative.
    regrets: Vec<f64>,
    /// Of the current pass.
    changes: Vec<f64>,
    /// Strategies weighted by the iteration and by how likely their player reaches the set.
    sums: Vec<f64>,
    strategy: Strategy,
    iterations: u64,
}

impl Plus {
    pub(super) fn new(tree: &GameTree) -> Plus {
        let zeros = vec![0.0; tree.actions];
        let strategy = Strategy::uniform(tree);
        Plus { regrets: zeros.clone(), changes: zeros.clone(), sums: zeros, strategy, iterations: 0 }
    }

    pub(super) fn iterate(&mut self, tree: &GameTree) {
        self.iterations += 1;
        for player in 0..2 {
            self.changes.fill(0.0);
            self.walk(tree, 0, player, 1.0, 1.0);
            for (regret, change) in self.regrets.iter_mut().zip(&self.changes) {
                *regret = (*regret + change).max(0.0);
            }
            self.strategy = Strategy::proportional(tree, &self.regrets);
        }
    }

    pub(super) fn average(&self, tree: &GameTree) -> Strategy {
        Strategy::proportional(tree, &self.sums)
    }

    /// The payoff that `player` may expect after a history. `own` and `others` are the parts of the
    /// probability of the history that are due to the player, and to the other player and chance.
    fn walk(&mut self, tree: &GameTree, node: u32, player: Player, own: f64, others: f64) -> f64 {
        match tree.nodes[node as usize] {
            Node::Over(payoff) => payoff_for(player, payoff),
            Node::Chance { first, count } => {
                let outcomes = &tree.outcomes[first as usize..][..count as usize];
                outcomes
                    .iter()
                    .map(|&(next, chance)| chance * self.walk(tree, next, player, own, others * chance))
                    .sum()
            }
            Node::Decision { set, first } => {
                let set = &tree.sets[set as usize];
                let mine = set.player == player;
                let mut expected = 0.0;
                for (action, &next) in set.range().zip(&tree.choices[first as usize..]) {
                    let probability = self.strategy.0[action];
                    let (own, others) = if mine { (own * probability, others) } else { (own, others * probability) };
                    let value = self.walk(tree, next, player, own, others);
                    expected += probability * value;
                    if mine {
                        self.changes[action] += others * value;
                        self.sums[action] += self.iterations as f64 * own;
                    }
                }
                if mine {
                    self.changes[set.range()].iter_mut().for_each(|change| *change -= others * expected);
                }
                expected
            }
        }
    }
}

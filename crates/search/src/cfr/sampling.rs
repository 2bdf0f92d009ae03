//! Monte Carlo CFR with external sampling.

use meeple_core::game_tree::{GameTree, Node};
use meeple_core::{Player, Rng};

use super::{Strategy, match_weights, payoff_for};

/// Every vector has a number for each action of each set.
#[derive(Debug)]
pub(super) struct Sampling {
    regrets: Vec<f64>,
    /// Strategies met at the other player's decisions, which are reached as often as he reaches them.
    sums: Vec<f64>,
    /// The current strategies, of a set when it was last met.
    strategy: Vec<f64>,
    rng: Rng,
}

impl Sampling {
    pub(super) fn new(tree: &GameTree, seed: u64) -> Sampling {
        let zeros = vec![0.0; tree.actions];
        Sampling { regrets: zeros.clone(), sums: zeros.clone(), strategy: zeros, rng: Rng::from_seed(seed) }
    }

    pub(super) fn iterate(&mut self, tree: &GameTree) {
        for player in 0..2 {
            self.walk(tree, 0, player);
        }
    }

    pub(super) fn average(&self, tree: &GameTree) -> Strategy {
        Strategy::proportional(tree, &self.sums)
    }

    /// A sample of the payoff that `player` may expect after a history.
    fn walk(&mut self, tree: &GameTree, node: u32, player: Player) -> f64 {
        let (set, first) = match tree.nodes[node as usize] {
            Node::Over(payoff) => return payoff_for(player, payoff),
            Node::Chance { first, count } => {
                let outcomes = &tree.outcomes[first as usize..][..count as usize];
                let chosen = draw(&mut self.rng, outcomes.iter().map(|outcome| outcome.1));
                return self.walk(tree, outcomes[chosen].0, player);
            }
            Node::Decision { set, first } => (&tree.sets[set as usize], first as usize),
        };
        match_weights(&self.regrets[set.range()], &mut self.strategy[set.range()]);
        if set.player == player {
            return self.try_all(tree, set.range(), first, player);
        }
        for action in set.range() {
            self.sums[action] += self.strategy[action];
        }
        let chosen = draw(&mut self.rng, self.strategy[set.range()].iter().copied());
        self.walk(tree, tree.choices[first + chosen], player)
    }

    /// Every action of the player who improves.
    fn try_all(&mut self, tree: &GameTree, set: std::ops::Range<usize>, first: usize, player: Player) -> f64 {
        let mut expected = 0.0;
        for (number, action) in set.clone().enumerate() {
            let value = self.walk(tree, tree.choices[first + number], player);
            expected += self.strategy[action] * value;
            self.regrets[action] += value;
        }
        self.regrets[set].iter_mut().for_each(|regret| *regret -= expected);
        expected
    }
}

/// The place of one of some probabilities that add up to 1.
fn draw(rng: &mut Rng, mut probabilities: impl ExactSizeIterator<Item = f64>) -> usize {
    let last = probabilities.len() - 1;
    let mut left = rng.unit();
    let found = probabilities.position(|probability| {
        left -= probability;
        left < 0.0
    });
    found.unwrap_or(last)
}

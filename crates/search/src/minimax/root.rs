//! Iterative deepening over the actions at the root, for every kind of minimax.

use meeple_core::Payoffs;
use meeple_core::agent::ActionReport;

/// What a search found about one root action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// Higher is better for the player to move.
    pub(super) rank: f64,
    /// An upper bound where `payoffs` are unknown and the action is not the best.
    pub(super) value_for_mover: f64,
    /// Unknown where the action was only shown to be no better than the best.
    pub(super) payoffs: Option<Payoffs>,
    /// Holds however deep one searches: nothing was guessed.
    pub(super) proven: bool,
    /// Proven, and nothing can be better.
    pub(super) unbeatable: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RootAction {
    /// Its place in the list of legal actions.
    pub(super) number: usize,
    /// Of the deepest search that looked at it.
    pub(super) look: Option<Look>,
    /// Positions searched below it, at all depths.
    pub(super) nodes: u64,
}

/// The actions at the root, the best one first.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) actions: Vec<RootAction>,
    /// Whether no deeper search can change the result.
    proven: bool,
}

impl Root {
    pub(super) fn new(actions: usize) -> Root {
        Root {
            actions: (0..actions).map(|number| RootAction { number, look: None, nodes: 0 }).collect(),
            proven: false,
        }
    }

    /// Searches deeper and deeper until the result is proven, the depth is reached or `look` gives
    /// up. `look` is given an action, a depth and the rank of the best action so far, which is
    /// searched first at every depth: when a depth is not finished, an action that was found
    /// better at it still counts.
    pub(super) fn deepen(&mut self, deepest: u8, look: &mut dyn FnMut(usize, u8, Option<f64>) -> (Option<Look>, u64)) {
        for depth in 1..=deepest {
            if !self.search(depth, look) {
                return self.drop_lost();
            }
            self.proven = self.is_settled();
            if self.proven {
                return;
            }
        }
    }

    fn search(&mut self, depth: u8, look: &mut dyn FnMut(usize, u8, Option<f64>) -> (Option<Look>, u64)) -> bool {
        let mut best = None;
        for place in 0..self.actions.len() {
            let action = &mut self.actions[place];
            let (found, nodes) = look(action.number, depth, best);
            action.nodes += nodes;
            let Some(found) = found else { return false };
            action.look = Some(found);
            if best.is_none_or(|best| found.rank > best) {
                best = Some(found.rank);
                self.actions[..=place].rotate_right(1);
                if found.unbeatable {
                    return true;
                }
            }
        }
        true
    }

    /// After a depth that was not finished: a first action that turned out to be lost makes way for
    /// the best of those that did not.
    fn drop_lost(&mut self) {
        let lost = |action: &RootAction| action.look.is_some_and(|look| look.proven && look.value_for_mover <= -1.0);
        let rank = |action: &RootAction| action.look.map_or(f64::NEG_INFINITY, |look| look.rank);
        if !self.actions.first().is_some_and(lost) {
            return;
        }
        let others = (1..self.actions.len()).filter(|&place| !lost(&self.actions[place]));
        let best = others.max_by(|&a, &b| rank(&self.actions[a]).total_cmp(&rank(&self.actions[b])));
        if let Some(place) = best {
            self.actions[..=place].rotate_right(1);
        }
    }

    /// Whether no deeper search can change the result.
    pub(super) fn is_proven(&self) -> bool {
        self.proven
    }

    /// The same of the depth that was just finished.
    fn is_settled(&self) -> bool {
        let looks = || self.actions.iter().map(|action| action.look);
        looks().next().flatten().is_some_and(|best| best.unbeatable)
            || looks().all(|look| look.is_some_and(|look| look.proven))
    }

    /// What was found, the best first. `true_values`: whether proven payoffs are those under best
    /// play of all.
    pub(super) fn report<A: Copy>(mut self, actions: &[A], true_values: bool) -> Vec<ActionReport<A>> {
        let rank = |action: &RootAction| action.look.map_or(f64::NEG_INFINITY, |look| look.rank);
        if let Some((_, others)) = self.actions.split_first_mut() {
            others.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        }
        let report = |action: &RootAction| {
            let look = action.look?;
            Some(ActionReport {
                action: actions[action.number],
                visits: action.nodes,
                availability: None,
                payoffs: look.payoffs,
                value_for_mover: look.value_for_mover,
                prior: None,
                share: None,
                proven: look.payoffs.filter(|_| look.proven && true_values),
            })
        };
        self.actions.iter().filter_map(report).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three actions with a rank at each depth, and how many looks are granted.
    fn searched(ranks: &[[f64; 3]], proven_at: u8, mut looks: usize) -> Root {
        let mut root = Root::new(3);
        root.deepen(ranks.len() as u8, &mut |number, depth, best| {
            if looks == 0 {
                return (None, 0);
            }
            looks -= 1;
            let rank = ranks[usize::from(depth) - 1][number];
            assert!(best.is_none_or(|best| ranks[usize::from(depth) - 1].contains(&best)));
            let look =
                Look { rank, value_for_mover: rank, payoffs: None, proven: depth >= proven_at, unbeatable: false };
            (Some(look), 1)
        });
        root
    }

    #[test]
    fn unfinished_depths_count_as_far_as_they_went() {
        let ranks = [[0.1, 0.5, 0.3], [0.4, 0.2, 0.9]];
        for (looks, best) in [(0, 0), (1, 0), (2, 1), (3, 1), (4, 1), (5, 0), (6, 2), (7, 2)] {
            let root = searched(&ranks, 9, looks);
            assert_eq!(root.actions[0].number, best, "after {looks} looks");
            assert_eq!(root.actions.iter().map(|action| action.nodes).sum::<u64>(), looks.min(6) as u64);
            assert!(!root.is_proven());
        }
    }

    #[test]
    fn a_proven_result_ends_the_search() {
        let root = searched(&[[0.1, 0.5, 0.3]; 5], 2, 100);
        assert!(root.is_proven());
        assert_eq!(root.actions.iter().map(|action| action.nodes).sum::<u64>(), 6);
        let order: Vec<usize> = root.report(&[0, 1, 2], true).iter().map(|report| report.action).collect();
        assert_eq!(order, [1, 2, 0]);
    }
}

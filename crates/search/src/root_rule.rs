//! What a root may do otherwise than other nodes, so that its visits say more about its actions: rounds
//! in which the worse half is dropped ([`Gumbel`]), or visits that exploration is owed and that do not
//! count in the end ([`RootRule::Forced`]).

use meeple_core::Rng;

use crate::gumbel::{Gumbel, Halving};

/// How visits at the root are shared out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RootRule {
    /// As everywhere.
    #[default]
    Same,
    /// By sequential halving.
    Gumbel(Gumbel),
    /// An action that was tried gets at least sqrt(k P N) of the N visits, for its prior P. In the
    /// policy that the search proposes, visits are taken back that PUCT would not have made (Wu 2019,
    /// section 3.2, with k = 2).
    Forced(f64),
}

/// What is known of an action at the root.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RootAction {
    pub(crate) prior: f64,
    pub(crate) visits: f64,
    /// The mean reward of the player to move; nothing without visits.
    pub(crate) mean: f64,
}

/// The root of a search by a rule of its own.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    rule: RootRule,
    /// The lowest and the highest reward.
    range: (f64, f64),
    halving: Option<Halving>,
    /// What the root was worth to its mover when it was evaluated, from 0 for the lowest reward to 1.
    own: Option<f64>,
    /// By place.
    actions: Vec<RootAction>,
}

/// What a rule makes of a search.
pub(crate) struct Conclusion {
    /// The place of the action to take, if the rule says so.
    pub(crate) place: Option<usize>,
    /// Of each action in the policy.
    pub(crate) shares: Vec<f64>,
}

impl Root {
    pub(crate) fn new(rule: RootRule, range: (f64, f64)) -> Root {
        let halving = match rule {
            RootRule::Gumbel(settings) => Some(Halving::new(settings)),
            RootRule::Same | RootRule::Forced(_) => None,
        };
        Root { rule, range, halving, own: None, actions: Vec::new() }
    }

    /// Whether it has nothing to say.
    #[inline]
    pub(crate) fn is_as_everywhere(&self) -> bool {
        self.rule == RootRule::Same
    }

    /// Starts a search with so many actions and iterations.
    pub(crate) fn begin(&mut self, actions: usize, iterations: u64, rng: &mut Rng) {
        if let Some(halving) = &mut self.halving {
            halving.begin(actions, iterations, rng);
        }
    }

    /// Nothing is known of the position as yet, or its value for the player to move.
    pub(crate) fn set_value(&mut self, reward: Option<f64>) {
        let (low, high) = self.range;
        self.own = reward.map(|reward| (reward - low) / (high - low));
    }

    /// Takes what is known of all actions: prior, visits and the sum of rewards, in the order of their places.
    pub(crate) fn look_at(&mut self, actions: impl Iterator<Item = (f64, u32, f64)>) {
        let (low, high) = if self.halving.is_some() { self.range } else { (0.0, 1.0) };
        self.actions.clear();
        self.actions.extend(actions.map(|(prior, visits, reward)| {
            let visits = f64::from(visits);
            RootAction { prior, visits, mean: (reward / visits.max(1.0) - low) / (high - low) }
        }));
    }

    /// The place of the action that is visited next, if the rule says so.
    pub(crate) fn next(&mut self) -> Option<usize> {
        match (&mut self.halving, self.rule) {
            (Some(halving), _) => Some(halving.next(&self.actions, self.own)),
            (None, RootRule::Forced(k)) => owed(&self.actions, k),
            _ => None,
        }
    }

    /// Where all actions that are looked at get a visit one after the other, which of these passes comes next.
    pub(crate) fn pass(&self) -> Option<u64> {
        self.halving.as_ref().map(Halving::pass)
    }

    pub(crate) fn conclude(&self, exploration: f64) -> Option<Conclusion> {
        let Root { halving, actions, own, .. } = self;
        match (halving, self.rule) {
            (Some(halving), _) => {
                let place = Some(halving.choose(actions, *own));
                Some(Conclusion { place, shares: halving.policy(actions, *own) })
            }
            (None, RootRule::Forced(k)) => Some(Conclusion { place: None, shares: pruned(actions, k, exploration) }),
            _ => None,
        }
    }
}

/// The place of an action that is owed a visit.
pub(crate) fn owed(actions: &[RootAction], k: f64) -> Option<usize> {
    let visits: f64 = actions.iter().map(|action| action.visits).sum();
    actions.iter().position(|action| action.visits > 0.0 && action.visits < (k * action.prior * visits).sqrt())
}

/// The share of each action without the visits that were only owed to it: as many are taken back as
/// leave its score at most that of the most visited one. One visit alone says nothing and goes, too.
pub(crate) fn pruned(actions: &[RootAction], k: f64, exploration: f64) -> Vec<f64> {
    let visits: f64 = actions.iter().map(|action| action.visits).sum();
    let explore = |action: &RootAction| exploration * action.prior * visits.sqrt();
    let most = actions.iter().max_by(|a, b| a.visits.total_cmp(&b.visits)).copied().unwrap_or_default();
    let highest = most.mean + explore(&most) / (1.0 + most.visits);
    let kept = |action: &RootAction| {
        if *action == most {
            return action.visits;
        }
        let deserved = match highest - action.mean {
            gap if gap > 0.0 => (explore(action) / gap - 1.0).ceil(),
            _ => action.visits,
        };
        let least = action.visits - (k * action.prior * visits).sqrt();
        let kept = deserved.max(least.ceil()).clamp(0.0, action.visits);
        if kept <= 1.0 { 0.0 } else { kept }
    };
    let kept: Vec<f64> = actions.iter().map(kept).collect();
    let sum: f64 = kept.iter().sum();
    kept.into_iter().map(|kept| kept / sum.max(f64::MIN_POSITIVE)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actions(figures: [(f64, f64, f64); 3]) -> [RootAction; 3] {
        figures.map(|(prior, visits, mean)| RootAction { prior, visits, mean })
    }

    #[test]
    fn visits_are_owed_to_what_was_tried() {
        // sqrt(2 * 0.25 * 100) = 7.07.
        assert_eq!(owed(&actions([(0.5, 93.0, 0.5), (0.25, 7.0, 0.0), (0.25, 0.0, 0.0)]), 2.0), Some(1));
        assert_eq!(owed(&actions([(0.5, 92.0, 0.5), (0.25, 8.0, 0.0), (0.25, 0.0, 0.0)]), 2.0), None);
    }

    /// By hand: N = 100, the best scores 0.5 + 0.5 * 10 / 91 = 0.5549; the second would have been visited
    /// until 0.25 * 10 / (1 + n) = 0.5549, 3.5 times; the third, with a single visit, goes.
    #[test]
    fn visits_that_were_only_owed_are_taken_back() {
        let actions = actions([(0.5, 90.0, 0.5), (0.25, 9.0, 0.0), (0.25, 1.0, -0.5)]);
        let shares = pruned(&actions, 2.0, 1.0);
        assert_eq!(shares, [90.0 / 94.0, 4.0 / 94.0, 0.0]);
        // Never more than are owed: sqrt(0.5 * 0.25 * 100) = 3.5.
        assert_eq!(pruned(&actions, 0.5, 1.0), [90.0 / 96.0, 6.0 / 96.0, 0.0]);
    }
}

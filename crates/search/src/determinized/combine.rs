//! One decision from the roots of many trees.

use std::cmp::Reverse;

use meeple_core::agent::{ActionReport, Decision, Report};
use meeple_core::{Game, Rng};

use super::{Combine, DeterminizedUct, Tree};
use crate::clock::Clock;
use crate::root::decision;
use crate::walk::tried;

impl<G: Game> DeterminizedUct<G> {
    pub(super) fn report(&self, game: &G, view: &G::View, clock: &Clock, rng: &mut Rng) -> Decision<G::Action> {
        let mut legal = Vec::new();
        game.view_actions(view, &mut legal);
        let report = Report {
            actions: self.sums(game, &legal),
            principal_variation: Vec::new(),
            iterations: clock.done(),
            nodes: self.edges.len() as u64,
            bytes: self.edges.bytes(),
            time: clock.elapsed(),
        };
        let mut decided = match self.settings.combine {
            Combine::Visits => decision(report, &self.settings.tree.choice, self.decisions, rng),
            Combine::Votes => self.most_votes(game, &legal, report, rng),
        };
        decided.report.principal_variation = vec![decided.action];
        decided
    }

    /// What a tree found out.
    fn tried(&self, game: &G, tree: &Tree<G>, legal: &[G::Action]) -> Vec<ActionReport<G::Action>> {
        tried(game, &self.edges, tree.key, legal).into_iter().map(|(_, action)| action).collect()
    }

    /// The same over all trees.
    fn sums(&self, game: &G, legal: &[G::Action]) -> Vec<ActionReport<G::Action>> {
        let mut sums: Vec<ActionReport<G::Action>> = Vec::new();
        for tree in &self.trees {
            for action in self.tried(game, tree, legal) {
                let Some(sum) = sums.iter_mut().find(|sum| sum.action == action.action) else {
                    let payoffs = self.root_payoffs.mean(game.action_code(action.action));
                    sums.push(ActionReport { payoffs, ..action });
                    continue;
                };
                let reward = sum.value_for_mover * sum.visits as f64 + action.value_for_mover * action.visits as f64;
                sum.visits += action.visits;
                sum.value_for_mover = reward / sum.visits as f64;
            }
        }
        sums
    }

    fn most_votes(
        &self,
        game: &G,
        legal: &[G::Action],
        mut report: Report<G::Action>,
        rng: &mut Rng,
    ) -> Decision<G::Action> {
        let mut votes = vec![0u32; legal.len()];
        for tree in &self.trees {
            let own = Report { actions: self.tried(game, tree, legal), ..Report::default() };
            let action = decision(own, &self.settings.tree.choice, self.decisions, rng).action;
            votes[legal.iter().position(|&known| known == action).expect("trees try legal actions")] += 1;
        }
        let votes_for = |action| legal.iter().position(|&known| known == action).map_or(0, |place| votes[place]);
        report.actions.sort_by_key(|action| Reverse((votes_for(action.action), action.visits)));
        Decision { action: report.actions[0].action, report }
    }
}

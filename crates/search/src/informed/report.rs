//! What the search says in the end.

use meeple_core::agent::{ActionReport, Decision, Report};
use meeple_core::{Game, Player, Rng};

use super::search::Search;
use super::tree::ROOT;
use crate::root::proven_decision;
use crate::root_rule::Conclusion;

impl<G: Game> Search<G> {
    /// The action to take, and what is known about all of them; `number` counts the decisions in
    /// this game from 1. The root must be ready. Whoever ran the search adds its iterations and time.
    pub fn decide(&mut self, game: &G, number: u32, rng: &mut Rng) -> Decision<G::Action> {
        let mover = self.tree.nodes[ROOT].mover();
        let concluded = self.conclude();
        let mut report = Report {
            actions: self.tree.nodes[ROOT].children().map(|child| self.action_report(game, child, mover)).collect(),
            nodes: self.nodes(),
            bytes: self.bytes(),
            ..Report::default()
        };
        let mut chosen = None;
        if let Some(Conclusion { place, shares }) = concluded {
            report.actions.iter_mut().zip(shares).for_each(|(entry, share)| entry.share = Some(share as f32));
            // What is proven goes before what the rule of the root says.
            let won = report.actions.iter().any(|entry| entry.proven.is_some_and(|payoffs| payoffs[mover] == 1.0));
            let place = place.filter(|&place| !won && report.actions[place].proven.is_none());
            chosen = place.map(|place| report.actions[place].action);
        }
        let proven = self.proofs.payoffs(self.tree.nodes[ROOT].proof);
        let mut decision = proven_decision(report, mover, proven, &self.settings.tree.choice, number, rng);
        if let Some(action) = chosen {
            decision.action = action;
        }
        let code = game.action_code(decision.action);
        decision.report.principal_variation = self.principal_variation(game, code);
        self.played = Some(code);
        decision
    }

    pub(super) fn action_report(&self, game: &G, child: usize, mover: Player) -> ActionReport<G::Action> {
        let node = &self.tree.nodes[child];
        let proven = self.proofs.payoffs(node.proof).copied();
        let exact = proven.map(|payoffs| self.settings.tree.reward.of_payoffs(game, &payoffs)[mover]);
        let mean = if node.visits > 0 { node.reward / f64::from(node.visits) } else { self.middle() };
        ActionReport {
            action: game.action_from_code(node.code),
            visits: u64::from(node.visits),
            availability: None,
            payoffs: proven.or_else(|| self.root_payoffs.mean(child as u32)),
            value_for_mover: exact.map_or(mean, f64::from),
            prior: Some(node.prior),
            share: None,
            proven,
        }
    }

    /// What is expected: the chosen action, then what is proven best or else most visited.
    fn principal_variation(&self, game: &G, chosen: u32) -> Vec<G::Action> {
        let mut line = vec![game.action_from_code(chosen)];
        let mut children = self.tree.nodes[ROOT].children();
        let mut next = children.find(|&child| self.tree.nodes[child].code == chosen);
        while let Some(index) = next.filter(|&index| self.tree.nodes[index].is_expanded()) {
            let node = &self.tree.nodes[index];
            let mover = node.mover();
            let visited = |&child: &usize| self.tree.nodes[child].visits > 0 || self.tree.nodes[child].proof.is_known();
            next = node.children().filter(visited).max_by(|&a, &b| {
                let [a, b] = [a, b].map(|child| &self.tree.nodes[child]);
                let rank = |proof| self.proofs.payoffs(proof).map_or(0.0, |payoffs| payoffs[mover]);
                rank(a.proof).total_cmp(&rank(b.proof)).then(a.visits.cmp(&b.visits))
            });
            line.extend(next.map(|child| game.action_from_code(self.tree.nodes[child].code)));
        }
        line
    }
}

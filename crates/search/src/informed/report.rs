//! What the search says in the end.

use meeple_core::agent::{ActionReport, Decision, Report};
use meeple_core::{Game, Player, Rng};

use super::search::Search;
use super::tree::ROOT;
use crate::clock::Clock;

impl<G: Game> Search<G> {
    /// The action to take, and what is known about all of them; `number` counts the decisions in
    /// this game from 1.
    pub(super) fn decide(&mut self, game: &G, clock: &Clock, number: u32, rng: &mut Rng) -> Decision<G::Action> {
        let mover = self.tree.nodes[ROOT].mover();
        let mut actions: Vec<_> =
            self.tree.nodes[ROOT].children().map(|child| self.action_report(game, child, mover)).collect();
        actions.sort_by(|a, b| {
            let by_proof = rank(b, mover).total_cmp(&rank(a, mover));
            by_proof.then(b.visits.cmp(&a.visits)).then(b.value_for_mover.total_cmp(&a.value_for_mover))
        });
        let best = rank(&actions[0], mover);
        let candidates = actions.iter().take_while(|action| rank(action, mover) == best).count();
        let chosen = self.settings.tree.choice.of(&actions[..candidates], number, rng);
        let action = actions[chosen].action;
        self.played = Some(game.action_code(action));
        let report = Report {
            actions,
            principal_variation: self.principal_variation(game, game.action_code(action)),
            iterations: clock.done(),
            nodes: self.nodes(),
            bytes: self.tree.bytes() as u64,
            time: clock.elapsed(),
        };
        Decision { action, report }
    }

    fn action_report(&self, game: &G, child: usize, mover: Player) -> ActionReport<G::Action> {
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

/// Proven wins go first and proven losses last; everything else is left to the choice.
fn rank<A>(action: &ActionReport<A>, mover: Player) -> f32 {
    match action.proven {
        Some(payoffs) if payoffs[mover].abs() >= 1.0 => payoffs[mover],
        _ => 0.0,
    }
}

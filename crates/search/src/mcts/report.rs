//! What the search says about its decision.

use meeple_core::agent::{ActionReport, Decision, Report};
use meeple_core::{Game, Payoffs, Player, Rng};

use super::Mcts;
use super::node::Node;
use super::rooted::Rooted;
use crate::proof::Proof;
use crate::root::{RootPayoffs, proven_decision};

/// What all trees together know about one action at the root.
struct Total {
    code: u32,
    visits: u64,
    reward: f64,
    proof: Proof,
}

impl<G: Game> Mcts<G> {
    /// The decision after a search of so many iterations.
    pub(super) fn report(
        &self,
        game: &G,
        mover: Player,
        spent: (u64, std::time::Duration),
        rng: &mut Rng,
    ) -> Decision<G::Action> {
        let mut root_payoffs = RootPayoffs::default();
        self.workers.iter().for_each(|worker| root_payoffs.absorb(&worker.root_payoffs));
        let actions = self.totals().iter().map(|total| self.action_report(game, mover, total, &root_payoffs)).collect();
        let (iterations, time) = spent;
        let report = Report {
            actions,
            principal_variation: Vec::new(),
            iterations,
            nodes: self.trees.iter().map(|rooted| rooted.tree.len()).sum(),
            bytes: self.trees.iter().map(|rooted| rooted.tree.bytes()).sum::<u64>() + self.selector.bytes(),
            time,
        };
        let proven = self.trees.iter().find_map(|rooted| self.proofs.payoffs(rooted.tree.proof(rooted.root)));
        let mut decision = proven_decision(report, mover, proven, &self.settings.tree.choice, self.decisions, rng);
        decision.report.principal_variation = self.principal_variation(game, decision.action);
        decision
    }

    fn totals(&self) -> Vec<Total> {
        let mut totals: Vec<Total> = Vec::new();
        for Rooted { tree, root, .. } in &self.trees {
            tree.each_child(tree.node(*root), |index, child| {
                let place = totals.iter().position(|total| total.code == child.code()).unwrap_or_else(|| {
                    totals.push(Total { code: child.code(), visits: 0, reward: 0.0, proof: Proof::UNKNOWN });
                    totals.len() - 1
                });
                let total = &mut totals[place];
                total.visits += u64::from(child.visits());
                total.reward += child.reward();
                if tree.proof(index).is_known() {
                    total.proof = tree.proof(index);
                }
            });
        }
        totals
    }

    fn action_report(
        &self,
        game: &G,
        mover: Player,
        total: &Total,
        root_payoffs: &RootPayoffs,
    ) -> ActionReport<G::Action> {
        let proven: Option<Payoffs> = self.proofs.payoffs(total.proof).copied();
        let reward = self.settings.tree.reward;
        let value_for_mover = match proven {
            Some(payoffs) => f64::from(reward.of_payoffs(game, &payoffs)[mover]),
            // Never visited, or closing a loop.
            None if total.visits == 0 || total.reward.is_infinite() => reward.range(game).0,
            None => total.reward / total.visits as f64,
        };
        ActionReport {
            action: game.action_from_code(total.code),
            visits: total.visits,
            availability: None,
            payoffs: proven.or_else(|| root_payoffs.mean(total.code)),
            value_for_mover,
            prior: None,
            share: None,
            proven,
        }
    }

    /// The line that is expected after an action, in the tree that knows most about it.
    fn principal_variation(&self, game: &G, chosen: G::Action) -> Vec<G::Action> {
        let code = game.action_code(chosen);
        let known = |rooted: &&Rooted<G>| {
            let child = rooted.tree.child(rooted.tree.node(rooted.root), code);
            child.map(|child| rooted.tree.node(child).visits())
        };
        let mut line = vec![chosen];
        let Some(Rooted { tree, root, .. }) = self.trees.iter().max_by_key(known) else { return line };
        let mut index = tree.child(tree.node(*root), code);
        while let Some(parent) = index.filter(|&index| tree.node(index).children() > 0) {
            let proof = tree.proof(parent);
            let score = |child: u32, node: &Node| match node.reward().is_finite() {
                _ if proof.is_known() && tree.proof(child) == proof => f64::INFINITY,
                true => f64::from(node.visits()),
                false => -1.0,
            };
            let next = tree.best_child(tree.node(parent), score);
            line.push(game.action_from_code(tree.node(next).code()));
            index = Some(next);
        }
        line
    }
}

//! What the threads of a search share, and what results prove about the nodes above them.

use meeple_core::{Game, Player};

use super::select::Selector;
use super::settings::MctsSettings;
use super::tree::Tree;
use crate::playout::Worth;
use crate::proof::{Best, Proof, Proofs};

/// One search in one tree.
pub(super) struct Search<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) state: &'a G::State,
    /// The node of `state`.
    pub(super) root: u32,
    pub(super) tree: &'a Tree,
    pub(super) proofs: &'a Proofs,
    pub(super) selector: &'a Selector,
    pub(super) settings: &'a MctsSettings<G>,
}

/// A node on the way down with the player who chose it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) node: u32,
    pub(super) player: Player,
}

impl<G: Game> Search<'_, G> {
    /// Whether nothing is left to find out.
    pub(super) fn is_solved(&self) -> bool {
        self.tree.proof(self.root).is_known()
    }

    pub(super) fn worth(&self, proof: Proof) -> Worth {
        let payoffs = *self.proofs.payoffs(proof).expect("the result is proven");
        Worth { payoffs, rewards: self.settings.tree.reward.of_payoffs(self.game, &payoffs) }
    }

    /// What is proven about a node by the new result of a child and those of its siblings.
    pub(super) fn prove(&self, index: u32, mover: Player, child: Proof) -> Proof {
        if self.proofs.settles(child, mover) {
            return child;
        }
        let node = self.tree.node(index);
        if node.children() < node.legal() {
            return Proof::UNKNOWN;
        }
        let mut best = Best::new(mover);
        self.tree.each_child(node, |child, _| best.add(self.proofs, self.tree.proof(child)));
        best.result(true)
    }

    /// Writes down a result, once. A loss is never selected again; anything else is worth to the
    /// player who chose it exactly what it brings.
    pub(super) fn settle<const SHARED: bool>(&self, step: Step, proof: Proof, reward: f64) {
        if self.tree.proof(step.node).is_known() {
            return;
        }
        self.tree.set_proof(step.node, proof);
        let node = self.tree.node(step.node);
        if self.proofs.is_loss(proof, step.player) {
            node.set_reward(f64::NEG_INFINITY);
        } else if !SHARED {
            node.set_reward(f64::from(node.visits()) * reward);
        }
    }

    /// What a thread adds to a node while it is below.
    pub(super) fn virtual_loss<const SHARED: bool>(&self) -> (u32, f64) {
        match SHARED {
            true => {
                let losses = self.settings.virtual_loss;
                (losses, f64::from(losses) * self.selector.lowest())
            }
            false => (0, 0.0),
        }
    }
}

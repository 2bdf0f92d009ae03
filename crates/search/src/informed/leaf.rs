//! What happens at a leaf: its children are made, looked at and given their priors.

use meeple_core::{Game, Player, Rng, Turn};

use super::score::softmax;
use super::search::{Scratch, Search, Walk};
use super::settings::{Leaf, Noise, Priors};
use super::tree::ROOT;
use crate::evaluator::Evaluation;
use crate::noise::dirichlet;
use crate::playout::Worth;
use crate::proof::Best;

impl<G: Game> Search<G> {
    /// Adds the children of a leaf and asks for what it takes to value them and the leaf. If one
    /// of them decides the game, nothing has to be asked.
    pub(super) fn visit_leaf(
        &mut self,
        game: &G,
        index: usize,
        mover: Player,
        start: usize,
        requests: &mut Vec<G::State>,
        rng: &mut Rng,
    ) {
        let asked = requests.len();
        let Scratch { state, actions, .. } = &mut self.scratch;
        game.legal_actions(state, actions);
        let expanded = self.tree.expand(index, mover, actions.iter().map(|&action| game.action_code(action)));
        if self.asks_for_leaf(expanded) {
            requests.push(self.scratch.state.clone());
        }
        if expanded && (self.settings.solver || self.tree.estimates.are_kept()) {
            self.look_ahead(game, index, requests);
            if let Some(worth) = self.prove(game, index) {
                requests.truncate(asked);
                self.back_up_at_once(game, start, &worth);
                return;
            }
        }
        let Scratch { state, actions, .. } = &mut self.scratch;
        let by_playout = self.settings.leaf == Leaf::Playout;
        let worth = by_playout.then(|| self.playouts.play(game, state, actions, rng));
        let path = (start, self.paths.len());
        if let Some(worth) = &worth {
            self.learn(path, worth);
        }
        self.walks.push(Walk { path, requests: requests.len() - asked, worth });
    }

    fn asks_for_leaf(&self, expanded: bool) -> bool {
        self.settings.leaf == Leaf::Evaluator || expanded && self.settings.priors == Priors::Evaluator
    }

    /// Notes the children where the game is over, and asks for the estimates of the others.
    fn look_ahead(&mut self, game: &G, index: usize, requests: &mut Vec<G::State>) {
        let Scratch { state, next, actions, .. } = &mut self.scratch;
        for (child, &action) in self.tree.nodes[index].children().zip(actions.iter()) {
            next.clone_from(state);
            game.apply(next, action);
            if game.turn(next) == Turn::Over {
                let payoffs = game.payoffs(next);
                self.tree.estimates.set(child, &self.settings.tree.reward.of_payoffs(game, &payoffs));
                let node = &mut self.tree.nodes[child];
                node.set_over();
                if self.settings.solver {
                    node.proof = self.proofs.of(&payoffs);
                }
            } else if self.tree.estimates.are_kept() {
                requests.push(next.clone());
            }
        }
    }

    /// Proves a node by its children, if they do.
    pub(super) fn prove(&mut self, game: &G, index: usize) -> Option<Worth> {
        let node = self.tree.nodes[index];
        let mut best = Best::new(node.mover());
        node.children().for_each(|child| best.add(&self.proofs, self.tree.nodes[child].proof));
        let proof = best.result(true);
        let payoffs = *self.proofs.payoffs(proof)?;
        self.tree.nodes[index].proof = proof;
        let rewards = self.settings.tree.reward.of_payoffs(game, &payoffs);
        self.tree.estimates.set(index, &rewards);
        Some(Worth { payoffs, rewards })
    }

    /// The second half of a walk.
    pub(super) fn finish(&mut self, game: &G, walk: &Walk, evaluations: &[Evaluation], rng: &mut Rng) {
        let index = self.paths[walk.path.1 - 1] as usize;
        let expanded = self.tree.nodes[index].is_expanded();
        let (leaf, children) = evaluations.split_at(usize::from(self.asks_for_leaf(expanded)));
        let reward = self.settings.tree.reward;
        if expanded {
            let open = self.tree.nodes[index].children().filter(|&child| !self.tree.nodes[child].is_over());
            for (child, evaluation) in open.zip(children) {
                self.tree.estimates.set(child, &reward.of_payoffs(game, &evaluation.payoffs));
            }
            self.set_priors(index, leaf.first());
            if index == ROOT {
                self.prepare_root(rng);
            }
        }
        let worth = walk.worth.unwrap_or_else(|| {
            let payoffs = leaf[0].payoffs;
            Worth { payoffs, rewards: reward.of_payoffs(game, &payoffs) }
        });
        if index == ROOT && expanded {
            let mover = self.tree.nodes[ROOT].mover();
            self.at_root.set_value(Some(f64::from(worth.rewards[mover])));
        }
        if walk.worth.is_none() && self.amaf.is_some() {
            self.recall(walk.path);
            self.learn(walk.path, &worth);
        }
        self.back_up(game, walk.path, &worth);
    }

    fn set_priors(&mut self, index: usize, leaf: Option<&Evaluation>) {
        let (children, mover) = (self.tree.nodes[index].children(), self.tree.nodes[index].mover());
        let shares = &mut self.scratch.shares;
        shares.clear();
        match (self.settings.priors, leaf) {
            (Priors::Evaluator, Some(Evaluation { priors, .. })) if !priors.is_empty() => {
                shares.extend(priors.iter().map(|&prior| f64::from(prior)));
            }
            (Priors::Softmax(temperature), _) => {
                let estimates = &self.tree.estimates;
                shares.extend(children.clone().map(|child| f64::from(estimates.value(child, mover))));
                softmax(shares, temperature);
            }
            _ => return,
        }
        temper(shares, self.settings.prior_temperature);
        for (child, &share) in children.zip(shares.iter()) {
            self.tree.nodes[child].prior = share as f32;
        }
    }

    /// Mixes noise into the priors at the root.
    pub(super) fn add_noise(&mut self, rng: &mut Rng) {
        let Noise { share, alpha } = self.settings.noise;
        if share == 0.0 {
            return;
        }
        let children = self.tree.nodes[ROOT].children();
        let shares = &mut self.scratch.shares;
        shares.resize(children.len(), 0.0);
        dirichlet(alpha, shares, rng);
        for (node, noise) in self.tree.nodes[children].iter_mut().zip(shares) {
            node.prior = ((1.0 - share) * f64::from(node.prior) + share * *noise) as f32;
        }
    }
}

/// Turns priors P into P^(1/τ), in proportion.
fn temper(priors: &mut [f64], temperature: f64) {
    if temperature == 1.0 {
        return;
    }
    let most = priors.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    priors.iter_mut().for_each(|prior| *prior = libm::pow(*prior / most, 1.0 / temperature));
    let sum: f64 = priors.iter().sum();
    priors.iter_mut().for_each(|prior| *prior /= sum);
}

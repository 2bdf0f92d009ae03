//! One tree and the two halves of an iteration: *gather* walks to a leaf and asks for evaluations,
//! *apply* takes them and carries them up. Between both, any number of leaves of this tree and of
//! others can be evaluated together.

use std::ops::Range;

use meeple_core::{Game, Player, Rng, Turn};

use super::noise::dirichlet;
use super::score::{Child, Scorer, softmax};
use super::settings::{Grave, InformedSettings, Leaf, Noise, Priors};
use super::tree::{Estimates, ROOT, Tree};
use crate::evaluator::Evaluation;
use crate::mcts::appearances::{Appearances, Seen};
use crate::playout::{Playouts, Worth};
use crate::proof::{Best, Proofs};
use crate::root::RootPayoffs;

/// A search from one root.
#[derive(Debug)]
pub struct Search<G: Game> {
    pub(super) settings: InformedSettings,
    pub(super) tree: Tree,
    pub(super) proofs: Proofs,
    pub(super) root_payoffs: RootPayoffs,
    playouts: Playouts,
    scorer: Scorer,
    amaf: Option<Amaf>,
    /// The lowest and the highest reward.
    range: (f64, f64),
    pub(super) root: G::State,
    /// What was last played from the root.
    pub(super) played: Option<u32>,
    /// Walks that wait for evaluations.
    walks: Vec<Walk>,
    /// The nodes of all these walks, each from the root to its leaf.
    paths: Vec<u32>,
    scratch: Scratch<G>,
}

/// How games ended in which an action was taken at any time, for [`Grave`].
#[derive(Debug)]
struct Amaf {
    rule: Grave,
    appearances: Appearances,
    seen: Seen,
    /// The nodes that learn from a game, each with its depth.
    learners: Vec<(u32, usize)>,
}

/// Buffers, so that an iteration does not allocate.
#[derive(Debug)]
struct Scratch<G: Game> {
    state: G::State,
    next: G::State,
    actions: Vec<G::Action>,
    shares: Vec<f64>,
}

/// One way from the root to a leaf.
#[derive(Clone, Copy, Debug)]
struct Walk {
    /// Where its path begins and ends in `paths`.
    path: (usize, usize),
    mover: Player,
    /// Evaluations asked for.
    requests: usize,
    /// The result of its playout.
    worth: Option<Worth>,
}

impl<G: Game> Search<G> {
    pub fn new(game: &G, mut settings: InformedSettings) -> Search<G> {
        let reward = settings.tree.reward;
        settings.solver &= !reward.needs_margins();
        let wanted = settings.selection.needs_estimates() || matches!(settings.priors, Priors::Softmax(_));
        let (state, next) = (game.initial_state(), game.initial_state());
        let mut playouts = Playouts::new(game, settings.tree.playout, reward);
        let amaf = settings.selection.grave.map(|rule| {
            playouts.remember();
            let appearances = Appearances::new(settings.tree.memory / 4);
            Amaf { rule, appearances, seen: Seen::default(), learners: Vec::new() }
        });
        let memory = settings.tree.memory - amaf.as_ref().map_or(0, |amaf| amaf.appearances.bytes());
        Search {
            tree: Tree::new(memory, Estimates::new(game, reward, wanted)),
            proofs: Proofs::default(),
            root_payoffs: RootPayoffs::default(),
            playouts,
            scorer: Scorer::default(),
            amaf,
            range: reward.range(game),
            root: game.initial_state(),
            played: None,
            walks: Vec::new(),
            paths: Vec::new(),
            scratch: Scratch { state, next, actions: Vec::new(), shares: Vec::new() },
            settings,
        }
    }

    /// Starts from a position in which a player is to move, with what is known of it if the tree is
    /// to be used again.
    pub fn begin(&mut self, game: &G, root: &G::State, rng: &mut Rng) {
        debug_assert!(self.walks.is_empty(), "evaluations are missing");
        let known = if self.settings.reuse { self.find(game, root) } else { None };
        match known {
            Some(node) => self.tree.keep(node),
            None => self.tree.clear(),
        }
        self.root.clone_from(root);
        self.played = None;
        self.root_payoffs.clear();
        self.playouts.new_search();
        if let Some(amaf) = &mut self.amaf {
            amaf.appearances.new_search();
        }
        if self.is_ready() {
            self.add_noise(rng);
        }
    }

    /// Forgets the tree.
    pub fn forget(&mut self) {
        self.tree.clear();
        self.played = None;
    }

    /// Half way between the lowest and the highest reward.
    pub(super) fn middle(&self) -> f64 {
        0.5 * (self.range.0 + self.range.1)
    }

    /// Whether the root has its children; otherwise the first walk only evaluates the root.
    pub fn is_ready(&self) -> bool {
        self.tree.nodes[ROOT].is_expanded()
    }

    /// Whether the result of the root is proven, so that nothing is left to search.
    pub fn is_decided(&self) -> bool {
        self.tree.nodes[ROOT].proof.is_known()
    }

    pub fn nodes(&self) -> u64 {
        self.tree.nodes.len() as u64
    }

    /// Memory in use.
    pub(super) fn bytes(&self) -> u64 {
        (self.tree.bytes() + self.amaf.as_ref().map_or(0, |amaf| amaf.appearances.bytes())) as u64
    }

    /// Walks to a leaf and appends to `requests` the states whose evaluations [`Search::apply`]
    /// needs: none if the result of the leaf is known. False, and nothing is done, if the leaf
    /// already waits for its evaluation.
    pub fn gather(&mut self, game: &G, requests: &mut Vec<G::State>, rng: &mut Rng) -> bool {
        let start = self.paths.len();
        self.scratch.state.clone_from(&self.root);
        self.playouts.new_iteration();
        let (mut index, mut reference) = (ROOT, ROOT);
        loop {
            self.paths.push(index as u32);
            self.tree.nodes[index].pending += 1;
            let node = self.tree.nodes[index];
            if let Some(&payoffs) = self.proofs.payoffs(node.proof) {
                let rewards = self.settings.tree.reward.of_payoffs(game, &payoffs);
                self.back_up_at_once(game, start, &Worth { payoffs, rewards });
                return true;
            }
            let Turn::Player(mover) = game.turn(&self.scratch.state) else {
                let payoffs = game.payoffs(&self.scratch.state);
                let rewards = self.settings.tree.reward.at_end(game, &self.scratch.state, &payoffs);
                self.back_up_at_once(game, start, &Worth { payoffs, rewards });
                return true;
            };
            if node.visits == 0 && node.pending > 1 {
                self.withdraw(start);
                return false;
            }
            if !node.is_expanded() {
                self.visit_leaf(game, index, mover, start, requests, rng);
                return true;
            }
            if self.amaf.as_ref().is_some_and(|amaf| node.visits > amaf.rule.reference) {
                reference = index;
            }
            index = self.select(game, index, reference, rng);
            let code = self.tree.nodes[index].code;
            self.playouts.record(mover, code);
            game.apply(&mut self.scratch.state, game.action_from_code(code));
        }
    }

    /// Takes the evaluations of the states asked for since the last call, in order.
    pub fn apply(&mut self, game: &G, evaluations: &[Evaluation], rng: &mut Rng) {
        let mut walks = std::mem::take(&mut self.walks);
        let mut evaluations = evaluations;
        for walk in walks.drain(..) {
            let (own, others) = evaluations.split_at(walk.requests);
            self.finish(game, &walk, own, rng);
            evaluations = others;
        }
        debug_assert!(evaluations.is_empty(), "as many evaluations as were asked for");
        self.walks = walks;
        self.paths.clear();
    }

    /// Gives up the walk whose path begins at `start`.
    fn withdraw(&mut self, start: usize) {
        for index in self.paths.drain(start..) {
            self.tree.nodes[index as usize].pending -= 1;
        }
    }

    /// The child to look at next. Those that are proven lost are left out while there are others.
    fn select(&mut self, game: &G, index: usize, reference: usize, rng: &mut Rng) -> usize {
        let node = self.tree.nodes[index];
        self.collect(game, node.children(), node.mover(), true);
        if self.scorer.children.is_empty() {
            self.collect(game, node.children(), node.mover(), false);
        }
        if let Some(Amaf { appearances, .. }) = &self.amaf {
            for child in &mut self.scorer.children {
                let code = self.tree.nodes[child.index].code;
                child.amaf = appearances.get(reference as u32, node.mover(), code).unwrap_or_default();
            }
        }
        let visits = node.visits + u32::from(node.pending) - 1;
        self.scorer.choose(&self.settings.selection, self.settings.tree.exploration, visits, self.range, rng)
    }

    /// Hands the children to the scorer. A proven result counts as if every visit had come to it.
    fn collect(&mut self, game: &G, children: Range<usize>, mover: Player, without_lost: bool) {
        let virtual_loss = self.settings.selection.virtual_loss;
        self.scorer.children.clear();
        for index in children {
            let child = &self.tree.nodes[index];
            if without_lost && self.proofs.is_loss(child.proof, mover) {
                continue;
            }
            let pending = f64::from(child.pending);
            let mut figures = Child {
                index,
                visits: f64::from(child.visits) + pending,
                reward: child.reward - virtual_loss * pending,
                prior: f64::from(child.prior),
                estimate: f64::from(self.tree.estimates.value(index, mover)),
                amaf: (0.0, 0.0),
            };
            if let Some(payoffs) = self.proofs.payoffs(child.proof) {
                figures.visits = figures.visits.max(1.0);
                figures.reward = figures.visits * f64::from(self.settings.tree.reward.of_payoffs(game, payoffs)[mover]);
            }
            self.scorer.children.push(figures);
        }
    }

    /// Adds the children of a leaf and asks for what it takes to value them and the leaf. If one
    /// of them decides the game, nothing has to be asked.
    fn visit_leaf(
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
        self.walks.push(Walk { path, mover, requests: requests.len() - asked, worth });
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
    fn prove(&mut self, game: &G, index: usize) -> Option<Worth> {
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
    fn finish(&mut self, game: &G, walk: &Walk, evaluations: &[Evaluation], rng: &mut Rng) {
        let index = self.paths[walk.path.1 - 1] as usize;
        let expanded = self.tree.nodes[index].is_expanded();
        let (leaf, children) = evaluations.split_at(usize::from(self.asks_for_leaf(expanded)));
        let reward = self.settings.tree.reward;
        if expanded {
            let open = self.tree.nodes[index].children().filter(|&child| !self.tree.nodes[child].is_over());
            for (child, evaluation) in open.zip(children) {
                self.tree.estimates.set(child, &reward.of_payoffs(game, &evaluation.payoffs));
            }
            self.set_priors(index, walk.mover, leaf.first());
            if index == ROOT {
                self.add_noise(rng);
            }
        }
        let worth = walk.worth.unwrap_or_else(|| {
            let payoffs = leaf[0].payoffs;
            Worth { payoffs, rewards: reward.of_payoffs(game, &payoffs) }
        });
        if walk.worth.is_none() && self.amaf.is_some() {
            self.recall(walk.path);
            self.learn(walk.path, &worth);
        }
        self.back_up(game, walk.path, &worth);
    }

    fn set_priors(&mut self, index: usize, mover: Player, leaf: Option<&Evaluation>) {
        let children = self.tree.nodes[index].children();
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
    fn add_noise(&mut self, rng: &mut Rng) {
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

    /// Ends the walk whose path begins at `start` without asking for anything.
    fn back_up_at_once(&mut self, game: &G, start: usize, worth: &Worth) {
        self.learn((start, self.paths.len()), worth);
        self.back_up(game, (start, self.paths.len()), worth);
        self.paths.truncate(start);
    }

    /// Puts the actions of a path in the place of those that were last played.
    fn recall(&mut self, (start, end): (usize, usize)) {
        self.playouts.new_iteration();
        for pair in self.paths[start..end].windows(2) {
            let [parent, child] = [pair[0], pair[1]].map(|index| self.tree.nodes[index as usize]);
            self.playouts.record(parent.mover(), child.code);
        }
    }

    /// Has the nodes of a path remember all actions that were taken after them.
    fn learn(&mut self, (start, end): (usize, usize), worth: &Worth) {
        let Some(Amaf { appearances, seen, learners, .. }) = &mut self.amaf else { return };
        learners.clear();
        learners.extend(self.paths[start..end].iter().enumerate().map(|(depth, &index)| (index, depth)));
        appearances.learn(learners, self.playouts.history(), &worth.rewards, seen);
    }

    /// Carries a result up to the root: visits and rewards, proofs, and estimates as far as they
    /// change.
    fn back_up(&mut self, game: &G, (start, end): (usize, usize), worth: &Worth) {
        if end > start + 1 {
            self.root_payoffs.add(self.paths[start + 1], &worth.payoffs);
        }
        let discount = self.settings.discount as f32;
        let mut rewards = worth.rewards;
        let leaf = self.tree.nodes[self.paths[end - 1] as usize];
        let (mut proven, mut changed) = (leaf.proof.is_known(), self.settings.selection.minimax);
        for place in (start..end).rev() {
            let index = self.paths[place] as usize;
            if place > start {
                let chooser = self.tree.nodes[self.paths[place - 1] as usize].mover();
                rewards.iter_mut().for_each(|reward| *reward *= discount);
                self.tree.nodes[index].reward += f64::from(rewards[chooser]);
            }
            self.tree.nodes[index].visits += 1;
            self.tree.nodes[index].pending -= 1;
            let node = self.tree.nodes[index];
            proven = proven && (node.proof.is_known() || self.prove(game, index).is_some());
            if changed && !proven && node.is_expanded() {
                changed = self.tree.estimates.back_up(index, node.children(), node.mover());
            }
        }
    }

    /// The node that stands for a state: the root, or what can be reached from the position after
    /// the last decision before it is the same player's turn again.
    fn find(&self, game: &G, wanted: &G::State) -> Option<usize> {
        if self.root == *wanted {
            return Some(ROOT);
        }
        let code = self.played?;
        let mut state = self.root.clone();
        game.apply(&mut state, game.action_from_code(code));
        let child = self.tree.nodes[ROOT].children().find(|&child| self.tree.nodes[child].code == code)?;
        self.find_below(game, child, &state, wanted, game.info().players.max(2) - 1)
    }

    fn find_below(&self, game: &G, index: usize, state: &G::State, wanted: &G::State, depth: usize) -> Option<usize> {
        if state == wanted {
            return Some(index);
        }
        if depth == 0 {
            return None;
        }
        self.tree.nodes[index].children().find_map(|child| {
            let mut next = state.clone();
            game.apply(&mut next, game.action_from_code(self.tree.nodes[child].code));
            self.find_below(game, child, &next, wanted, depth - 1)
        })
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

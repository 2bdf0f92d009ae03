//! One tree and the two halves of an iteration: *gather* walks to a leaf and asks for evaluations,
//! *apply* takes them and carries them up. Between both, any number of leaves of this tree and of
//! others can be evaluated together.

use std::ops::Range;

use meeple_core::{Game, Payoffs, Player, Rng, Turn};

use super::score::{Child, Scorer};
use super::settings::{Grave, InformedSettings, Priors};
use super::tree::{Estimates, ROOT, Tree};
use crate::evaluator::Evaluation;
use crate::mcts::appearances::{Appearances, Seen};
use crate::playout::{Playouts, Worth};
use crate::proof::Proofs;
use crate::root::RootPayoffs;
use crate::root_rule::Root;

/// A search from one root.
#[derive(Debug)]
pub struct Search<G: Game> {
    pub(super) settings: InformedSettings<G>,
    pub(super) tree: Tree,
    pub(super) proofs: Proofs,
    pub(super) root_payoffs: RootPayoffs,
    pub(super) playouts: Playouts<G>,
    scorer: Scorer,
    pub(super) at_root: Root,
    pub(super) amaf: Option<Amaf>,
    /// The lowest and the highest reward.
    range: (f64, f64),
    pub(super) root: G::State,
    /// What was last played from the root.
    pub(super) played: Option<u32>,
    loops: Loops,
    /// Walks that wait for evaluations.
    pub(super) walks: Vec<Walk>,
    /// The nodes of all these walks, each from the root to its leaf.
    pub(super) paths: Vec<u32>,
    pub(super) scratch: Scratch<G>,
}

/// How games ended in which an action was taken at any time, for [`Grave`].
#[derive(Debug)]
pub(super) struct Amaf {
    rule: Grave,
    pub(super) appearances: Appearances,
    pub(super) seen: Seen,
    /// The nodes that learn from a game, each with its depth.
    pub(super) learners: Vec<(u32, usize)>,
}

/// Positions to which a walk does not return, by their keys.
#[derive(Debug, Default)]
struct Loops {
    /// Of the game before the root.
    game: Vec<u64>,
    /// Of the walk at hand, if it may not cross itself.
    path: Vec<u64>,
}

/// Buffers, so that an iteration does not allocate.
#[derive(Debug)]
pub(super) struct Scratch<G: Game> {
    pub(super) state: G::State,
    pub(super) next: G::State,
    pub(super) actions: Vec<G::Action>,
    pub(super) shares: Vec<f64>,
}

/// One way from the root to a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    /// Where its path begins and ends in `paths`.
    pub(super) path: (usize, usize),
    /// Evaluations asked for.
    pub(super) requests: usize,
    /// The result of its playout.
    pub(super) worth: Option<Worth>,
}

impl<G: Game> Search<G> {
    pub fn new(game: &G, mut settings: InformedSettings<G>) -> Search<G> {
        let reward = settings.tree.reward;
        settings.solver &= !reward.needs_margins();
        let wanted = settings.selection.needs_estimates() || matches!(settings.priors, Priors::Softmax(_));
        let (state, next) = (game.initial_state(), game.initial_state());
        let mut playouts = Playouts::new(game, settings.tree.playout.clone(), reward);
        let amaf = settings.selection.grave.map(|rule| {
            playouts.remember();
            let appearances = Appearances::new(settings.tree.memory / 4);
            Amaf { rule, appearances, seen: Seen::default(), learners: Vec::new() }
        });
        let memory = settings.tree.memory - amaf.as_ref().map_or(0, |amaf| amaf.appearances.bytes());
        Search {
            tree: Tree::new(memory, Estimates::new(game, reward, wanted)),
            proofs: Proofs::new(&game.info()),
            root_payoffs: RootPayoffs::default(),
            playouts,
            scorer: Scorer::default(),
            at_root: Root::new(settings.root, reward.range(game)),
            amaf,
            range: reward.range(game),
            root: game.initial_state(),
            played: None,
            loops: Loops::default(),
            walks: Vec::new(),
            paths: Vec::new(),
            scratch: Scratch { state, next, actions: Vec::new(), shares: Vec::new() },
            settings,
        }
    }

    /// Starts from a position in which a player is to move, with what is known of it if the tree is
    /// to be used again. `played` are the [`Game::position_key`]s of positions of the game to which no
    /// walk returns (thesis 004, section 7.1).
    pub fn begin(&mut self, game: &G, root: &G::State, played: &[u64], rng: &mut Rng) {
        debug_assert!(self.walks.is_empty(), "evaluations are missing");
        let known = if self.settings.reuse { self.find(game, root) } else { None };
        match known {
            Some(node) => self.tree.keep(node),
            None => self.tree.clear(),
        }
        self.root.clone_from(root);
        self.played = None;
        self.loops.game.clear();
        self.loops.game.extend_from_slice(played);
        self.root_payoffs.clear();
        self.playouts.new_search();
        if let Some(amaf) = &mut self.amaf {
            amaf.appearances.new_search();
        }
        self.at_root.set_value(None);
        if self.is_ready() {
            self.prepare_root(rng);
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
        self.loops.path.clear();
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
            if self.closes_loop(game, index) {
                let worth = self.cut_short(game);
                self.back_up_at_once(game, start, &worth);
                return true;
            }
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
            let by_rule = if index == ROOT { self.select_at_root() } else { None };
            index = by_rule.unwrap_or_else(|| self.select(game, index, reference, rng));
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

    /// Whether the walk has come back to where the game or the walk itself has been.
    #[inline]
    fn closes_loop(&mut self, game: &G, index: usize) -> bool {
        let Loops { game: played, path } = &mut self.loops;
        if !self.settings.cut_loops && played.is_empty() {
            return false;
        }
        let key = game.position_key(&self.scratch.state);
        let known = index != ROOT && (played.contains(&key) || path.contains(&key));
        if self.settings.cut_loops {
            path.push(key);
        }
        known
    }

    /// What a walk is worth that leads to no end: only who has finished has won anything.
    fn cut_short(&self, game: &G) -> Worth {
        let nobody_finished = || {
            let mut payoffs = Payoffs::default();
            payoffs[..game.info().players].fill(-1.0);
            payoffs
        };
        let payoffs = game.payoffs_so_far(&self.scratch.state).unwrap_or_else(nobody_finished);
        Worth { payoffs, rewards: self.settings.tree.reward.of_payoffs(game, &payoffs) }
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
}

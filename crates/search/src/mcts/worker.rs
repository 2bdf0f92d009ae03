//! One thread of the search: walks down the tree, plays to the end, adds up.

use meeple_core::{Game, Player, Rng, Turn};

use super::appearances::Seen;
use super::node::Node;
use super::search::{Search, Step};
use super::settings::MctsSettings;
use super::tree::Block;
use crate::playout::{Playouts, Worth};
use crate::proof::Proof;
use crate::root::RootPayoffs;

/// Where the way down ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// At a node that was just made.
    New,
    /// At a position without a result, perhaps one that has no node.
    Open,
    /// At a node whose result is known.
    Proven(Proof),
}

/// Buffers of one thread, so that an iteration does not allocate. Aligned, so that threads do not
/// write to the same line of memory.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Worker<G: Game> {
    pub(super) playouts: Playouts<G>,
    pub(super) root_payoffs: RootPayoffs,
    pub(super) block: Block,
    /// Of the root, not yet added to it: every thread looks at the root all the time.
    root_visits: u32,
    pub(super) state: G::State,
    /// The position before a new action.
    before: G::State,
    actions: Vec<G::Action>,
    pub(super) path: Vec<Step>,
    /// Steps at the beginning of the path that the iteration has counted already.
    counted: usize,
    /// Of the positions on the path, the root included, if loops are cut.
    keys: Vec<u64>,
    learners: Vec<(u32, usize)>,
    seen: Seen,
}

impl<G: Game> Worker<G> {
    pub(super) fn new(game: &G, settings: &MctsSettings<G>, chunks_at_once: u32) -> Worker<G> {
        let mut playouts = Playouts::new(game, settings.tree.playout.clone(), settings.tree.reward);
        if settings.selection.looks_at_whole_games() {
            playouts.remember();
        }
        Worker {
            playouts,
            root_payoffs: RootPayoffs::default(),
            block: Block::new(chunks_at_once),
            root_visits: 0,
            state: game.initial_state(),
            before: game.initial_state(),
            actions: Vec::new(),
            path: Vec::new(),
            counted: 0,
            keys: Vec::new(),
            learners: Vec::new(),
            seen: Seen::default(),
        }
    }

    pub(super) fn new_search(&mut self) {
        self.playouts.new_search();
        self.root_payoffs.clear();
        self.block.clear();
    }

    /// One iteration from the root.
    #[inline]
    pub(super) fn iterate<const SHARED: bool>(&mut self, search: &Search<'_, G>, rng: &mut Rng) {
        let leaf = self.descend::<SHARED>(search, rng);
        self.finish::<SHARED>(search, leaf, rng);
    }

    /// Evaluates a leaf and adds up.
    #[inline]
    pub(super) fn finish<const SHARED: bool>(&mut self, search: &Search<'_, G>, leaf: Leaf, rng: &mut Rng) {
        let (worth, proof) = match leaf {
            // Alone, whatever follows from the result was proven when it was found.
            Leaf::Proven(proof) => (search.worth(proof), if SHARED { proof } else { Proof::UNKNOWN }),
            _ => self.evaluate(search, leaf, rng),
        };
        self.back_up::<SHARED>(search, &worth, proof, 1);
    }

    /// Adds the visits of the root that were counted since the last time.
    #[inline]
    pub(super) fn count_root<const SHARED: bool>(&mut self, search: &Search<'_, G>) {
        search.tree.node(search.root).add_visits::<SHARED>(std::mem::take(&mut self.root_visits));
    }

    /// Takes over the way that another worker went.
    pub(super) fn set_out(&mut self, search: &Search<'_, G>, state: &G::State, path: &[Step]) {
        self.state.clone_from(state);
        self.path.clear();
        self.path.extend_from_slice(path);
        self.playouts.new_iteration();
        for step in path {
            self.playouts.record(step.player, search.tree.node(step.node).code());
        }
    }

    /// Whether the game is over at the end of the path.
    pub(super) fn is_over(&self, search: &Search<'_, G>) -> bool {
        search.game.turn(&self.state) == Turn::Over
    }

    /// Walks to a node that was never visited, to a result or to the end of the game.
    pub(super) fn descend<const SHARED: bool>(&mut self, search: &Search<'_, G>, rng: &mut Rng) -> Leaf {
        let (game, tree, settings) = (search.game, search.tree, search.settings);
        self.begin(search);
        let (mut index, mut reference) = (search.root, search.root);
        while let Turn::Player(player) = game.turn(&self.state) {
            let node = tree.node(index);
            if node.legal() == 0 {
                game.legal_actions(&self.state, &mut self.actions);
                node.set_legal(self.actions.len());
            }
            reference = search.selector.reference(node, index, reference);
            let (legal, children) = (node.legal(), node.children());
            let chosen = if settings.solver && node.visits() < settings.solver_threshold && children > 0 {
                let action = game.random_action(&self.state, &mut self.actions, rng);
                tree.child(node, game.action_code(action))
            } else {
                None
            };
            let open = children < legal && (children == 0 || !tree.is_full(&self.block));
            if chosen.is_none() && open && (!SHARED || node.claim()) {
                match self.expand::<SHARED>(search, node, player, rng) {
                    Some(leaf) => return leaf,
                    None => continue,
                }
            }
            if children == 0 {
                // Another thread is adding the first child. Every game goes through a child of the root.
                if self.path.is_empty() {
                    std::hint::spin_loop();
                    continue;
                }
                return Leaf::Open;
            }
            index = chosen.unwrap_or_else(|| search.selector.choose(tree, node, reference, player));
            let proof = tree.proof(index);
            if proof.is_known() {
                let Some(sibling) = self.count_proven::<SHARED>(search, node, Step { node: index, player }, proof)
                else {
                    return Leaf::Proven(proof);
                };
                index = sibling;
            }
            self.enter::<SHARED>(search, Step { node: index, player });
            if self.advance(search, Step { node: index, player }) {
                return Leaf::Open;
            }
        }
        Leaf::Open
    }

    /// Goes to a child whose result is known. There is nothing to learn there: if a sibling has no
    /// result yet, the proven worth counts for all nodes above, and the playout is spent below that
    /// sibling, so that its result is found as well.
    fn count_proven<const SHARED: bool>(
        &mut self,
        search: &Search<'_, G>,
        parent: &Node,
        step: Step,
        proof: Proof,
    ) -> Option<u32> {
        let tree = search.tree;
        self.enter::<SHARED>(search, step);
        let sibling = tree.best_child(parent, |index, child| match tree.proof(index).is_known() {
            true => f64::NEG_INFINITY,
            false => child.reward() / f64::from(child.visits()),
        });
        if tree.proof(sibling).is_known() || tree.node(sibling).reward().is_infinite() {
            return None;
        }
        self.back_up::<SHARED>(search, &search.worth(proof), Proof::UNKNOWN, 1);
        self.path.pop();
        self.counted = self.path.len() + 1;
        Some(sibling)
    }

    fn begin(&mut self, search: &Search<'_, G>) {
        self.state.clone_from(search.state);
        self.path.clear();
        self.counted = 0;
        self.playouts.new_iteration();
        self.keys.clear();
        if search.settings.cut_loops {
            self.keys.push(search.game.position_key(&self.state));
        }
    }

    /// Puts a child on the path.
    #[inline]
    fn enter<const SHARED: bool>(&mut self, search: &Search<'_, G>, step: Step) {
        if SHARED && self.path.len() >= self.counted {
            let (visits, reward) = search.virtual_loss::<SHARED>();
            search.tree.node(step.node).add::<SHARED>(visits, reward);
        }
        self.path.push(step);
    }

    /// Carries out the action of the child that was entered last; says if the way ends there because
    /// it closes a loop.
    #[inline]
    fn advance(&mut self, search: &Search<'_, G>, step: Step) -> bool {
        let code = search.tree.node(step.node).code();
        self.playouts.record(step.player, code);
        search.game.apply(&mut self.state, search.game.action_from_code(code));
        search.settings.cut_loops && self.closes_loop(search.game)
    }

    /// Whether the position stands on the path already; it does from now on.
    fn closes_loop(&mut self, game: &G) -> bool {
        let key = game.position_key(&self.state);
        let known = self.keys.contains(&key);
        self.keys.push(key);
        known
    }

    /// Adds a child by an action that has none. `None` if that action closes a loop, and its child is
    /// never to be selected, or if there is no such action any more: then to be tried again.
    fn expand<const SHARED: bool>(
        &mut self,
        search: &Search<'_, G>,
        node: &Node,
        player: Player,
        rng: &mut Rng,
    ) -> Option<Leaf> {
        let (game, tree) = (search.game, search.tree);
        let counts = (node.children(), node.legal());
        if SHARED && counts.0 == counts.1 {
            node.publish(counts.0); // another thread added the last one before the claim
            return None;
        }
        let tried = |code| tree.child(node, code).is_some();
        let action = if self.playouts.has_preferences() {
            game.legal_actions(&self.state, &mut self.actions);
            self.actions.retain(|&action| !tried(game.action_code(action)));
            self.playouts.prefer(game, &self.state, player, &self.actions, rng)
        } else {
            untried(game, &self.state, &mut self.actions, counts, rng, tried)
        };
        let code = game.action_code(action);
        if search.settings.cut_loops {
            self.before.clone_from(&self.state);
        }
        game.apply(&mut self.state, action);
        if search.settings.cut_loops && self.closes_loop(game) {
            if tree.add_child(node, code, (0, f64::NEG_INFINITY), &mut self.block).is_some() {
                self.keys.pop();
                self.state.clone_from(&self.before);
                return None;
            }
        } else if let Some(child) = tree.add_child(node, code, search.virtual_loss::<SHARED>(), &mut self.block) {
            self.path.push(Step { node: child, player });
            self.playouts.record(player, code);
            return Some(Leaf::New);
        }
        self.playouts.record(player, code);
        Some(Leaf::Open)
    }

    /// Plays to the end. At a new node where the game is over the result is proven.
    fn evaluate(&mut self, search: &Search<'_, G>, leaf: Leaf, rng: &mut Rng) -> (Worth, Proof) {
        let over = search.settings.solver && leaf == Leaf::New && self.is_over(search);
        let worth = self.play(search, rng);
        let proof = if over { search.proofs.of(&worth.payoffs) } else { Proof::UNKNOWN };
        (worth, proof)
    }

    /// Plays from the end of the path to the end of the game.
    pub(super) fn play(&mut self, search: &Search<'_, G>, rng: &mut Rng) -> Worth {
        let worth = self.playouts.play(search.game, &mut self.state, &mut self.actions, rng);
        if let Some(appearances) = search.selector.appearances() {
            search.selector.learners(search.tree, search.root, &self.path, &mut self.learners);
            appearances.learn(&self.learners, self.playouts.history(), &worth.rewards, &mut self.seen);
        }
        worth
    }

    /// Adds the mean worth of so many games to the nodes of the path that are not counted yet. A
    /// result of the last node is carried up as far as it proves something; above, the proven worth
    /// counts.
    pub(super) fn back_up<const SHARED: bool>(
        &mut self,
        search: &Search<'_, G>,
        worth: &Worth,
        mut proof: Proof,
        games: u32,
    ) {
        let (tree, discount) = (search.tree, search.settings.discount);
        let mut worth = *worth;
        let mut factor = if discount == 1.0 { 1.0 } else { libm::pow(discount, self.path.len() as f64) };
        let (virtual_visits, virtual_reward) = search.virtual_loss::<SHARED>();
        for depth in (0..self.path.len()).rev() {
            let step = self.path[depth];
            let reward = factor * f64::from(worth.rewards[step.player]);
            if proof.is_known() {
                search.settle::<SHARED>(step, proof, reward);
            } else if depth < self.counted {
                break;
            }
            if depth >= self.counted {
                let visits = games.wrapping_sub(virtual_visits);
                tree.node(step.node).add::<SHARED>(visits, f64::from(games) * reward - virtual_reward);
                tree.add_square::<SHARED>(step.node, f64::from(games) * reward * reward);
            }
            if proof.is_known() {
                let parent = if depth == 0 { search.root } else { self.path[depth - 1].node };
                proof = search.prove(parent, step.player, proof);
                if proof.is_known() {
                    worth = search.worth(proof);
                    factor /= discount;
                }
            }
        }
        if proof.is_known() {
            tree.set_proof(search.root, proof);
        }
        if self.counted > 0 {
            return;
        }
        if let Some(first) = self.path.first() {
            self.root_payoffs.add_mean(tree.node(first.node).code(), &worth.payoffs, games);
        }
        self.root_visits += games;
        if !SHARED {
            self.count_root::<SHARED>(search);
        }
    }
}

/// A uniformly random action among those without a child. With few children a random action is
/// drawn until it is new; with many the list is filtered.
fn untried<G: Game>(
    game: &G,
    state: &G::State,
    actions: &mut Vec<G::Action>,
    (children, legal): (usize, usize),
    rng: &mut Rng,
    tried: impl Fn(u32) -> bool,
) -> G::Action {
    if 2 * children < legal {
        loop {
            let action = game.random_action(state, actions, rng);
            if !tried(game.action_code(action)) {
                return action;
            }
        }
    }
    game.legal_actions(state, actions);
    actions.retain(|&action| !tried(game.action_code(action)));
    *rng.choose(actions)
}

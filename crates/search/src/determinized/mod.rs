//! Determinized UCT (thesis 002, section 5.1): several worlds that the view allows, a plain UCT tree
//! for each, and one decision from all roots.
//!
//! Every tree knows its world, so it plans as if all cards lay open: it chooses differently in
//! worlds that the player cannot tell apart (strategy fusion), which [`crate::ismcts`] avoids.
//! Chance that a world leaves open is drawn on the way.

mod combine;

use std::fmt;
use std::sync::Arc;

use meeple_core::agent::{Agent, Budget, Decision};
use meeple_core::{Belief, Game, Player, Rng, Worlds};

use crate::TreeSettings;
use crate::clock::Clock;
use crate::edges::{Edges, edge_key, root_key};
use crate::logarithm::ln;
use crate::playout::{Playouts, Worth};
use crate::root::RootPayoffs;
use crate::walk::{Options, next_player};
use crate::worlds::worlds;

/// Every tree has room for some tens of nodes, whatever the bound on memory.
const LEAST_BYTES_PER_TREE: usize = 1 << 11;

/// | field | meaning | default |
/// |---|---|---|
/// | `tree` | of each tree; the budget counts the iterations of all trees together, and each tree gets an equal share | 10,000 iterations |
/// | `trees` | worlds for each decision, at least 1 | 20, so 500 iterations each (thesis 002, section 5.1) |
/// | `combine` | how the trees become one decision | votes |
#[derive(Debug)]
pub struct DeterminizedSettings<G: Game> {
    pub tree: TreeSettings<G>,
    pub trees: usize,
    pub combine: Combine,
}

impl<G: Game> Default for DeterminizedSettings<G> {
    fn default() -> DeterminizedSettings<G> {
        DeterminizedSettings { tree: TreeSettings::default(), trees: 20, combine: Combine::Votes }
    }
}

/// How the trees become one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// Each tree makes the final choice for itself; the action of most trees is taken, among equals
    /// the more visited one.
    Votes,
    /// The final choice is made from the sums over all trees.
    Visits,
}

/// A search with its own memory.
pub struct DeterminizedUct<G: Game> {
    settings: DeterminizedSettings<G>,
    belief: Option<Arc<dyn Belief<G>>>,
    trees: Vec<Tree<G>>,
    edges: Edges,
    /// By the code of the action.
    root_payoffs: RootPayoffs,
    playouts: Playouts<G>,
    scratch: Scratch<G>,
    /// Made in this game.
    decisions: u32,
}

/// A world and the root of its tree.
struct Tree<G: Game> {
    world: G::State,
    key: u64,
    edge: u32,
}

/// Buffers, so that an iteration does not allocate.
struct Scratch<G: Game> {
    state: G::State,
    actions: Vec<G::Action>,
    options: Options<G::Action>,
    /// From the root on, each edge with the player who chose it; the mover at the root himself.
    path: Vec<(u32, Player)>,
    /// The code of the action at the root.
    first: Option<u32>,
}

impl<G: Game> fmt::Debug for DeterminizedUct<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeterminizedUct").finish_non_exhaustive()
    }
}

impl<G: Game> DeterminizedUct<G> {
    pub fn new(game: &G, settings: DeterminizedSettings<G>, belief: Option<Arc<dyn Belief<G>>>) -> DeterminizedUct<G> {
        let scratch = Scratch {
            state: game.initial_state(),
            actions: Vec::new(),
            options: Options::default(),
            path: Vec::new(),
            first: None,
        };
        DeterminizedUct {
            belief,
            trees: Vec::new(),
            edges: Edges::new(settings.tree.memory.max(settings.trees * LEAST_BYTES_PER_TREE)),
            root_payoffs: RootPayoffs::default(),
            playouts: Playouts::new(game, settings.tree.playout.clone(), settings.tree.reward),
            settings,
            scratch,
            decisions: 0,
        }
    }

    /// A further world with an empty tree.
    fn plant(&mut self, worlds: &dyn Worlds<State = G::State>, rng: &mut Rng) {
        let key = root_key(self.trees.len());
        let mut world = self.scratch.state.clone();
        worlds.sample_into(&mut world, rng);
        self.trees.push(Tree { world, key, edge: self.edges.add(key) });
    }

    fn iterate(&mut self, game: &G, tree: usize, rng: &mut Rng) {
        self.descend(game, tree, rng);
        let worth = self.playouts.play(game, &mut self.scratch.state, &mut self.scratch.actions, rng);
        self.back_up(&worth);
    }

    /// Walks to a node that was never visited, or to the end of the game.
    fn descend(&mut self, game: &G, tree: usize, rng: &mut Rng) {
        let Scratch { state, actions, options, path, first } = &mut self.scratch;
        let &Tree { ref world, mut key, mut edge } = &self.trees[tree];
        state.clone_from(world);
        path.clear();
        *first = None;
        self.playouts.new_iteration();
        while let Some(player) = next_player(game, state, rng) {
            if path.is_empty() {
                path.push((edge, player));
            }
            game.legal_actions(state, actions);
            options.look_up(game, &mut self.edges, key, actions);
            let factor = self.settings.tree.exploration * ln(self.edges.edge(edge).visits).sqrt();
            let (known, action) = options.select(&self.edges, |edge| factor / f64::from(edge.visits).sqrt(), rng);
            let code = game.action_code(action);
            key = edge_key(key, code);
            edge = known.unwrap_or_else(|| self.edges.add(key));
            first.get_or_insert(code);
            path.push((edge, player));
            self.playouts.record(player, code);
            game.apply(state, action);
            if known.is_none() {
                return;
            }
        }
    }

    fn back_up(&mut self, worth: &Worth) {
        if let Some(code) = self.scratch.first {
            self.root_payoffs.add(code, &worth.payoffs);
        }
        for &(edge, player) in &self.scratch.path {
            self.edges.update(edge, f64::from(worth.rewards[player]));
        }
    }
}

impl<G: Game> Agent<G> for DeterminizedUct<G> {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        self.edges.clear();
        self.trees.clear();
        self.root_payoffs.clear();
        self.playouts.new_search();
        self.decisions += 1;
        let worlds = worlds(game, view, self.belief.as_ref());
        let mut clock = Clock::start(self.settings.tree.budget.and(limit));
        let mut tree = 0;
        while clock.tick() {
            if tree == self.trees.len() {
                self.plant(&*worlds, rng);
            }
            self.iterate(game, tree, rng);
            tree = (tree + 1) % self.settings.trees.max(1);
        }
        self.report(game, view, &clock, rng)
    }

    fn new_game(&mut self) {
        self.decisions = 0;
    }
}

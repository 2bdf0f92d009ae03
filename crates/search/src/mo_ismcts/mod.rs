//! Information-set Monte Carlo tree search with multiple observers (Cowling et al. 2012).
//!
//! As [`crate::ismcts`], but with a tree for every player, all of which are walked at the same time.
//! A player's tree tells apart his own actions, and of the actions of others what he can see: after
//! cards that were passed face down the others go on at one node, whatever was passed. Where all
//! actions are public and no chance is involved the trees are copies of each other, and the search
//! with one tree does the same for less.

mod observation;

use std::fmt;
use std::sync::Arc;

use meeple_core::agent::{ActionReport, Agent, Budget, Decision, Report};
use meeple_core::{Belief, Game, Player, Rng, Worlds};

use crate::TreeSettings;
use crate::clock::Clock;
use crate::edges::{Edges, edge_key};
use crate::logarithm::ln;
use crate::playout::{Playouts, Worth};
use crate::root::{RootPayoffs, decision};
use crate::walk::{Options, next_player, tried};
use crate::worlds::worlds;
use observation::Nodes;

pub use observation::Observation;

/// | field | meaning | default |
/// |---|---|---|
/// | `tree` | budget, exploration, playouts, reward, final choice, memory of all trees together | |
/// | `observation` | what a player sees of the actions of others | what everybody sees |
#[derive(Debug)]
pub struct MoIsmctsSettings<G: Game> {
    pub tree: TreeSettings<G>,
    pub observation: Observation,
}

/// A search with its own memory.
pub struct MoIsmcts<G: Game> {
    settings: MoIsmctsSettings<G>,
    belief: Option<Arc<dyn Belief<G>>>,
    edges: Edges,
    /// By the code of the action.
    root_payoffs: RootPayoffs,
    playouts: Playouts<G>,
    scratch: Scratch<G>,
    /// Made in this game.
    decisions: u32,
}

/// Buffers, so that an iteration does not allocate.
struct Scratch<G: Game> {
    state: G::State,
    actions: Vec<G::Action>,
    options: Options<G::Action>,
    /// Each edge in the tree of the player who chose it.
    path: Vec<(u32, Player)>,
    /// The code of the action at the root.
    first: Option<u32>,
}

impl<G: Game> fmt::Debug for MoIsmcts<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MoIsmcts").finish_non_exhaustive()
    }
}

impl<G: Game> MoIsmcts<G> {
    pub fn new(game: &G, settings: MoIsmctsSettings<G>, belief: Option<Arc<dyn Belief<G>>>) -> MoIsmcts<G> {
        let scratch = Scratch {
            state: game.initial_state(),
            actions: Vec::new(),
            options: Options::default(),
            path: Vec::new(),
            first: None,
        };
        MoIsmcts {
            belief,
            edges: Edges::new(settings.tree.memory),
            root_payoffs: RootPayoffs::default(),
            playouts: Playouts::new(game, settings.tree.playout.clone(), settings.tree.reward),
            settings,
            scratch,
            decisions: 0,
        }
    }

    fn iterate(&mut self, game: &G, worlds: &dyn Worlds<State = G::State>, rng: &mut Rng) {
        worlds.sample_into(&mut self.scratch.state, rng);
        self.descend(game, rng);
        let worth = self.playouts.play(game, &mut self.scratch.state, &mut self.scratch.actions, rng);
        self.back_up(&worth);
    }

    /// Walks to a node that the mover never visited, or to the end of the game.
    fn descend(&mut self, game: &G, rng: &mut Rng) {
        let Scratch { state, actions, options, path, first } = &mut self.scratch;
        let TreeSettings { exploration, .. } = self.settings.tree;
        let mut nodes = Nodes::at_root(game);
        path.clear();
        *first = None;
        self.playouts.new_iteration();
        let mut last = None;
        while let Some(player) = next_player(game, state, rng) {
            // What chance did after the last action is seen with it.
            if let Some((mover, code)) = last {
                nodes.follow(game, state, mover, code, self.settings.observation);
            }
            game.legal_actions(state, actions);
            options.look_up(game, &mut self.edges, nodes.of(player), actions);
            let bound = |visits: u32, available: u32| exploration * (ln(available) / f64::from(visits)).sqrt();
            let (known, action) = options.select(&self.edges, |edge| bound(edge.visits, edge.available), rng);
            let code = game.action_code(action);
            let edge = known.unwrap_or_else(|| self.edges.add(edge_key(nodes.of(player), code)));
            first.get_or_insert(code);
            path.push((edge, player));
            self.playouts.record(player, code);
            game.apply(state, action);
            if known.is_none() {
                return;
            }
            last = Some((player, code));
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

    fn report(&self, game: &G, view: &G::View, clock: &Clock, rng: &mut Rng) -> Decision<G::Action> {
        let mut legal = Vec::new();
        game.view_actions(view, &mut legal);
        let (_, mover) = self.scratch.path[0]; // the same in every world
        let actions = tried(game, &self.edges, Nodes::at_root(game).of(mover), &legal);
        let complete = |(edge, action): (crate::edges::Edge, ActionReport<G::Action>)| ActionReport {
            availability: Some(u64::from(edge.available)),
            payoffs: self.root_payoffs.mean(game.action_code(action.action)),
            ..action
        };
        let report = Report {
            actions: actions.into_iter().map(complete).collect(),
            principal_variation: Vec::new(),
            iterations: clock.done(),
            nodes: self.edges.len() as u64,
            bytes: self.edges.bytes(),
            time: clock.elapsed(),
        };
        let mut decided = decision(report, &self.settings.tree.choice, self.decisions, rng);
        decided.report.principal_variation = vec![decided.action];
        decided
    }
}

impl<G: Game> Agent<G> for MoIsmcts<G> {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        self.edges.clear();
        self.root_payoffs.clear();
        self.playouts.new_search();
        self.decisions += 1;
        let worlds = worlds(game, view, self.belief.as_ref());
        let mut clock = Clock::start(self.settings.tree.budget.and(limit));
        while clock.tick_at(self.edges.len() as u64 - 1) {
            self.iterate(game, &*worlds, rng);
        }
        self.report(game, view, &clock, rng)
    }

    fn new_game(&mut self) {
        self.decisions = 0;
    }
}

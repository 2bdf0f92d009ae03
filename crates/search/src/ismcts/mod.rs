//! Information-set Monte Carlo tree search (single observer, Cowling et al. 2012; thesis 002,
//! algorithm 3).
//!
//! Every iteration samples a world that the view allows and walks down one tree that all worlds
//! share: of a node's children only those count whose action is legal in that world, and each
//! remembers how often it was available. Chance is drawn on the way and is no node of its own.

mod table;

use meeple_core::agent::{ActionReport, Agent, Budget, Decision, Report};
use meeple_core::{Game, Player, Rng, Turn, Worlds};

use crate::TreeSettings;
use crate::clock::Clock;
use crate::logarithm::ln;
use crate::playout::{Playouts, Worth};
use crate::root::{RootPayoffs, decision};
use table::{ROOT, Table};

#[derive(Debug)]
pub struct Ismcts<G: Game> {
    settings: TreeSettings,
    table: Table,
    root_payoffs: RootPayoffs,
    playouts: Playouts,
    scratch: Scratch<G>,
    /// Made in this game.
    decisions: u32,
}

/// Buffers, so that an iteration does not allocate.
#[derive(Debug)]
struct Scratch<G: Game> {
    state: G::State,
    actions: Vec<G::Action>,
    untried: Vec<G::Action>,
    children: Vec<(u32, G::Action)>,
    path: Vec<(u32, Player)>,
}

impl<G: Game> Ismcts<G> {
    pub fn new(game: &G, settings: TreeSettings) -> Ismcts<G> {
        let scratch = Scratch {
            state: game.initial_state(),
            actions: Vec::new(),
            untried: Vec::new(),
            children: Vec::new(),
            path: Vec::new(),
        };
        Ismcts {
            table: Table::new(settings.memory),
            root_payoffs: RootPayoffs::default(),
            playouts: Playouts::new(game, settings.playout, settings.reward),
            settings,
            scratch,
            decisions: 0,
        }
    }

    fn iterate(&mut self, game: &G, worlds: &G::Worlds, rng: &mut Rng) {
        worlds.sample_into(&mut self.scratch.state, rng);
        self.descend(game, rng);
        let worth = self.playouts.play(game, &mut self.scratch.state, &mut self.scratch.actions, rng);
        self.back_up(&worth);
    }

    /// Walks to a node that was never visited, or to the end of the game.
    fn descend(&mut self, game: &G, rng: &mut Rng) {
        self.scratch.path.clear();
        self.playouts.new_iteration();
        let mut index = ROOT;
        loop {
            let player = match game.turn(&self.scratch.state) {
                Turn::Over => return,
                Turn::Chance => {
                    game.play_chance(&mut self.scratch.state, rng);
                    continue;
                }
                Turn::Player(player) => player,
            };
            self.look_up(game, index);
            let Scratch { state, untried, children, path, .. } = &mut self.scratch;
            if !untried.is_empty() && (children.is_empty() || !self.table.is_full()) {
                let action = *rng.choose(untried);
                self.playouts.record(player, game.action_code(action));
                game.apply(state, action);
                path.extend(self.table.add_child(index, game.action_code(action)).map(|child| (child, player)));
                return;
            }
            let (best, action) = best_child(&mut self.table, children, self.settings.exploration);
            index = best;
            path.push((index, player));
            self.playouts.record(player, game.action_code(action));
            game.apply(state, action);
        }
    }

    /// Sorts the legal actions into those with a child, which count as available, and the others.
    fn look_up(&mut self, game: &G, parent: u32) {
        let Scratch { state, actions, untried, children, .. } = &mut self.scratch;
        game.legal_actions(state, actions);
        untried.clear();
        children.clear();
        for &action in &*actions {
            match self.table.child(parent, game.action_code(action)) {
                Some(child) => {
                    self.table.node(child).available += 1;
                    children.push((child, action));
                }
                None => untried.push(action),
            }
        }
    }

    fn back_up(&mut self, worth: &Worth) {
        if let Some(&(child, _)) = self.scratch.path.first() {
            self.root_payoffs.add(child, &worth.payoffs);
        }
        for &(index, player) in &self.scratch.path {
            let node = self.table.node(index);
            node.visits += 1;
            node.reward += f64::from(worth.rewards[player]);
        }
    }
}

/// The child with the highest upper confidence bound; the first of equals.
fn best_child<A: Copy>(table: &mut Table, children: &[(u32, A)], exploration: f64) -> (u32, A) {
    let mut best = (f64::NEG_INFINITY, children[0]);
    for &(index, action) in children {
        let node = table.node(index);
        let visits = f64::from(node.visits);
        let bound = (ln(node.available) / visits).sqrt();
        let score = node.reward / visits + exploration * bound;
        if score > best.0 {
            best = (score, (index, action));
        }
    }
    best.1
}

impl<G: Game> Agent<G> for Ismcts<G> {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        self.table.clear();
        self.root_payoffs.clear();
        self.playouts.new_search();
        self.decisions += 1;
        let worlds = game.worlds(view);
        let mut clock = Clock::start(self.settings.budget.and(limit));
        while clock.tick_at(self.table.len() as u64) {
            self.iterate(game, &worlds, rng);
        }
        self.report(game, &clock, rng)
    }

    fn new_game(&mut self) {
        self.decisions = 0;
    }
}

impl<G: Game> Ismcts<G> {
    fn report(&self, game: &G, clock: &Clock, rng: &mut Rng) -> Decision<G::Action> {
        let mut actions = Vec::new();
        for (number, node) in self.table.nodes().iter().enumerate() {
            if !self.table.is_child(number as u32, ROOT) {
                continue;
            }
            actions.push(ActionReport {
                action: game.action_from_code(node.code),
                visits: u64::from(node.visits),
                availability: Some(u64::from(node.available)),
                payoffs: self.root_payoffs.mean(number as u32),
                value_for_mover: node.reward / f64::from(node.visits),
                prior: None,
                proven: None,
            });
        }
        let report = Report {
            actions,
            principal_variation: self.principal_variation(game),
            iterations: clock.done(),
            nodes: self.table.len() as u64,
            bytes: self.table.bytes(),
            time: clock.elapsed(),
        };
        decision(report, &self.settings.choice, self.decisions, rng)
    }

    /// The most visited line, over all worlds.
    fn principal_variation(&self, game: &G) -> Vec<G::Action> {
        let mut line = Vec::new();
        let mut parent = ROOT;
        loop {
            let children = (1..self.table.len() as u32).filter(|&number| self.table.is_child(number, parent));
            let visits = |number: &u32| self.table.nodes()[*number as usize].visits;
            match children.max_by_key(visits) {
                Some(child) => {
                    line.push(game.action_from_code(self.table.nodes()[child as usize].code));
                    parent = child;
                }
                None => return line,
            }
        }
    }
}

//! Monte Carlo tree search for games with perfect information and without chance (UCT).
//!
//! One iteration walks down the tree by the selection rule, adds one child, plays the game to the
//! end and adds the reward to every node on the way. Each node counts for the player who chose the
//! action that leads to it, so any number of players works (max^n).

mod tree;

use meeple_core::agent::{ActionReport, Agent, Budget, Decision, Report};
use meeple_core::{Game, Player, Rng, Turn, Worlds};

use crate::TreeSettings;
use crate::clock::Clock;
use crate::logarithm::ln;
use crate::playout::{Playouts, Worth};
use crate::root::{RootPayoffs, decision};
use tree::{ROOT, Tree};

#[derive(Debug)]
pub struct Mcts<G: Game> {
    settings: TreeSettings<G>,
    tree: Tree,
    root_payoffs: RootPayoffs,
    playouts: Playouts<G>,
    scratch: Scratch<G>,
    /// Made in this game.
    decisions: u32,
}

/// Buffers of one thread, so that an iteration does not allocate.
#[derive(Debug)]
struct Scratch<G: Game> {
    state: G::State,
    actions: Vec<G::Action>,
    /// The nodes on the way down, each with the player who chose it.
    path: Vec<(u32, Player)>,
}

impl<G: Game> Mcts<G> {
    pub fn new(game: &G, settings: TreeSettings<G>) -> Mcts<G> {
        let scratch = Scratch { state: game.initial_state(), actions: Vec::new(), path: Vec::new() };
        Mcts {
            tree: Tree::new(settings.memory),
            root_payoffs: RootPayoffs::default(),
            playouts: Playouts::new(game, settings.playout.clone(), settings.reward),
            settings,
            scratch,
            decisions: 0,
        }
    }

    /// One iteration from the root.
    fn iterate(&mut self, game: &G, root: &G::State, rng: &mut Rng) {
        self.scratch.state.clone_from(root);
        self.descend(game, rng);
        let worth = self.playouts.play(game, &mut self.scratch.state, &mut self.scratch.actions, rng);
        self.back_up(&worth);
    }

    /// Walks to a node that was never visited, or to the end of the game.
    fn descend(&mut self, game: &G, rng: &mut Rng) {
        let Scratch { state, actions, path } = &mut self.scratch;
        path.clear();
        self.playouts.new_iteration();
        let mut index = ROOT;
        while let Turn::Player(player) = game.turn(state) {
            let node = self.tree.node(index);
            if node.legal() == 0 {
                game.legal_actions(state, actions);
                node.set_legal(actions.len());
            }
            let (legal, children) = (node.legal(), node.children());
            if children < legal && (children == 0 || !self.tree.is_full()) {
                let action =
                    untried(game, state, actions, (children, legal), rng, |code| self.tree.has_child(node, code));
                game.apply(state, action);
                self.playouts.record(player, game.action_code(action));
                if let Some(child) = self.tree.add_child(node, game.action_code(action)) {
                    path.push((child, player));
                }
                return;
            }
            let factor = self.settings.exploration * ln(node.visits()).sqrt();
            index = self.tree.best_child(node, |child| {
                let visits = f64::from(child.visits());
                child.reward() / visits + factor / visits.sqrt()
            });
            path.push((index, player));
            let code = self.tree.node(index).code();
            self.playouts.record(player, code);
            game.apply(state, game.action_from_code(code));
        }
    }

    fn back_up(&mut self, worth: &Worth) {
        if let Some(&(child, _)) = self.scratch.path.first() {
            self.root_payoffs.add(child, &worth.payoffs);
        }
        for &(index, player) in &self.scratch.path {
            self.tree.node(index).update(f64::from(worth.rewards[player]));
        }
        self.tree.node(ROOT).update(0.0);
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

impl<G: Game> Agent<G> for Mcts<G> {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        self.tree.clear();
        self.root_payoffs.clear();
        self.playouts.new_search();
        self.decisions += 1;
        let mut root = game.initial_state();
        game.worlds(view).sample_into(&mut root, rng); // with perfect information there is one
        let mut clock = Clock::start(self.settings.budget.and(limit));
        while clock.tick() {
            self.iterate(game, &root, rng);
        }
        self.report(game, &clock, rng)
    }

    fn new_game(&mut self) {
        self.decisions = 0;
    }
}

impl<G: Game> Mcts<G> {
    fn report(&self, game: &G, clock: &Clock, rng: &mut Rng) -> Decision<G::Action> {
        let mut actions = Vec::new();
        self.tree.each_child(self.tree.node(ROOT), |index, child| {
            actions.push(ActionReport {
                action: game.action_from_code(child.code()),
                visits: u64::from(child.visits()),
                availability: None,
                payoffs: self.root_payoffs.mean(index),
                value_for_mover: child.reward() / f64::from(child.visits()),
                prior: None,
                proven: None,
            });
        });
        let report = Report {
            actions,
            principal_variation: self.principal_variation(game),
            iterations: clock.done(),
            nodes: self.tree.len(),
            bytes: self.tree.bytes(),
            time: clock.elapsed(),
        };
        decision(report, &self.settings.choice, self.decisions, rng)
    }

    /// The most visited line.
    fn principal_variation(&self, game: &G) -> Vec<G::Action> {
        let mut line = Vec::new();
        let mut node = self.tree.node(ROOT);
        while node.children() > 0 {
            node = self.tree.node(self.tree.best_child(node, |child| f64::from(child.visits())));
            line.push(game.action_from_code(node.code()));
        }
        line
    }
}

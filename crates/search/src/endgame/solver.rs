//! Positions with nothing hidden, searched to the end of the game.
//!
//! Every player takes what is best for himself (max^n). Two teams with opposite payoffs are
//! searched with alpha-beta, which gives the same values. Chance is averaged over all outcomes.

use std::time::Duration;

use meeple_core::agent::Budget;
use meeple_core::key::key_of;
use meeple_core::{Game, MAX_PLAYERS, PayoffSum, Payoffs, Player, Turn};

use super::transpositions::{Bound, Transpositions};
use crate::Reward;
use crate::clock::Clock;

/// Decisions with a choice on one line; what is further from its end is not worth a try.
const MOST_DEPTH: usize = 64;

/// What the viewer can force at least, and what the others can hold him to.
#[derive(Clone, Copy)]
struct Window {
    alpha: f32,
    beta: f32,
}

pub(super) struct Solver<G: Game> {
    reward: Reward,
    /// The lowest and the highest reward.
    full: Window,
    /// Whether there are two teams with opposite payoffs.
    opposed: bool,
    /// From whose point of view windows and bounds are.
    viewer: Player,
    transpositions: Transpositions,
    /// Of legal actions, by depth.
    buffers: Vec<Vec<G::Action>>,
    /// By depth: the last action that made all others needless; it is tried first elsewhere.
    killers: Vec<Option<G::Action>>,
    clock: Clock,
    allowed: u64,
}

impl<G: Game> Solver<G> {
    pub(super) fn new(game: &G, reward: Reward) -> Solver<G> {
        let info = game.info();
        let (alpha, beta) = reward.range(game);
        Solver {
            reward,
            full: Window { alpha: alpha as f32, beta: beta as f32 },
            opposed: info.teams == 2 && info.payoff_sum != PayoffSum::General,
            viewer: 0,
            transpositions: Transpositions::new(),
            buffers: (0..MOST_DEPTH).map(|_| Vec::new()).collect(),
            killers: vec![None; MOST_DEPTH],
            clock: Clock::start(Budget::NONE),
            allowed: 0,
        }
    }

    /// Begins a decision of `viewer`. Whatever an earlier one left behind, perhaps for another seat,
    /// is forgotten.
    pub(super) fn start(&mut self, viewer: Player, time: Option<Duration>) {
        self.viewer = viewer;
        self.transpositions.clear();
        self.killers.fill(None);
        self.clock = Clock::start(Budget { time, ..Budget::NONE });
    }

    /// Sets how many positions may have been searched since the start.
    pub(super) fn allow(&mut self, nodes: u64) {
        self.allowed = nodes;
    }

    pub(super) fn nodes(&self) -> u64 {
        self.clock.done()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.transpositions.bytes()
    }

    /// The viewer's reward after an action, with best play of all; `None` if that takes too long.
    pub(super) fn value_after(&mut self, game: &G, state: &G::State, action: G::Action) -> Option<f32> {
        let mut state = state.clone();
        game.apply(&mut state, action);
        Some(self.rewards(game, state, self.full, 0)?[self.viewer])
    }

    /// The rewards of all seats; between teams those that a bound outside the window belongs to.
    fn rewards(&mut self, game: &G, mut state: G::State, window: Window, depth: usize) -> Option<Payoffs> {
        if depth == MOST_DEPTH {
            return None;
        }
        let mut actions = std::mem::take(&mut self.buffers[depth]);
        let rewards = loop {
            if self.clock.done() >= self.allowed || !self.clock.tick() {
                break None;
            }
            match game.turn(&state) {
                Turn::Over => break Some(self.reward.at_end(game, &state, &game.payoffs(&state))),
                Turn::Chance => break self.mean(game, &state, depth),
                Turn::Player(player) => {
                    game.legal_actions(&state, &mut actions);
                    if actions.len() > 1 {
                        self.put_killer_first(&mut actions, depth);
                        break self.best(game, &state, player, &actions, window, depth);
                    }
                    game.apply(&mut state, actions[0]);
                }
            }
        };
        self.buffers[depth] = actions;
        rewards
    }

    /// What the player to move takes, from the table if it is known there.
    fn best(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        actions: &[G::Action],
        window: Window,
        depth: usize,
    ) -> Option<Payoffs> {
        let key = key_of(state);
        if let Some((rewards, bound)) = self.transpositions.get(key) {
            let value = rewards[self.viewer];
            let known = match bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= window.beta,
                Bound::AtMost => value <= window.alpha,
            };
            if known {
                return Some(rewards);
            }
        }
        let (rewards, bound) = self.search(game, state, player, actions, window, depth)?;
        self.transpositions.put(key, rewards, bound);
        Some(rewards)
    }

    /// Only between teams, where the order of equal actions does not matter.
    fn put_killer_first(&self, actions: &mut [G::Action], depth: usize) {
        let killer = self.killers[depth].filter(|_| self.opposed);
        if let Some(place) = killer.and_then(|killer| actions.iter().position(|&action| action == killer)) {
            actions.swap(0, place);
        }
    }

    fn search(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        actions: &[G::Action],
        window: Window,
        depth: usize,
    ) -> Option<(Payoffs, Bound)> {
        let friend = game.team(player) == game.team(self.viewer);
        let mut narrow = window;
        let mut best: Option<Payoffs> = None;
        for &action in actions {
            let mut next = state.clone();
            game.apply(&mut next, action);
            let rewards = self.rewards(game, next, narrow, depth + 1)?;
            if best.is_none_or(|best| rewards[player] > best[player]) {
                best = Some(rewards);
                match (self.opposed, friend) {
                    (false, _) => {}
                    (true, true) => narrow.alpha = narrow.alpha.max(rewards[self.viewer]),
                    (true, false) => narrow.beta = narrow.beta.min(rewards[self.viewer]),
                }
            }
            if narrow.alpha >= narrow.beta || best.is_some_and(|best| best[player] >= self.full.beta) {
                self.killers[depth] = Some(action);
                break;
            }
        }
        let best = best.expect("a player to move has an action");
        Some((best, self.bound(best[self.viewer], window)))
    }

    /// What a value means that was found with a window. The ends of the full window are exact.
    fn bound(&self, value: f32, window: Window) -> Bound {
        if !self.opposed {
            Bound::Exact
        } else if value >= window.beta && window.beta < self.full.beta {
            Bound::AtLeast
        } else if value <= window.alpha && window.alpha > self.full.alpha {
            Bound::AtMost
        } else {
            Bound::Exact
        }
    }

    /// Over all outcomes of chance.
    fn mean(&mut self, game: &G, state: &G::State, depth: usize) -> Option<Payoffs> {
        let mut outcomes = Vec::new();
        game.chance_outcomes(state, &mut outcomes);
        let total: u32 = outcomes.iter().map(|&(_, weight)| weight).sum();
        let mut means = [0.0; MAX_PLAYERS];
        for (outcome, weight) in outcomes {
            let mut next = state.clone();
            game.apply(&mut next, outcome);
            let rewards = self.rewards(game, next, self.full, depth + 1)?;
            for (mean, reward) in means.iter_mut().zip(rewards) {
                *mean += reward * weight as f32 / total as f32;
            }
        }
        Some(means)
    }
}

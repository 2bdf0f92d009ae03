//! Exact play near the end (thesis 002, sections 5.5 and 6.6): an agent that solves the worlds that
//! are left and takes the action with the best mean, and leaves all other decisions to another agent.
//!
//! Every world is solved as if all cards lay open, so several worlds suffer from strategy fusion;
//! with one world left the action is the best there is.

mod solver;
mod transpositions;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use meeple_core::agent::{ActionReport, Agent, Budget, Decision, Opinion, Report};
use meeple_core::{Belief, Game, Player, Rng, Turn};

use crate::Reward;
use crate::worlds::worlds;
use solver::Solver;

/// The first worlds may take so many times their share of the nodes before all are given up.
const HEAD_START: u64 = 4;

/// | field | meaning | default |
/// |---|---|---|
/// | `worlds` | all worlds are solved if there are at most so many, else so many samples | 50 |
/// | `nodes` | positions searched in one decision; if more are needed, the other agent decides | 200,000 |
/// | `reward` | what the end of a game is worth; where a game has margins, ends that are won or lost alike are told apart by them | win |
#[derive(Clone, Debug)]
pub struct EndgameSettings {
    pub worlds: usize,
    pub nodes: u64,
    pub reward: Reward,
}

impl Default for EndgameSettings {
    fn default() -> EndgameSettings {
        EndgameSettings { worlds: 50, nodes: 200_000, reward: Reward::Win }
    }
}

/// Another agent, with its endgames solved.
pub struct Endgame<G: Game> {
    settings: EndgameSettings,
    belief: Option<Arc<dyn Belief<G>>>,
    inner: Box<dyn Agent<G>>,
    solver: Solver<G>,
}

impl<G: Game> fmt::Debug for Endgame<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endgame").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// A world with its weight among the others.
type Weighted<S> = (S, f64);

impl<G: Game> Endgame<G> {
    pub fn new(
        game: &G,
        settings: EndgameSettings,
        belief: Option<Arc<dyn Belief<G>>>,
        inner: Box<dyn Agent<G>>,
    ) -> Endgame<G> {
        let reward = match settings.reward {
            Reward::Win | Reward::Positive if game.margins().is_some() => Reward::Hybrid,
            reward => reward,
        };
        Endgame { solver: Solver::new(game, reward), settings, belief, inner }
    }

    /// All worlds, or samples if they are too many.
    fn worlds(&self, game: &G, view: &G::View, rng: &mut Rng) -> Vec<Weighted<G::State>> {
        let worlds = worlds(game, view, self.belief.as_ref());
        let most = self.settings.worlds;
        let all = if worlds.count() <= most as f64 { worlds.enumerate(most) } else { None };
        if let Some(all) = all {
            return all.into_iter().map(|(world, weight)| (world, weight as f64)).collect();
        }
        let mut world = game.initial_state();
        let sample = |_| {
            worlds.sample_into(&mut world, rng);
            (world.clone(), 1.0)
        };
        (0..most).map(sample).collect()
    }

    /// The mean reward of the mover for each action; `None` if that takes too long.
    fn solve(
        &mut self,
        game: &G,
        worlds: &[Weighted<G::State>],
        mover: Player,
        actions: &[G::Action],
        limit: &Budget,
    ) -> Option<Vec<f64>> {
        let nodes = limit.nodes.map_or(self.settings.nodes, |most| most.min(self.settings.nodes));
        self.solver.start(mover, limit.time);
        let total: f64 = worlds.iter().map(|&(_, weight)| weight).sum();
        let mut means = vec![0.0; actions.len()];
        for (number, (world, weight)) in worlds.iter().enumerate() {
            let share = (number as u64 + HEAD_START).min(worlds.len() as u64);
            self.solver.allow(nodes.saturating_mul(share) / worlds.len() as u64);
            for (mean, &action) in means.iter_mut().zip(actions) {
                *mean += weight / total * f64::from(self.solver.value_after(game, world, action)?);
            }
        }
        Some(means)
    }
}

impl<G: Game> Agent<G> for Endgame<G> {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        let started = Instant::now();
        let worlds = self.worlds(game, view, rng);
        let (Some((world, _)), mut actions) = (worlds.first(), Vec::new()) else {
            return self.inner.decide(game, view, limit, rng);
        };
        let Turn::Player(mover) = game.turn(world) else { unreachable!("an agent is asked when it is to move") };
        game.legal_actions(world, &mut actions);
        let Some(means) = self.solve(game, &worlds, mover, &actions, limit) else {
            let time = limit.time.map(|time| time.saturating_sub(started.elapsed()));
            return self.inner.decide(game, view, &Budget { time, ..*limit }, rng);
        };
        let mut report = Report {
            actions: actions.iter().zip(&means).map(|(&action, &mean)| solved(action, worlds.len(), mean)).collect(),
            iterations: worlds.len() as u64,
            nodes: self.solver.nodes(),
            bytes: self.solver.bytes(),
            time: started.elapsed(),
            principal_variation: Vec::new(),
        };
        report.actions.sort_by(|a, b| b.value_for_mover.total_cmp(&a.value_for_mover));
        let action = report.actions[0].action;
        report.principal_variation.push(action);
        Decision { action, report }
    }

    fn new_game(&mut self) {
        self.inner.new_game();
    }

    fn opinion(&mut self, game: &G, view: &G::View, rng: &mut Rng) -> Option<Opinion<G::Action>> {
        self.inner.opinion(game, view, rng)
    }
}

fn solved<A>(action: A, worlds: usize, value_for_mover: f64) -> ActionReport<A> {
    ActionReport { visits: worlds as u64, value_for_mover, ..ActionReport::unsearched(action) }
}

//! What the statistics at the root say.

use meeple_core::agent::{ActionReport, Decision, Report};
use meeple_core::{Game, Rng, Turn};

use super::groups::code;
use super::search::{ROOT, Search};
use super::selection::{Candidate, known};
use super::settings::Selection;
use crate::edges::edge_key;
use crate::root::decision;
use crate::root_rule::Conclusion;

impl<G: Game> Search<G> {
    /// The action to take, and what is known about all of them; `number` counts the decisions in
    /// this game from 1.
    pub fn decide(&mut self, game: &G, number: u32, rng: &mut Rng) -> Decision<G::Action> {
        if self.is_forced() {
            return self.forced(game, rng);
        }
        self.look_at_root(game);
        let (actions, chosen) = self.root_actions(game, rng);
        let report = Report {
            actions,
            principal_variation: Vec::new(),
            iterations: self.clock.done(),
            nodes: self.edges.len() as u64,
            bytes: self.edges.bytes(),
            time: self.clock.elapsed(),
        };
        let mut decision = decision(report, &self.settings.tree.choice, number, rng);
        if let Some(action) = chosen {
            decision.action = action;
        }
        decision.report.principal_variation = self.principal_variation(game, decision.action);
        decision.report.time = self.clock.elapsed();
        decision
    }

    /// The only action, or one of the only group, without a search.
    fn forced(&mut self, game: &G, rng: &mut Rng) -> Decision<G::Action> {
        let action = self.member(game, self.scratch.actions[0], rng);
        Decision::forced(action)
    }

    /// The actions with an edge, in the order in which the search came to them, and which of them is to be
    /// taken, if the rule of the root says so.
    fn root_actions(&mut self, game: &G, rng: &mut Rng) -> (Vec<ActionReport<G::Action>>, Option<G::Action>) {
        let node = self.node_key(game, &self.scratch.state, self.viewer, ROOT);
        let groups = self.groups(game);
        let mut found = Vec::new();
        for (place, &action) in (0..).zip(&self.scratch.actions) {
            found.extend(self.edges.find(edge_key(node, code(game, groups, action))).map(|edge| (edge, place)));
        }
        let concluded = self.conclude(&found);
        let chosen = concluded.as_ref().and_then(|concluded| concluded.place).map(|place| found[place]);
        let shares = concluded.map(|concluded| concluded.shares);
        found.sort_unstable();
        let priors = match &self.settings.selection {
            Selection::Puct(settings) => self.priors.of(&found, true, settings).to_vec(),
            Selection::Ucb1 => Vec::new(),
        };
        let report = |(number, &candidate): (usize, &Candidate)| {
            let entry = self.action_report(game, candidate, priors.get(number).copied(), rng);
            // All actions have an edge where there are shares: those go by place.
            ActionReport { share: shares.as_ref().map(|shares| shares[candidate.1 as usize] as f32), ..entry }
        };
        let actions: Vec<ActionReport<G::Action>> = found.iter().enumerate().map(report).collect();
        let number = chosen.and_then(|chosen| found.iter().position(|&candidate| candidate == chosen));
        let chosen = number.map(|number| actions[number].action);
        (actions, chosen)
    }

    /// What the rule of the root makes of the search.
    fn conclude(&mut self, found: &[Candidate]) -> Option<Conclusion> {
        let Selection::Puct(settings) = &self.settings.selection else { return None };
        if found.len() < self.scratch.actions.len() {
            return None; // there was no memory for all
        }
        let priors = self.priors.of(found, true, settings);
        self.at_root.look_at(known(&self.edges, found, priors));
        self.at_root.conclude(self.settings.tree.exploration)
    }

    fn action_report(
        &mut self,
        game: &G,
        (number, place): Candidate,
        prior: Option<f64>,
        rng: &mut Rng,
    ) -> ActionReport<G::Action> {
        let edge = *self.edges.edge(number);
        ActionReport {
            action: self.member(game, self.scratch.actions[place as usize], rng),
            visits: u64::from(edge.visits),
            availability: Some(u64::from(edge.available)),
            payoffs: self.root_payoffs.mean(number),
            value_for_mover: edge.reward / f64::from(edge.visits.max(1)),
            prior: prior.map(|prior| prior as f32),
            share: None,
            proven: None,
        }
    }

    /// The most visited line in one of the worlds, which is the state in the scratch space.
    fn principal_variation(&mut self, game: &G, first: G::Action) -> Vec<G::Action> {
        let mut rng = Rng::from_seed(0);
        let mut line = Vec::new();
        let mut arrived = ROOT;
        let mut next = Some(first);
        while let Some(action) = next {
            line.push(action);
            arrived = self.follow(game, arrived, action);
            while game.turn(&self.scratch.state) == Turn::Chance {
                game.play_chance(&mut self.scratch.state, &mut rng);
            }
            next = self.most_visited(game, arrived, &mut rng);
        }
        line
    }

    /// Carries out an action; the key of its edge.
    fn follow(&mut self, game: &G, arrived: u64, action: G::Action) -> u64 {
        let Turn::Player(player) = game.turn(&self.scratch.state) else { unreachable!("somebody acts") };
        let node = self.node_key(game, &self.scratch.state, player, arrived);
        game.apply(&mut self.scratch.state, action);
        edge_key(node, code(game, self.groups(game), action))
    }

    fn most_visited(&mut self, game: &G, arrived: u64, rng: &mut Rng) -> Option<G::Action> {
        let Turn::Player(player) = game.turn(&self.scratch.state) else { return None };
        let node = self.node_key(game, &self.scratch.state, player, arrived);
        self.list_actions(game);
        let groups = self.groups(game);
        let visits = |action: G::Action| {
            self.edges.find(edge_key(node, code(game, groups, action))).map_or(0, |edge| self.edges.edge(edge).visits)
        };
        let best = self.scratch.actions.iter().copied().max_by_key(|&action| visits(action))?;
        (visits(best) > 0).then(|| self.member(game, best, rng))
    }
}

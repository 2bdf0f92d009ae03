//! What a search tells in the end.

use meeple_core::agent::{ActionReport, Decision, Report};
use meeple_core::{Game, Payoffs};

use super::{ActionEntry, BestFirst, Terminal};
use crate::clock::Clock;

impl<G: Game> BestFirst<G> {
    pub(super) fn decision(&self, game: &G, root: &G::State, number: u32, clock: &Clock) -> Decision<G::Action> {
        let team = self.table.entry(number).team;
        let mut actions = self.table.actions(number).to_vec();
        actions.sort_by(|a, b| self.settings.choice.compare(b, a));
        let report = Report {
            actions: actions.iter().map(|action| self.action_report(game, action, team)).collect(),
            principal_variation: self.principal_variation(game, root, number),
            iterations: clock.done(),
            nodes: self.table.len() as u64,
            bytes: self.table.bytes() as u64,
            time: clock.elapsed(),
        };
        Decision { action: report.actions[0].action, report }
    }

    fn action_report(&self, game: &G, action: &ActionEntry, team: u8) -> ActionReport<G::Action> {
        let ActionEntry { code, visits, worth } = *action;
        let is_payoff = self.settings.terminal == Terminal::Classic;
        ActionReport {
            action: game.action_from_code(code),
            visits: visits.into(),
            availability: None,
            payoffs: is_payoff.then(|| opposite(game, team, worth.value)),
            value_for_mover: worth.value.into(),
            prior: None,
            share: None,
            proven: worth.resolved.then(|| opposite(game, team, worth.completion.into())),
        }
    }

    /// The chosen action, and then on by the same choice as far as entries reach.
    fn principal_variation(&self, game: &G, root: &G::State, number: u32) -> Vec<G::Action> {
        let (mut line, mut numbers, mut state) = (Vec::new(), vec![number], root.clone());
        loop {
            let actions = self.table.actions(numbers[line.len()]).iter().rev(); // the last maximum is taken
            let best = actions.max_by(|a, b| self.settings.choice.compare(a, b));
            let action = game.action_from_code(best.expect("a position has actions").code);
            line.push(action);
            game.apply(&mut state, action);
            match self.table.find(game.view_key(&state, None)) {
                Some(next) if !numbers.contains(&next) => numbers.push(next),
                _ => return line,
            }
        }
    }
}

/// The payoffs of all seats when those of `team` get so much.
fn opposite<G: Game>(game: &G, team: u8, payoff: f32) -> Payoffs {
    let mut payoffs = Payoffs::default();
    for player in 0..game.info().players {
        payoffs[player] = if game.team(player) == usize::from(team) { payoff } else { 0.0 - payoff };
    }
    payoffs
}

//! What a search knows about the actions at the root, and which of them it takes.

use meeple_core::agent::{ActionReport, Decision, Report};
use meeple_core::{MAX_PLAYERS, Payoffs, Player, Rng};

use crate::Choice;

/// The action that the choice falls on, and the report with the most visited first.
pub(crate) fn decision<A: Copy>(mut report: Report<A>, choice: &Choice, number: u32, rng: &mut Rng) -> Decision<A> {
    report.actions.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value_for_mover.total_cmp(&a.value_for_mover)));
    let chosen = choice.of(&report.actions, number, rng);
    Decision { action: report.actions[chosen].action, report }
}

/// As [`decision`] by what is proven: the choice falls on an action that brings the mover the proven
/// payoff of the root, or on any that is not a proven loss. The report begins with these.
pub(crate) fn proven_decision<A: Copy>(
    mut report: Report<A>,
    mover: Player,
    root: Option<&Payoffs>,
    choice: &Choice,
    number: u32,
    rng: &mut Rng,
) -> Decision<A> {
    let payoff = |action: &ActionReport<A>| action.proven.map(|payoffs| payoffs[mover]);
    let wins = report.actions.iter().any(|action| payoff(action) == Some(1.0));
    let known = if wins { Some(1.0) } else { root.map(|payoffs| payoffs[mover]) };
    let good = |action: &ActionReport<A>| match (payoff(action), known) {
        (payoff, Some(known)) => payoff.is_some_and(|payoff| payoff >= known),
        (payoff, None) => payoff.is_none_or(|payoff| payoff > -1.0),
    };
    let order = |a: &ActionReport<A>, b: &ActionReport<A>| {
        let visits = b.visits.cmp(&a.visits).then(b.value_for_mover.total_cmp(&a.value_for_mover));
        good(b).cmp(&good(a)).then(visits)
    };
    report.actions.sort_by(order);
    let candidates = match report.actions.iter().filter(|action| good(action)).count() {
        0 => report.actions.len(),
        count => count,
    };
    let chosen = choice.of(&report.actions[..candidates], number, rng);
    Decision { action: report.actions[chosen].action, report }
}

/// What the actions at the root pay every seat: kept beside the tree, whose nodes only know the
/// reward of one player.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootPayoffs {
    /// A node or an action code, the visits through it, the sum of payoffs.
    sums: Vec<(u32, f64, [f64; MAX_PLAYERS])>,
}

impl RootPayoffs {
    pub(crate) fn clear(&mut self) {
        self.sums.clear();
    }

    #[inline]
    pub(crate) fn add(&mut self, node: u32, payoffs: &Payoffs) {
        self.add_mean(node, payoffs, 1);
    }

    /// Adds the mean payoffs of so many games.
    #[inline]
    pub(crate) fn add_mean(&mut self, node: u32, payoffs: &Payoffs, games: u32) {
        let games = f64::from(games);
        let (_, visits, sums) = self.entry(node);
        *visits += games;
        for (sum, &payoff) in sums.iter_mut().zip(payoffs) {
            *sum += games * f64::from(payoff);
        }
    }

    /// Adds what another thread has found.
    pub(crate) fn absorb(&mut self, other: &RootPayoffs) {
        for &(node, more_visits, more) in &other.sums {
            let (_, visits, sums) = self.entry(node);
            *visits += more_visits;
            for (sum, more) in sums.iter_mut().zip(more) {
                *sum += more;
            }
        }
    }

    #[inline]
    fn entry(&mut self, node: u32) -> &mut (u32, f64, [f64; MAX_PLAYERS]) {
        let place = match self.sums.iter().position(|&(known, ..)| known == node) {
            Some(place) => place,
            None => {
                self.sums.push((node, 0.0, [0.0; MAX_PLAYERS]));
                self.sums.len() - 1
            }
        };
        &mut self.sums[place]
    }

    /// The mean payoffs behind a node.
    pub(crate) fn mean(&self, node: u32) -> Option<Payoffs> {
        let &(_, visits, sums) = self.sums.iter().find(|&&(known, ..)| known == node)?;
        Some(sums.map(|sum| (sum / visits) as f32))
    }
}

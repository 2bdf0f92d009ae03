//! What a search knows about the actions at the root, and which of them it takes.

use meeple_core::agent::{Decision, Report};
use meeple_core::{MAX_PLAYERS, Payoffs, Rng};

use crate::Choice;

/// The action that the choice falls on, and the report with the most visited first.
pub(crate) fn decision<A: Copy>(mut report: Report<A>, choice: &Choice, number: u32, rng: &mut Rng) -> Decision<A> {
    report.actions.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value_for_mover.total_cmp(&a.value_for_mover)));
    let chosen = choice.of(&report.actions, number, rng);
    Decision { action: report.actions[chosen].action, report }
}

/// What the actions at the root pay every seat: kept beside the tree, whose nodes only know the
/// reward of one player.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootPayoffs {
    /// A node, the visits through it, the sum of payoffs.
    sums: Vec<(u32, f64, [f64; MAX_PLAYERS])>,
}

impl RootPayoffs {
    pub(crate) fn clear(&mut self) {
        self.sums.clear();
    }

    #[inline]
    pub(crate) fn add(&mut self, node: u32, payoffs: &Payoffs) {
        let place = match self.sums.iter().position(|&(known, ..)| known == node) {
            Some(place) => place,
            None => {
                self.sums.push((node, 0.0, [0.0; MAX_PLAYERS]));
                self.sums.len() - 1
            }
        };
        let (_, visits, sums) = &mut self.sums[place];
        *visits += 1.0;
        for (sum, &payoff) in sums.iter_mut().zip(payoffs) {
            *sum += f64::from(payoff);
        }
    }

    /// The mean payoffs behind a node.
    pub(crate) fn mean(&self, node: u32) -> Option<Payoffs> {
        let &(_, visits, sums) = self.sums.iter().find(|&&(known, ..)| known == node)?;
        Some(sums.map(|sum| (sum / visits) as f32))
    }
}

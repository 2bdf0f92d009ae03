//! Max^n: every player takes what is best for himself, among any number of players, with or without
//! chance. Pruning by the sum of the values, as between two sides, would need heuristics whose
//! values add up; what remains is to stop at an action that pays the most there is.

use meeple_core::{Game, Heuristic, MAX_PLAYERS, Payoffs, Player, Turn};

use super::Search;
use super::meter::Meter;
use super::ply::Ply;
use super::root::Look;

/// One search. `plies[0]` is the position searched, the others are its buffers.
pub(super) struct MaxN<'a, G: Game> {
    pub(super) game: &'a G,
    /// Without one a position beyond the horizon is worth 0.
    pub(super) heuristic: Option<&'a dyn Heuristic<G>>,
    pub(super) players: usize,
    pub(super) meter: &'a mut Meter,
}

/// The highest payoff.
const MOST: f32 = 1.0;

/// What each seat can expect.
#[derive(Clone, Copy)]
struct Found {
    payoffs: Payoffs,
    /// Nothing was guessed.
    proven: bool,
}

impl<G: Game> Search<G> for MaxN<'_, G> {
    fn look(&mut self, plies: &mut [Ply<G>], action: G::Action, depth: u8, _: Option<f64>) -> Option<Look> {
        let (here, below) = plies.split_first_mut()?;
        let Turn::Player(mover) = self.game.turn(&here.state) else { unreachable!("the root is not over") };
        let Found { payoffs, proven } = self.after(here, below, action, depth);
        let value_for_mover = f64::from(payoffs[mover]);
        let unbeatable = proven && payoffs[mover] >= MOST;
        let look = Look { rank: value_for_mover, value_for_mover, payoffs: Some(payoffs), proven, unbeatable };
        (!self.meter.stopped()).then_some(look)
    }

    fn meter(&mut self) -> &mut Meter {
        self.meter
    }
}

impl<G: Game> MaxN<'_, G> {
    fn after(&mut self, here: &Ply<G>, below: &mut [Ply<G>], action: G::Action, depth: u8) -> Found {
        below[0].follow(self.game, here, action);
        self.value(below, depth - 1)
    }

    fn value(&mut self, plies: &mut [Ply<G>], depth: u8) -> Found {
        if !self.meter.grant(1) {
            return Found { payoffs: [0.0; MAX_PLAYERS], proven: false };
        }
        match self.game.turn(&plies[0].state) {
            Turn::Over => Found { payoffs: self.game.payoffs(&plies[0].state), proven: true },
            _ if depth == 0 => Found { payoffs: self.guess(&plies[0].state), proven: false },
            Turn::Chance => self.expected(plies, depth),
            Turn::Player(mover) => self.best(plies, mover, depth),
        }
    }

    fn guess(&self, state: &G::State) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if let Some(heuristic) = self.heuristic {
            for player in 0..self.players {
                payoffs[player] = heuristic.value(self.game, state, player);
            }
        }
        payoffs
    }

    /// Of equal actions the first; if they differ for the others, nothing is proven.
    fn best(&mut self, plies: &mut [Ply<G>], mover: Player, depth: u8) -> Found {
        let Some((here, below)) = plies.split_first_mut() else { unreachable!("a ply for each level") };
        self.game.legal_actions(&here.state, &mut here.actions);
        let mut best: Option<Found> = None;
        let (mut all_proven, mut ambiguous) = (true, false);
        for &action in &here.actions {
            let found = self.after(here, below, action, depth);
            if self.meter.stopped() {
                return found;
            }
            if found.payoffs[mover] >= MOST && here.actions.len() > 1 {
                return Found { proven: false, ..found }; // others may be as good and differ for the rest
            }
            all_proven &= found.proven;
            match best {
                Some(best) if found.payoffs[mover] < best.payoffs[mover] => {}
                Some(best) if found.payoffs[mover] == best.payoffs[mover] => ambiguous |= found.payoffs != best.payoffs,
                _ => (best, ambiguous) = (Some(found), false),
            }
        }
        let best = best.expect("a player to move has an action");
        Found { proven: all_proven && !ambiguous, ..best }
    }

    fn expected(&mut self, plies: &mut [Ply<G>], depth: u8) -> Found {
        let Some((here, below)) = plies.split_first_mut() else { unreachable!("a ply for each level") };
        self.game.chance_outcomes(&here.state, &mut here.outcomes);
        let total: f64 = here.outcomes.iter().map(|&(_, weight)| f64::from(weight)).sum();
        let mut sums = [0.0; MAX_PLAYERS];
        let mut proven = true;
        for &(outcome, weight) in &here.outcomes {
            let found = self.after(here, below, outcome, depth);
            proven &= found.proven;
            for (sum, payoff) in sums.iter_mut().zip(found.payoffs) {
                *sum += f64::from(payoff) * f64::from(weight);
            }
        }
        Found { payoffs: sums.map(|sum| (sum / total) as f32), proven }
    }
}

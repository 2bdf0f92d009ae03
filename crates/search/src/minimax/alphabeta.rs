//! Alpha-beta between two sides, without chance (thesis 001, section 3.2.1): negamax by the side to
//! move, which need not alternate, with principal variation search, a transposition table, killers
//! and history.

use std::ops::Neg;

use meeple_core::{Game, Heuristic, Turn};

use super::Search;
use super::meter::Meter;
use super::ply::{History, NO_CODE, Ply};
use super::root::Look;
use super::score::{self, CERTAIN, INFINITE, Score};
use super::sides::Sides;
use super::table::{Bound, Entry, Table};

/// One search. `plies[0]` is the position searched, the others are its buffers.
pub(super) struct AlphaBeta<'a, G: Game> {
    pub(super) game: &'a G,
    /// Without one a position beyond the horizon is worth 0.
    pub(super) heuristic: Option<&'a dyn Heuristic<G>>,
    pub(super) sides: Sides,
    pub(super) table: &'a mut Table,
    pub(super) history: &'a mut History,
    pub(super) meter: &'a mut Meter,
}

/// A score, or a bound where it is outside the window.
#[derive(Clone, Copy)]
struct Found {
    score: Score,
    /// Holds however deep one searches: nothing was guessed.
    proven: bool,
}

impl Neg for Found {
    type Output = Found;

    #[inline]
    fn neg(self) -> Found {
        Found { score: -self.score, ..self }
    }
}

/// What a node makes of its children.
struct Best {
    found: Found,
    code: u32,
    /// Of all children so far.
    all_proven: bool,
}

impl Best {
    const NONE: Best = Best { found: Found { score: -INFINITE, proven: false }, code: NO_CODE, all_proven: true };

    /// Whether the child is better than those before it.
    #[inline]
    fn add(&mut self, child: Found) -> bool {
        self.all_proven &= child.proven;
        if child.score > self.found.score {
            self.found = child;
            return true;
        }
        false
    }

    /// When all children have been looked at. A win found above alpha needs no proof about the
    /// others; a score at or below alpha is an upper bound, for which each child counts.
    #[inline]
    fn of_all(&self, alpha: Score) -> Found {
        let Found { score, proven } = self.found;
        Found { score, proven: if score > CERTAIN.max(alpha) { proven } else { self.all_proven } }
    }
}

#[derive(Clone, Copy)]
struct Window {
    alpha: Score,
    beta: Score,
}

impl<G: Game> Search<G> for AlphaBeta<'_, G> {
    fn look(&mut self, plies: &mut [Ply<G>], action: G::Action, depth: u8, best: Option<f64>) -> Option<Look> {
        let (here, below) = plies.split_first_mut()?;
        let Turn::Player(mover) = self.game.turn(&here.state) else { unreachable!("the root is not over") };
        let own = self.sides.own(mover);
        let alpha = best.map_or(-INFINITE, |best| best as Score);
        below[0].follow(self.game, here, action);
        let found = self.scout(below, own, depth - 1, Window { alpha, beta: INFINITE }, best.is_none());
        if self.meter.stopped() {
            return None;
        }
        let value = score::payoff(found.score);
        let known = found.score > alpha || found.proven && found.score < -CERTAIN;
        let payoffs = self.sides.payoffs(if own { value } else { -value }).filter(|_| known);
        Some(Look {
            rank: f64::from(found.score),
            value_for_mover: f64::from(value),
            payoffs,
            proven: found.proven,
            unbeatable: found.proven && found.score > CERTAIN,
        })
    }

    fn meter(&mut self) -> &mut Meter {
        self.meter
    }
}

impl<G: Game> AlphaBeta<'_, G> {
    /// The score of `plies[0]` for the player who moved to it. All but the first are expected to be
    /// no better than alpha: it is tried first whether they are.
    #[inline]
    fn scout(&mut self, plies: &mut [Ply<G>], own: bool, depth: u8, window: Window, first: bool) -> Found {
        let Window { alpha, beta } = window;
        if !first && beta - alpha > 1 {
            let found = self.child(plies, own, depth, Window { alpha, beta: alpha + 1 });
            if found.score <= alpha || found.score >= beta || self.meter.stopped() {
                return found;
            }
        }
        self.child(plies, own, depth, window)
    }

    /// The score of a position for the player who moved to it.
    fn child(&mut self, plies: &mut [Ply<G>], own: bool, depth: u8, Window { alpha, beta }: Window) -> Found {
        if !self.meter.grant(1) {
            return Found { score: 0, proven: false };
        }
        match self.game.turn(&plies[0].state) {
            Turn::Player(next) if depth > 0 => {
                if self.sides.own(next) == own {
                    self.node(plies, own, depth, Window { alpha, beta })
                } else {
                    -self.node(plies, !own, depth, Window { alpha: -beta, beta: -alpha })
                }
            }
            _ => self.leaf(&plies[0].state, own, plies[0].number),
        }
    }

    /// The score of a position at the horizon or at the end, for either side.
    #[inline]
    fn leaf(&self, state: &G::State, own: bool, ply: u8) -> Found {
        let found = if self.game.turn(state) == Turn::Over {
            Found { score: score::at_end(self.game.payoffs(state)[self.sides.player], ply), proven: true }
        } else {
            let value = self.heuristic.map_or(0.0, |heuristic| heuristic.value(self.game, state, self.sides.player));
            Found { score: score::guessed(value), proven: false }
        };
        if own { found } else { -found }
    }

    fn node(&mut self, plies: &mut [Ply<G>], own: bool, depth: u8, window: Window) -> Found {
        if depth == 1 {
            return self.last_ply(plies, own, window);
        }
        let Some((here, below)) = plies.split_first_mut() else { unreachable!("a ply for each level") };
        let key = self.game.view_key(&here.state, None);
        let known = self.table.get(key);
        if let Some(found) = known.and_then(|entry| answer(&entry, here.number, depth, window)) {
            return found;
        }
        self.game.legal_actions(&here.state, &mut here.actions);
        here.rate(self.game, self.history, own, known.map_or(NO_CODE, |entry| entry.code));
        let best = self.best_action(here, below, own, depth, window);
        if !self.meter.stopped() {
            self.keep(key, &best, here.number, depth, window, known);
        }
        best.found
    }

    /// Puts what was found into the table. When no action reached alpha, nothing is known about
    /// which is best: what an earlier search thought of it stands.
    #[inline]
    fn keep(&mut self, key: u64, best: &Best, ply: u8, depth: u8, window: Window, known: Option<Entry>) {
        let Found { score, proven } = best.found;
        let bound = Bound::of(score, window.alpha, window.beta);
        let code = known.filter(|_| bound == Bound::Upper).map_or(best.code, |entry| entry.code);
        self.table.put(key, &Entry { score: score::from_position(score, ply), bound, depth, proven, code });
    }

    fn best_action(&mut self, here: &mut Ply<G>, below: &mut [Ply<G>], own: bool, depth: u8, window: Window) -> Best {
        let Window { mut alpha, beta } = window;
        let mut best = Best::NONE;
        for place in 0..here.actions.len() {
            let action = here.pick(place);
            below[0].follow(self.game, here, action);
            let found = self.scout(below, own, depth - 1, Window { alpha, beta }, place == 0);
            if self.meter.stopped() {
                return best;
            }
            if best.add(found) {
                best.code = self.game.action_code(action);
                if found.score >= beta {
                    here.add_killer(best.code);
                    self.history.add(own, best.code, depth);
                    return best;
                }
                alpha = alpha.max(found.score);
            }
        }
        best.found = best.of_all(window.alpha);
        best
    }

    /// A node whose children are evaluated on the spot. The table is not asked and only told of the
    /// principal variation.
    fn last_ply(&mut self, plies: &mut [Ply<G>], own: bool, window: Window) -> Found {
        let [here, below, ..] = plies else { unreachable!("a ply for each level") };
        self.game.legal_actions(&here.state, &mut here.actions);
        here.killer_first(self.game);
        if !self.meter.grant(here.actions.len() as u64) {
            return Found { score: 0, proven: false };
        }
        let mut best = Best::NONE;
        let mut best_place = 0;
        for (place, &action) in here.actions.iter().enumerate() {
            below.follow(self.game, here, action);
            let found = self.leaf(&below.state, own, below.number);
            if best.add(found) {
                best_place = place;
                if found.score >= window.beta {
                    self.meter.refund((here.actions.len() - 1 - place) as u64);
                    here.add_killer(self.game.action_code(action));
                    return found;
                }
            }
        }
        best.found = best.of_all(window.alpha);
        if best.found.score > window.alpha {
            best.code = self.game.action_code(here.actions[best_place]);
            self.keep(self.game.view_key(&here.state, None), &best, here.number, 1, window, None);
        }
        best.found
    }
}

/// What the table says, if that is enough.
#[inline]
fn answer(entry: &Entry, ply: u8, depth: u8, Window { alpha, beta }: Window) -> Option<Found> {
    let score = score::from_root(entry.score, ply);
    let enough = (entry.proven || entry.depth >= depth) && entry.bound.answers(score, alpha, beta);
    enough.then_some(Found { score, proven: entry.proven })
}

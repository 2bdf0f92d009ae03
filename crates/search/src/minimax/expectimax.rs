//! Expectimax between two sides, with chance, and Ballard's Star1 and Star2 pruning (1983).
//!
//! All values lie within -1..=1. So the mean over the outcomes of chance is bounded by the outcomes
//! known so far, and an outcome need only be searched within the window in which it could still
//! matter (Star1). Star2 first tries one action after each outcome: it bounds the outcome's value
//! on one side, which often settles the matter.

use meeple_core::{Game, Heuristic, Turn};

use super::Search;
use super::meter::Meter;
use super::ply::{History, NO_CODE, Ply};
use super::root::Look;
use super::sides::Sides;

/// How chance is pruned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Every outcome is searched with an open window; actions in between are pruned by alpha-beta.
    None,
    Star1,
    Star2,
}

const LOWEST: f64 = -1.0;
const HIGHEST: f64 = 1.0;

/// One search. `plies[0]` is the position searched, the others are its buffers.
pub(super) struct Expectimax<'a, G: Game> {
    pub(super) game: &'a G,
    /// Without one a position beyond the horizon is worth 0.
    pub(super) heuristic: Option<&'a dyn Heuristic<G>>,
    pub(super) sides: Sides,
    pub(super) pruning: Pruning,
    pub(super) history: &'a mut History,
    pub(super) meter: &'a mut Meter,
}

/// A value for the player of [`Sides`], or a bound where it is outside the window.
#[derive(Clone, Copy, Debug)]
struct Found {
    value: f64,
    /// Nothing was guessed.
    proven: bool,
}

impl Found {
    /// A bound that rounding must not carry back into the window.
    fn at_least(self, beta: f64) -> Found {
        Found { value: self.value.max(beta), ..self }
    }

    fn at_most(self, alpha: f64) -> Found {
        Found { value: self.value.min(alpha), ..self }
    }
}

#[derive(Clone, Copy)]
struct Window {
    alpha: f64,
    beta: f64,
}

impl Window {
    const OPEN: Window = Window { alpha: f64::NEG_INFINITY, beta: f64::INFINITY };
}

impl<G: Game> Search<G> for Expectimax<'_, G> {
    fn look(&mut self, plies: &mut [Ply<G>], action: G::Action, depth: u8, best: Option<f64>) -> Option<Look> {
        let (here, below) = plies.split_first_mut()?;
        let Turn::Player(mover) = self.game.turn(&here.state) else { unreachable!("the root is not over") };
        let sign = if self.sides.own(mover) { 1.0 } else { -1.0 };
        let mut window = Window::OPEN;
        match best {
            Some(best) if sign > 0.0 => window.alpha = best,
            Some(best) => window.beta = -best,
            None => {}
        }
        let Found { value, proven } = self.after(here, below, action, depth, window);
        let known = value > window.alpha && value < window.beta;
        let look = Look {
            rank: sign * value,
            value_for_mover: sign * value,
            payoffs: self.sides.payoffs(value as f32).filter(|_| known),
            proven,
            unbeatable: proven && sign * value >= HIGHEST,
        };
        (!self.meter.stopped()).then_some(look)
    }

    fn meter(&mut self) -> &mut Meter {
        self.meter
    }
}

impl<G: Game> Expectimax<'_, G> {
    fn after(&mut self, here: &Ply<G>, below: &mut [Ply<G>], action: G::Action, depth: u8, window: Window) -> Found {
        below[0].follow(self.game, here, action);
        self.value(below, depth - 1, window, None)
    }

    fn value(&mut self, plies: &mut [Ply<G>], depth: u8, window: Window, tried: Option<Tried>) -> Found {
        if !self.meter.grant(1) {
            return Found { value: 0.0, proven: false };
        }
        let state = &plies[0].state;
        match self.game.turn(state) {
            Turn::Over => Found { value: f64::from(self.game.payoffs(state)[self.sides.player]), proven: true },
            _ if depth == 0 => Found { value: self.guess(state), proven: false },
            Turn::Chance => self.expected(plies, depth, window),
            Turn::Player(player) => self.best(plies, self.sides.own(player), depth, window, tried),
        }
    }

    fn guess(&self, state: &G::State) -> f64 {
        let value = self.heuristic.map_or(0.0, |heuristic| heuristic.value(self.game, state, self.sides.player));
        f64::from(value).clamp(LOWEST, HIGHEST)
    }

    /// The highest value if the own side moves, else the lowest. An action that was tried before is
    /// not searched again.
    fn best(&mut self, plies: &mut [Ply<G>], own: bool, depth: u8, window: Window, tried: Option<Tried>) -> Found {
        let Some((here, below)) = plies.split_first_mut() else { unreachable!("a ply for each level") };
        self.game.legal_actions(&here.state, &mut here.actions);
        here.rate(self.game, self.history, own, tried.map_or(NO_CODE, |tried| tried.code));
        let Window { mut alpha, mut beta } = window;
        let mut best: Option<Found> = None;
        let mut all_proven = true;
        for place in 0..here.actions.len() {
            let action = here.pick(place);
            let code = self.game.action_code(action);
            let found = match tried {
                Some(tried) if tried.code == code => tried.found,
                _ => self.after(here, below, action, depth, Window { alpha, beta }),
            };
            if self.meter.stopped() {
                return found;
            }
            all_proven &= found.proven;
            if best.is_some_and(|best| if own { found.value <= best.value } else { found.value >= best.value }) {
                continue;
            }
            best = Some(found);
            if own {
                alpha = alpha.max(found.value)
            } else {
                beta = beta.min(found.value)
            }
            if alpha >= beta {
                here.add_killer(code);
                self.history.add(own, code, depth);
                return found;
            }
        }
        let best = best.expect("a player to move has an action");
        Found { proven: all_proven, ..best }
    }

    /// The mean over the outcomes of chance.
    fn expected(&mut self, plies: &mut [Ply<G>], depth: u8, window: Window) -> Found {
        let Some((here, below)) = plies.split_first_mut() else { unreachable!("a ply for each level") };
        self.game.chance_outcomes(&here.state, &mut here.outcomes);
        here.outlooks.clear();
        here.outlooks.resize(here.outcomes.len(), Outlook::UNKNOWN);
        let mut mean = Mean::new(&here.outcomes);
        if self.pruning == Pruning::Star2 && depth >= 2 {
            for place in 0..here.outcomes.len() {
                let settled = self.probe(here, below, depth, &mut mean, place, window);
                if let Some(found) = settled {
                    return found;
                }
            }
        }
        for place in 0..here.outcomes.len() {
            let settled = self.search_outcome(here, below, depth, &mut mean, place, window);
            if let Some(found) = settled {
                return found;
            }
        }
        mean.highest()
    }

    /// Tries one action after an outcome. A result if that takes the mean out of the window.
    fn probe(
        &mut self,
        here: &mut Ply<G>,
        below: &mut [Ply<G>],
        depth: u8,
        mean: &mut Mean,
        place: usize,
        window: Window,
    ) -> Option<Found> {
        let (outcome, weight) = here.outcomes[place];
        let (after, rest) = below.split_first_mut()?;
        after.follow(self.game, here, outcome);
        let Turn::Player(player) = self.game.turn(&after.state) else { return None };
        let own = self.sides.own(player);
        self.game.legal_actions(&after.state, &mut after.actions);
        after.rate(self.game, self.history, own, NO_CODE);
        let action = after.pick(0);
        let outlook = &mut here.outlooks[place];
        let limits = mean.window(window, weight, outlook);
        let found = self.after(after, rest, action, depth - 1, limits);
        mean.proven &= found.proven;
        outlook.tried = Some(Tried { code: self.game.action_code(action), found });
        // The player who acts gets at least this; a bound on the wrong side says nothing.
        if own && found.value > limits.alpha {
            mean.learn(weight, outlook, (found.value.max(outlook.lowest), outlook.highest));
            return (found.value >= limits.beta).then(|| mean.lowest().at_least(window.beta));
        }
        if !own && found.value < limits.beta {
            mean.learn(weight, outlook, (outlook.lowest, found.value.min(outlook.highest)));
            return (found.value <= limits.alpha).then(|| mean.highest().at_most(window.alpha));
        }
        None
    }

    /// Searches an outcome. A result if that takes the mean out of the window.
    fn search_outcome(
        &mut self,
        here: &mut Ply<G>,
        below: &mut [Ply<G>],
        depth: u8,
        mean: &mut Mean,
        place: usize,
        window: Window,
    ) -> Option<Found> {
        let (outcome, weight) = here.outcomes[place];
        let limits = match self.pruning {
            Pruning::None => Window::OPEN,
            _ => mean.window(window, weight, &here.outlooks[place]),
        };
        below[0].follow(self.game, here, outcome);
        let outlook = &mut here.outlooks[place];
        let found = self.value(below, depth - 1, limits, outlook.tried);
        mean.proven &= found.proven;
        let Outlook { lowest, highest, .. } = *outlook;
        if found.value <= limits.alpha {
            mean.learn(weight, outlook, (lowest, found.value));
            return Some(mean.highest().at_most(window.alpha));
        }
        if found.value >= limits.beta {
            mean.learn(weight, outlook, (found.value, highest));
            return Some(mean.lowest().at_least(window.beta));
        }
        mean.learn(weight, outlook, (found.value, found.value));
        None
    }
}

/// What is known of an outcome of chance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    lowest: f64,
    highest: f64,
    tried: Option<Tried>,
}

impl Outlook {
    const UNKNOWN: Outlook = Outlook { lowest: LOWEST, highest: HIGHEST, tried: None };
}

/// An action that was searched, with a window at least as wide as any that follows.
#[derive(Clone, Copy, Debug)]
struct Tried {
    code: u32,
    found: Found,
}

/// Between which values the mean over the outcomes lies.
struct Mean {
    total: f64,
    lowest: f64,
    highest: f64,
    /// Of everything that was looked at.
    proven: bool,
}

impl Mean {
    fn new<A>(outcomes: &[(A, u32)]) -> Mean {
        let total = outcomes.iter().map(|&(_, weight)| f64::from(weight)).sum();
        Mean { total, lowest: LOWEST, highest: HIGHEST, proven: true }
    }

    /// Where the value of an outcome has to lie for the mean to be within a window.
    fn window(&self, Window { alpha, beta }: Window, weight: u32, outlook: &Outlook) -> Window {
        let share = f64::from(weight) / self.total;
        Window {
            alpha: outlook.highest + (alpha - self.highest) / share,
            beta: outlook.lowest + (beta - self.lowest) / share,
        }
    }

    /// Puts in the new bounds of one outcome.
    fn learn(&mut self, weight: u32, outlook: &mut Outlook, (lowest, highest): (f64, f64)) {
        let share = f64::from(weight) / self.total;
        self.lowest += share * (lowest - outlook.lowest);
        self.highest += share * (highest - outlook.highest);
        (outlook.lowest, outlook.highest) = (lowest, highest);
    }

    fn lowest(&self) -> Found {
        Found { value: self.lowest, proven: self.proven }
    }

    fn highest(&self) -> Found {
        Found { value: self.highest, proven: self.proven }
    }
}

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
#[derive(Clone, Copy)]
struct Found {
    value: f64,
    /// Nothing was guessed.
    proven: bool,
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
        self.value(below, depth - 1, window)
    }

    fn value(&mut self, plies: &mut [Ply<G>], depth: u8, window: Window) -> Found {
        if !self.meter.grant(1) {
            return Found { value: 0.0, proven: false };
        }
        let state = &plies[0].state;
        match self.game.turn(state) {
            Turn::Over => Found { value: f64::from(self.game.payoffs(state)[self.sides.player]), proven: true },
            _ if depth == 0 => Found { value: self.guess(state), proven: false },
            Turn::Chance => self.expected(plies, depth, window),
            Turn::Player(player) => self.best(plies, self.sides.own(player), depth, window),
        }
    }

    fn guess(&self, state: &G::State) -> f64 {
        let value = self.heuristic.map_or(0.0, |heuristic| heuristic.value(self.game, state, self.sides.player));
        f64::from(value).clamp(LOWEST, HIGHEST)
    }

    /// The highest value if the own side moves, else the lowest.
    fn best(&mut self, plies: &mut [Ply<G>], own: bool, depth: u8, window: Window) -> Found {
        let Some((here, below)) = plies.split_first_mut() else { unreachable!("a ply for each level") };
        self.game.legal_actions(&here.state, &mut here.actions);
        here.rate(self.game, self.history, own, NO_CODE);
        let Window { mut alpha, mut beta } = window;
        let mut best: Option<Found> = None;
        let mut all_proven = true;
        for place in 0..here.actions.len() {
            let action = here.pick(place);
            let found = self.after(here, below, action, depth, Window { alpha, beta });
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
                let code = self.game.action_code(action);
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
        here.bounds.clear();
        here.bounds.resize(here.outcomes.len(), (LOWEST, HIGHEST));
        let mut mean = Mean::new(&here.outcomes);
        if self.pruning == Pruning::Star2 && depth >= 2 {
            for place in 0..here.outcomes.len() {
                if let Some(found) = self.probe(here, below, depth, &mut mean, place, window) {
                    return found;
                }
            }
        }
        for place in 0..here.outcomes.len() {
            let (outcome, weight) = here.outcomes[place];
            let limits = match self.pruning {
                Pruning::None => Window::OPEN,
                _ => mean.window(window, weight, here.bounds[place]),
            };
            let found = self.after(here, below, outcome, depth, limits);
            mean.proven &= found.proven;
            let bounds = if found.value <= limits.alpha {
                (here.bounds[place].0, found.value)
            } else if found.value >= limits.beta {
                (found.value, here.bounds[place].1)
            } else {
                (found.value, found.value)
            };
            mean.replace(weight, &mut here.bounds[place], bounds);
            if self.meter.stopped() || found.value <= limits.alpha {
                return mean.highest();
            }
            if found.value >= limits.beta {
                return mean.lowest();
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
        let limits = mean.window(window, weight, here.bounds[place]);
        let found = self.after(after, rest, action, depth - 1, limits);
        mean.proven &= found.proven;
        let (lowest, highest) = here.bounds[place];
        // The player who acts gets at least this; a bound on the wrong side says nothing.
        if own && found.value > limits.alpha {
            mean.replace(weight, &mut here.bounds[place], (found.value.max(lowest), highest));
            return (found.value >= limits.beta).then(|| mean.lowest());
        }
        if !own && found.value < limits.beta {
            mean.replace(weight, &mut here.bounds[place], (lowest, found.value.min(highest)));
            return (found.value <= limits.alpha).then(|| mean.highest());
        }
        None
    }
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
    fn window(&self, Window { alpha, beta }: Window, weight: u32, (lowest, highest): (f64, f64)) -> Window {
        let share = f64::from(weight) / self.total;
        Window { alpha: highest + (alpha - self.highest) / share, beta: lowest + (beta - self.lowest) / share }
    }

    /// Puts in what was learnt about one outcome.
    fn replace(&mut self, weight: u32, bounds: &mut (f64, f64), learnt: (f64, f64)) {
        let share = f64::from(weight) / self.total;
        self.lowest += share * (learnt.0 - bounds.0);
        self.highest += share * (learnt.1 - bounds.1);
        *bounds = learnt;
    }

    fn lowest(&self) -> Found {
        Found { value: self.lowest, proven: self.proven }
    }

    fn highest(&self) -> Found {
        Found { value: self.highest, proven: self.proven }
    }
}

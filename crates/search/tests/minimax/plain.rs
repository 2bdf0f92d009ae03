//! Minimax without any pruning, table or order: slow, and too simple to be wrong.

use std::collections::HashMap;

use meeple_core::{Game, Heuristic, Payoffs, Player, Rng, Turn};

/// The value for `player` when all of his team want it high and everybody else low.
pub(crate) fn minimax<G: Game>(game: &G, state: &G::State, depth: u8, player: Player, guess: &dyn Heuristic<G>) -> f64 {
    let value = |action| minimax(game, &after(game, state, action), depth - 1, player, guess);
    match game.turn(state) {
        Turn::Over => f64::from(game.payoffs(state)[player]),
        _ if depth == 0 => f64::from(guess.value(game, state, player)),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance_outcomes(state, &mut outcomes);
            let total: u32 = outcomes.iter().map(|&(_, weight)| weight).sum();
            outcomes.into_iter().map(|(action, weight)| value(action) * f64::from(weight) / f64::from(total)).sum()
        }
        Turn::Player(mover) if game.team(mover) == game.team(player) => {
            actions(game, state).into_iter().map(value).fold(f64::NEG_INFINITY, f64::max)
        }
        Turn::Player(_) => actions(game, state).into_iter().map(value).fold(f64::INFINITY, f64::min),
    }
}

/// The payoffs when everybody wants his own high and takes the first of equal actions.
pub(crate) fn maxn<G: Game>(game: &G, state: &G::State, depth: u8, guess: &dyn Heuristic<G>) -> Payoffs {
    let info = game.info();
    match game.turn(state) {
        Turn::Over => game.payoffs(state),
        _ if depth == 0 => {
            std::array::from_fn(|seat| if seat < info.players { guess.value(game, state, seat) } else { 0.0 })
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance_outcomes(state, &mut outcomes);
            let total: u32 = outcomes.iter().map(|&(_, weight)| weight).sum();
            let mut mean = Payoffs::default();
            for (action, weight) in outcomes {
                let payoffs = maxn(game, &after(game, state, action), depth - 1, guess);
                for (mean, payoff) in mean.iter_mut().zip(payoffs) {
                    *mean += payoff * weight as f32 / total as f32;
                }
            }
            mean
        }
        Turn::Player(mover) => {
            let value = |action| maxn(game, &after(game, state, action), depth - 1, guess);
            let values = actions(game, state).into_iter().map(value);
            values.reduce(|best, other| if other[mover] > best[mover] { other } else { best }).unwrap()
        }
    }
}

/// The payoff of seat 0 and the number of plies to the end when both sides play best, a win as soon
/// and a loss as late as possible. For games of two without chance, whose actions never return to
/// a position.
pub(crate) fn perfect<G: Game>(game: &G, state: &G::State, known: &mut HashMap<G::State, (f32, u32)>) -> (f32, u32) {
    if game.turn(state) == Turn::Over {
        return (game.payoffs(state)[0], 0);
    }
    if let Some(&value) = known.get(state) {
        return value;
    }
    let Turn::Player(mover) = game.turn(state) else { unreachable!() };
    let sign = if mover == 0 { 1.0 } else { -1.0 };
    let values = actions(game, state).into_iter().map(|action| perfect(game, &after(game, state, action), known));
    let key = |&(payoff, plies): &(f32, u32)| {
        let payoff = sign * payoff;
        (payoff, -payoff * plies as f32)
    };
    let (payoff, plies) = values.max_by(|a, b| key(a).partial_cmp(&key(b)).unwrap()).unwrap();
    known.insert(state.clone(), (payoff, plies + 1));
    (payoff, plies + 1)
}

pub(crate) fn actions<G: Game>(game: &G, state: &G::State) -> Vec<G::Action> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions
}

pub(crate) fn after<G: Game>(game: &G, state: &G::State, action: G::Action) -> G::State {
    let mut state = state.clone();
    game.apply(&mut state, action);
    state
}

/// A position with a player to move after at most so many random actions.
pub(crate) fn random_position<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> G::State {
    let mut state = game.initial_state();
    let mut last = state.clone();
    let mut buffer = Vec::new();
    for ply in 0.. {
        match game.turn(&state) {
            Turn::Over => return last,
            Turn::Chance => game.play_chance(&mut state, rng),
            Turn::Player(_) if ply >= plies => return state,
            Turn::Player(_) => {
                last.clone_from(&state);
                let action = game.random_action(&state, &mut buffer, rng);
                game.apply(&mut state, action);
            }
        }
    }
    unreachable!()
}

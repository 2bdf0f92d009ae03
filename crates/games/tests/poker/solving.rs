//! Exact play of tiny two-player zero-sum games with hidden cards, in payoffs of seat 0 unless a
//! seat is named.

use std::collections::HashMap;

use meeple_core::playout::actions_or_outcomes;
use meeple_core::{Game, Player, Turn};

/// Probabilities of the legal actions, in their order, by the mover's view.
pub(crate) type Strategy<G> = HashMap<<G as Game>::View, Vec<f64>>;

/// What each action at a view would bring, and the probabilities to be averaged.
type Regrets<G> = HashMap<<G as Game>::View, (Vec<f64>, Vec<f64>)>;

fn after<G: Game>(game: &G, state: &G::State, action: G::Action) -> G::State {
    let mut next = state.clone();
    game.apply(&mut next, action);
    next
}

fn chance<G: Game>(game: &G, state: &G::State) -> Vec<(G::State, f64)> {
    let mut outcomes = Vec::new();
    game.chance_outcomes(state, &mut outcomes);
    let total: u32 = outcomes.iter().map(|&(_, weight)| weight).sum();
    let share = |weight: u32| f64::from(weight) / f64::from(total);
    outcomes.into_iter().map(|(action, weight)| (after(game, state, action), share(weight))).collect()
}

/// The value of a game for seat 0 when both play the strategy.
pub(crate) fn value<G: Game>(game: &G, strategy: &Strategy<G>, state: &G::State) -> f64 {
    match game.turn(state) {
        Turn::Over => f64::from(game.payoffs(state)[0]),
        Turn::Chance => chance(game, state).iter().map(|(next, share)| share * value(game, strategy, next)).sum(),
        Turn::Player(player) => {
            let shares = &strategy[&game.view(state, Some(player))];
            let actions = actions_or_outcomes(game, state);
            let parts = actions.iter().zip(shares);
            parts.map(|(&action, share)| share * value(game, strategy, &after(game, state, action))).sum()
        }
    }
}

/// What a seat gets that knows the strategy of the other and answers best.
pub(crate) fn best_response<G: Game>(game: &G, strategy: &Strategy<G>, seat: Player) -> f64 {
    answer(game, strategy, seat, vec![(game.initial_state(), 1.0)])
}

/// The best of a group of states, weighted by the chances that the seat does not control.
fn answer<G: Game>(game: &G, strategy: &Strategy<G>, seat: Player, mut open: Vec<(G::State, f64)>) -> f64 {
    let mut value = 0.0;
    let mut groups: HashMap<G::View, Vec<(G::State, f64)>> = HashMap::new();
    while let Some((state, weight)) = open.pop() {
        match game.turn(&state) {
            Turn::Over => value += weight * f64::from(game.payoffs(&state)[seat]),
            Turn::Chance => {
                open.extend(chance(game, &state).into_iter().map(|(next, share)| (next, weight * share)));
            }
            Turn::Player(player) if player == seat => {
                groups.entry(game.view(&state, Some(seat))).or_default().push((state, weight));
            }
            Turn::Player(player) => {
                let shares = &strategy[&game.view(&state, Some(player))];
                let actions = actions_or_outcomes(game, &state).into_iter().zip(shares);
                open.extend(actions.map(|(action, share)| (after(game, &state, action), weight * share)));
            }
        }
    }
    for states in groups.values() {
        let actions = actions_or_outcomes(game, &states[0].0).into_iter();
        let results = actions.map(|action| {
            let next = states.iter().map(|(state, weight)| (after(game, state, action), *weight)).collect();
            answer(game, strategy, seat, next)
        });
        value += results.fold(f64::NEG_INFINITY, f64::max);
    }
    value
}

/// An approximate equilibrium by CFR+ (Tammelin 2014): alternating updates, regrets cut at zero,
/// strategies averaged with linear weights.
pub(crate) fn equilibrium<G: Game>(game: &G, iterations: u32) -> Strategy<G> {
    let mut regrets: Regrets<G> = HashMap::new();
    for iteration in 1..=iterations {
        for seat in 0..2 {
            let mut gains: HashMap<G::View, Vec<f64>> = HashMap::new();
            visit(game, &mut regrets, &mut gains, seat, &game.initial_state(), [1.0, 1.0], f64::from(iteration));
            for (view, gains) in gains {
                let (sums, _) = regrets.get_mut(&view).unwrap();
                sums.iter_mut().zip(gains).for_each(|(sum, gain)| *sum = (*sum + gain).max(0.0));
            }
        }
    }
    regrets.into_iter().map(|(view, (_, average))| (view, normalized(&average))).collect()
}

fn normalized(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let equal = 1.0 / weights.len() as f64;
    weights.iter().map(|weight| if sum > 0.0 { weight / sum } else { equal }).collect()
}

/// The value of a state for `seat`; `reach` is the probability that the seat, and that the others
/// with chance, lead here.
fn visit<G: Game>(
    game: &G,
    regrets: &mut Regrets<G>,
    gains: &mut HashMap<G::View, Vec<f64>>,
    seat: Player,
    state: &G::State,
    reach: [f64; 2],
    weight: f64,
) -> f64 {
    let player = match game.turn(state) {
        Turn::Over => return f64::from(game.payoffs(state)[seat]),
        Turn::Chance => {
            let outcomes = chance(game, state).into_iter();
            let values = outcomes.map(|(next, share)| {
                share * visit(game, regrets, gains, seat, &next, [reach[0], reach[1] * share], weight)
            });
            return values.sum();
        }
        Turn::Player(player) => player,
    };
    let view = game.view(state, Some(player));
    let actions = actions_or_outcomes(game, state);
    let zeros = || vec![0.0; actions.len()];
    let (sums, average) = regrets.entry(view.clone()).or_insert_with(|| (zeros(), zeros()));
    let shares = normalized(sums);
    if player == seat {
        average.iter_mut().zip(&shares).for_each(|(sum, share)| *sum += weight * reach[0] * share);
    }
    let mut values = zeros();
    for (number, &action) in actions.iter().enumerate() {
        let mut next_reach = reach;
        next_reach[usize::from(player != seat)] *= shares[number];
        values[number] = visit(game, regrets, gains, seat, &after(game, state, action), next_reach, weight);
    }
    let value: f64 = values.iter().zip(&shares).map(|(value, share)| value * share).sum();
    if player == seat {
        let gains = gains.entry(view).or_insert_with(zeros);
        gains.iter_mut().zip(&values).for_each(|(gain, action_value)| *gain += reach[1] * (action_value - value));
    }
    value
}

/// Every decision of the game by the mover's view, with one of its states.
pub(crate) fn information_sets<G: Game>(game: &G) -> HashMap<G::View, G::State> {
    let mut found = HashMap::new();
    let mut open = vec![game.initial_state()];
    while let Some(state) = open.pop() {
        open.extend(actions_or_outcomes(game, &state).into_iter().map(|action| after(game, &state, action)));
        if let Turn::Player(player) = game.turn(&state) {
            found.insert(game.view(&state, Some(player)), state);
        }
    }
    found
}

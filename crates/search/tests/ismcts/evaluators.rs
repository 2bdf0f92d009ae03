//! Searches with evaluators: what these say about values and priors, and batches of many games.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use meeple_core::agent::{ActionReport, Agent, Budget, Decision};
use meeple_core::{Game, Rng, TreeLimits};
use meeple_games::just4fun::Cards;
use meeple_games::{Hearts, Just4Fun, TicTacToe};
use meeple_search::ismcts::{Ahead, Ismcts, IsmctsSettings, Keys, Mixture, Puct, Search, Selection};
use meeple_search::{Evaluation, Evaluator};

use super::{Opinion, PUCT, decide, mover, settings, some_choice};

#[test]
fn an_evaluator_values_new_nodes_and_weighs_actions() {
    let game = Hearts::default();
    let state = some_choice(&game, &mut Rng::from_seed(2));
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    let puct = Puct { first_play: 0.0, prior_temperature: 1.0, noise: 0.0, alpha: 1.0 };
    for keys in [Keys::Path, Keys::View] {
        let asked = Arc::new(AtomicU64::new(0));
        let settings = IsmctsSettings { keys, selection: Selection::Puct(puct), ..settings(30) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Opinion(asked.clone())));
        let decision = decide(&game, &mut agent, &state, &Budget::NONE, 1);
        let best = &decision.report.actions[0];
        assert_eq!((best.action, best.visits, best.prior), (*legal.last().unwrap(), 30, Some(1.0)));
        assert_eq!(asked.load(Relaxed), 31, "the root and every new node");
    }
}

/// Sure of the last action everywhere; expects more the more squares are empty.
struct Empty;

impl Evaluator<TicTacToe> for Empty {
    fn evaluate(&mut self, game: &TicTacToe, states: &[State], out: &mut Vec<Evaluation>, rng: &mut Rng) {
        Opinion(Arc::default()).evaluate(game, states, out, rng);
        for evaluation in out {
            let expected = evaluation.priors.len() as f32 / 10.0;
            evaluation.payoffs[..2].copy_from_slice(&[expected, -expected]);
        }
    }
}

type State = <TicTacToe as Game>::State;

/// After the first move eight squares are empty, and after each one that is looked ahead one less; with the sixth of
/// these the first player has a line.
#[test]
fn the_end_of_what_is_looked_ahead_is_valued() {
    let game = TicTacToe;
    let cases = [(0, 0.8), (1, 0.7), (4, 0.4), (6, 1.0), (50, 1.0)].map(|(moves, value)| (moves, false, value));
    let to_own_turn =
        [(0, 0.7), (1, 0.7), (2, 0.5), (3, 0.5), (5, 0.3), (6, 1.0)].map(|(moves, value)| (moves, true, value));
    for (moves, to_own_turn, expected) in cases.into_iter().chain(to_own_turn) {
        let ahead = Ahead { moves, to_own_turn, ..Ahead::default() };
        let puct = Puct { first_play: 0.0, prior_temperature: 1.0, noise: 0.0, alpha: 1.0 };
        let settings = IsmctsSettings { selection: Selection::Puct(puct), ahead, ..settings(1) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Empty));
        let decision = decide(&game, &mut agent, &game.initial_state(), &Budget::NONE, 1);
        let best = &decision.report.actions[0];
        assert!((best.value_for_mover - expected).abs() < 1e-6, "{ahead:?}: {}", best.value_for_mover);
    }
}

/// Two squares are left. Whatever is played, the other player has the last one, and nobody needs to be asked about that.
#[test]
fn where_there_is_one_action_nothing_is_evaluated_on_the_way_ahead() {
    let game = TicTacToe;
    let mut state = game.initial_state();
    for square in [0, 1, 2, 4, 3, 5, 7] {
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        let action = legal.into_iter().find(|&action| game.action_code(action) == square).unwrap();
        game.apply(&mut state, action);
    }
    for (moves, to_own_turn, expected) in [(0, true, 1), (1, false, 1), (0, false, 3)] {
        let asked = Arc::new(AtomicU64::new(0));
        let ahead = Ahead { moves, to_own_turn, ..Ahead::default() };
        let puct = Puct { first_play: 0.0, prior_temperature: 100.0, noise: 0.5, alpha: 100.0 };
        let settings = IsmctsSettings { selection: Selection::Puct(puct), ahead, ..settings(30) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Opinion(asked.clone())));
        let decision = decide(&game, &mut agent, &state, &Budget::NONE, 1);
        assert_eq!(game.action_code(decision.action), 6, "the other one loses");
        assert_eq!(asked.load(Relaxed), expected, "the root, and both nodes after it if they are valued: {ahead:?}");
    }
}

/// Its evaluator gives everything to the last action.
#[test]
fn what_the_policy_is_sure_of_is_not_searched() {
    let game = Hearts::default();
    let state = some_choice(&game, &mut Rng::from_seed(2));
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    for (sure, iterations) in [(1.0, 30), (0.99, 1)] {
        let puct = Puct { first_play: 0.0, prior_temperature: 1.0, noise: 0.0, alpha: 1.0 };
        let settings = IsmctsSettings { selection: Selection::Puct(puct), sure, ..settings(30) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Opinion(Arc::default())));
        let decision = decide(&game, &mut agent, &state, &Budget::NONE, 1);
        assert_eq!((decision.action, decision.report.iterations), (*legal.last().unwrap(), iterations));
    }
}

/// Prefers the first of the empty squares, and likes it when the first two are taken.
#[derive(Debug)]
struct FromTheCorner;

impl Evaluator<TicTacToe> for FromTheCorner {
    fn evaluate(&mut self, game: &TicTacToe, states: &[State], out: &mut Vec<Evaluation>, rng: &mut Rng) {
        Opinion(Arc::default()).evaluate(game, states, out, rng);
        for (state, evaluation) in states.iter().zip(out) {
            let mut empty = Vec::new();
            game.legal_actions(state, &mut empty);
            evaluation.priors.fill(0.8 / empty.len() as f32);
            evaluation.priors[0] += 0.2;
            let worth = if game.action_code(empty[0]) == 2 { 1.0 } else { -1.0 };
            evaluation.payoffs[..2].copy_from_slice(&[worth, -worth]);
        }
    }
}

#[test]
fn the_temperature_sharpens_what_is_looked_ahead() {
    let game = TicTacToe;
    let liked = |temperature: f64| {
        let ahead = Ahead { moves: 1, temperature, ..Ahead::default() };
        let puct = Puct { first_play: 0.0, prior_temperature: 1.0, noise: 0.0, alpha: 1.0 };
        let settings = IsmctsSettings { selection: Selection::Puct(puct), ahead, ..settings(1) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(FromTheCorner));
        let values = (0..200).map(|seed| {
            decide(&game, &mut agent, &game.initial_state(), &Budget::NONE, seed).report.actions[0].value_for_mover
        });
        values.filter(|value| *value > 0.0).count()
    };
    // One of eight replies has 0.3, with its square 0.09 beside seven times 0.01.
    assert_eq!(liked(0.01), 200);
    assert!((40..80).contains(&liked(1.0)), "{}", liked(1.0));
    assert!((95..130).contains(&liked(0.5)), "{}", liked(0.5));
}

/// A new node has half of what the evaluator says, and half of what its playouts do.
#[test]
fn playouts_have_their_share_in_the_value() {
    let game = TicTacToe;
    let value = |playouts: u32, share: f64| {
        let puct = Puct { first_play: 0.0, prior_temperature: 1.0, noise: 0.0, alpha: 1.0 };
        let mixture = Mixture { playouts, share };
        let settings = IsmctsSettings { selection: Selection::Puct(puct), mixture, ..settings(1) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Empty));
        let decision = decide(&game, &mut agent, &game.initial_state(), &Budget::NONE, 1);
        let best = &decision.report.actions[0];
        assert!((f64::from(best.payoffs.unwrap()[0]) - best.value_for_mover).abs() < 1e-6);
        best.value_for_mover
    };
    // The evaluator says 0.8; by random play the first player wins 58.5 % and loses 28.8 %.
    assert!((value(0, 0.5) - 0.8).abs() < 1e-6 && (value(1000, 0.0) - 0.8).abs() < 1e-6);
    let played = value(1000, 1.0);
    assert!((0.1..0.6).contains(&played), "{played}");
    assert!((value(1000, 0.5) - (0.8 + played) / 2.0).abs() < 1e-4);
}

/// The node after the only action that is tried takes the first iterations, each in another world; the others go on.
#[test]
fn a_node_is_evaluated_in_as_many_worlds_as_it_should_be() {
    let game = Hearts::default();
    let state = some_choice(&game, &mut Rng::from_seed(2));
    let view = game.view(&state, Some(mover(&game, &state)));
    let puct = Puct { first_play: 0.0, prior_temperature: 1.0, noise: 0.0, alpha: 1.0 };
    for evaluations in [1, 3, 7] {
        let settings = IsmctsSettings { selection: Selection::Puct(puct), evaluations, ..settings(30) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Opinion(Arc::default())));
        decide(&game, &mut agent, &state, &Budget::NONE, 1);
        let nodes = agent.tree(&game, &view, TreeLimits { depth: 2, visits: 1, nodes: 1000 }).unwrap().nodes;
        let below: u64 = nodes.iter().filter(|node| node.parent == Some(1)).map(|node| node.visits).sum();
        assert_eq!((nodes[1].visits, below), (30, 30 - u64::from(evaluations)));
    }
}

/// Many games share one evaluator: all gather, one call evaluates, all apply. Each decides as it would
/// alone.
#[test]
fn searches_of_many_games_share_a_batch() {
    let game = Just4Fun::default();
    let asked = Arc::new(AtomicU64::new(0));
    let plain = IsmctsSettings { keys: Keys::Coarse(0), selection: PUCT, determinizations: 7, ..settings(40) };
    let settings = IsmctsSettings { group_rule: Some(0), ..plain };
    let state = |seed| some_choice(&game, &mut Rng::from_seed(seed));
    let view = |seed| game.view(&state(seed), Some(mover(&game, &state(seed))));
    let mut searches: Vec<_> =
        (0..5).map(|seed| (Search::new(&game, settings.clone()).with_evaluations(), Rng::from_seed(seed))).collect();
    for (seed, (search, rng)) in searches.iter_mut().enumerate() {
        search.begin(&game, Box::new(game.worlds(&view(seed as u64))), &Budget::NONE, rng);
    }
    let (mut requests, mut evaluations) = (Vec::new(), Vec::new());
    loop {
        requests.clear();
        let mut waiting = Vec::new();
        for (search, rng) in &mut searches {
            let asked = requests.len();
            while requests.len() == asked && search.gather(&game, &mut requests, rng) {}
            waiting.extend((requests.len() > asked).then_some((search, rng)));
        }
        if waiting.is_empty() {
            break;
        }
        Opinion(asked.clone()).evaluate(&game, &requests, &mut evaluations, &mut Rng::from_seed(9));
        let waiting = waiting.into_iter().zip(&evaluations);
        waiting.for_each(|((search, rng), evaluation)| search.apply(&game, evaluation, rng));
    }
    for (seed, (search, mut rng)) in (0..).zip(searches) {
        let mut search = search;
        let mut alone = Ismcts::new(&game, settings.clone()).with_evaluator(Box::new(Opinion(asked.clone())));
        let expected = alone.decide(&game, &view(seed), &Budget::NONE, &mut Rng::from_seed(seed));
        let decision = search.decide(&game, 1, &mut rng);
        let figures = |decision: &Decision<Cards>| {
            let entry = |entry: &ActionReport<Cards>| (entry.action, entry.visits, entry.prior);
            (decision.action, decision.report.actions.iter().map(entry).collect::<Vec<_>>())
        };
        assert_eq!((figures(&decision), decision.report.iterations), (figures(&expected), 42));
    }
}

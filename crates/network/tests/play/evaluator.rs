//! What a network says about positions.

use std::collections::BTreeSet;
use std::sync::Arc;

use meeple_core::{Game, Rng, Tensor, Worlds};
use meeple_games::{Bisca, Hearts, Just4Fun, Keezen, LeducPoker, Sueca, TicTacToe, TinyChineseCheckers};
use meeple_network::description::{PolicyHead, Values};
use meeple_network::preset::{ActionValue, DenseStack, Star};
use meeple_network::{
    Compiled, Description, Model, ModelError, NetworkAgent, NetworkEvaluator, Outputs, Preset, Runner,
};
use meeple_search::{Evaluation, Evaluator};

use super::{encoder_of, model_of, mover, positions, small_model};

pub(super) fn evaluate<G: Game>(game: &G, evaluator: &mut NetworkEvaluator<G>, states: &[G::State]) -> Vec<Evaluation> {
    let mut evaluations = Vec::new();
    evaluator.evaluate(game, states, &mut evaluations, &mut Rng::from_seed(1));
    evaluations
}

/// What the network puts out for the view of the player to move.
fn outputs<G: Game>(game: &G, model: &Model, state: &G::State) -> Outputs {
    let encoder = encoder_of(game, &model.header.encoder);
    let mut input = vec![0.0; encoder.shape().len()];
    let view = game.view(state, Some(mover(game, state)));
    encoder.encode(game, &view, &mut Tensor::zeroed(encoder.shape(), &mut input));
    let mut outputs = Outputs::default();
    Runner::new(Arc::new(Compiled::new(model))).run(&input, 1, &mut outputs);
    outputs
}

#[test]
fn hidden_cards_do_not_matter() {
    fn check<G: Game>(game: &G, values: Values) {
        let mut evaluator = NetworkEvaluator::new(game, &small_model(game, values, 1)).unwrap();
        let mut rng = Rng::from_seed(2);
        let mut distinct = 0;
        for state in positions(game, 40, 3) {
            let worlds = game.worlds(&game.view(&state, Some(mover(game, &state))));
            let mut states = vec![state; 6];
            states[1..].iter_mut().for_each(|state| worlds.sample_into(state, &mut rng));
            distinct += states.windows(2).filter(|pair| pair[0] != pair[1]).count();
            let evaluations = evaluate(game, &mut evaluator, &states);
            assert!(evaluations.windows(2).all(|pair| pair[0] == pair[1]), "{}", game.info().name);
        }
        assert!(distinct > 20, "{}: {distinct}", game.info().name);
    }
    check(&Just4Fun::default(), Values::Viewer);
    check(&Sueca::default(), Values::Viewer);
    check(&Bisca::default(), Values::Viewer);
    check(&LeducPoker, Values::Viewer);
    check(&Hearts::default(), Values::Players);
    check(&Keezen::default(), Values::Players);
}

#[test]
fn a_cache_changes_no_answer() {
    fn check<G: Game>(game: &G) {
        let model = small_model(game, Values::Viewer, 4);
        let mut states = positions(game, 60, 5);
        states.extend(positions(game, 60, 5));
        states.extend(positions(game, 20, 6));
        let expected = evaluate(game, &mut NetworkEvaluator::new(game, &model).unwrap(), &states);
        assert!(expected.windows(2).any(|pair| pair[0] != pair[1]));
        for entries in [0, 1, 7, 1000] {
            let mut evaluator = NetworkEvaluator::new(game, &model).unwrap().with_cache(entries);
            for batch in [1, 3, states.len()] {
                for (states, expected) in states.chunks(batch).zip(expected.chunks(batch)) {
                    assert_eq!(evaluate(game, &mut evaluator, states), expected, "{entries} entries");
                }
            }
        }
    }
    check(&TicTacToe);
    check(&Just4Fun::default());
}

#[test]
fn the_value_of_one_side_is_the_loss_of_the_other() {
    fn check<G: Game>(game: &G) {
        let model = small_model(game, Values::Viewer, 7);
        let states = positions(game, 30, 8);
        let evaluations = evaluate(game, &mut NetworkEvaluator::new(game, &model).unwrap(), &states);
        for (state, evaluation) in states.iter().zip(evaluations) {
            let (viewer, value) = (mover(game, state), outputs(game, &model, state).values[0]);
            for player in 0..game.info().players {
                let own = game.team(player) == game.team(viewer);
                let expected = if own { value } else { -value };
                assert!((evaluation.payoffs[player] - expected).abs() < 1e-6);
            }
        }
    }
    check(&TicTacToe);
    check(&Sueca::default());
}

#[test]
fn values_of_all_players_begin_with_the_viewer() {
    let game = TinyChineseCheckers::default();
    let small = Star { filters: 4, blocks: 1, neurons: 8, ..Star::default() };
    let model = model_of(&game, "planes", Preset::Star(small).description(), 9);
    let states = positions(&game, 12, 10);
    let evaluations = evaluate(&game, &mut NetworkEvaluator::new(&game, &model).unwrap(), &states);
    let mut told_apart = 0;
    for (state, evaluation) in states.iter().zip(evaluations) {
        let points = outputs(&game, &model, state).values;
        assert_eq!(points.len(), 3);
        for (step, points) in points.iter().enumerate() {
            let expected = (points / 1.5 - 1.0).clamp(-1.0, 1.0);
            let payoff = evaluation.payoffs[(mover(&game, state) + step) % 3];
            assert!((payoff - expected).abs() < 1e-6, "{payoff} for {points} points");
            told_apart += usize::from(expected > -1.0);
        }
        assert_eq!(evaluation.payoffs[3..], [0.0; 3]);
    }
    assert!(told_apart > 5, "values differ from 0 points");
}

#[test]
fn actions_share_the_probability_of_their_index_by_their_details() {
    fn check(name: &str, has_details: bool) {
        let game = Just4Fun::default();
        let encoder = encoder_of(&game, name);
        let model = model_of(&game, name, Preset::Dense(DenseStack::default()).description(), 11);
        let states = positions(&game, 30, 12);
        let mut evaluator = NetworkEvaluator::new(&game, &model).unwrap();
        assert_eq!(evaluator.has_details(), has_details);
        let mut shared = 0;
        for (state, evaluation) in states.iter().zip(evaluate(&game, &mut evaluator, &states)) {
            let logits = outputs(&game, &model, state).policy;
            let likelihood = |output: usize| f64::from(logits[output]).exp();
            let view = game.view(state, Some(mover(&game, state)));
            let mut actions = Vec::new();
            game.legal_actions(state, &mut actions);
            let index = |&action: &_| encoder.policy_index(&game, &view, action);
            let indices: Vec<usize> = actions.iter().map(index).collect();
            let weight = |&action: &_| match has_details {
                true => likelihood(encoder.policy_size() + encoder.policy_detail(&game, &view, action)),
                false => 1.0,
            };
            let weights: Vec<f64> = actions.iter().map(weight).collect();
            let distinct: BTreeSet<usize> = indices.iter().copied().collect();
            let sum: f64 = distinct.iter().map(|&index| likelihood(index)).sum();
            assert_eq!(evaluation.priors.len(), actions.len());
            for (place, &index) in indices.iter().enumerate() {
                let sharers = || (0..actions.len()).filter(|&other| indices[other] == index);
                let share = weights[place] / sharers().map(|other| weights[other]).sum::<f64>();
                assert!((f64::from(evaluation.priors[place]) - likelihood(index) / sum * share).abs() < 1e-5);
                shared += usize::from(sharers().count() > 1);
            }
        }
        assert!(shared > 20, "several combinations reach a field");
    }
    check("cards-fields", false);
    check("cards-combinations", true);
}

#[test]
fn networks_that_leave_something_open_are_refused() {
    fn refusal<G: Game>(game: &G, model: &Model) -> String {
        match NetworkEvaluator::new(game, model) {
            Err(ModelError::Unfit(why)) => why,
            other => panic!("{other:?}"),
        }
    }
    let hearts = Hearts::default();
    assert!(refusal(&hearts, &small_model(&hearts, Values::Viewer, 1)).contains("viewer alone"));
    let tiny = TinyChineseCheckers::default();
    assert!(refusal(&tiny, &small_model(&tiny, Values::Viewer, 1)).contains("viewer alone"));
    let actions = model_of(&TicTacToe, "planes", Preset::ActionValue(ActionValue::default()).description(), 1);
    assert!(refusal(&TicTacToe, &actions).contains("values actions"));
    let policy = Description { policy: Some(PolicyHead::default()), ..Description::default() };
    let policy = model_of(&TicTacToe, "planes", policy, 1);
    assert!(refusal(&TicTacToe, &policy).contains("policy alone"));
    assert!(NetworkAgent::new(&TicTacToe, &policy, 1.0).is_ok());
    assert!(refusal(&Sueca::default(), &small_model(&TicTacToe, Values::Viewer, 1)).contains("plays tic-tac-toe"));
}

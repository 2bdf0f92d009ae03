//! A network that plays by its policy alone.

use meeple_core::agent::{Agent, Budget};
use meeple_core::statistics::chi_square_p;
use meeple_core::{Game, Rng, laws};
use meeple_games::{Just4Fun, TicTacToe};
use meeple_network::NetworkAgent;
use meeple_network::description::Values;

use super::{encoder_of, mover, positions, small_model};

#[test]
fn actions_are_drawn_by_the_policy() {
    let game = Just4Fun::default();
    let model = small_model(&game, Values::Viewer, 1);
    let mut agent = NetworkAgent::new(&game, &model, 1.0).unwrap();
    let mut rng = Rng::from_seed(2);
    for state in positions(&game, 200, 3).into_iter().step_by(40) {
        let view = game.view(&state, Some(mover(&game, &state)));
        let mut actions = Vec::new();
        game.legal_actions(&state, &mut actions);
        let mut counts = vec![0; actions.len()];
        let mut expected = vec![0.0; actions.len()];
        for _ in 0..4000 {
            let decision = agent.decide(&game, &view, &Budget::NONE, &mut rng);
            counts[actions.iter().position(|&action| action == decision.action).unwrap()] += 1;
            for entry in &decision.report.actions {
                let place = actions.iter().position(|&action| action == entry.action).unwrap();
                expected[place] = f64::from(entry.prior.unwrap());
            }
        }
        let sum: f64 = expected.iter().sum();
        assert!((sum - 1.0).abs() < 1e-5);
        expected.iter_mut().for_each(|share| *share /= sum);
        assert!(chi_square_p(&counts, &expected) > 1e-4, "{counts:?} {expected:?}");
    }
}

/// The most likely field is taken, though the cards for it share its probability.
#[test]
fn without_temperature_the_best_index_is_taken() {
    let game = Just4Fun::default();
    let model = small_model(&game, Values::Viewer, 4);
    let encoder = encoder_of(&game, &model.header.encoder);
    let mut agent = NetworkAgent::new(&game, &model, 0.0).unwrap();
    let (mut rng, mut differs) = (Rng::from_seed(5), 0);
    for state in positions(&game, 60, 6) {
        let view = game.view(&state, Some(mover(&game, &state)));
        let decision = agent.decide(&game, &view, &Budget::NONE, &mut rng);
        let index = |action| encoder.policy_index(&game, &view, action);
        let mut likelihood = vec![0.0; encoder.policy_size()];
        for entry in &decision.report.actions {
            likelihood[index(entry.action)] += entry.prior.unwrap();
        }
        let highest = likelihood.iter().copied().fold(0.0, f32::max);
        assert!(likelihood[index(decision.action)] > highest - 1e-5);
        differs += usize::from(index(decision.report.actions[0].action) != index(decision.action));
    }
    assert!(differs > 0, "the best single action is not always one for the best field");
}

#[test]
fn the_report_says_what_the_network_thinks() {
    let mut agent = NetworkAgent::new(&TicTacToe, &small_model(&TicTacToe, Values::Viewer, 7), 1.0).unwrap();
    let state = TicTacToe.initial_state();
    let report = agent.decide(&TicTacToe, &state, &Budget::NONE, &mut Rng::from_seed(1)).report;
    assert_eq!(report.actions.len(), 9);
    assert!(report.actions.windows(2).all(|pair| pair[0].prior >= pair[1].prior));
    let payoffs = report.actions[0].payoffs.unwrap();
    assert_eq!(f64::from(payoffs[0]), report.actions[0].value_for_mover);
    assert!(payoffs[0] == -payoffs[1]);
}

#[test]
fn nothing_hidden_moves_it() {
    let game = Just4Fun::default();
    let model = small_model(&game, Values::Viewer, 8);
    laws::assert_fair(&game, || Box::new(NetworkAgent::new(&game, &model, 1.0).unwrap()), 2);
}

//! Margins agree with payoffs: whoever wins has the largest, and nothing exceeds the bound.

use meeple_core::{Game, Rng, playout};
use meeple_games::{Bisca, Hearts, Sueca};

fn check<G: Game>(game: &G, winners_have: impl Fn(f32) -> bool) {
    let margins = game.margins().unwrap();
    let players = game.info().players;
    let mut rng = Rng::from_seed(5);
    for _ in 0..300 {
        let mut state = game.initial_state();
        playout::finish(game, &mut state, &mut Vec::new(), &mut rng);
        let payoffs = game.payoffs(&state);
        let (differences, steps) = (margins.difference(game, &state), margins.steps(game, &state));
        for seat in 0..players {
            assert!(differences[seat].abs() <= margins.largest(game));
            assert!([0.0, 1.0, 2.0, 4.0].contains(&steps[seat].abs()));
            assert_eq!(payoffs[seat] > 0.0, winners_have(differences[seat]), "{differences:?} {payoffs:?}");
            for other in 0..players {
                assert!(payoffs[seat] <= payoffs[other] || differences[seat] > differences[other]);
                assert!(steps[seat] >= steps[other] || differences[seat] < differences[other]);
            }
        }
    }
}

#[test]
fn margins_agree_with_payoffs() {
    check(&Sueca::default(), |difference| difference > 0.0);
    check(&Bisca::default(), |difference| difference > 0.0);
    check(&Hearts::default(), |difference| difference == 0.0);
}

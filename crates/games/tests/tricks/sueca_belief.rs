//! What is believed about the hands in Sueca.

use meeple_core::statistics::chi_square_p;
use meeple_core::{Belief, Game, Notation, Player, Rng, Turn, Worlds};
use meeple_games::Sueca;
use meeple_games::sueca::{FromPlay, State, SuecaRules, View};

/// Every view of a mover in random games.
fn views(game: &Sueca, games: u64) -> Vec<View> {
    let mut views = Vec::new();
    for seed in 0..games {
        let mut rng = Rng::from_seed(seed);
        let mut state = game.initial_state();
        loop {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => game.play_chance(&mut state, &mut rng),
                Turn::Player(mover) => {
                    views.push(game.view(&state, Some(mover)));
                    let action = game.random_action(&state, &mut Vec::new(), &mut rng);
                    game.apply(&mut state, action);
                }
            }
        }
    }
    views
}

#[test]
fn believed_worlds_are_possible() {
    for redeal_weak_hands in [false, true] {
        let game = Sueca::new(SuecaRules { redeal_weak_hands, ..SuecaRules::default() });
        let mut rng = Rng::from_seed(1);
        let mut world = game.initial_state();
        for view in views(&game, 20) {
            let worlds = FromPlay.worlds(&game, &view);
            for _ in 0..5 {
                worlds.sample_into(&mut world, &mut rng);
                assert_eq!(game.view(&world, view.viewer), view);
                assert!(game.parse_state(&game.state_text(&world)).is_ok(), "{world:?}");
            }
        }
    }
}

/// Twelve cards, most of which count.
#[test]
fn samples_follow_the_weights() {
    let game = Sueca::new(SuecaRules { ranks: 6, suits: 2, ..SuecaRules::default() });
    let mut rng = Rng::from_seed(2);
    let mut world = game.initial_state();
    let mut weighted = 0;
    for view in views(&game, 30) {
        let worlds = FromPlay.worlds(&game, &view);
        let Some(all) = worlds.enumerate(100) else { continue };
        assert_eq!(all.len() as f64, worlds.count());
        if all.iter().all(|&(_, weight)| weight == all[0].1) {
            continue;
        }
        weighted += 1;
        let total: u64 = all.iter().map(|&(_, weight)| weight).sum();
        let probabilities: Vec<f64> = all.iter().map(|&(_, weight)| weight as f64 / total as f64).collect();
        let mut counts = vec![0; all.len()];
        for _ in 0..5000 {
            worlds.sample_into(&mut world, &mut rng);
            counts[all.iter().position(|(known, _)| *known == world).expect("a listed world")] += 1;
        }
        assert!(chi_square_p(&counts, &probabilities) > 1e-5, "{view:?}: {counts:?} for {probabilities:?}");
    }
    assert!(weighted > 10, "{weighted} views with different weights");
}

/// How often a seat holds a card.
fn share(game: &Sueca, worlds: &dyn Worlds<State = State>, seat: Player, card: &str) -> f64 {
    let bit = game.pack().ranks.parse(card).unwrap().bit();
    let mut rng = Rng::from_seed(3);
    let mut world = game.initial_state();
    let mut held = 0;
    for _ in 0..4000 {
        worlds.sample_into(&mut world, &mut rng);
        held += u32::from(game.view(&world, Some(seat)).hand & bit != 0);
    }
    f64::from(held) / 4000.0
}

/// The example of thesis 002, section 4.1.0.2: the last seat gave a queen to a trick it could not
/// win.
#[test]
fn points_given_away_speak_against_cheaper_cards() {
    let game = Sueca::default();
    let view = "viewer=0 hands=7c.5d.3d.2d.6h.As.4s.3s.2s/?/?/? dealer=3 trump=4h holder=3 leader=0 trick=- \
                last=0:Ac.2c.Jc.Qc played=Ac/2c/Jc/Qc points=16:0 tricks=1:0";
    let view = game.parse_view(view).unwrap();
    let (believed, uniform) = (FromPlay.worlds(&game, &view), game.worlds(&view));
    for (seat, card, doubted) in
        [(3, "3c", true), (3, "6c", true), (3, "Kc", false), (1, "3c", false), (3, "3h", false)]
    {
        let (believed, uniform) = (share(&game, &*believed, seat, card), share(&game, &uniform, seat, card));
        assert_eq!(believed < 0.6 * uniform, doubted, "{card} with seat {seat}: {believed}, else {uniform}");
        assert!(believed > 0.0, "nothing is ruled out");
    }
}

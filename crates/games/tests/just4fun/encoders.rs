//! What networks are shown, and which outputs are which actions.

use std::collections::BTreeSet;

use meeple_core::{Encoder, Game, Notation, Rng, Shape, Tensor, Turn};
use meeple_games::Just4Fun;
use meeple_games::just4fun::{Cards, State};

use super::rules::{game, legal, position};

fn encode(game: &Just4Fun, name: &str, view: &str) -> (Shape, Vec<f32>) {
    let view = game.parse_view(view).unwrap_or_else(|error| panic!("{view}: {error}"));
    let encoder = game.encoders().into_iter().find(|encoder| encoder.name() == name).unwrap();
    let mut values = vec![0.0; encoder.shape().len()];
    encoder.encode(game, &view, &mut Tensor::zeroed(encoder.shape(), &mut values));
    (encoder.shape(), values)
}

/// The values of all planes on one square.
fn planes(shape: Shape, values: &[f32], row: usize, column: usize) -> &[f32] {
    &values[(row * shape.columns + column) * shape.channels..][..shape.channels]
}

#[test]
fn planes_of_two_players() {
    let game = Just4Fun::default();
    let view = "viewer=0 turn=0 stones=1:2.0/14:1.2/30:0.2/24:3.2 hands=2.14.16.19/?.?.?.? used=1.1.5";
    let (shape, full) = encode(&game, "fields-full", view);
    assert_eq!((shape.channels, shape.vector), (11, 0));
    // empty, stones, stones, minority, majority, secured, secured, value, open, probability, reachable
    let probability = |hands: f32| hands / 341_055.0;
    let field_1 = [0.0, 2.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0 / 36.0, 0.0, probability(91_155.0), 0.0];
    assert_eq!(planes(shape, &full, 0, 0), field_1);
    let field_14 = planes(shape, &full, 0, 1);
    assert_eq!(field_14[..7], [0.0, 1.0, 2.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!((field_14[8], field_14[10]), (1.0, 1.0));
    let field_30 = planes(shape, &full, 0, 2);
    assert_eq!(field_30[..7], [0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 1.0]);
    assert_eq!((field_30[8], field_30[10]), (0.0, 1.0)); // 14 + 16, but closed
    let field_24 = planes(shape, &full, 0, 3);
    assert_eq!(field_24[..7], [0.0, 3.0, 2.0, 0.0, 1.0, 0.0, 0.0]);
    let field_19 = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 19.0 / 36.0, 1.0, probability(165_024.0), 1.0];
    assert_eq!(planes(shape, &full, 0, 4), field_19);

    let (shape, minimal) = encode(&game, "fields-minimal", view);
    let field_19 = [1.0, 0.0, 0.0, 19.0 / 36.0, 1.0, probability(165_024.0), 1.0];
    assert_eq!(planes(shape, &minimal, 0, 4), field_19);

    let (shape, cards) = encode(&game, "cards-fields", view);
    assert_eq!((shape.channels, shape.vector), (11, 110));
    let vector = &cards[cards.len() - 110..];
    let ones: Vec<usize> = (0..110).filter(|&i| vector[i] == 1.0).collect();
    // 2 is card 4, 14, 16 and 19 are 49, 51 and 54; used cards from 55: two ones, a five.
    assert_eq!(ones, [4, 49, 51, 54, 55, 56, 55 + 16]);
}

#[test]
fn planes_of_four_players_begin_with_the_viewer() {
    let game = game("players=4");
    let view = "viewer=2 turn=2 stones=1:0.1.2.3/14:0.0.0.2 hands=?.?.?.?/?.?.?.?/1.2.3.4/?.?.?.?";
    let (shape, full) = encode(&game, "fields-full", view);
    assert_eq!(shape.channels, 15);
    assert_eq!(planes(shape, &full, 0, 0)[..11], [0.0, 2.0, 3.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(planes(shape, &full, 0, 1)[..11], [0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn policies_point_at_squares() {
    for (rules, square) in [("", 21), ("board=ordered", 28)] {
        let game = game(rules);
        let view = game.parse_view("viewer=0 turn=0 hands=5.11.13.2/?.?.?.?").unwrap();
        let encoder = &game.encoders()[0];
        assert_eq!(encoder.policy_size(), 36);
        assert_eq!(encoder.policy_index(&game, &view, Cards::new(&[5, 11, 13])), square);
    }
}

// Notation.

/// A policy with details says exactly which cards are played for a field.
#[test]
fn combinations_tell_all_plays_apart() {
    let game = Just4Fun::default();
    let encoder = game.encoders().into_iter().find(|encoder| encoder.name() == "cards-combinations").unwrap();
    for seed in 0..20 {
        let mut rng = Rng::from_seed(seed);
        let mut state = game.initial_state();
        while game.turn(&state) != Turn::Over {
            let Turn::Player(player) = game.turn(&state) else {
                game.play_chance(&mut state, &mut rng);
                continue;
            };
            let view = game.view(&state, Some(player));
            let actions = legal(&game, &state);
            let detail = |&action: &Cards| encoder.policy_detail(&game, &view, action);
            let details: BTreeSet<usize> = actions.iter().map(detail).collect();
            assert!(details.len() == actions.len() && details.iter().all(|&detail| detail < encoder.detail_size()));
            game.apply(&mut state, *rng.choose(&actions));
        }
    }
}

/// Whoever replaces one card of 1, 2, 3, 4 keeps the one three times of four, and field 1 in reach.
#[test]
fn reach_planes_are_chances() {
    let game = Just4Fun::default();
    let (shape, values) = encode(&game, "cards-reach", "viewer=0 turn=0 stones=36:1.0 hands=1.2.3.4/?.?.?.? used=19");
    assert_eq!((shape.channels, shape.vector), (15, 110));
    let on = |row, column| planes(shape, &values, row, column)[11..].to_vec();
    for (row, column) in (0..6).flat_map(|row| (0..6).map(move |column| (row, column))) {
        assert!(on(row, column).iter().all(|chance| (0.0..=1.0 + 1e-5).contains(chance)));
    }
    // Field 1 is the first one.
    assert!(on(0, 0)[0] > 0.7 && on(0, 0)[3] < 0.6, "{:?}", on(0, 0));
}

/// Lines by what a stone of the viewer on a square does to them, and one of the others: completed, prepared, broken.
#[test]
fn threat_planes_count_lines() {
    let game = Just4Fun::default();
    let diagonal = |viewer: u8| {
        let hands = if viewer == 0 { "5.6.7.8/?.?.?.?" } else { "?.?.?.?/5.6.7.8" };
        let view = format!("viewer={viewer} turn={viewer} stones=1:1.0/11:2.0/31:1.0/2:0.2 hands={hands}");
        let (shape, values) = encode(&game, "cards-threats", &view);
        assert_eq!((shape.channels, shape.vector), (17, 110));
        [(0, 0), (1, 1), (2, 2), (3, 3)].map(|(row, column)| planes(shape, &values, row, column)[11..16].to_vec())
    };
    // Field 11 is secured: nobody takes it away.
    let [first, second, third, last] = diagonal(0);
    assert_eq!((first[0], second[0], third[0], last[0], last[4]), (0.0, 0.0, 0.0, 1.0, 0.0));
    let [first, second, third, last] = diagonal(1);
    assert_eq!((last[0], last[2]), (0.0, 1.0));
    assert_eq!((first[4], second[4], third[4], last[4]), (1.0, 0.0, 1.0, 1.0));
}

/// What the planes say about every action of random games is what comes of it.
#[test]
fn threat_planes_foretell_what_a_stone_does() {
    for rules in ["", "players=3", "board=random"] {
        let game = game(rules);
        let encoder = game.encoders().into_iter().find(|encoder| encoder.name() == "cards-threats").unwrap();
        let first = encoder.shape().channels - 6;
        // The planes of threats, and that of majorities.
        let look = |state: &State, viewer: usize| {
            let mut values = vec![0.0; encoder.shape().len()];
            let view = game.view(state, Some(viewer));
            encoder.encode(&game, &view, &mut Tensor::zeroed(encoder.shape(), &mut values));
            let channels = [first, first + 1, first + 2, first + 3, first + 4, game.info().players + 2];
            let on = |square: usize| planes(encoder.shape(), &values, 0, square);
            channels.map(|channel| (0..36).map(|square| on(square)[channel]).collect::<Vec<f32>>())
        };
        let sum = |plane: &[f32]| plane.iter().sum::<f32>();
        let mut broken = 0;
        for seed in 0..12 {
            let (mut rng, mut state) = (Rng::from_seed(seed), game.initial_state());
            while game.turn(&state) != Turn::Over {
                let Turn::Player(mover) = game.turn(&state) else {
                    game.play_chance(&mut state, &mut rng);
                    continue;
                };
                let before = look(&state, mover);
                let view = game.view(&state, Some(mover));
                let action = *rng.choose(&legal(&game, &state));
                let square = encoder.policy_index(&game, &view, action);
                game.apply(&mut state, action);
                let wins = game.turn(&state) == Turn::Over && game.outcome(&state).reason == "pattern";
                assert_eq!(before[0][square] > 0.0, wins, "{action:?}");
                if game.turn(&state) == Turn::Over {
                    break;
                }
                let after = look(&state, mover);
                // A stone that only draws level prepares nothing by itself.
                match after[5][square] > 0.0 {
                    true => assert_eq!(sum(&after[0]), sum(&before[0]) + before[1][square]),
                    false => assert_eq!(before[1][square], 0.0),
                }
                assert_eq!(sum(&after[2]), sum(&before[2]) - before[4][square]);
                broken += before[4][square] as usize;
                let other = (mover + 1) % game.info().players;
                if game.info().players == 2 {
                    assert_eq!([&after[2], &after[3]], [&look(&state, other)[0], &look(&state, other)[1]]);
                }
            }
        }
        assert!(broken > 5, "{rules}: {broken} lines were broken");
    }
}

/// What a network has learnt by one encoder goes on with those that extend it.
#[test]
fn encoders_begin_with_what_they_extend() {
    let game = Just4Fun::default();
    let encoders = game.encoders();
    let mut compared = 0;
    for seed in 0..8 {
        let state = position(&game, seed, 56 + 2 * seed as usize);
        let Turn::Player(mover) = game.turn(&state) else { continue };
        let view = game.view(&state, Some(mover));
        let encode = |encoder: &dyn Encoder<Just4Fun>| {
            let mut values = vec![0.0; encoder.shape().len()];
            encoder.encode(&game, &view, &mut Tensor::zeroed(encoder.shape(), &mut values));
            values
        };
        for encoder in &encoders {
            for name in encoder.extends() {
                let less = encoders.iter().find(|other| other.name() == *name).unwrap();
                let (all, few) = (encode(&**encoder), encode(&**less));
                let (wide, narrow) = (encoder.shape(), less.shape());
                for square in 0..36 {
                    let (more, less) = (planes(wide, &all, 0, square), planes(narrow, &few, 0, square));
                    assert_eq!(more[..narrow.channels], *less, "{} extends {name}", encoder.name());
                }
                assert_eq!(all[36 * wide.channels..], few[36 * narrow.channels..]);
                for action in legal(&game, &state) {
                    assert_eq!(encoder.policy_index(&game, &view, action), less.policy_index(&game, &view, action));
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 10, "{compared}");
}

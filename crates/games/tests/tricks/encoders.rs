//! The network inputs of Sueca and Bisca say what the view says, seen from the viewer.

use meeple_core::{Game, Rng, Tensor, Turn};
use meeple_games::tricks::{Pack, Table, team};
use meeple_games::{Bisca, Sueca};

fn encode<G: Game>(game: &G, view: &G::View) -> Vec<f32> {
    let encoder = &game.encoders()[0];
    assert_eq!((encoder.name(), encoder.policy_size()), ("cards", 40));
    let mut values = vec![0.0; encoder.shape().len()];
    encoder.encode(game, view, &mut Tensor::zeroed(encoder.shape(), &mut values));
    values
}

/// The set of cards that forty numbers stand for.
fn cards(pack: &Pack, values: &[f32]) -> u64 {
    let bits = (0..64).filter(|bit| pack.cards >> bit & 1 == 1);
    bits.zip(values).filter(|&(_, &value)| value == 1.0).fold(0, |set, (bit, _)| set | 1 << bit)
}

fn check(pack: &Pack, table: &Table, seats: usize, viewer: usize, hand: u64, values: &[f32]) {
    let part = |number: usize| cards(pack, &values[40 * number..40 * number + 40]);
    assert_eq!(part(0), hand);
    for place in 0..seats {
        let seat = (viewer + place) % seats;
        assert_eq!(part(1 + place), table.played[seat]);
        let in_trick = table.trick.plays(seats).find(|&(player, _)| player == seat).map_or(0, |(_, card)| card.bit());
        assert_eq!(part(1 + seats + place), in_trick);
    }
    let unplayed = table.seen() & table.trump.bit() == 0;
    assert_eq!(part(1 + 2 * seats), if unplayed { table.trump.bit() } else { 0 });
    let rest = &values[40 * (2 + 2 * seats)..];
    let (suits, rest) = rest.split_at(4);
    assert_eq!(suits.iter().position(|&value| value == 1.0), Some(table.trump.suit()));
    let (holder, rest) = rest.split_at(seats);
    let expected = table.trump_holder.filter(|_| unplayed).map(|seat| (usize::from(seat) + seats - viewer) % seats);
    assert_eq!(holder.iter().position(|&value| value == 1.0), expected);
    let (voids, rest) = rest.split_at(4 * seats);
    for place in 0..seats {
        let shown = (0..4).filter(|suit| voids[4 * place + suit] == 1.0).fold(0, |set, suit| set | 1 << suit);
        assert_eq!(shown, table.voids[(viewer + place) % seats]);
    }
    let points = [team(viewer), 1 - team(viewer)].map(|team| f32::from(table.points[team]) / 120.0);
    assert_eq!(rest[..2], points);
}

/// Calls `check` at every decision of random games.
fn decisions<G: Game>(game: &G, mut check: impl FnMut(&G::State, usize)) {
    let mut rng = Rng::from_seed(8);
    for _ in 0..5 {
        let mut state = game.initial_state();
        game.play_chance(&mut state, &mut rng);
        while let Turn::Player(player) = game.turn(&state) {
            check(&state, player);
            let action = game.random_action(&state, &mut Vec::new(), &mut rng);
            game.apply(&mut state, action);
        }
    }
}

#[test]
fn sueca_inputs_are_seen_from_the_viewer() {
    let game = Sueca::default();
    decisions(&game, |state, player| {
        let view = game.view(state, Some(player));
        check(game.pack(), &view.public.table, 4, player, view.hand, &encode(&game, &view));
    });
}

#[test]
fn bisca_inputs_are_seen_from_the_viewer() {
    let game = Bisca::default();
    decisions(&game, |state, player| {
        let view = game.view(state, Some(player));
        let values = encode(&game, &view);
        check(game.pack(), &view.public.table, 2, player, view.hand, &values);
        let left = game.stock_left(&view.public);
        assert_eq!(values[values.len() - 2..], [left as f32 / 22.0, f32::from(u8::from(left == 0))]);
    });
}

#[test]
fn policies_number_the_cards_like_the_inputs() {
    let game = Sueca::default();
    let encoder = &game.encoders()[0];
    decisions(&game, |state, player| {
        let view = game.view(state, Some(player));
        let values = encode(&game, &view);
        let mut actions = Vec::new();
        game.legal_actions(state, &mut actions);
        assert!(actions.iter().all(|&action| values[encoder.policy_index(&game, &view, action)] == 1.0));
    });
}

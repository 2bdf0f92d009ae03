//! The network inputs of Sueca and Bisca say what the view says, seen from the viewer.

use meeple_core::{Game, Rng, Tensor, Turn};
use meeple_games::cards::Card;
use meeple_games::tricks::{Pack, Table, team};
use meeple_games::{Bisca, Sueca};

fn encode<G: Game>(game: &G, view: &G::View) -> Vec<f32> {
    let encoder = &game.encoders()[0];
    assert_eq!((encoder.name(), encoder.policy_size()), ("cards", 40));
    let mut values = vec![0.0; encoder.shape().len()];
    encoder.encode(game, view, &mut Tensor::zeroed(encoder.shape(), &mut values));
    values
}

/// The set of cards that forty numbers stand for: trump first, then the other suits in their order.
fn cards(pack: &Pack, trump: usize, values: &[f32]) -> u64 {
    let ranks = pack.ranks.len();
    let suits = [trump].into_iter().chain((0..4).filter(|&suit| suit != trump));
    let all = suits.flat_map(|suit| (0..ranks).map(move |strength| Card::new(suit, strength)));
    all.zip(values).filter(|&(_, &value)| value == 1.0).fold(0, |set, (card, _)| set | card.bit())
}

/// The place of the one that is set.
fn only(values: &[f32]) -> Option<usize> {
    assert!(values.iter().sum::<f32>() <= 1.0);
    values.iter().position(|&value| value == 1.0)
}

fn check(pack: &Pack, table: &Table, seats: usize, viewer: usize, hand: u64, values: &[f32]) {
    let trump = table.trump.suit();
    let part = |number: usize| cards(pack, trump, &values[40 * number..40 * number + 40]);
    let place_of = |seat: usize| (seat + seats - viewer) % seats;
    assert_eq!(part(0), hand);
    assert_eq!(part(1), pack.cards & !hand & !table.seen());
    for place in 0..seats {
        let seat = (viewer + place) % seats;
        assert_eq!(part(2 + place), table.played[seat]);
        let in_trick = table.trick.plays(seats).find(|&(player, _)| player == seat).map_or(0, |(_, card)| card.bit());
        assert_eq!(part(2 + seats + place), in_trick);
    }
    let unplayed = table.seen() & table.trump.bit() == 0;
    assert_eq!(part(2 + 2 * seats), if unplayed { table.trump.bit() } else { 0 });
    let (holder, rest) = values[40 * (3 + 2 * seats)..].split_at(seats);
    assert_eq!(only(holder), table.trump_holder.filter(|_| unplayed).map(|seat| place_of(usize::from(seat))));
    let (voids, rest) = rest.split_at(4 * seats);
    let suits: Vec<usize> = [trump].into_iter().chain((0..4).filter(|&suit| suit != trump)).collect();
    for place in 0..seats {
        let shown = (0..4).filter(|number| voids[4 * place + number] == 1.0);
        let shown = shown.fold(0, |set, number| set | 1 << suits[number]);
        assert_eq!(shown, table.voids[(viewer + place) % seats]);
    }
    let (winner, rest) = rest.split_at(seats);
    assert_eq!(only(winner), (!table.trick.is_empty()).then(|| place_of(table.trick.winner(seats))));
    let points = [table.points[team(viewer)], table.points[1 - team(viewer)], table.trick.points(pack)];
    assert_eq!(rest[..3], points.map(|points| f32::from(points) / 120.0));
    assert_eq!(rest[3], (table.completed() * seats) as f32 / 40.0);
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

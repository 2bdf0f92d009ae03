//! The network inputs of Sueca and Bisca say what the view says, seen from the viewer.

use meeple_core::bits::elements;
use meeple_core::{Game, Rng, Tensor, Turn};
use meeple_games::cards::{Card, suit_mask};
use meeple_games::tricks::{Pack, Table, team};
use meeple_games::{Bisca, Sueca};

fn encode<G: Game>(game: &G, view: &G::View) -> Vec<f32> {
    let encoder = &game.encoders()[0];
    assert_eq!((encoder.name(), encoder.policy_size()), ("cards", 40));
    let mut values = vec![0.0; encoder.shape().len()];
    encoder.encode(game, view, &mut Tensor::zeroed(encoder.shape(), &mut values));
    values
}

/// Trump first, then the other suits in their order.
fn by_number(trump: usize) -> [usize; 4] {
    let mut suits = [0, 1, 2, 3];
    suits.sort_by_key(|&suit| (suit != trump, suit));
    suits
}

/// Trump first, then the other suits by what was dealt of them: the most cards, and then the strongest.
fn by_cards(trump: usize, dealt: u64) -> [usize; 4] {
    let cards = |suit: usize| dealt >> (16 * suit) & 0xffff;
    let mut suits = [3, 2, 1, 0];
    suits.sort_by_key(|&suit| (suit == trump, cards(suit).count_ones(), cards(suit), 4 - suit));
    suits.reverse();
    suits
}

/// The set of cards that forty numbers stand for, by the order of their suits.
fn cards(pack: &Pack, suits: [usize; 4], values: &[f32]) -> u64 {
    let ranks = pack.ranks.len();
    let all = suits.into_iter().flat_map(|suit| (0..ranks).map(move |strength| Card::new(suit, strength)));
    all.zip(values).filter(|&(_, &value)| value == 1.0).fold(0, |set, (card, _)| set | card.bit())
}

/// The place of the one that is set.
fn only(values: &[f32]) -> Option<usize> {
    assert!(values.iter().sum::<f32>() <= 1.0);
    values.iter().position(|&value| value == 1.0)
}

fn check(pack: &Pack, table: &Table, suits: [usize; 4], (seats, viewer): (usize, usize), hand: u64, values: &[f32]) {
    let part = |number: usize| cards(pack, suits, &values[40 * number..40 * number + 40]);
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
        let (pack, table) = (game.pack(), &view.public.table);
        let suits = by_cards(table.trump.suit(), view.hand | table.played[player]);
        let values = encode(&game, &view);
        check(pack, table, suits, (4, player), view.hand, &values);
        let hidden = pack.cards & !view.hand & !table.seen();
        let unbeaten = elements(view.hand).map(|bit| Card(bit as u8)).filter(|card| {
            let stronger = suit_mask(card.suit()) & !(card.bit() | (card.bit() - 1));
            hidden & stronger == 0
        });
        let place = values.len() - 63 - 40;
        assert_eq!(cards(pack, suits, &values[place..place + 40]), unbeaten.fold(0, |set, card| set | card.bit()));
    });
}

/// Whoever learns with all cards in sight sees the others' hands in the order of the viewer's suits.
#[test]
fn sueca_critics_see_the_other_hands() {
    let game = Sueca::default();
    let encoder = &game.encoders()[0];
    decisions(&game, |state, player| {
        let view = game.view(state, Some(player));
        let others: Vec<_> = (1..4).map(|step| game.view(state, Some((player + step) % 4))).collect();
        let shape = encoder.hidden_shape(&game);
        let mut values = vec![0.0; shape.len()];
        encoder.encode_hidden(&game, &view, &others, &mut Tensor::zeroed(shape, &mut values));
        let table = &view.public.table;
        let suits = by_cards(table.trump.suit(), view.hand | table.played[player]);
        for (values, other) in values.chunks(40).zip(&others) {
            assert_eq!(cards(game.pack(), suits, values), other.hand);
        }
    });
}

/// Hands that differ by the names of suits alone are the same to a network, unless two suits were dealt alike.
#[test]
fn sueca_inputs_do_not_know_the_names_of_suits() {
    let game = Sueca::default();
    let symmetries = game.symmetries().expect("suits can be exchanged");
    let mut compared = 0;
    decisions(&game, |state, player| {
        let view = game.view(state, Some(player));
        let table = &view.public.table;
        let dealt = |suit: usize| (view.hand | table.played[player]) >> (16 * suit) & 0xffff;
        let others: Vec<u64> = (0..4).filter(|&suit| suit != table.trump.suit()).map(dealt).collect();
        if others[0] == others[1] || others[1] == others[2] || others[0] == others[2] {
            return;
        }
        for symmetry in 0..symmetries.count() {
            assert_eq!(encode(&game, &view), encode(&game, &symmetries.view(symmetry, &view)));
            compared += 1;
        }
    });
    assert!(compared > 100);
}

#[test]
fn bisca_inputs_are_seen_from_the_viewer() {
    let game = Bisca::default();
    decisions(&game, |state, player| {
        let view = game.view(state, Some(player));
        let values = encode(&game, &view);
        let table = &view.public.table;
        check(game.pack(), table, by_number(table.trump.suit()), (2, player), view.hand, &values);
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

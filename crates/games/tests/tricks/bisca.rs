use meeple_core::{Game, laws};
use meeple_games::Bisca;
use meeple_games::bisca::{BiscaRules, RankOrder};

fn tiny(players: usize, hand_size: usize, ranks: usize, suits: usize) -> Bisca {
    Bisca::new(BiscaRules { players, hand_size, ranks, suits, ..BiscaRules::default() })
}

#[test]
fn laws_hold_for_every_variant() {
    let default = BiscaRules::default();
    let laws = laws::Laws { games: 10, ..laws::Laws::default() };
    for (players, hand_size) in [(2, 9), (2, 3), (2, 1), (2, 19), (4, 6), (4, 3), (4, 9)] {
        laws::assert_with(&Bisca::new(BiscaRules { players, hand_size, ..default.clone() }), &laws);
    }
    laws::assert_all(&Bisca::new(BiscaRules { follow_after_stock: false, hand_size: 3, ..default.clone() }));
    laws::assert_all(&Bisca::new(BiscaRules { rank_order: RankOrder::Italian, ..default.clone() }));
    let briscola = BiscaRules { players: 4, hand_size: 3, follow_after_stock: false, ..default };
    laws::assert_with(&Bisca::new(BiscaRules { rank_order: RankOrder::Italian, ..briscola }), &laws);
}

#[test]
fn worlds_are_exact_for_two_players() {
    for (hand_size, ranks, suits) in [(2, 3, 2), (1, 3, 2), (2, 2, 3), (1, 2, 3), (3, 4, 2)] {
        laws::assert_worlds_exhaustively(&tiny(2, hand_size, ranks, suits), 500_000, 500);
    }
}

#[test]
fn worlds_are_exact_without_a_duty_to_follow() {
    let rules = BiscaRules { hand_size: 2, ranks: 2, suits: 3, follow_after_stock: false, ..BiscaRules::default() };
    laws::assert_worlds_exhaustively(&Bisca::new(rules), 500_000, 500);
}

#[test]
fn worlds_are_exact_for_four_players() {
    laws::assert_worlds_exhaustively(&tiny(4, 1, 4, 2), 500_000, 100);
}

#[test]
fn states_are_small() {
    assert!(size_of::<<Bisca as Game>::State>() <= 144, "{}", size_of::<<Bisca as Game>::State>());
}

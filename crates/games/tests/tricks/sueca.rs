use meeple_core::{Game, laws};
use meeple_games::Sueca;
use meeple_games::sueca::SuecaRules;

fn tiny(ranks: usize, suits: usize) -> SuecaRules {
    SuecaRules { ranks, suits, ..SuecaRules::default() }
}

#[test]
fn laws_hold_for_a_single_hand() {
    laws::assert_all(&Sueca::default());
}

#[test]
fn laws_hold_with_weak_hands_dealt_again() {
    laws::assert_all(&Sueca::new(SuecaRules { redeal_weak_hands: true, ..SuecaRules::default() }));
}

#[test]
fn laws_hold_for_matches() {
    let laws = laws::Laws { games: 3, ..laws::Laws::default() };
    for (bandeira_needs_all_tricks, tie_doubles_next) in [(false, false), (true, false), (false, true)] {
        let rules = SuecaRules { to: 4, bandeira_needs_all_tricks, tie_doubles_next, ..SuecaRules::default() };
        laws::assert_with(&Sueca::new(rules), &laws);
    }
    laws::assert_with(&Sueca::new(SuecaRules { to: 10, redeal_weak_hands: true, ..SuecaRules::default() }), &laws);
    // Small packs tie often, so that doubling and the hand limit are met.
    for to in [1, 4] {
        let rules = SuecaRules { to, tie_doubles_next: true, redeal_weak_hands: true, ..tiny(2, 2) };
        laws::assert_all(&Sueca::new(rules));
    }
}

#[test]
fn worlds_are_exact_in_a_pack_of_four_suits() {
    laws::assert_worlds_exhaustively(&Sueca::new(tiny(2, 4)), 500_000, 300);
}

/// The first deal rejects weak hands, the second does not.
#[test]
fn worlds_are_exact_where_weak_hands_are_dealt_again() {
    let rules = SuecaRules { redeal_weak_hands: true, most_redeals: 1, ..tiny(4, 2) };
    laws::assert_worlds_exhaustively(&Sueca::new(rules), 1_000_000, 300);
}

#[test]
fn states_are_small() {
    assert!(size_of::<<Sueca as Game>::State>() <= 128);
}

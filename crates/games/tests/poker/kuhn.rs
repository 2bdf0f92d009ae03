use meeple_core::erased::{AnyPosition, erase, only_random};
use meeple_core::{Game, Notation, Turn, Worlds, laws};
use meeple_games::KuhnPoker;
use meeple_games::poker::kuhn::Action;
use proptest::prelude::*;

use crate::solving::{Strategy, best_response, equilibrium, information_sets, value};

#[test]
fn laws_hold() {
    laws::assert_with(&KuhnPoker, &laws::Laws { games: 200, ..Default::default() });
}

#[test]
fn the_worlds_of_every_view_are_exactly_the_reachable_ones() {
    laws::assert_worlds_exhaustively(&KuhnPoker, 1000, usize::MAX);
}

fn played(texts: &str) -> Box<dyn AnyPosition> {
    let mut position = erase(KuhnPoker, Vec::new(), only_random).start();
    texts.split(' ').for_each(|text| position.apply(text).unwrap());
    position
}

#[test]
fn chips_change_hands_as_in_the_rules() {
    for (texts, chips, reason) in [
        ("K Q check check", 1.0, "showdown"),
        ("J Q check check", -1.0, "showdown"),
        ("J Q bet call", -2.0, "showdown"),
        ("K Q bet call", 2.0, "showdown"),
        ("J K bet fold", 1.0, "fold"),
        ("K J check bet fold", -1.0, "fold"),
        ("Q J check bet call", 2.0, "showdown"),
        ("Q K check bet call", -2.0, "showdown"),
    ] {
        let position = played(texts);
        assert_eq!(position.turn(), Turn::Over, "{texts}");
        let outcome = position.outcome();
        assert_eq!((outcome.scores[0], outcome.payoffs[0], outcome.reason), (chips, chips / 2.0, reason), "{texts}");
    }
}

/// Kuhn's equilibria: the first player bluffs with the jack at `bluff` in [0, 1/3], bets the king
/// three times as often and calls with the queen a third more often.
fn kuhns_strategy(bluff: f64) -> Strategy<KuhnPoker> {
    let active = |view: &str| match view {
        "0:J?" => bluff,
        "0:K?" => 3.0 * bluff,
        "0:Q? check bet" => bluff + 1.0 / 3.0,
        "0:K? check bet" | "1:?K bet" | "1:?K check" => 1.0,
        "1:?Q bet" | "1:?J check" => 1.0 / 3.0,
        "0:Q?" | "0:J? check bet" | "1:?J bet" | "1:?Q check" => 0.0,
        other => panic!("{other} is no decision"),
    };
    let views = information_sets(&KuhnPoker).into_keys();
    let shares = views.map(|view| {
        let share = active(&KuhnPoker.view_text(&view));
        (view, vec![1.0 - share, share])
    });
    shares.collect()
}

#[test]
fn kuhns_equilibria_give_the_first_player_minus_an_eighteenth_and_cannot_be_exploited() {
    for bluff in [0.0, 0.1, 1.0 / 3.0] {
        let strategy = kuhns_strategy(bluff);
        assert_eq!(strategy.len(), 12);
        let chips = 2.0 * value(&KuhnPoker, &strategy, &KuhnPoker.initial_state());
        assert!((chips + 1.0 / 18.0).abs() < 1e-12, "{chips}");
        for (seat, expected) in [(0, -1.0 / 18.0), (1, 1.0 / 18.0)] {
            let best = 2.0 * best_response(&KuhnPoker, &strategy, seat);
            assert!((best - expected).abs() < 1e-12, "seat {seat}: {best}");
        }
    }
    // Bluffing more can be exploited.
    assert!(2.0 * best_response(&KuhnPoker, &kuhns_strategy(0.33 + 0.0034), 1) > 1.0 / 18.0 + 1e-5);
}

#[test]
fn learned_play_reaches_the_value() {
    let strategy = equilibrium(&KuhnPoker, 1000);
    let bounds = [0, 1].map(|seat| 2.0 * best_response(&KuhnPoker, &strategy, seat));
    assert!(bounds[0] + bounds[1] < 2e-3, "{bounds:?}");
    assert!(-bounds[1] <= -1.0 / 18.0 && -1.0 / 18.0 <= bounds[0], "{bounds:?}");
}

#[test]
fn a_seat_knows_its_card_and_what_was_said() {
    let state = KuhnPoker.parse_state("KJ check").unwrap();
    let texts = [Some(0), Some(1), None].map(|viewer| KuhnPoker.view_text(&KuhnPoker.view(&state, viewer)));
    assert_eq!(texts, ["0:K? check", "1:?J check", "*:?? check"]);
    let counts = [Some(0), Some(1), None].map(|viewer| KuhnPoker.worlds(&KuhnPoker.view(&state, viewer)).count());
    assert_eq!(counts, [2.0, 2.0, 6.0]);
    let folded = KuhnPoker.parse_state("KJ bet fold").unwrap();
    assert_eq!(KuhnPoker.view_text(&KuhnPoker.view(&folded, Some(1))), "1:?J bet fold");
    let shown = KuhnPoker.parse_state("KJ bet call").unwrap();
    assert_eq!(KuhnPoker.view_text(&KuhnPoker.view(&shown, None)), "*:KJ bet call");
    let drawn = "seat 0: ?   seat 1: J\nbetting: check\nseat 1 checks or bets";
    assert_eq!(KuhnPoker.render(&KuhnPoker.view(&state, Some(1))), drawn);
}

#[test]
fn the_policy_has_a_passive_and_an_active_output() {
    let encoder = &KuhnPoker.encoders()[0];
    let view = KuhnPoker.parse_view("1:?J check").unwrap();
    let index = |action| encoder.policy_index(&KuhnPoker, &view, action);
    assert_eq!([Action::Check, Action::Fold, Action::Bet, Action::Call].map(index), [0, 0, 1, 1]);
    let mut values = vec![0.0; encoder.shape().len()];
    encoder.encode(&KuhnPoker, &view, &mut meeple_core::Tensor::zeroed(encoder.shape(), &mut values));
    assert_eq!(values, [0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn impossible_texts_say_what_is_wrong() {
    for (text, part) in [
        ("", "2 cards were expected"),
        ("K", "2 cards were expected"),
        ("KQJ", "2 cards were expected"),
        ("KX", "`X` is none of"),
        ("éé", "`é` is none of"),
        ("KK", "than the 1 in the deck"),
        ("K?", "only in views"),
        ("-K", "seat 0 is dealt its card first"),
        ("K- check", "before both cards"),
        ("KQ call", "`call` cannot be said here, only check or bet"),
        ("KQ bet bet", "`bet` cannot be said here, only fold or call"),
        ("KQ check check bet", "after the end"),
        ("KQ  check", "`` cannot be said"),
    ] {
        let error = KuhnPoker.parse_state(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    for (text, part) in [
        ("K?", "begins with"),
        ("2:K?", "begins with"),
        ("0:??", "sees the card of seat 0"),
        ("0:KJ", "does not see the card of seat 1"),
        ("*:K?", "does not see the card of seat 0"),
        ("*:?? check check", "sees the card of seat 0"),
        ("0:K? fold", "cannot be said"),
    ] {
        let error = KuhnPoker.parse_view(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

proptest! {
    #[test]
    fn any_text_gives_a_position_or_an_error(text in "\\PC*", near in "[01*]?:?[JQK?é-]{0,4}( (check|bet|call|fold|)){0,5}") {
        for text in [text, near] {
            if let Ok(state) = KuhnPoker.parse_state(&text) {
                prop_assert_eq!(KuhnPoker.state_text(&state), text.clone());
            }
            if let Ok(view) = KuhnPoker.parse_view(&text) {
                prop_assert_eq!(KuhnPoker.view_text(&view), text);
            }
        }
    }
}

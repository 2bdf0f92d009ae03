use meeple_core::playout::perft;
use meeple_core::{Game, Notation, Turn, laws};
use meeple_games::TicTacToe;

#[test]
fn laws_hold() {
    laws::assert_all(&TicTacToe);
}

#[test]
fn perft_counts_are_the_known_ones() {
    let initial = TicTacToe.initial_state();
    let counts: Vec<u64> = (1..=9).map(|depth| perft(&TicTacToe, &initial, depth)).collect();
    assert_eq!(counts, [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
}

#[test]
fn a_draw_is_worth_zero_without_a_sign() {
    let drawn = TicTacToe.parse_state("xox/xxo/oxo").unwrap();
    let outcome = TicTacToe.outcome(&drawn);
    assert_eq!((outcome.payoffs, outcome.reason), ([0.0; 6], "full board"));
    assert!(outcome.payoffs.iter().all(|payoff| payoff.is_sign_positive()));
}

#[test]
fn impossible_positions_are_refused() {
    for text in ["", "xxx", "xxx/xxx/xxx", "..o/.../...", "xxx/ooo/...", "x?./.../...", "xxx/oo./o..", "äöü/.../..."]
    {
        assert!(TicTacToe.parse_state(text).is_err(), "{text}");
    }
    let won = TicTacToe.parse_state("xxx/oo./...").unwrap();
    assert_eq!(TicTacToe.turn(&won), Turn::Over);
}

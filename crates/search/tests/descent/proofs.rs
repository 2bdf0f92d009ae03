//! Proven results, and values backed up from the ends, are those of plain minimax.

use meeple_core::{Game, Notation, Rng, Turn};
use meeple_games::connect_four::Size;
use meeple_games::{ConnectFour, LinesOfAction, TicTacToe};
use meeple_search::descent::{BestFirst, DescentSettings, Terminal};

use crate::games::{Coins, PATH, Token, TugOfWar};
use crate::minimax::{Minimax, forces};
use crate::{METHODS, agent, decide, exhaustive, settings, small_breakthrough};

/// Searches until the position is resolved; then every proof in the tree is checked.
fn solve<G: Game>(game: &G, state: &G::State, mut searcher: BestFirst<G>, truth: &mut Minimax<G>) -> f32 {
    let report = decide(game, state, &mut searcher, 1).report;
    let value = truth.value(game, state, 0);
    let proven = report.actions[0].proven.expect("the position is resolved");
    assert_eq!(proven[0], value, "{state:?}");
    for entry in searcher.entries().filter(|entry| entry.worth.resolved) {
        let for_first = if entry.team == 0 { entry.worth.completion } else { -entry.worth.completion };
        assert_eq!(f32::from(for_first), truth.value(game, entry.state, 0), "{:?}", entry.state);
    }
    value
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let mut truth = Minimax::of_payoffs();
    for method in METHODS {
        let start = TicTacToe.initial_state();
        let searcher = agent(&TicTacToe, settings(method, 1_000_000));
        assert_eq!(solve(&TicTacToe, &start, searcher, &mut truth), 0.0);
    }
}

#[test]
fn small_boards_of_connect_four_are_solved() {
    let game = ConnectFour::<u64>::new(Size { rows: 4, columns: 4 });
    let mut truth = Minimax::of_payoffs();
    for method in METHODS {
        solve(&game, &game.initial_state(), agent(&game, settings(method, 1_000_000)), &mut truth);
    }
}

#[test]
fn small_boards_of_breakthrough_are_solved() {
    let (game, _) = small_breakthrough();
    let mut truth = Minimax::of_payoffs();
    let (mut wins, mut losses) = (0, 0);
    for number in 0..40 {
        let Some(state) = after_random_actions(&game, number % 6, &mut Rng::stream(1, number)) else { continue };
        for method in METHODS {
            for terminal in [Terminal::Classic, Terminal::Depth] {
                let (game, schadd) = small_breakthrough();
                let settings = DescentSettings { terminal, ..settings(method, 1_000_000) };
                match solve(&game, &state, BestFirst::new(&game, schadd, settings), &mut truth) {
                    1.0 => wins += 1,
                    _ => losses += 1,
                }
            }
        }
    }
    assert!(wins > 0 && losses > 0, "{wins} wins, {losses} losses");
}

/// `None` if the game ends before.
fn after_random_actions<G: Game>(game: &G, actions: u64, rng: &mut Rng) -> Option<G::State> {
    let mut state = game.initial_state();
    for _ in 0..actions {
        let action = game.random_action(&state, &mut Vec::new(), rng);
        game.apply(&mut state, action);
        if game.turn(&state) == Turn::Over {
            return None;
        }
    }
    Some(state)
}

/// With one action of many that wins.
#[test]
fn forced_wins_are_found_in_lines_of_action() {
    let game = LinesOfAction::default();
    for position in ["1b1b1b2/3bw3/4bw2/3w4/b1bw4/6w1/1b1b4/b4w2 w 49", "1b1b4/4www1/8/3w4/2w5/b2b3b/w2w4/4b3 w 109"] {
        let state = game.parse_state(position).unwrap();
        assert!(!forces(&game, &state, 1, 2) && forces(&game, &state, 1, 3));
        for method in METHODS {
            let decision = decide(&game, &state, &mut agent(&game, settings(method, 100_000)), 1);
            assert_eq!(decision.report.actions[0].proven.unwrap()[1], 1.0);
            let mut next = state;
            game.apply(&mut next, decision.action);
            assert!(forces(&game, &next, 1, 4), "{position}: {}", game.action_text(&state, decision.action));
        }
    }
}

#[test]
fn partners_want_the_same() {
    for (players, partners_adjacent) in [(2, false), (4, false), (4, true)] {
        let game = Coins { coins: vec![3, 9, 1, 2, 7, 5, 4, 8, 6], players, partners_adjacent };
        for method in METHODS {
            let searcher = agent(&game, settings(method, 100_000));
            solve(&game, &game.initial_state(), searcher, &mut Minimax::of_payoffs());
        }
    }
}

#[test]
fn margins_are_backed_up() {
    for (players, partners_adjacent) in [(2, false), (4, false), (4, true)] {
        let game = Coins { coins: vec![3, 9, 1, 2, 7, 5, 4, 8], players, partners_adjacent };
        let mut truth = Minimax::of(false, |game: &Coins, state, _| {
            let margins = game.margins().unwrap();
            margins.difference(game, state)[0] / margins.largest(game)
        });
        for method in METHODS {
            let settings = DescentSettings { terminal: Terminal::Score, ..exhaustive(method, 5000) };
            let mut searcher = agent(&game, settings);
            decide(&game, &game.initial_state(), &mut searcher, 1);
            let root = searcher.entries().next().unwrap();
            assert_eq!(root.worth.value, truth.value(&game, root.state, 0));
        }
    }
}

#[test]
fn early_wins_and_late_losses_are_better() {
    let mut truth =
        Minimax::of(true, |game: &TicTacToe, state, ply| game.payoffs(state)[0] * (9.0 - ply as f32 + 1.0) / 9.0);
    for position in ["x../.../o..", "x.o/.../..x", "xo./.../..."] {
        let state = TicTacToe.parse_state(position).unwrap();
        for method in METHODS {
            let settings = DescentSettings { terminal: Terminal::Depth, ..exhaustive(method, 60_000) };
            let mut searcher = agent(&TicTacToe, settings);
            decide(&TicTacToe, &state, &mut searcher, 1);
            let root = searcher.entries().next().unwrap();
            let for_first = if root.team == 0 { root.worth.value } else { -root.worth.value };
            assert_eq!(for_first, truth.value(&TicTacToe, &state, 0), "{position} {method:?}");
        }
    }
}

#[test]
fn lines_without_end_are_cut() {
    for method in METHODS {
        for completed in [true, false] {
            let settings = DescentSettings { completed, ..settings(method, 500) };
            let mut searcher = agent(&TugOfWar, settings);
            assert_eq!(decide(&TugOfWar, &TugOfWar.initial_state(), &mut searcher, 1).report.iterations, 500);
            let win = Token { place: PATH - 1, mover: 0 };
            assert!(decide(&TugOfWar, &win, &mut searcher, 1).action, "{method:?}");
        }
    }
}

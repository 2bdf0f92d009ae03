//! General heuristic terms: values worked out by hand, and laws on random positions of every game
//! with a board.

use meeple_core::{Game, Heuristic, Notation, Reach, Rng, Turn};
use meeple_games::TicTacToe;
use meeple_games::breakthrough::{Breakthrough, Setup};
use meeple_games::chinese_checkers::{ChineseCheckers, ChineseCheckersRules, Move, TinyChineseCheckers};
use meeple_games::connect_four::{ConnectFour, Size};
use meeple_games::lines_of_action::{Action, LinesOfAction, Repetition, WithHistory};
use meeple_games::squares::{Squares, Wide};
use meeple_search::heuristic::{Opponents, Term, TermSettings, Terms};

/// Small enough that tanh changes nothing that a test would see.
const SLOPE: f32 = 1e-3;

fn terms<G: Game>(game: &G, weights: &[(&str, f32)], opponents: Opponents) -> Terms {
    let board = game.board().unwrap();
    let all = Term::of_board(game, board);
    let term = |&(name, weight): &(&str, f32)| {
        let found = all.iter().find(|(known, _)| known == name);
        (found.unwrap_or_else(|| panic!("no term {name}")).1, weight)
    };
    Terms::new(game, board, &TermSettings { terms: weights.iter().map(term).collect(), slope: SLOPE, opponents })
}

/// By how much a player is ahead in one term.
fn lead<G: Game>(game: &G, state: &G::State, term: &str, player: usize) -> f32 {
    terms(game, &[(term, 1.0)], Opponents::Mean).value(game, state, player) / SLOPE
}

fn check<G: Game + Notation<G>>(game: &G, position: &str, expected: &[(&str, f32)]) {
    let state = game.parse_state(position).unwrap();
    for &(term, expected) in expected {
        let found = lead(game, &state, term, 0);
        assert!((found - expected).abs() < 1e-3, "{term} at {position}: {found}, not {expected}");
    }
}

/// White: a1, b2, d4. Black: b5, c5, e5, c3. Distances are steps of a king; the centre is c3.
#[test]
fn terms_of_breakthrough_are_as_worked_out() {
    let game = Breakthrough::<u64>::new(Setup { rows: 5, columns: 5, rows_per_side: 1 });
    let position = ".bb.b/...w./..b../.w.../w.... w";
    check(
        &game,
        position,
        &[
            ("material", 3.0 - 4.0),
            // Of at most 2 steps: 2, 1, 1 against 2, 2, 2, 0.
            ("centre", (0.0 + 0.5 + 0.5) - 1.0),
            // Of at most 2: 0, 1, 1 against 1, 2, 0, 2.
            ("corners", (1.0 + 0.5 + 0.5) - (0.5 + 0.0 + 1.0 + 0.0)),
            // Of at most 2: 0, 1, 1 against 0, 0, 0, 2.
            ("sides", (1.0 + 0.5 + 0.5) - 3.0),
            // Of at most 4 rows: 4, 3, 1 to the top; 4, 4, 4, 2 to the bottom.
            ("own_region", (0.0 + 0.25 + 0.75) - 0.5),
            ("own_region_count", 0.0),
            // a1 is at home; so are b5, c5 and e5.
            ("site_map_count", 1.0 - 3.0),
            ("region(home)", (1.0 + 0.75 + 0.25) - (3.0 + 0.5)),
            // White: a1a2; b2a3 b2b3 b2xc3; d4xc5 d4d5 d4xe5. It is White's turn.
            ("mobility", 7.0),
            // Black: b5a4 b5b4 b5c4; c5b4 c5c4 c5xd4; e5xd4 e5e4; c3xb2 c3c2 c3d2.
            ("mobility_advanced", 7.0 - 11.0),
            // a2 a3 b3 c3 c5 d5 e5 against a4 b4 c4 d4 e4 b2 c2 d2.
            ("influence", 7.0 / 25.0),
            ("influence_advanced", (7.0 - 8.0) / 25.0),
            // b2 and d4 against c3, c5 and e5.
            ("threatened", 2.0 - 3.0),
            // d4 is attacked twice.
            ("threatened_multiple", 3.0 - 3.0),
            ("unthreatened", 1.0 - 1.0),
            ("mover", 1.0),
            ("intercept(0)", 1.0),
            ("intercept(1)", -1.0),
        ],
    );
    check(
        &game,
        ".bb.b/...w./..b../.w.../w.... b",
        &[("mobility", -11.0), ("influence", -8.0 / 25.0), ("mover", -1.0)],
    );
}

#[test]
fn lines_of_tic_tac_toe_are_as_worked_out() {
    // Open for x: row 3 with two, row 2 and column a with one, the diagonal a1-c3 with two. Open
    // for o: row 1 with two.
    let (one, two) = (1.0 / 9.0, 4.0 / 9.0);
    check(&TicTacToe, "x.x/.x./.oo", &[("lines", 2.0 * two + 2.0 * one - two)]);
    check(&TicTacToe, "xox/oox/xxo", &[("lines", 0.0)]);
}

#[test]
fn lines_count_on_boards_of_every_size() {
    fn three_in_a_row<S: Squares>() -> f32 {
        let game = ConnectFour::<S>::new(Size { rows: 6, columns: 7 });
        let state = game.parse_state("......./......./......./......./.oo..../.xxx...").unwrap();
        lead(&game, &state, "lines", 0)
    }
    let expected = three_in_a_row::<u64>();
    assert_eq!(three_in_a_row::<u128>(), expected);
    assert_eq!(three_in_a_row::<Wide>(), expected);
    let game = ConnectFour::<Wide>::new(Size { rows: 12, columns: 12 });
    let mut state = game.initial_state();
    // The bottom right corner, in the third word, has three lines.
    game.apply(&mut state, game.action_from_code(11 * 13));
    assert!((lead(&game, &state, "lines", 0) - 3.0 / 16.0).abs() < 1e-3);
}

/// At the start all is even; the first player then brings a piece one step nearer.
#[test]
fn terms_of_chinese_checkers_are_as_worked_out() {
    let game = star(1, 3);
    let state = game.initial_state();
    for term in ["own_region", "region(tip)", "own_region_count", "site_map_count", "score"] {
        for player in 0..3 {
            assert_eq!(lead(&game, &state, term, player), 0.0, "{term}");
        }
    }
    // One piece each, at home in a tip; the longest way to the opposite tip is 4 steps.
    let mut next = state;
    let mut actions = Vec::new();
    game.legal_actions(&state, &mut actions);
    game.apply(&mut next, actions[0]);
    assert!((lead(&game, &next, "own_region", 0) - 0.25).abs() < 1e-3);
    assert!((lead(&game, &next, "own_region", 1) + 0.125).abs() < 1e-3, "the mean of two opponents");
    let best = terms(&game, &[("own_region", 1.0)], Opponents::Best);
    assert!((best.value(&game, &next, 1) / SLOPE + 0.25).abs() < 1e-3, "the better of two opponents");
    assert!((lead(&game, &next, "site_map_count", 0) + 1.0).abs() < 1e-3);
}

#[test]
fn the_moves_that_a_board_tells_are_the_legal_ones() {
    fn check<G: Game>(game: &G, is_move: impl Fn(G::Action) -> bool) {
        let mut actions = Vec::new();
        each_position(game, |state, mover| {
            game.legal_actions(state, &mut actions);
            let mut reach = Reach::new(false);
            game.board().unwrap().moves(state, mover, &mut reach);
            assert_eq!(reach.moves() as usize, actions.iter().filter(|&&action| is_move(action)).count(), "{state:?}");
        });
    }
    check(&TicTacToe, |_| true);
    check(&ConnectFour::default(), |_| true);
    check(&breakthrough::<u64>(8), |_| true);
    check(&breakthrough::<u128>(10), |_| true);
    check(&breakthrough::<Wide>(12), |_| true);
    check(&LinesOfAction::default(), |action| action != Action::Pass);
    check(&with_history(), |action| action != Action::Pass);
    check(&TinyChineseCheckers::default(), |action| action != Move::PASS);
    check(&star(2, 6), |action| action != Move::PASS);
}

#[test]
fn between_two_one_gains_what_the_other_loses() {
    fn check<G: Game>(game: &G) {
        let heuristics = all_and_named(game);
        each_position(game, |state, _| {
            for terms in &heuristics {
                let values = [0, 1].map(|player| terms.value(game, state, player));
                assert_eq!(values[0], -values[1], "{state:?}");
                assert!(values[0].abs() < 1.0);
            }
        });
    }
    check(&TicTacToe);
    check(&ConnectFour::default());
    check(&breakthrough::<u64>(8));
    check(&breakthrough::<u128>(10));
    check(&breakthrough::<Wide>(12));
    check(&LinesOfAction::default());
    check(&with_history());
    check(&star(4, 2));
}

#[test]
fn among_several_all_leads_add_up_to_nothing() {
    fn check<G: Game>(game: &G) {
        let players = game.info().players;
        let sum = terms(game, &[("own_region", 1.0), ("centre", 0.3), ("mobility_advanced", 0.1)], Opponents::Mean);
        each_position(game, |state, _| {
            let total: f32 = (0..players).map(|player| sum.value(game, state, player)).sum();
            assert!(total.abs() < 1e-4, "{total} at {state:?}");
        });
    }
    check(&TinyChineseCheckers::default());
    check(&star(2, 4));
    check(&star(2, 6));
}

/// Every term at once, with a slope that leaves the range of tanh; then what the game recommends.
fn all_and_named<G: Game>(game: &G) -> Vec<Terms> {
    let board = game.board().unwrap();
    let all = Term::of_board(game, board);
    let settings = |terms, slope| TermSettings { terms, slope, opponents: Opponents::Mean };
    let every = all.iter().enumerate().map(|(number, &(_, term))| (term, 0.3 * number as f32 - 1.0)).collect();
    let mut heuristics = vec![Terms::new(game, board, &settings(every, 100.0))];
    for set in board.weights() {
        let term = |name: &str| all.iter().find(|(known, _)| known == name).unwrap().1;
        let terms = set.terms.iter().map(|&(name, weight)| (term(name), weight)).collect();
        heuristics.push(Terms::new(game, board, &settings(terms, set.slope)));
    }
    heuristics
}

fn breakthrough<S: Squares>(width: usize) -> Breakthrough<S> {
    Breakthrough::new(Setup { rows: width, columns: width, rows_per_side: 2 })
}

fn with_history() -> WithHistory {
    WithHistory { game: LinesOfAction::default(), repetition: Repetition::Third }
}

fn star(size: usize, players: usize) -> ChineseCheckers {
    ChineseCheckers::new(ChineseCheckersRules { size, players, ..Default::default() })
}

/// Random games, up to 60 moves of each.
fn each_position<G: Game>(game: &G, mut visit: impl FnMut(&G::State, usize)) {
    let (mut rng, mut buffer) = (Rng::from_seed(7), Vec::new());
    for _ in 0..10 {
        let mut state = game.initial_state();
        for _ in 0..60 {
            let Turn::Player(mover) = game.turn(&state) else { break };
            visit(&state, mover);
            let action = game.random_action(&state, &mut buffer, &mut rng);
            game.apply(&mut state, action);
        }
    }
}

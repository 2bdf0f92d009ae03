use meeple_core::playout::perft;
use meeple_core::{FromRules, Game, Notation, Rng, RuleReader, Rules, Tensor, Turn, laws};
use meeple_games::Breakthrough;
use meeple_games::breakthrough::{Setup, State};
use meeple_games::squares::{Squares, Wide};
use proptest::prelude::*;

mod naive;

fn setup(rows: usize, columns: usize, rows_per_side: usize) -> Setup {
    Setup { rows, columns, rows_per_side }
}

fn standard() -> Breakthrough {
    Breakthrough::new(Setup::default())
}

fn texts<S: Squares>(game: &Breakthrough<S>, state: &State<S>) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let mut texts: Vec<String> = actions.into_iter().map(|action| game.action_text(state, action)).collect();
    texts.sort();
    texts
}

/// The state after the moves, each of which must be legal.
fn play<S: Squares>(game: &Breakthrough<S>, mut state: State<S>, moves: &[&str]) -> State<S> {
    for &text in moves {
        let mut actions = Vec::new();
        game.legal_actions(&state, &mut actions);
        let action = actions.into_iter().find(|&action| game.action_text(&state, action) == text);
        game.apply(&mut state, action.unwrap_or_else(|| panic!("{text} is not legal")));
    }
    state
}

fn from_rules(text: &str) -> Result<Setup, String> {
    Setup::from_rules(&mut RuleReader::new(&Rules::parse(text).unwrap())).map_err(|error| error.0)
}

#[test]
fn laws_hold_on_every_kind_of_board() {
    for (rows, columns, rows_per_side) in [
        (8, 8, 2),
        (6, 6, 2),
        (5, 5, 2),
        (5, 5, 1),
        (4, 4, 2),
        (2, 2, 1),
        (2, 12, 1),
        (12, 2, 6),
        (12, 5, 3),
        (7, 9, 2),
    ] {
        laws::assert_all(&Breakthrough::<u64>::new(setup(rows, columns, rows_per_side)));
    }
}

#[test]
fn laws_hold_on_boards_of_more_than_64_squares() {
    let few = laws::Laws { games: 10, ..laws::Laws::default() };
    for (rows, columns, rows_per_side) in [(12, 12, 2), (12, 12, 6), (9, 8, 2), (10, 12, 1), (4, 4, 2)] {
        laws::assert_with(&Breakthrough::<Wide>::new(setup(rows, columns, rows_per_side)), &few);
    }
    for (rows, columns, rows_per_side) in [(9, 8, 2), (10, 12, 5), (4, 4, 2)] {
        laws::assert_with(&Breakthrough::<u128>::new(setup(rows, columns, rows_per_side)), &few);
    }
}

#[test]
fn opening_moves_are_the_known_ones() {
    for (size, moves) in [(8, 22), (6, 16), (5, 13), (4, 6)] {
        let game = Breakthrough::<u64>::new(setup(size, size, 2));
        assert_eq!(perft(&game, &game.initial_state(), 1), moves, "{size}x{size}");
    }
}

#[test]
fn reaching_the_far_row_wins_with_or_without_a_capture() {
    let game = standard();
    let before = game.parse_state("1b4bb/w7/8/8/8/8/8/8 w").unwrap();
    assert_eq!(texts(&game, &before), ["a7a8", "a7b8"]);
    for step in ["a7b8", "a7a8"] {
        let after = play(&game, before, &[step]);
        assert_eq!(game.turn(&after), Turn::Over);
        assert_eq!(game.outcome(&after).payoffs[..2], [1.0, -1.0]);
        assert_eq!(game.outcome(&after).reason, "far row reached");
    }
    let after = play(&game, game.parse_state("8/8/8/8/8/8/3b4/w7 b").unwrap(), &["d2d1"]);
    assert_eq!(game.outcome(&after).payoffs[..2], [-1.0, 1.0]);
}

#[test]
fn a_pawn_is_blocked_straight_ahead_and_captures_diagonally() {
    let game = standard();
    let open = game.parse_state("8/8/8/3b4/3w4/8/8/8 w").unwrap();
    assert_eq!(texts(&game, &open), ["d4c5", "d4e5"]);
    let enemies = game.parse_state("8/8/8/2bbb3/3w4/8/8/8 w").unwrap();
    assert_eq!(texts(&game, &enemies), ["d4c5", "d4e5"]);
    let own = game.parse_state("8/8/8/2wbw3/3w4/8/8/8 w").unwrap();
    assert!(!texts(&game, &own).iter().any(|text| text.starts_with("d4")));
    assert_eq!(game.state_text(&play(&game, enemies, &["d4e5"])), "8/8/8/2bbw3/8/8/8/8 b");
}

#[test]
fn taking_the_last_pawn_wins_at_once() {
    let game = standard();
    let after = play(&game, game.parse_state("8/8/8/4b3/3w4/8/8/8 w").unwrap(), &["d4e5"]);
    assert_eq!(game.turn(&after), Turn::Over);
    assert_eq!(game.outcome(&after).payoffs[..2], [1.0, -1.0]);
    assert_eq!(game.outcome(&after).reason, "all pawns captured");
    let after = play(&game, game.parse_state("8/8/8/4b3/3w4/8/8/8 b").unwrap(), &["e5d4"]);
    assert_eq!(game.outcome(&after).payoffs[..2], [-1.0, 1.0]);
}

#[test]
fn the_longest_game_with_two_rows_is_the_known_bound() {
    for (rows, columns) in [(8, 8), (6, 6), (5, 7), (4, 2), (12, 5)] {
        let game = Breakthrough::<u64>::new(setup(rows, columns, 2));
        assert_eq!(game.info().longest_game, 2 * columns * (2 * rows - 5) + 1);
    }
    assert_eq!(standard().info().longest_game, 177);
    assert_eq!(Breakthrough::<u64>::new(setup(2, 4, 1)).info().longest_game, 1);
}

#[test]
fn large_boards_have_two_digits_in_their_squares() {
    let game = Breakthrough::<Wide>::new(setup(12, 12, 2));
    assert_eq!(
        game.state_text(&game.initial_state()),
        "bbbbbbbbbbbb/bbbbbbbbbbbb/12/12/12/12/12/12/12/12/wwwwwwwwwwww/wwwwwwwwwwww w"
    );
    let state = game.parse_state("bbbbbbbbbbbb/11b/11w/w11/12/12/12/12/12/12/12/12 w").unwrap();
    assert_eq!(texts(&game, &state), ["a9a10", "a9b10", "l10k11"]);
}

/// On boards of 64 squares and fewer the small sets and the larger ones play alike.
#[test]
fn sets_of_all_sizes_agree() {
    for (rows, columns) in [(8, 8), (4, 5), (12, 5)] {
        let small = Breakthrough::<u64>::new(setup(rows, columns, 2));
        let double = Breakthrough::<u128>::new(setup(rows, columns, 2));
        let wide = Breakthrough::<Wide>::new(setup(rows, columns, 2));
        for depth in 1..=4 {
            let count = perft(&small, &small.initial_state(), depth);
            assert_eq!(perft(&double, &double.initial_state(), depth), count, "{rows}x{columns} depth {depth}");
            assert_eq!(perft(&wide, &wide.initial_state(), depth), count, "{rows}x{columns} depth {depth}");
        }
    }
}

fn compare_with_naive<S: Squares>(game: &Breakthrough<S>, games: u32, depth: u32) {
    let mut rng = Rng::from_seed(7);
    for _ in 0..games {
        let mut state = game.initial_state();
        let mut board = naive::Board::read(&game.state_text(&state));
        while game.turn(&state) != Turn::Over {
            let moves = board.moves();
            let mut names: Vec<&String> = moves.iter().map(|(name, _)| name).collect();
            names.sort();
            assert_eq!(texts(game, &state).iter().collect::<Vec<_>>(), names, "{}", game.state_text(&state));
            if rng.below(12) == 0 {
                assert_eq!(perft(game, &state, depth), board.perft(depth), "{}", game.state_text(&state));
            }
            let action = game.random_action(&state, &mut Vec::new(), &mut rng);
            let text = game.action_text(&state, action);
            board = moves.into_iter().find(|(name, _)| *name == text).unwrap().1;
            game.apply(&mut state, action);
        }
        assert!(board.moves().is_empty());
    }
}

#[test]
fn an_independent_slow_move_generator_agrees() {
    let game = standard();
    assert_eq!(naive::Board::read(&game.state_text(&game.initial_state())).perft(4), 256_036);
    compare_with_naive(&game, 5, 3);
    compare_with_naive(&Breakthrough::<u64>::new(setup(5, 5, 1)), 5, 4);
    compare_with_naive(&Breakthrough::<u64>::new(setup(4, 2, 2)), 5, 4);
    compare_with_naive(&Breakthrough::<Wide>::new(setup(12, 12, 2)), 1, 2);
}

#[test]
fn impossible_rules_are_refused() {
    assert_eq!(from_rules("").unwrap(), Setup::default());
    assert_eq!(from_rules("rows=5,columns=7,rows_per_side=1").unwrap(), setup(5, 7, 1));
    for text in
        ["rows=3", "rows=1", "columns=1", "columns=13", "rows=13", "rows_per_side=5", "rows_per_side=0", "rows=x"]
    {
        assert!(from_rules(text).is_err(), "{text}");
    }
    assert!(from_rules("rows=3").unwrap_err().contains("at most 1"));
}

#[test]
fn impossible_positions_are_refused_with_the_reason() {
    for (text, reason) in [
        ("", "parts"),
        ("8/8/8/8/8/8/8/8", "parts"),
        ("8/8/8/8/8/8/w7/8 w", "won before"),
        ("8/8/8/8/8/8/8/8 w", "won before"),
        ("w7/8/8/8/8/8/1b6/8 w", "won before"),
        ("ww6/8/8/8/8/8/1b6/8 b", "ended before"),
        ("w7/8/8/8/8/8/8/8 b", "ended before"),
        ("bbbbbbbb/bbbbbbbb/8/8/8/w7/wwwwwwww/wwwwwwww w", "17 pawns"),
        ("bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww b", "steps"),
        ("bbbbbbbb/bbbbbbbb/8/8/8/w7/1wwwwwww/wwwwwwww w", "steps"),
        ("bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwww1 w", "Black made at most 0 steps"),
        ("bbbbbbbb/1bbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww w", "White made at most 0 steps"),
        ("bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/1wwwwwww b", "Black made at most 0 steps"),
        ("bbbbbbbb/bbbbbbb1/b7/8/w1w1w1w1/8/1w1w1w1w/wwwwwww1 w", "White made 8 to 14 steps and Black 1"),
        ("bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww x", "who moves"),
        ("b7/8/8/8/8/8/w7 w", "7 rows"),
        ("b8/8/8/8/8/8/8/w7 w", "more than 8"),
        ("b6/8/8/8/8/8/8/w7 w", "fewer than 8"),
        ("b99999999999999999999/8/8/8/8/8/8/w7 w", "more than 8"),
        ("b7/8/8/8/ü7/8/8/w7 w", "none of"),
    ] {
        let error = standard().parse_state(text).unwrap_err().0;
        assert!(error.contains(reason), "{text}: {error}");
    }
    let dots = standard().parse_state("b......./8/8/4..../8/8/8/w7 w").unwrap();
    assert_eq!(standard().state_text(&dots), "b7/8/8/8/8/8/8/w7 w");
}

#[test]
fn the_second_symmetry_mirrors_the_columns() {
    let game = standard();
    let symmetries = game.symmetries().unwrap();
    assert_eq!(symmetries.count(), 2);
    let state = game.parse_state("b7/8/8/8/4b3/1w6/8/8 w").unwrap();
    assert_eq!(game.state_text(&symmetries.state(1, &state)), "7b/8/8/8/3b4/6w1/8/8 w");
}

#[test]
fn the_network_sees_the_board_from_the_mover() {
    let game = standard();
    let encoder = &game.encoders()[0];
    let encode = |state: &State<u64>| {
        let mut values = vec![0.0; encoder.shape().len()];
        encoder.encode(&game, state, &mut Tensor::zeroed(encoder.shape(), &mut values));
        values
    };
    let white = game.parse_state("7b/8/8/8/8/2w5/8/8 w").unwrap();
    let black = game.parse_state("8/8/5b2/8/8/8/8/w7 b").unwrap();
    assert_eq!(encode(&white), encode(&black), "half a turn of each other, with the colours exchanged");
    assert_eq!(encode(&white)[(2 * 8 + 2) * 2], 1.0);
    assert_eq!(encode(&white)[(7 * 8 + 7) * 2 + 1], 1.0);
    assert_eq!(encode(&white).iter().sum::<f32>(), 2.0);

    let indices = |state: &State<u64>, moves: [&str; 3]| {
        let mut actions = Vec::new();
        game.legal_actions(state, &mut actions);
        let find = |text: &str| *actions.iter().find(|&&action| game.action_text(state, action) == text).unwrap();
        moves.map(|text| encoder.policy_index(&game, state, find(text)))
    };
    assert_eq!(indices(&white, ["c3b4", "c3c4", "c3d4"]), [54, 55, 56]);
    assert_eq!(indices(&black, ["f6g5", "f6f5", "f6e5"]), [54, 55, 56]);
    assert_eq!(encoder.policy_size(), 192);
}

proptest! {
    #[test]
    fn any_text_gets_an_answer(text in "\\PC{0,40}") {
        let _ = standard().parse_state(&text);
    }

    /// A valid text with one character replaced is refused, or read as what it says.
    #[test]
    fn mutated_positions_are_refused_or_read_faithfully(seed in 0u64..500, place in 0usize..80, symbol in "[wb/.0-9 ?ß]") {
        let game = standard();
        let mut rng = Rng::from_seed(seed);
        let mut state = game.initial_state();
        for _ in 0..rng.below(60) {
            if game.turn(&state) != Turn::Over {
                let action = game.random_action(&state, &mut Vec::new(), &mut rng);
                game.apply(&mut state, action);
            }
        }
        let mut symbols: Vec<String> = game.state_text(&state).chars().map(String::from).collect();
        let place = place % symbols.len();
        symbols[place] = symbol;
        if let Ok(state) = game.parse_state(&symbols.concat()) {
            prop_assert_eq!(game.parse_state(&game.state_text(&state)), Ok(state));
        }
    }
}

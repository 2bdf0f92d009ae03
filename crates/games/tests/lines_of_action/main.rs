use meeple_core::playout::perft;
use meeple_core::{FromRules, Game, Notation, Rng, RuleReader, Rules, Tensor, Turn, laws};
use meeple_games::LinesOfAction;
use meeple_games::lines_of_action::{NoMove, Repetition, Simultaneous, Variant, WithHistory};
use proptest::prelude::*;

mod naive;

const STANDARD: LinesOfAction = LinesOfAction { simultaneous: Simultaneous::Draw, no_move: NoMove::Loss };
const MOVER_WINS: LinesOfAction = LinesOfAction { simultaneous: Simultaneous::MoverWins, ..STANDARD };
const PASSING: LinesOfAction = LinesOfAction { no_move: NoMove::Pass, ..STANDARD };
const THIRD: WithHistory = WithHistory { game: STANDARD, repetition: Repetition::Third };
const FIRST: WithHistory = WithHistory { game: STANDARD, repetition: Repetition::First };

/// White, to move, is walled in.
const WALLED_IN: &str = "8/8/8/8/8/8/bb4bb/wb4bw w";
/// Nobody can move.
const FROZEN: &str = "2w1b1w1/1b1b1b1b/2w1b1w1/1w1w1w1w/2w1b1w1/1b1b1b1b/2w1b1w1/8";

fn texts<G: Game>(game: &G, state: &G::State) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let mut texts: Vec<String> = actions.into_iter().map(|action| game.action_text(state, action)).collect();
    texts.sort();
    texts
}

/// The state after the moves, each of which must be legal.
fn play<G: Game>(game: &G, mut state: G::State, moves: &[&str]) -> G::State {
    for &text in moves {
        let mut actions = Vec::new();
        assert_ne!(game.turn(&state), Turn::Over, "before {text}");
        game.legal_actions(&state, &mut actions);
        let action = actions.into_iter().find(|&action| game.action_text(&state, action) == text);
        game.apply(&mut state, action.unwrap_or_else(|| panic!("{text} is not legal")));
    }
    state
}

fn parse<G: Game>(game: &G, text: &str) -> G::State {
    game.notation().unwrap().parse_state(text).unwrap()
}

/// Black's payoff and the reason.
fn result<G: Game>(game: &G, state: &G::State) -> (f32, &'static str) {
    assert_eq!(game.turn(state), Turn::Over);
    let outcome = game.outcome(state);
    (outcome.payoffs[0], outcome.reason)
}

#[test]
fn laws_hold_without_history() {
    for game in [STANDARD, MOVER_WINS, PASSING, LinesOfAction { no_move: NoMove::Pass, ..MOVER_WINS }] {
        laws::assert_with(&game, &laws::Laws { games: 6, ..laws::Laws::default() });
    }
}

#[test]
fn laws_hold_with_history() {
    for repetition in [Repetition::Third, Repetition::First] {
        for game in [STANDARD, LinesOfAction { no_move: NoMove::Pass, ..MOVER_WINS }] {
            laws::assert_with(&WithHistory { game, repetition }, &laws::Laws { games: 2, ..laws::Laws::default() });
        }
    }
}

#[test]
fn black_has_36_opening_moves() {
    let moves = texts(&STANDARD, &STANDARD.initial_state());
    assert_eq!(moves.len(), 36);
    let of_b1: Vec<&String> = moves.iter().filter(|text| text.starts_with("b1")).collect();
    assert_eq!(of_b1, ["b1b3", "b1d3", "b1h1"]);
}

#[test]
fn a_piece_jumps_its_own_colour_only() {
    let state = parse(&STANDARD, "8/8/8/w2b1b1w/8/8/8/8 b");
    let along_the_row: Vec<String> = texts(&STANDARD, &state).into_iter().filter(|text| text.ends_with('5')).collect();
    assert_eq!(along_the_row, ["d5h5", "f5b5"]);
}

#[test]
fn a_capture_that_connects_both_sides_is_a_draw_or_the_movers_win() {
    for (game, payoff) in [(STANDARD, 0.0), (MOVER_WINS, 1.0)] {
        let state = play(&game, parse(&game, "6bw/8/7b/8/3w4/8/8/8 b"), &["h6h8"]);
        assert_eq!(result(&game, &state), (payoff, "both connected"));
    }
    // The same with White as the mover.
    let state = play(&MOVER_WINS, parse(&MOVER_WINS, "6wb/8/7w/8/3b4/8/8/8 w"), &["h6h8"]);
    assert_eq!(result(&MOVER_WINS, &state), (-1.0, "both connected"));
}

#[test]
fn a_capture_can_connect_the_other_side() {
    let state = play(&STANDARD, parse(&STANDARD, "w7/8/b7/8/3w4/3w4/8/7b b"), &["a6a8"]);
    assert_eq!(result(&STANDARD, &state), (-1.0, "connected"));
    assert_eq!(
        result(&MOVER_WINS, &play(&MOVER_WINS, parse(&MOVER_WINS, "w7/8/b7/8/3w4/3w4/8/7b b"), &["a6a8"])).0,
        -1.0
    );
}

#[test]
fn a_player_without_a_move_loses_or_passes() {
    assert_eq!(result(&STANDARD, &parse(&STANDARD, WALLED_IN)), (1.0, "no move"));
    let walled_in = parse(&PASSING, WALLED_IN);
    assert_eq!(PASSING.turn(&walled_in), Turn::Player(1));
    assert_eq!(texts(&PASSING, &walled_in), ["pass"]);
    let after = play(&PASSING, walled_in, &["pass"]);
    assert_eq!(PASSING.turn(&after), Turn::Player(0));
    assert_eq!(PASSING.state_text(&after), "8/8/8/8/8/8/bb4bb/wb4bw b 20");
    // Reached by a move rather than set up.
    let before = parse(&STANDARD, "8/8/8/8/1b6/8/b5bb/wb4bw b");
    assert_eq!(result(&STANDARD, &play(&STANDARD, before, &["b4b2"])), (1.0, "no move"));
}

#[test]
fn the_game_is_a_draw_if_neither_may_move_and_both_should_pass() {
    for (side, payoff) in [("b", -1.0), ("w", 1.0)] {
        let position = format!("{FROZEN} {side}");
        assert_eq!(result(&PASSING, &parse(&PASSING, &position)), (0.0, "neither can move"));
        assert_eq!(result(&STANDARD, &parse(&STANDARD, &position)), (payoff, "no move"));
    }
}

#[test]
fn a_game_without_result_is_a_draw_at_ply_1000() {
    let last = parse(&STANDARD, "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 w 999");
    assert_eq!(STANDARD.turn(&last), Turn::Player(1));
    assert_eq!(result(&STANDARD, &play(&STANDARD, last, &["a2c2"])), (0.0, "too long"));
    // A move that connects still wins.
    let state = play(&STANDARD, parse(&STANDARD, "b6b/8/8/8/2w5/8/8/2w5 w 999"), &["c1c3"]);
    assert_eq!(result(&STANDARD, &state), (-1.0, "connected"));
}

/// Black's b1 and White's a2 can go to the far end of their lines and back.
const THERE_AND_BACK: [&str; 4] = ["b1h1", "a2a8", "h1b1", "a8a2"];

#[test]
fn the_first_or_the_third_recurrence_is_a_draw() {
    let state = play(&FIRST, FIRST.initial_state(), &THERE_AND_BACK);
    assert_eq!(result(&FIRST, &state), (0.0, "repetition"));
    let twice = [THERE_AND_BACK, THERE_AND_BACK].concat();
    let state = play(&THIRD, THIRD.initial_state(), &twice[..7]);
    assert_eq!(THIRD.turn(&state), Turn::Player(1));
    let state = play(&THIRD, state, &twice[7..]);
    assert_eq!(result(&THIRD, &state), (0.0, "repetition"));
    // Black returns in three moves, White in two: the same board with the other side to move.
    let position = "w2bb2b/4wb1w/w4ww1/w4b2/w3b3/4b3/2b1w3/2w1b3 b";
    let moves = ["e3f3", "a5c3", "f3d3", "c3a5", "d3e3"];
    assert_eq!(result(&FIRST, &play(&FIRST, parse(&FIRST, position), &moves)), (0.0, "repetition"));
    assert_eq!(THIRD.turn(&play(&THIRD, parse(&THIRD, position), &moves)), Turn::Player(1));
    // A pass makes no board; with the side to move it is a new position.
    for repetition in [Repetition::First, Repetition::Third] {
        let game = WithHistory { game: PASSING, repetition };
        let state = play(&game, parse(&game, WALLED_IN), &["pass"]);
        assert_eq!(game.turn(&state), Turn::Player(0));
        assert_eq!(game.state_text(&state), format!("{WALLED_IN} 19 pass"));
    }
    let without = play(&STANDARD, STANDARD.initial_state(), &[&twice[..], &twice[..]].concat());
    assert_eq!(STANDARD.turn(&without), Turn::Player(0));
}

#[test]
fn positions_are_the_same_whenever_they_come() {
    fn check<G: Game>(game: &G) {
        let start = game.initial_state();
        let state = play(game, start.clone(), &THERE_AND_BACK);
        assert_ne!(state, start);
        assert_eq!(game.position_key(&state), game.position_key(&start));
        for moves in 1..4 {
            let between = play(game, start.clone(), &THERE_AND_BACK[..moves]);
            assert_ne!(game.position_key(&between), game.position_key(&start));
        }
    }
    check(&STANDARD);
    check(&THIRD);
}

/// Players who like to take back their last move meet old positions often; a list of all boards
/// of the game tells when.
#[test]
fn a_list_of_all_boards_gives_the_same_draws() {
    for (game, draws_before_the_end) in [(FIRST, 250), (THIRD, 100)] {
        let draws = (0..300).filter(|&seed| ends_by_repetition(&game, seed)).count();
        assert!(draws >= draws_before_the_end && draws < 300, "{game:?}: {draws}");
    }
}

/// Plays a game with and without history side by side.
fn ends_by_repetition(game: &WithHistory, seed: u64) -> bool {
    let mut rng = Rng::from_seed(seed);
    let start = "b6b/8/8/3w4/8/8/8/w6w b";
    let (mut state, mut plain) = (parse(game, start), parse(&STANDARD, start));
    let mut boards: Vec<(String, Turn)> = Vec::new();
    let mut moves: Vec<String> = Vec::new();
    loop {
        let board = STANDARD.state_text(&plain).split(' ').next().unwrap().to_string();
        let turn = STANDARD.turn(&plain);
        let same_board = boards.iter().filter(|(earlier, _)| *earlier == board);
        let recurs = match game.repetition {
            Repetition::First => same_board.count() == 1,
            Repetition::Third => same_board.filter(|(_, mover)| *mover == turn).count() == 2,
        };
        if recurs {
            assert_eq!(result(game, &state), (0.0, "repetition"));
            return true;
        }
        assert_eq!(game.turn(&state), turn);
        if turn == Turn::Over {
            assert_eq!(game.outcome(&state), STANDARD.outcome(&plain));
            return false;
        }
        boards.push((board, turn));
        let mut choice = STANDARD.random_action(&plain, &mut Vec::new(), &mut rng);
        if moves.len() >= 2 && rng.below(4) > 0 {
            let (from, to) = moves[moves.len() - 2].split_at(2);
            let mut actions = Vec::new();
            STANDARD.legal_actions(&plain, &mut actions);
            let back =
                actions.into_iter().find(|&action| STANDARD.action_text(&plain, action) == format!("{to}{from}"));
            choice = back.unwrap_or(choice);
        }
        moves.push(STANDARD.action_text(&plain, choice));
        STANDARD.apply(&mut plain, choice);
        game.apply(&mut state, choice);
    }
}

#[test]
fn histories_are_told_apart_and_written_as_moves() {
    let start = "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b 0";
    let once = play(&THIRD, THIRD.initial_state(), &THERE_AND_BACK);
    assert_eq!(THIRD.state_text(&once), format!("{start} b1h1 a2a8 h1b1 a8a2"));
    let fresh = parse(&THIRD, "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b 4");
    assert_eq!(texts(&THIRD, &once), texts(&THIRD, &fresh));
    assert_ne!(once, fresh);
    assert_ne!(THIRD.view_key(&once, None), THIRD.view_key(&fresh, None));

    // A capture makes everything before it irrelevant.
    let captured = play(&THIRD, THIRD.initial_state(), &["c1a3", "h3f1"]);
    assert_eq!(
        captured,
        parse(&THIRD, &STANDARD.state_text(&play(&STANDARD, STANDARD.initial_state(), &["c1a3", "h3f1"])))
    );

    for (text, reason) in [
        (format!("{start} b1h1 a2a8 a1a2"), "`a1a2` is not a legal move"),
        (format!("{start} b1h1 pass"), "`pass` is not a legal move"),
        (format!("{start} 7"), "`7` is not a legal move"),
        (format!("{WALLED_IN} a1a2"), "after the end"),
        (String::new(), "parts"),
    ] {
        let error = THIRD.parse_state(&text).unwrap_err().0;
        assert!(error.contains(reason), "{text}: {error}");
    }
}

/// Moves, ends and results of random games; counts from some of their positions.
fn compare_with_naive(game: &LinesOfAction, games: u64) {
    for number in 0..games {
        let mut rng = Rng::stream(11, number);
        let mut state = game.initial_state();
        loop {
            let board = naive::Board::read(&game.state_text(&state));
            let mut names: Vec<String> = board.moves().into_iter().map(|(name, _)| name).collect();
            names.sort();
            if game.turn(&state) == Turn::Over {
                assert_eq!(game.outcome(&state).reason, board.end(), "{}", game.state_text(&state));
                break;
            }
            assert_eq!(board.end(), "", "{}", game.state_text(&state));
            assert_eq!(texts(game, &state), names, "{}", game.state_text(&state));
            if rng.below(40) == 0 {
                assert_eq!(perft(game, &state, 3), board.perft(3), "{}", game.state_text(&state));
            }
            let action = game.random_action(&state, &mut Vec::new(), &mut rng);
            game.apply(&mut state, action);
        }
    }
}

#[test]
fn an_independent_slow_move_generator_agrees() {
    assert_eq!(naive::Board::read(&STANDARD.state_text(&STANDARD.initial_state())).perft(3), 44_952);
    compare_with_naive(&STANDARD, 6);
    compare_with_naive(&MOVER_WINS, 2);
}

#[test]
fn rules_choose_the_game() {
    let read = |text: &str| Variant::from_rules(&mut RuleReader::new(&Rules::parse(text).unwrap()));
    assert_eq!(read("").unwrap(), Variant::WithoutHistory(STANDARD));
    assert_eq!(read("simultaneous=mover_wins").unwrap(), Variant::WithoutHistory(MOVER_WINS));
    assert_eq!(read("no_move=pass,repetition=none").unwrap(), Variant::WithoutHistory(PASSING));
    assert_eq!(read("repetition=third").unwrap(), Variant::WithHistory(THIRD));
    assert_eq!(read("repetition=first").unwrap(), Variant::WithHistory(FIRST));
    for text in ["repetition=second", "no_move=draw", "simultaneous=win"] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn impossible_positions_are_refused_with_the_reason() {
    for (text, reason) in [
        ("", "parts"),
        ("8/8/8/8/8/8/8/8 b 0 b1b3", "parts"),
        ("8/8/8/8/8/8/8/8 b 40", "0 pieces"),
        ("bbbbbbbb/bbbbb3/8/8/8/8/8/w6w b 40", "13 pieces"),
        ("8/8/8/3b4/4w3/8/8/8 b 40", "single piece"),
        ("bbbb4/bbbb4/bbbb4/8/8/8/w5w1/w6w b 40", "ended"),
        ("b7/8/8/8/8/8/w5w1/w6w w 41", "ended"),
        ("b1b5/8/8/8/8/8/8/w6w b 18", "before ply 20"),
        ("b1b5/8/8/8/8/8/8/w6w w 19", "before ply 21"),
        ("b1b5/8/8/8/8/8/8/w6w w 20", "other side"),
        ("b1b5/8/8/8/8/8/8/w6w b 1002", "0 to 1000"),
        ("b1b5/8/8/8/8/8/8/w6w b 99999999999999999999", "0 to 1000"),
        ("b1b5/8/8/8/8/8/8/w6w b -2", "0 to 1000"),
        ("b1b5/8/8/8/8/8/8/w6w x 40", "who moves"),
        ("bbbbbbbb/bbbb4/8/8/8/8/8/wwwwwwwwwwww b 0", "more than 8"),
        ("bbbbbbbb/bbbb4/8/8/8/8/wwww4/wwwwwwww b 0", "before ply 2"),
        ("1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 w 1", "returns"),
        ("1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w b 0", "7 rows"),
        ("1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbbü b 0", "none of"),
    ] {
        let error = STANDARD.parse_state(text).unwrap_err().0;
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn the_eight_symmetries_are_different() {
    let symmetries = STANDARD.symmetries().unwrap();
    let state = parse(&STANDARD, "8/8/8/8/8/w7/8/b4b1w b");
    let mut images: Vec<String> =
        (0..symmetries.count()).map(|symmetry| STANDARD.state_text(&symmetries.state(symmetry, &state))).collect();
    assert_eq!(images[0], "8/8/8/8/8/w7/8/b4b1w b 20");
    assert_eq!(images[4], "w7/8/b7/8/8/8/8/b1w5 b 20", "transposed");
    images.sort();
    images.dedup();
    assert_eq!(images.len(), 8);
}

#[test]
fn the_network_sees_the_board_from_the_mover() {
    let encoders = STANDARD.encoders();
    let encoder = &encoders[0];
    let encode = |text: &str| {
        let mut values = vec![0.0; encoder.shape().len()];
        encoder.encode(&STANDARD, &parse(&STANDARD, text), &mut Tensor::zeroed(encoder.shape(), &mut values));
        values
    };
    let black = encode("b6w/8/8/8/8/8/8/1b1w4 b");
    assert_eq!(black, encode("w6b/8/8/8/8/8/8/1w1b4 w"), "the colours are exchanged");
    assert_eq!((black[2], black[2 * 3 + 1], black.iter().sum::<f32>()), (1.0, 1.0, 4.0));

    let state = STANDARD.initial_state();
    let mut actions = Vec::new();
    STANDARD.legal_actions(&state, &mut actions);
    let mut indices: Vec<usize> =
        actions.iter().map(|&action| encoder.policy_index(&STANDARD, &state, action)).collect();
    indices.sort();
    indices.dedup();
    assert_eq!(indices.len(), 36, "every move has an output of its own");
    assert_eq!(encoder.policy_size(), 512);
    let passing = parse(&PASSING, WALLED_IN);
    PASSING.legal_actions(&passing, &mut actions);
    let encoders = PASSING.encoders();
    assert_eq!(encoders[0].policy_index(&PASSING, &passing, actions[0]), 512);
    assert_eq!(encoders[0].policy_size(), 513);
}

proptest! {
    #[test]
    fn any_text_gets_an_answer(text in "\\PC{0,40}") {
        let _ = STANDARD.parse_state(&text);
        let _ = THIRD.parse_state(&text);
    }

    /// A valid text with one character replaced is refused, or read as what it says.
    #[test]
    fn mutated_positions_are_refused_or_read_faithfully(seed in 0u64..500, place in 0usize..200, symbol in "[wb/.0-9 a-h?ß]") {
        let mut rng = Rng::from_seed(seed);
        let mut state = THIRD.initial_state();
        for _ in 0..rng.below(100) {
            if THIRD.turn(&state) != Turn::Over {
                let action = THIRD.random_action(&state, &mut Vec::new(), &mut rng);
                THIRD.apply(&mut state, action);
            }
        }
        let mut symbols: Vec<String> = THIRD.state_text(&state).chars().map(String::from).collect();
        let place = place % symbols.len();
        symbols[place] = symbol;
        if let Ok(state) = THIRD.parse_state(&symbols.concat()) {
            prop_assert_eq!(THIRD.parse_state(&THIRD.state_text(&state)), Ok(state));
        }
    }
}

//! The game of thesis 004.

use std::collections::{BTreeMap, BTreeSet};

use meeple_core::playout::{actions_or_outcomes, finish};
use meeple_core::{Game, Notation, Rng, Tensor, Turn};
use meeple_games::TinyChineseCheckers;
use meeple_games::chinese_checkers::{Move, TinyState};

use super::{legal, naive, play};

const NAIVE: naive::Rules = naive::Rules { size: 2, players: 3, tiny: true, forbid_foreign_tips: false };

/// Homes and targets by the names of their fields; A is the first player.
const TARGETS: [[&str; 6]; 3] =
    [["g9", "f8", "g8", "e7", "f7", "g7"], ["g5", "f4", "g4", "e3", "f3", "g3"], ["c5", "b4", "c4", "a3", "b3", "c3"]];

/// A position from lists of fields, divided by blanks.
fn position(pieces: [&str; 3], turn: char, moves: u32, scores: &str) -> TinyState {
    let mut cells = BTreeMap::new();
    for (player, names) in pieces.iter().enumerate() {
        cells.extend(names.split_whitespace().map(|name| (NAIVE.cell(name), player)));
    }
    let text = format!("{} {turn} {moves} {scores}", NAIVE.rows(&cells));
    TinyChineseCheckers::default().parse_state(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn numbers(game: &TinyChineseCheckers, state: &TinyState) -> Vec<usize> {
    let Turn::Player(player) = game.turn(state) else { return Vec::new() };
    let actions = actions_or_outcomes(game, state).into_iter();
    let mut numbers: Vec<usize> = actions.map(|action| game.action_number(player, action)).collect();
    numbers.sort_unstable();
    numbers
}

fn scores(game: &TinyChineseCheckers, state: &TinyState) -> [f32; 3] {
    let [a, b, c, ..] = game.outcome(state).scores;
    [a, b, c]
}

/// Example 1.
#[test]
fn everybody_starts_with_the_same_ten_moves() {
    let game = TinyChineseCheckers::default();
    let text = game.state_text(&game.initial_state());
    assert_eq!(text, "1/2/BBB1CCC/BB2CC/B3C/6/2AAA2/AA/A A 0 0-0-0");
    for (turn, moves) in [("A", 0), ("B", 1), ("C", 2)] {
        let state = game.parse_state(&text.replace("A 0 ", &format!("{turn} {moves} "))).unwrap();
        assert_eq!(numbers(&game, &state), [116, 117, 122, 123, 128, 129, 264, 265, 300, 301]);
    }
}

/// Example 2.
#[test]
fn a_jump_has_its_number() {
    let game = TinyChineseCheckers::default();
    let state = game.initial_state();
    let jump = actions_or_outcomes(&game, &state).into_iter().find(|&a| game.action_text(&state, a) == "c2-e4");
    assert_eq!(game.action_number(0, jump.unwrap()), 301);
    assert_eq!(game.action_number(2, Move::PASS), 319);
}

/// Example 3: e7 is the left corner of A's target, e6 lies below it, f8 in the tip above.
#[test]
fn nobody_leaves_his_target() {
    let game = TinyChineseCheckers::default();
    let state = position(["e7 c1 c2 d2 c3 d3", "c7 d7 c6 d6 c5 e5", "g7 h7 i7 g6 h6 g5"], 'A', 30, "0-0-0");
    let legal = legal(&game, &state);
    assert!(legal.contains(&"e7-f8".to_string()), "{legal:?}");
    assert!(legal.contains(&"e7-f7".to_string()), "a step within the target");
    let leaving = ["e7-e6", "e7-d8", "e7-f6"];
    assert!(!legal.iter().any(|text| leaving.contains(&text.as_str())), "{legal:?}");
}

/// The chain over e6 into the target does not go on over d6 out to c5.
#[test]
fn a_chain_stays_in_the_target() {
    let game = TinyChineseCheckers::default();
    let state = position(["e5 c1 c2 d2 c3 d3", "e6 d6 c7 d7 c6 g4", "g7 h7 i7 g6 h6 g5"], 'A', 30, "0-0-0");
    let legal = legal(&game, &state);
    assert!(legal.contains(&"e5-e7".to_string()), "{legal:?}");
    assert!(!legal.contains(&"e5-c5".to_string()), "{legal:?}");
}

/// Example 4.
#[test]
fn foreign_tips_are_closed() {
    let game = TinyChineseCheckers::default();
    let mut rng = Rng::from_seed(5);
    let closed = ["c7", "d7", "c6", "h7", "i7", "h6", "a3", "b3", "b4", "f3", "g3", "g4"];
    for _ in 0..50 {
        let mut state = game.initial_state();
        while let Turn::Player(player) = game.turn(&state) {
            let mut entered =
                legal(&game, &state).into_iter().filter_map(|text| Some(text.split_once('-')?.1.to_string()));
            assert!(player != 0 || !entered.any(|end| closed.contains(&end.as_str())));
            let action = game.random_action(&state, &mut Vec::new(), &mut rng);
            game.apply(&mut state, action);
        }
    }
}

/// Example 5. A steps from f6 to f7 and completes his target.
#[test]
fn the_second_needs_only_a_full_target() {
    let game = TinyChineseCheckers::default();
    let a = "g9 f8 g8 e7 g7 f6";

    let mut state = position([a, "g4 f3 g3 g5 e3 d5", "f4 h7 i7 g6 h6 c4"], 'A', 30, "0-0-0");
    play(&game, &mut state, &["f6-f7"]);
    assert_eq!((game.turn(&state), scores(&game, &state)), (Turn::Over, [3.0, 1.0, 0.0]));
    assert_eq!(game.payoffs(&state)[..3], [1.0, 1.0 / 1.5 - 1.0, -1.0]);
    assert_eq!(game.outcome(&state).reason, "finished");

    // Pieces of both in the hexagon's rows of both targets.
    let mut state = position([a, "g4 f3 g3 g5 e3 c5", "f4 b4 a3 b3 c4 c3"], 'A', 30, "0-0-0");
    play(&game, &mut state, &["f6-f7"]);
    assert_eq!((game.turn(&state), scores(&game, &state)), (Turn::Over, [3.0, 1.0, 1.0]));

    // f4 is empty: the game goes on, the first passes, and C fills it.
    let mut state = position([a, "g4 f3 g3 g5 e3 d5", "e4 h7 i7 g6 h6 c4"], 'A', 30, "0-0-0");
    play(&game, &mut state, &["f6-f7", "d5-d6"]);
    assert_eq!(game.turn(&state), Turn::Player(2));
    assert_eq!(game.payoffs_so_far(&state), Some([1.0, -1.0, -1.0, 0.0, 0.0, 0.0]));
    play(&game, &mut state, &["e4-f4"]);
    assert_eq!((game.turn(&state), scores(&game, &state)), (Turn::Over, [3.0, 1.0, 0.0]));
}

#[test]
fn a_full_target_is_worth_nothing_before_the_first() {
    let game = TinyChineseCheckers::default();
    let mut state = position(["g9 f8 g8 e7 e4 f6", "g4 f3 g3 g5 e3 d5", "f4 h7 i7 g6 h6 c4"], 'A', 30, "0-0-0");
    play(&game, &mut state, &["e4-d4", "d5-d6"]);
    assert!(game.state_text(&state).ends_with(" C 32 0-0-0"));
}

#[test]
fn who_has_finished_passes_and_is_not_counted() {
    let game = TinyChineseCheckers::default();
    let mut state = position(["g9 f8 g8 e7 g7 f6", "g4 f3 g3 g5 e3 d5", "e4 h7 i7 g6 h6 c4"], 'A', 117, "0-0-0");
    play(&game, &mut state, &["f6-f7", "d5-d6", "e4-e5"]);
    assert!(game.state_text(&state).ends_with(" A 120 3-0-0"));
    assert_eq!((game.turn(&state), scores(&game, &state)), (Turn::Over, [3.0, 0.0, 0.0]));
    assert_eq!(game.outcome(&state).reason, "move limit");

    let mut state = position(["g9 f8 g8 e7 g7 f6", "g4 f3 g3 g5 e3 d5", "e4 h7 i7 g6 h6 c4"], 'A', 114, "0-0-0");
    play(&game, &mut state, &["f6-f7", "d5-d6", "e4-e5"]);
    assert_eq!(legal(&game, &state), ["pass"]);
    play(&game, &mut state, &["pass"]);
    assert!(game.state_text(&state).ends_with(" B 117 3-0-0"));
}

#[test]
fn who_cannot_move_passes() {
    let game = TinyChineseCheckers::default();
    // A's home is locked: every neighbour and every field two behind is occupied or closed.
    let state = position(["c1 c2 d2 c3 d3 e3", "c4 d4 e4 f4 c5 d5", "e5 f5 g5 h7 i7 h6"], 'A', 30, "0-0-0");
    assert_eq!(legal(&game, &state), ["pass"]);
}

/// Example 6. Greedy as in section 5.2 of the thesis: any of the moves that gain most rows.
#[test]
fn greedy_games_end_and_random_ones_do_not() {
    let game = TinyChineseCheckers::default();
    let mut rng = Rng::from_seed(6);
    let mut moves = 0;
    for _ in 0..300 {
        let mut state = game.initial_state();
        while let Turn::Player(player) = game.turn(&state) {
            let actions = actions_or_outcomes(&game, &state);
            let gain = |action: &Move| rows_gained(&game, player, *action);
            let best = actions.iter().map(gain).max().unwrap();
            let best: Vec<Move> = actions.into_iter().filter(|action| gain(action) == best).collect();
            moves += 1;
            game.apply(&mut state, *rng.choose(&best));
        }
        let mut points = scores(&game, &state);
        points.sort_by(f32::total_cmp);
        assert_eq!(points, [0.0, 1.0, 3.0]);
    }
    let mean = f64::from(moves) / 300.0;
    assert!((46.0..50.0).contains(&mean), "{mean} moves");

    let mut buffer = Vec::new();
    for _ in 0..300 {
        let mut state = game.initial_state();
        finish(&game, &mut state, &mut buffer, &mut rng);
        assert_eq!(game.outcome(&state).reason, "move limit");
    }
}

/// Rows upwards, seen by the player, from the number of the action alone.
fn rows_gained(game: &TinyChineseCheckers, player: usize, action: Move) -> i32 {
    let number = game.action_number(player, action);
    let cells: Vec<naive::Cell> = accessible();
    let class = |y: i32, x: i32| cells.iter().copied().filter(move |cell| (cell.0 % 2, cell.1 % 2) == (y, x));
    match number {
        0..150 => [0, 0, 1, 1, -1, -1][number % 6],
        319 => 0,
        _ => {
            let starts = [(0, 0, 150), (1, 1, 231), (1, 0, 267), (0, 1, 303)];
            let &(y, x, first) = starts.iter().rfind(|start| start.2 <= number).unwrap();
            let fields: Vec<naive::Cell> = class(y, x).collect();
            let (from, to) = ((number - first) / fields.len(), (number - first) % fields.len());
            fields[from].0 - fields[to].0
        }
    }
}

/// To the first player, from the picture: all but the four foreign tips.
fn accessible() -> Vec<naive::Cell> {
    let in_hexagon = |y: i32, x: i32| (2..=6).contains(&y) && (2..=6).contains(&x) && (6..=10).contains(&(x + y));
    NAIVE.cells().into_iter().filter(|&(y, x)| !(2..=6).contains(&y) || in_hexagon(y, x)).collect()
}

/// Every number is met in random placements, but for the 100 that are never legal.
#[test]
fn one_hundred_actions_are_never_legal() {
    let game = TinyChineseCheckers::default();
    let fact = |name: &str| game.facts().into_iter().find(|fact| fact.name.starts_with(name)).unwrap().number.unwrap();
    assert_eq!(accessible().len(), 25);
    assert_eq!(fact("fields that"), 25.0);
    assert_eq!(fact("actions that are never legal"), 100.0);
    assert_eq!(fact("share"), 0.3125);

    let mut rng = Rng::from_seed(8);
    let mut met = BTreeSet::from([319]);
    let hexagon: Vec<naive::Cell> = accessible().into_iter().filter(|cell| (2..=6).contains(&cell.0)).collect();
    while met.len() < 220 {
        // A's pieces anywhere he may be, the others' around in the hexagon.
        let mut cells = accessible();
        rng.shuffle(&mut cells);
        let own: Vec<naive::Cell> = cells[..6].to_vec();
        let mut rest: Vec<naive::Cell> = hexagon.iter().copied().filter(|cell| !own.contains(cell)).collect();
        rng.shuffle(&mut rest);
        let owned =
            own.iter().map(|&cell| (cell, 0)).chain(rest.iter().take(12).zip(0..).map(|(&cell, i)| (cell, 1 + i / 6)));
        let text = format!("{} A 30 0-0-0", NAIVE.rows(&owned.collect()));
        if let Ok(state) = game.parse_state(&text) {
            met.extend(numbers(&game, &state));
        }
    }
    assert_eq!(met.len(), 220);
}

#[test]
fn figures_are_exact() {
    let game = TinyChineseCheckers::default();
    let fact = |name: &str| game.facts().into_iter().find(|fact| fact.name == name).unwrap().number.unwrap();
    // 1 + 320 + 320^2 + 320^3
    assert_eq!(fact("nodes of a minimax tree of depth 3, upper bound"), 32_870_721.0);
    assert_eq!(fact("nodes of a minimax tree of depth 1, upper bound"), 321.0);
    // 37! / (6! 6! 6! 19!), three players to move
    let all: f64 = (20..=37).map(f64::from).product::<f64>() / 720f64.powi(3) * 3.0;
    let found = fact("positions, upper bound with all fields open");
    assert!((found / all - 1.0).abs() < 1e-12, "{found} and {all}");
    // The coefficient of x^6 y^6 z^6 in (1+x+y+z)^19 (1+x)^6 (1+y)^6 (1+z)^6 is 93,885,707,512,222.
    let reachable = fact("positions, upper bound: placements on enterable fields times players");
    assert_eq!(reachable, 3.0 * 93_885_707_512_222.0);
}

/// The picture of section 2.2 for the first player, and the same after turning for the others.
#[test]
fn the_thesis_sees_everybody_in_the_south() {
    let game = TinyChineseCheckers::default();
    let picture = "444444044 444440044 442220333 442200334 442000344 400000044 001110044 441144444 441444444";
    let picture: Vec<f32> = picture.bytes().filter(u8::is_ascii_digit).map(|digit| f32::from(digit - b'0')).collect();
    let encoder = game.encoders().into_iter().find(|encoder| encoder.name() == "thesis").unwrap();
    let start = game.state_text(&game.initial_state());
    for (turn, moves) in [("A", 0), ("B", 1), ("C", 2)] {
        let state = game.parse_state(&start.replace("A 0 ", &format!("{turn} {moves} "))).unwrap();
        let mut values = vec![0.0; 81];
        encoder.encode(&game, &state, &mut Tensor::zeroed(encoder.shape(), &mut values));
        assert_eq!(values, picture);
    }
}

#[test]
fn targets_are_opposite_the_homes() {
    let game = TinyChineseCheckers::default();
    for (player, names) in TARGETS.iter().enumerate() {
        let mut cells = NAIVE.parse(&game.state_text(&game.initial_state())).pieces;
        cells.retain(|_, &mut owner| owner == player);
        let target: BTreeSet<naive::Cell> = names.iter().map(|name| NAIVE.cell(name)).collect();
        let reflected: BTreeSet<naive::Cell> = cells.keys().map(|&(y, x)| (8 - y, 8 - x)).collect();
        assert_eq!(target, reflected);
    }
}

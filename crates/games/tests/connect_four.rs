use meeple_core::playout::{finish, perft};
use meeple_core::{FromRules, Game, Notation, Rng, RuleReader, Rules, Symmetries, Tensor, Turn, laws};
use meeple_games::ConnectFour;
use meeple_games::connect_four::{Size, State};
use meeple_games::squares::{Squares, Wide};
use proptest::prelude::*;

fn size(rows: usize, columns: usize) -> Size {
    Size { rows, columns }
}

fn play<S: Squares>(game: &ConnectFour<S>, texts: &str) -> State<S> {
    let mut state = game.initial_state();
    let mut actions = Vec::new();
    for text in texts.split_whitespace() {
        game.legal_actions(&state, &mut actions);
        let action = actions.iter().find(|&&action| game.action_text(&state, action) == text).expect(text);
        game.apply(&mut state, *action);
    }
    state
}

#[test]
fn laws_hold_on_small_and_large_boards() {
    for (rows, columns) in [(6, 7), (4, 4), (4, 12), (7, 8), (12, 4)] {
        laws::assert_all(&ConnectFour::<u64>::new(size(rows, columns)));
    }
    for (rows, columns) in [(8, 8), (10, 11)] {
        laws::assert_all(&ConnectFour::<u128>::new(size(rows, columns)));
    }
    for (rows, columns) in [(6, 7), (12, 12)] {
        laws::assert_all(&ConnectFour::<Wide>::new(size(rows, columns)));
    }
}

#[test]
fn rules_are_read_and_refused() {
    let read = |text: &str| {
        let mut reader = RuleReader::new(&Rules::parse(text).unwrap());
        Size::from_rules(&mut reader)
    };
    assert_eq!(read(""), Ok(size(6, 7)));
    assert_eq!(read("rows=12,columns=4"), Ok(size(12, 4)));
    for text in ["rows=3", "columns=13", "rows=six", "rows=99999999999999999999"] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn lines_in_all_directions_win() {
    let game = ConnectFour::default();
    for (moves, winner) in [
        ("1 2 1 2 1 2 1", 0),         // upwards
        ("1 1 2 2 3 3 4", 0),         // along a row
        ("1 2 2 3 3 4 3 4 4 6 4", 0), // a diagonal that rises to the right
        ("7 6 6 5 5 4 5 4 4 2 4", 0), // a diagonal that rises to the left
        ("1 4 1 4 2 4 2 4", 1),       // the second player
        ("4 1 5 1 6 1 7", 0),         // at the edge
    ] {
        let state = play(&game, moves);
        assert_eq!(game.turn(&state), Turn::Over, "{moves}");
        let outcome = game.outcome(&state);
        assert_eq!((outcome.payoffs[winner], outcome.reason), (1.0, "line"), "{moves}");
    }
    // Three at the top of a column and one at the bottom of the next are no line.
    let state = play(&game, "1 1 1 2 1 7 1 7 1 7");
    assert_eq!(game.turn(&state), Turn::Player(0));
}

#[test]
fn a_full_board_without_a_line_is_drawn() {
    let game = ConnectFour::<u64>::new(size(4, 4));
    let state = play(&game, "1 2 3 4 1 2 3 4 2 1 4 3 2 1 4 3");
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!((game.outcome(&state).payoffs, game.outcome(&state).reason), ([0.0; 6], "full board"));
}

#[test]
fn a_position_is_drawn_for_people() {
    let game = ConnectFour::<u64>::new(size(4, 5));
    let drawn = " .  .  .  .  .\n .  .  .  .  .\n .  .  o  .  .\n .  .  x  .  .\n 1  2  3  4  5\nx to move";
    assert_eq!(game.render(&play(&game, "3 3")), drawn);
}

#[test]
fn the_encoding_is_seen_by_the_mover() {
    let game = ConnectFour::default();
    let encoder = &game.encoders()[0];
    let mut values = vec![0.0; encoder.shape().len()];
    let mut input = Tensor::zeroed(encoder.shape(), &mut values);
    encoder.encode(&game, &play(&game, "4 4 1"), &mut input);
    assert_eq!((input.get(0, 1, 3), input.get(1, 0, 3), input.get(1, 0, 0)), (1.0, 1.0, 1.0));
    assert_eq!(values.iter().sum::<f32>(), 3.0);
}

#[test]
fn the_mirror_image_swaps_left_and_right() {
    let game = ConnectFour::<Wide>::new(size(9, 12));
    let state = play(&game, "1 1 2 5 12 7");
    assert_eq!(game.state_text(&game.state(1, &state)), mirrored(&game.state_text(&state)));
    assert_eq!(game.state(1, &game.state(1, &state)), state);
}

fn mirrored(text: &str) -> String {
    text.split('/').map(|row| row.chars().rev().collect::<String>()).collect::<Vec<_>>().join("/")
}

/// The rules once more, as slowly and plainly as can be.
#[derive(Clone)]
struct Naive {
    /// From the bottom.
    rows: Vec<Vec<char>>,
}

impl Naive {
    fn new(notation: &str) -> Naive {
        Naive { rows: notation.split('/').rev().map(|row| row.chars().collect()).collect() }
    }

    fn at(&self, row: i32, column: i32) -> Option<char> {
        let row = self.rows.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied().filter(|&symbol| symbol != '.')
    }

    fn is_over(&self) -> bool {
        let (rows, columns) = (self.rows.len() as i32, self.rows[0].len() as i32);
        (0..rows).any(|row| {
            (0..columns).any(|column| {
                [(0, 1), (1, 0), (1, 1), (1, -1)].iter().any(|&(up, right)| {
                    let first = self.at(row, column);
                    first.is_some() && (1..4).all(|step| self.at(row + step * up, column + step * right) == first)
                })
            })
        })
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.is_over() {
            return 0;
        }
        let stones = self.rows.iter().flatten().filter(|&&symbol| symbol != '.').count();
        let mut nodes = 0;
        for column in 0..self.rows[0].len() {
            if let Some(row) = self.rows.iter().position(|row| row[column] == '.') {
                let mut next = self.clone();
                next.rows[row][column] = if stones % 2 == 0 { 'x' } else { 'o' };
                nodes += next.perft(depth - 1);
            }
        }
        nodes
    }
}

fn count<S: Squares>(size: Size, notation: &str, depth: u32) -> u64 {
    let game = ConnectFour::<S>::new(size);
    perft(&game, &game.parse_state(notation).unwrap(), depth)
}

#[test]
fn perft_matches_the_golden_file_and_a_naive_generator() {
    let mut lines = 0;
    for line in include_str!("perft/connect-four.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [rules, notation, depth, nodes] = fields[..] else { panic!("{line}") };
        let size = Size::from_rules(&mut RuleReader::new(&Rules::parse(rules).unwrap())).unwrap();
        let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
        if size.bits() <= 64 {
            assert_eq!(count::<u64>(size, notation, depth), nodes, "{line}");
        }
        if size.bits() <= 128 && nodes < 1_000_000 {
            assert_eq!(count::<u128>(size, notation, depth), nodes, "{line}");
        }
        if nodes < 1_000_000 {
            assert_eq!(count::<Wide>(size, notation, depth), nodes, "{line}");
            assert_eq!(Naive::new(notation).perft(depth), nodes, "{line}");
        }
        lines += 1;
    }
    assert!(lines >= 15, "{lines} lines");
}

#[test]
fn impossible_positions_are_refused() {
    let game = ConnectFour::<u64>::new(size(4, 4));
    for (text, part) in [
        ("", "4 rows of 4"),
        ("..../..../....", "4 rows of 4"),
        ("..../..../..../.....", "4 rows of 4"),
        ("..../..../..../..z.", "`z`"),
        ("..../..../..../..é.", "`é`"),
        ("..../..../.x../....", "column 2 has nothing below"),
        ("x.../..../o.../x...", "column 1 has nothing below"),
        ("..../..../..../o...", "0 `x` and 1 `o`"),
        ("..../..../x.../xx..", "3 `x` and 0 `o`"),
        ("..../..../x.../o...", "the first of `x`"),
        ("x.../o.../o.../x...", "the last of all"),
        ("..../..../oooo/xxxx", "ended before"),
        ("..../..../..../xxxx", "4 `x` and 0 `o`"),
        ("..../...o/.ooo/xxxx", "ended before"),
        ("xo../xo../xo../xo..", "ended before"),
        ("..../x.../oooo/xxx.", "nothing below"),
        ("..../o.../ooox/xxxx", "ended before"),
    ] {
        let error = game.parse_state(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    // A line that no single last stone can have completed.
    let error = ConnectFour::default().parse_state("......./......./......./ooo..../oooo.../xxxxxxx");
    assert!(error.unwrap_err().to_string().contains("ended before"));
    let won = game.parse_state("x.../xo../xo../xo..").unwrap();
    assert_eq!(game.turn(&won), Turn::Over);
}

proptest! {
    #[test]
    fn any_text_gives_a_position_or_an_error(text in "\\PC*", seed: u64, at: prop::sample::Index, symbol in "[xo./?é\\n]") {
        let game = ConnectFour::default();
        let _ = game.parse_state(&text);
        let mut rng = Rng::from_seed(seed);
        let mut state = game.initial_state();
        finish(&game, &mut state, &mut Vec::new(), &mut rng);
        let written = game.state_text(&state);
        prop_assert_eq!(game.parse_state(&written), Ok(state));
        let mut characters: Vec<char> = written.chars().collect();
        let at = at.index(characters.len());
        characters[at] = symbol.chars().next().unwrap();
        let changed: String = characters.into_iter().collect();
        if let Ok(parsed) = game.parse_state(&changed) {
            prop_assert_eq!(game.state_text(&parsed), changed);
        }
    }
}

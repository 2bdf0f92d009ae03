//! Tic-tac-toe: the smallest complete example of a game with perfect information.

use meeple_core::scene::{Piece, Plan, Seat, Site};
use meeple_core::{
    Board, Encoder, FromRules, Game, GameInfo, Geometry, Known, Notation, NotationError, Outcome, Payoffs, Player,
    Reach, RuleError, RuleReader, Scene, Scenery, Shape, Sites, Symmetries, Tensor, Turn, Weights, zero_sum,
};

/// Square 0 is a1, bottom left; 2 is c1; 8 is c3.
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe;

/// The squares of each player, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    marks: [u16; 2],
}

/// A square, 0..9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square(u8);

impl State {
    fn occupied(&self) -> u16 {
        self.marks[0] | self.marks[1]
    }

    /// As many marks as opponent: the first player's turn.
    fn mover(&self) -> Player {
        usize::from(self.marks[0].count_ones() > self.marks[1].count_ones())
    }

    fn winner(&self) -> Option<Player> {
        (0..2).find(|&player| has_line(self.marks[player]))
    }
}

fn has_line(marks: u16) -> bool {
    LINES.into_iter().any(|line| marks & line == line)
}

impl FromRules for TicTacToe {
    fn from_rules(_: &mut RuleReader) -> Result<Self, RuleError> {
        Ok(TicTacToe)
    }
}

impl Game for TicTacToe {
    type State = State;
    type Action = Square;
    type View = State;
    type Worlds = Known<State>;

    fn info(&self) -> GameInfo {
        GameInfo::two_player("tic-tac-toe", 9)
    }

    fn initial_state(&self) -> State {
        State { marks: [0; 2] }
    }

    fn turn(&self, state: &State) -> Turn {
        if state.occupied() == FULL || state.winner().is_some() { Turn::Over } else { Turn::Player(state.mover()) }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Square>) {
        out.clear();
        out.extend((0..9).filter(|square| state.occupied() >> square & 1 == 0).map(Square));
    }

    fn apply(&self, state: &mut State, action: Square) {
        state.marks[state.mover()] |= 1 << action.0;
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        self.outcome(state).payoffs
    }

    fn outcome(&self, state: &State) -> Outcome {
        let (first, reason) = match state.winner() {
            Some(0) => (1.0, "line"),
            Some(_) => (-1.0, "line"),
            None => (0.0, "full board"),
        };
        let payoffs = zero_sum(first);
        Outcome { payoffs, scores: payoffs, reason }
    }

    fn view(&self, state: &State, _: Option<Player>) -> State {
        *state
    }

    fn worlds(&self, view: &State) -> Known<State> {
        Known(*view)
    }

    fn view_key(&self, state: &State, _: Option<Player>) -> u64 {
        u64::from(state.marks[0]) << 16 | u64::from(state.marks[1])
    }

    fn action_code(&self, action: Square) -> u32 {
        u32::from(action.0)
    }

    fn action_from_code(&self, code: u32) -> Square {
        Square(code as u8)
    }

    fn action_text(&self, _: &State, action: Square) -> String {
        format!("{}{}", char::from(b'a' + action.0 % 3), action.0 / 3 + 1)
    }

    fn render(&self, view: &State) -> String {
        let mut text = String::new();
        for row in (0..3).rev() {
            text += &format!("{} ", row + 1);
            for column in 0..3 {
                text += &format!(" {}", symbol(view, row * 3 + column));
            }
            text += "\n";
        }
        text + "   a b c"
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(Planes)]
    }

    fn board(&self) -> Option<&dyn Board<Self>> {
        Some(self)
    }

    fn symmetries(&self) -> Option<&dyn Symmetries<Self>> {
        Some(self)
    }
}

fn symbol(state: &State, square: usize) -> char {
    match (state.marks[0] >> square & 1, state.marks[1] >> square & 1) {
        (1, _) => 'x',
        (_, 1) => 'o',
        _ => '.',
    }
}

impl Scenery<TicTacToe> for TicTacToe {
    fn scene(&self, _: &TicTacToe, view: &State) -> Scene {
        let site = |square: usize| Site {
            pieces: (0..2)
                .filter(|&player| view.marks[player] >> square & 1 == 1)
                .map(|player| Piece { mark: Some(["×", "○"][player].into()), ..Piece::of(player) })
                .collect(),
            ..Site::square(
                self.action_text(view, Square(square as u8)),
                (square % 3) as f32 + 0.5,
                2.5 - (square / 3) as f32,
            )
        };
        let board = Plan { width: 3.0, height: 3.0, sites: (0..9).map(site).collect(), ..Plan::default() };
        Scene { board: Some(board), seats: vec![Seat::default(); 2], ..Scene::default() }
    }

    fn picks(&self, _: &TicTacToe, view: &State, action: Square) -> Vec<String> {
        vec![self.action_text(view, action)]
    }
}

impl Notation<TicTacToe> for TicTacToe {
    fn help(&self) -> String {
        "three rows from the top, `x` for the first player, `o`, `.` for empty, divided by `/`: `..o/.x./...`".into()
    }

    fn state_text(&self, state: &State) -> String {
        let row = |row: usize| (0..3).map(|column| symbol(state, row * 3 + column)).collect::<String>();
        [row(2), row(1), row(0)].join("/")
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 3 || rows.iter().any(|row| row.chars().count() != 3) {
            return Err(NotationError::new(format!("`{text}` is not {}", self.help())));
        }
        let mut state = self.initial_state();
        for (row, symbols) in rows.iter().rev().enumerate() {
            for (column, symbol) in symbols.chars().enumerate() {
                match symbol {
                    'x' => state.marks[0] |= 1 << (row * 3 + column),
                    'o' => state.marks[1] |= 1 << (row * 3 + column),
                    '.' => {}
                    other => return Err(NotationError::new(format!("`{other}` is none of `x`, `o`, `.`"))),
                }
            }
        }
        check_counts(&state)?;
        Ok(state)
    }

    fn view_text(&self, view: &State) -> String {
        self.state_text(view)
    }

    fn parse_view(&self, text: &str) -> Result<State, NotationError> {
        self.parse_state(text)
    }
}

fn check_counts(state: &State) -> Result<(), NotationError> {
    let [x, o] = state.marks.map(u16::count_ones);
    if x != o && x != o + 1 {
        return Err(NotationError::new(format!("{x} `x` and {o} `o`: x moves first, so as many or one more")));
    }
    let lines = state.marks.map(has_line);
    if lines == [true, true] || (lines[0] && x == o) || (lines[1] && x > o) {
        return Err(NotationError::new("the game would have ended before this position"));
    }
    Ok(())
}

/// Two planes: the mover's marks, the opponent's.
#[derive(Debug)]
struct Planes;

impl Encoder<TicTacToe> for Planes {
    fn name(&self) -> &'static str {
        "planes"
    }

    fn shape(&self) -> Shape {
        Shape::planes(2, 3, 3)
    }

    fn encode(&self, _: &TicTacToe, view: &State, input: &mut Tensor<'_>) {
        let mover = view.mover();
        for (channel, player) in [mover, 1 - mover].into_iter().enumerate() {
            for square in (0..9).filter(|square| view.marks[player] >> square & 1 == 1) {
                input.set(channel, square / 3, square % 3, 1.0);
            }
        }
    }

    fn policy_size(&self) -> usize {
        9
    }

    fn policy_index(&self, _: &TicTacToe, _: &State, action: Square) -> usize {
        usize::from(action.0)
    }
}

impl Board<TicTacToe> for TicTacToe {
    fn geometry(&self) -> Geometry {
        Geometry::grid(3, 3, 3, |row, column| row * 3 + column)
    }

    fn pieces(&self, state: &State, player: Player, _: usize) -> Sites {
        u64::from(state.marks[player]).into()
    }

    fn moves(&self, state: &State, _: Player, reach: &mut Reach) {
        reach.add_all(u64::from(FULL & !state.occupied()).into());
    }

    fn weights(&self) -> Vec<Weights> {
        vec![Weights { name: "tuned", slope: 0.5, terms: &[("lines", 1.0)] }]
    }
}

/// The eight symmetries of the square: bit 0 mirrors columns, bit 1 mirrors rows, bit 2 transposes.
impl Symmetries<TicTacToe> for TicTacToe {
    fn count(&self) -> usize {
        8
    }

    fn state(&self, symmetry: usize, state: &State) -> State {
        let image = |marks: u16| {
            let squares = (0..9).filter(|square| marks >> square & 1 == 1);
            squares.fold(0, |image, square| image | 1 << image_square(symmetry, square))
        };
        State { marks: state.marks.map(image) }
    }

    fn view(&self, symmetry: usize, view: &State) -> State {
        self.state(symmetry, view)
    }

    fn action(&self, symmetry: usize, _: &State, action: Square) -> Square {
        Square(image_square(symmetry, action.0))
    }
}

fn image_square(symmetry: usize, square: u8) -> u8 {
    let (mut row, mut column) = (square / 3, square % 3);
    if symmetry & 1 != 0 {
        column = 2 - column;
    }
    if symmetry & 2 != 0 {
        row = 2 - row;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    row * 3 + column
}

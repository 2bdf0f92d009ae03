//! Connect Four on boards of 4 to 12 rows and columns.
//!
//! A column takes one bit per row, from the bottom, and one more above that stays empty, so that
//! shifted boards never run from one column into the next (a layout due to John Tromp).

mod encoder;
mod geometry;
mod notation;
mod scene;

use meeple_core::rng::mix;
use meeple_core::{
    Board, Encoder, FromRules, Game, GameInfo, Known, Notation, Outcome, Payoffs, Player, Rng, RuleError, RuleReader,
    Scenery, Symmetries, Turn, zero_sum,
};

use crate::squares::Squares;

/// The board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// 4..=12.
    pub rows: usize,
    /// 4..=12.
    pub columns: usize,
}

impl Default for Size {
    fn default() -> Size {
        Size { rows: 6, columns: 7 }
    }
}

impl Size {
    /// The bits of a board, with the empty one above each column.
    pub fn bits(&self) -> usize {
        (self.rows + 1) * self.columns
    }
}

impl FromRules for Size {
    fn from_rules(rules: &mut RuleReader) -> Result<Size, RuleError> {
        let default = Size::default();
        Ok(Size {
            rows: rules.integer("rows", "height of the board", 4..=12, default.rows)?,
            columns: rules.integer("columns", "width of the board", 4..=12, default.columns)?,
        })
    }
}

/// The game on a board whose [`Size::bits`] the sets of type `S` hold.
#[derive(Clone, Debug)]
pub struct ConnectFour<S = u64> {
    size: Size,
    /// The lowest cell of every column.
    bottoms: S,
    /// All cells.
    board: S,
    /// The cells of each column.
    columns: [S; 12],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<S = u64> {
    /// The stones of each player.
    stones: [S; 2],
    moves: u8,
    /// Whether the last stone completed a line.
    won: bool,
}

/// The cell in which a stone comes to rest, numbered by columns from the bottom, one number left
/// out above each column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl<S: Squares> State<S> {
    #[inline]
    fn occupied(&self) -> S {
        self.stones[0] | self.stones[1]
    }

    #[inline]
    fn mover(&self) -> Player {
        usize::from(self.moves & 1)
    }
}

impl Default for ConnectFour {
    fn default() -> ConnectFour {
        ConnectFour::new(Size::default())
    }
}

impl<S: Squares> ConnectFour<S> {
    pub fn new(size: Size) -> ConnectFour<S> {
        assert!((4..=12).contains(&size.rows) && (4..=12).contains(&size.columns), "{size:?} is out of range");
        assert!(size.bits() <= S::CAPACITY, "{size:?} needs larger sets");
        let mut game = ConnectFour { size, bottoms: S::default(), board: S::default(), columns: [S::default(); 12] };
        for column in 0..size.columns {
            game.bottoms = game.bottoms | S::of(game.cell(0, column));
            for row in 0..size.rows {
                game.columns[column] = game.columns[column] | S::of(game.cell(row, column));
            }
            game.board = game.board | game.columns[column];
        }
        game
    }

    /// Rows are counted from the bottom.
    fn cell(&self, row: usize, column: usize) -> u32 {
        (column * (self.size.rows + 1) + row) as u32
    }

    fn column(&self, action: Cell) -> usize {
        usize::from(action.0) / (self.size.rows + 1)
    }

    fn cells(&self) -> usize {
        self.size.rows * self.size.columns
    }

    /// The lowest empty cell of every column that is not full.
    #[inline]
    fn landing(&self, state: &State<S>) -> S {
        let occupied = state.occupied();
        (occupied << 1 | self.bottoms) & !occupied & self.board
    }

    #[inline]
    fn has_line(&self, stones: S) -> bool {
        let rows = self.size.rows as u32;
        let lines = |step: u32| {
            let pairs = stones & stones >> step;
            pairs & pairs >> (2 * step)
        };
        // Upwards, along a row, and the two diagonals.
        !(lines(1) | lines(rows + 1) | lines(rows) | lines(rows + 2)).is_empty()
    }
}

impl<S: Squares> Game for ConnectFour<S> {
    type State = State<S>;
    type Action = Cell;
    type View = State<S>;
    type Worlds = Known<State<S>>;

    fn info(&self) -> GameInfo {
        GameInfo::two_player("connect-four", self.cells())
    }

    fn initial_state(&self) -> State<S> {
        State { stones: [S::default(); 2], moves: 0, won: false }
    }

    #[inline]
    fn turn(&self, state: &State<S>) -> Turn {
        if state.won || usize::from(state.moves) == self.cells() { Turn::Over } else { Turn::Player(state.mover()) }
    }

    #[inline]
    fn legal_actions(&self, state: &State<S>, out: &mut Vec<Cell>) {
        out.clear();
        let landing = self.landing(state);
        for &column in &self.columns[..self.size.columns] {
            let cell = landing & column;
            if !cell.is_empty() {
                out.push(Cell(cell.lowest() as u8));
            }
        }
    }

    #[inline]
    fn apply(&self, state: &mut State<S>, action: Cell) {
        let stones = &mut state.stones[usize::from(state.moves & 1)];
        *stones = *stones | S::of(u32::from(action.0));
        state.won = self.has_line(*stones);
        state.moves += 1;
    }

    #[inline]
    fn payoffs(&self, state: &State<S>) -> Payoffs {
        zero_sum(match (state.won, state.mover()) {
            (false, _) => 0.0,
            (true, 0) => -1.0,
            (true, _) => 1.0,
        })
    }

    fn outcome(&self, state: &State<S>) -> Outcome {
        let payoffs = self.payoffs(state);
        Outcome { payoffs, scores: payoffs, reason: if state.won { "line" } else { "full board" } }
    }

    fn view(&self, state: &State<S>, _: Option<Player>) -> State<S> {
        *state
    }

    fn worlds(&self, view: &State<S>) -> Known<State<S>> {
        Known(*view)
    }

    #[inline]
    fn view_key(&self, state: &State<S>, _: Option<Player>) -> u64 {
        mix(state.stones[0].key()) ^ mix(state.stones[1].key()).rotate_left(32)
    }

    fn view_actions(&self, view: &State<S>, out: &mut Vec<Cell>) {
        self.legal_actions(view, out);
    }

    fn action_code(&self, action: Cell) -> u32 {
        u32::from(action.0)
    }

    fn action_from_code(&self, code: u32) -> Cell {
        Cell(code as u8)
    }

    fn action_text(&self, _: &State<S>, action: Cell) -> String {
        (self.column(action) + 1).to_string()
    }

    fn render(&self, view: &State<S>) -> String {
        let mut text = String::new();
        for row in (0..self.size.rows).rev() {
            for column in 0..self.size.columns {
                text += &format!(" {} ", notation::symbol(view, self.cell(row, column)));
            }
            text.truncate(text.trim_end().len());
            text += "\n";
        }
        for column in 1..=self.size.columns {
            text += &format!("{column:>2} ");
        }
        let turn = match self.turn(view) {
            Turn::Over if view.won => format!("{} has won", notation::SYMBOLS[1 - view.mover()]),
            Turn::Over => "drawn".to_string(),
            _ => format!("{} to move", notation::SYMBOLS[view.mover()]),
        };
        format!("{}\n{turn}", text.trim_end())
    }

    #[inline]
    fn random_action(&self, state: &State<S>, _: &mut Vec<Cell>, rng: &mut Rng) -> Cell {
        let landing = self.landing(state);
        loop {
            let cell = landing & self.columns[rng.below(self.size.columns as u32) as usize];
            if !cell.is_empty() {
                return Cell(cell.lowest() as u8);
            }
        }
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(encoder::Planes::new(self.size))]
    }

    fn board(&self) -> Option<&dyn Board<Self>> {
        Some(self)
    }

    fn symmetries(&self) -> Option<&dyn Symmetries<Self>> {
        Some(self)
    }
}

/// Left and right are the same.
impl<S: Squares> Symmetries<ConnectFour<S>> for ConnectFour<S> {
    fn count(&self) -> usize {
        2
    }

    fn state(&self, symmetry: usize, state: &State<S>) -> State<S> {
        if symmetry == 0 {
            return *state;
        }
        let mirror = |stones: S| {
            let mut image = S::default();
            stones.each(|cell| image = image | S::of(self.mirrored(cell)));
            image
        };
        State { stones: state.stones.map(mirror), ..*state }
    }

    fn view(&self, symmetry: usize, view: &State<S>) -> State<S> {
        self.state(symmetry, view)
    }

    fn action(&self, symmetry: usize, _: &State<S>, action: Cell) -> Cell {
        if symmetry == 0 { action } else { Cell(self.mirrored(u32::from(action.0)) as u8) }
    }
}

impl<S: Squares> ConnectFour<S> {
    fn mirrored(&self, cell: u32) -> u32 {
        let (column, row) = (cell as usize / (self.size.rows + 1), cell as usize % (self.size.rows + 1));
        self.cell(row, self.size.columns - 1 - column)
    }
}

//! Connect Four on boards of 4 to 12 rows and columns.
//!
//! A column takes one bit per row, from the bottom, and one more above that stays empty, so that
//! shifted boards never run from one column into the next (a layout due to John Tromp).

mod encoder;
mod notation;
mod word;

use meeple_core::{
    Encoder, FromRules, Game, GameInfo, Information, Known, Notation, Outcome, PayoffSum, Payoffs, Player, Rng,
    RuleError, RuleReader, Symmetries, Turn,
};

pub use word::{Wide, Word};

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
    pub fn bits(&self) -> u32 {
        ((self.rows + 1) * self.columns) as u32
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

/// The game on a board whose [`Size::bits`] fit the word: `u64` for the usual one, `u128`, or [`Wide`]
/// for every size.
#[derive(Clone, Debug)]
pub struct ConnectFour<W = u64> {
    size: Size,
    /// The lowest cell of every column.
    bottoms: W,
    /// All cells.
    board: W,
    /// The cells of each column.
    columns: [W; 12],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W = u64> {
    /// The stones of each player.
    stones: [W; 2],
    moves: u8,
    /// Whether the last stone completed a line.
    won: bool,
}

/// The cell in which a stone comes to rest, numbered by columns from the bottom, one number left
/// out above each column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl<W: Word> State<W> {
    #[inline]
    fn occupied(&self) -> W {
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

impl<W: Word> ConnectFour<W> {
    pub fn new(size: Size) -> ConnectFour<W> {
        assert!((4..=12).contains(&size.rows) && (4..=12).contains(&size.columns), "{size:?} is out of range");
        assert!(size.bits() <= W::BITS, "{size:?} needs a wider word");
        let mut game = ConnectFour { size, bottoms: W::default(), board: W::default(), columns: [W::default(); 12] };
        for column in 0..size.columns {
            game.bottoms = game.bottoms | W::bit(game.cell(0, column));
            for row in 0..size.rows {
                game.columns[column] = game.columns[column] | W::bit(game.cell(row, column));
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
    fn landing(&self, state: &State<W>) -> W {
        let occupied = state.occupied();
        (occupied << 1 | self.bottoms) & !occupied & self.board
    }

    #[inline]
    fn has_line(&self, stones: W) -> bool {
        let rows = self.size.rows as u32;
        let lines = |step: u32| {
            let pairs = stones & stones >> step;
            pairs & pairs >> (2 * step)
        };
        // Upwards, along a row, and the two diagonals.
        !(lines(1) | lines(rows + 1) | lines(rows) | lines(rows + 2)).is_empty()
    }
}

impl<W: Word> Game for ConnectFour<W> {
    type State = State<W>;
    type Action = Cell;
    type View = State<W>;
    type Worlds = Known<State<W>>;

    fn info(&self) -> GameInfo {
        GameInfo {
            name: "connect-four",
            version: 1,
            players: 2,
            teams: 2,
            longest_game: self.cells(),
            payoff_sum: PayoffSum::Constant(0.0),
            information: Information::Perfect,
            chance: false,
        }
    }

    fn initial_state(&self) -> State<W> {
        State { stones: [W::default(); 2], moves: 0, won: false }
    }

    #[inline]
    fn turn(&self, state: &State<W>) -> Turn {
        if state.won || usize::from(state.moves) == self.cells() { Turn::Over } else { Turn::Player(state.mover()) }
    }

    #[inline]
    fn legal_actions(&self, state: &State<W>, out: &mut Vec<Cell>) {
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
    fn apply(&self, state: &mut State<W>, action: Cell) {
        let stones = &mut state.stones[usize::from(state.moves & 1)];
        *stones = *stones | W::bit(u32::from(action.0));
        state.won = self.has_line(*stones);
        state.moves += 1;
    }

    #[inline]
    fn payoffs(&self, state: &State<W>) -> Payoffs {
        let mut payoffs = Payoffs::default();
        if state.won {
            payoffs[state.mover()] = -1.0;
            payoffs[1 - state.mover()] = 1.0;
        }
        payoffs
    }

    fn outcome(&self, state: &State<W>) -> Outcome {
        let payoffs = self.payoffs(state);
        Outcome { payoffs, scores: payoffs, reason: if state.won { "line" } else { "full board" } }
    }

    fn view(&self, state: &State<W>, _: Option<Player>) -> State<W> {
        *state
    }

    fn worlds(&self, view: &State<W>) -> Known<State<W>> {
        Known(*view)
    }

    #[inline]
    fn view_key(&self, state: &State<W>, _: Option<Player>) -> u64 {
        state.stones[0].key() ^ state.stones[1].key().rotate_left(32)
    }

    fn view_actions(&self, view: &State<W>, out: &mut Vec<Cell>) {
        self.legal_actions(view, out);
    }

    fn action_code(&self, action: Cell) -> u32 {
        u32::from(action.0)
    }

    fn action_from_code(&self, code: u32) -> Cell {
        Cell(code as u8)
    }

    fn action_text(&self, _: &State<W>, action: Cell) -> String {
        (self.column(action) + 1).to_string()
    }

    fn render(&self, view: &State<W>) -> String {
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
    fn random_action(&self, state: &State<W>, _: &mut Vec<Cell>, rng: &mut Rng) -> Cell {
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

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(encoder::Planes::new(self.size))]
    }

    fn symmetries(&self) -> Option<&dyn Symmetries<Self>> {
        Some(self)
    }
}

/// Left and right are the same.
impl<W: Word> Symmetries<ConnectFour<W>> for ConnectFour<W> {
    fn count(&self) -> usize {
        2
    }

    fn state(&self, symmetry: usize, state: &State<W>) -> State<W> {
        if symmetry == 0 {
            return *state;
        }
        let mirror = |stones: W| {
            let cells = (0..self.size.bits()).filter(|&cell| stones.contains(cell));
            cells.fold(W::default(), |image, cell| image | W::bit(self.mirrored(cell)))
        };
        State { stones: state.stones.map(mirror), ..*state }
    }

    fn view(&self, symmetry: usize, view: &State<W>) -> State<W> {
        self.state(symmetry, view)
    }

    fn action(&self, symmetry: usize, _: &State<W>, action: Cell) -> Cell {
        if symmetry == 0 { action } else { Cell(self.mirrored(u32::from(action.0)) as u8) }
    }
}

impl<W: Word> ConnectFour<W> {
    fn mirrored(&self, cell: u32) -> u32 {
        let (column, row) = (cell as usize / (self.size.rows + 1), cell as usize % (self.size.rows + 1));
        self.cell(row, self.size.columns - 1 - column)
    }
}

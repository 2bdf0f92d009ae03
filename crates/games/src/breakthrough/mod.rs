//! Breakthrough on any board from 2x2 to 12x12 (thesis 001, section 2.2).
//!
//! White moves up and begins. A pawn steps forward, straight to an empty square or diagonally to
//! one without a pawn of its own colour; whoever reaches the far row or takes the last pawn wins.

mod encoder;
mod geometry;
mod heuristic;
mod notation;
mod scene;
mod symmetry;

use meeple_core::game::Named;
use meeple_core::rng::mix;
use meeple_core::{
    Board, Encoder, FromRules, Game, GameInfo, Heuristic, Known, Notation, Outcome, Payoffs, Player, Rng, RuleError,
    RuleReader, Scenery, Symmetries, Turn, zero_sum,
};

use crate::grid::Grid;
use crate::squares::Squares;

/// The board and the armies on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// 2..=12, at least twice `rows_per_side`.
    pub rows: usize,
    /// 2..=12.
    pub columns: usize,
    /// Rows full of pawns on each side, at least 1. Two in the thesis and in Ludii; OpenSpiel has
    /// one on boards of fewer than six rows.
    pub rows_per_side: usize,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { rows: 8, columns: 8, rows_per_side: 2 }
    }
}

impl Setup {
    /// The squares that the sets of `Breakthrough<S>` must hold.
    pub fn squares(&self) -> usize {
        self.rows * self.columns
    }

    fn pawns_per_side(&self) -> usize {
        self.rows_per_side * self.columns
    }

    /// Every pawn of both sides advances to the row before the last, then one more step wins.
    fn longest_game(&self) -> usize {
        let steps = |row: usize| self.rows - 2 - row;
        2 * self.columns * (0..self.rows_per_side).map(steps).sum::<usize>() + 1
    }
}

impl FromRules for Setup {
    fn from_rules(rules: &mut RuleReader) -> Result<Setup, RuleError> {
        let default = Setup::default();
        let setup = Setup {
            rows: rules.integer("rows", "rows of the board", 2..=12, default.rows)?,
            columns: rules.integer("columns", "columns of the board", 2..=12, default.columns)?,
            rows_per_side: rules.integer(
                "rows_per_side",
                "rows of pawns on each side",
                1..=6,
                default.rows_per_side,
            )?,
        };
        if setup.rows < 2 * setup.rows_per_side {
            return Err(RuleError(format!(
                "{} rows are too few for rows_per_side={} on each side: set rows_per_side to at most {}",
                setup.rows,
                setup.rows_per_side,
                setup.rows / 2
            )));
        }
        Ok(setup)
    }
}

/// The game on sets of squares of type `S`.
#[derive(Clone, Debug)]
pub struct Breakthrough<S = u64> {
    setup: Setup,
    grid: Grid,
    /// Squares that have one to their left, one to their right.
    has_left: S,
    has_right: S,
    /// The row on which each player wins.
    far_row: [S; 2],
    home: [S; 2],
}

/// Pawns by their part in this turn, so that no index is needed to find them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<S> {
    /// Of the player to move.
    own: S,
    enemy: S,
    black_moves: bool,
}

/// A step, with or without a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    from: u8,
    to: u8,
}

impl<S: Squares> State<S> {
    fn mover(&self) -> Player {
        usize::from(self.black_moves)
    }

    /// White's pawns, Black's pawns.
    fn pawns(&self) -> [S; 2] {
        if self.black_moves { [self.enemy, self.own] } else { [self.own, self.enemy] }
    }

    fn symbol(&self, square: usize) -> Option<char> {
        let [white, black] = self.pawns();
        match square as u32 {
            square if white.contains(square) => Some('w'),
            square if black.contains(square) => Some('b'),
            _ => None,
        }
    }
}

/// Targets of the steps to the left, straight and to the right as White sees them, and what to
/// add to a target to find where the step began.
struct Steps<S> {
    targets: [S; 3],
    back: [i32; 3],
}

impl<S: Squares> Breakthrough<S> {
    /// Panics if the board does not fit `S` or breaks the bounds of [`Setup`].
    pub fn new(setup: Setup) -> Breakthrough<S> {
        let Setup { rows, columns, rows_per_side } = setup;
        let bounded = (2..=12).contains(&rows) && (2..=12).contains(&columns);
        assert!(bounded && rows_per_side >= 1 && rows >= 2 * rows_per_side, "{setup:?} is no board");
        assert!(setup.squares() <= S::CAPACITY, "{setup:?} needs larger sets");
        let set = |inside: &dyn Fn(usize, usize) -> bool| {
            let squares = (0..setup.squares()).filter(|square| inside(square / columns, square % columns));
            squares.fold(S::default(), |set, square| set | S::of(square as u32))
        };
        Breakthrough {
            setup,
            grid: Grid { rows, columns },
            has_left: set(&|_, column| column > 0),
            has_right: set(&|_, column| column + 1 < columns),
            far_row: [set(&|row, _| row + 1 == rows), set(&|row, _| row == 0)],
            home: [set(&|row, _| row < rows_per_side), set(&|row, _| row >= rows - rows_per_side)],
        }
    }

    #[inline]
    fn steps(&self, state: &State<S>) -> Steps<S> {
        let State { own, enemy, black_moves } = *state;
        let columns = self.setup.columns as u32;
        let (left, right) = (own & self.has_left, own & self.has_right);
        let width = columns as i32;
        let (left, straight, right, back) = if black_moves {
            (left >> (columns + 1), own >> columns, right >> (columns - 1), [width + 1, width, width - 1])
        } else {
            (left << (columns - 1), own << columns, right << (columns + 1), [1 - width, -width, -1 - width])
        };
        Steps { targets: [left & !own, straight & !(own | enemy), right & !own], back }
    }

    fn previous_player_arrived(&self, state: &State<S>) -> bool {
        !(state.enemy & self.far_row[1 - state.mover()]).is_empty()
    }
}

#[inline]
fn step_to(to: u32, back: i32) -> Move {
    Move { from: (to as i32 + back) as u8, to: to as u8 }
}

impl<S: Squares> Game for Breakthrough<S> {
    type State = State<S>;
    type Action = Move;
    type View = State<S>;
    type Worlds = Known<State<S>>;

    fn info(&self) -> GameInfo {
        GameInfo::two_player("breakthrough", self.setup.longest_game())
    }

    fn initial_state(&self) -> State<S> {
        State { own: self.home[0], enemy: self.home[1], black_moves: false }
    }

    /// A player with a pawn has a move: nothing of his own stands before the most advanced one.
    #[inline]
    fn turn(&self, state: &State<S>) -> Turn {
        if state.own.is_empty() || self.previous_player_arrived(state) {
            Turn::Over
        } else {
            Turn::Player(state.mover())
        }
    }

    fn legal_actions(&self, state: &State<S>, out: &mut Vec<Move>) {
        out.clear();
        let Steps { targets, back } = self.steps(state);
        for (targets, back) in targets.into_iter().zip(back) {
            targets.each(|to| out.push(step_to(to, back)));
        }
    }

    #[inline]
    fn apply(&self, state: &mut State<S>, action: Move) {
        let (from, to) = (S::of(action.from.into()), S::of(action.to.into()));
        debug_assert!(!(state.own & from).is_empty() && (state.own & to).is_empty());
        *state = State { own: state.enemy & !to, enemy: state.own ^ (from | to), black_moves: !state.black_moves };
    }

    /// Whoever moved last has won.
    #[inline]
    fn payoffs(&self, state: &State<S>) -> Payoffs {
        zero_sum(if state.black_moves { 1.0 } else { -1.0 })
    }

    fn outcome(&self, state: &State<S>) -> Outcome {
        let payoffs = self.payoffs(state);
        let reason = if self.previous_player_arrived(state) { "far row reached" } else { "all pawns captured" };
        Outcome { payoffs, scores: payoffs, reason }
    }

    fn view(&self, state: &State<S>, _: Option<Player>) -> State<S> {
        *state
    }

    fn worlds(&self, view: &State<S>) -> Known<State<S>> {
        Known(*view)
    }

    #[inline]
    fn view_key(&self, state: &State<S>, _: Option<Player>) -> u64 {
        mix(mix(state.own.key()).wrapping_add(state.enemy.key())) ^ u64::from(state.black_moves)
    }

    fn action_code(&self, action: Move) -> u32 {
        u32::from(action.from) << 8 | u32::from(action.to)
    }

    fn action_from_code(&self, code: u32) -> Move {
        Move { from: (code >> 8) as u8, to: code as u8 }
    }

    fn action_text(&self, _: &State<S>, action: Move) -> String {
        self.grid.square_text(action.from.into()) + &self.grid.square_text(action.to.into())
    }

    fn render(&self, view: &State<S>) -> String {
        let board = self.grid.draw(|square| view.symbol(square));
        let status = match self.turn(view) {
            Turn::Player(0) => "White (w, upwards) to move",
            Turn::Over if view.black_moves => "White has won",
            Turn::Over => "Black has won",
            _ => "Black (b, downwards) to move",
        };
        format!("{board}\n{status}")
    }

    /// One draw over all three directions together: every step is one bit of one set.
    #[inline]
    fn random_action(&self, state: &State<S>, _: &mut Vec<Move>, rng: &mut Rng) -> Move {
        let Steps { targets, back } = self.steps(state);
        let (direction, to) = S::random_of(targets, rng);
        step_to(to, back[direction])
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(encoder::Planes::new(self.setup))]
    }

    fn board(&self) -> Option<&dyn Board<Self>> {
        Some(self)
    }

    fn heuristics(&self) -> Vec<Named<dyn Heuristic<Self>>> {
        vec![("schadd", Box::new(heuristic::Schadd::new(&self.setup)))]
    }

    fn symmetries(&self) -> Option<&dyn Symmetries<Self>> {
        Some(self)
    }
}

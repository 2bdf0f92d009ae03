//! Lines of Action (thesis 001, section 2.3).
//!
//! Black begins. A piece moves along a line exactly as far as there are pieces on that line; a
//! side whose pieces form one group has won. [`LinesOfAction`] has no rule against repetition but
//! a limit of plies and is the fast one for search; [`WithHistory`] adds the rule.

mod board;
mod encoder;
mod geometry;
mod history;
mod notation;
mod scene;
mod symmetry;

use meeple_core::rng::mix;
use meeple_core::{
    Board, Encoder, FromRules, Game, GameInfo, Known, Notation, Outcome, Payoffs, Player, Rng, RuleError, RuleReader,
    Scenery, Symmetries, Turn, bits, zero_sum,
};

use crate::grid::Grid;
use board::{can_move, each_move, is_connected, target};
pub use history::{HistoryState, Repetition, WithHistory};

/// A game without result is a draw after so many plies. Ludii, on which the thesis ran, stops
/// after 1,250 turns, OpenSpiel after 1,000.
pub const LONGEST_GAME: u16 = 1000;

const GRID: Grid = Grid { rows: 8, columns: 8 };
/// Black on the outer rows, White on the outer columns, the corners empty.
const START: [u64; 2] = [0x7e00_0000_0000_007e, 0x0081_8181_8181_8100];

/// The game without a rule against repetition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinesOfAction {
    pub simultaneous: Simultaneous,
    pub no_move: NoMove,
}

/// A capture that connects both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Simultaneous {
    /// The thesis, the Mind Sports Olympiad.
    #[default]
    Draw,
    /// Sackson 1982, OpenSpiel.
    MoverWins,
}

/// A player who cannot move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoMove {
    /// The thesis, OpenSpiel.
    #[default]
    Loss,
    /// The Mind Sports Olympiad, Ludii. If neither side can move the game is a draw.
    Pass,
}

/// The two games behind one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    WithoutHistory(LinesOfAction),
    WithHistory(WithHistory),
}

impl FromRules for Variant {
    fn from_rules(rules: &mut RuleReader) -> Result<Variant, RuleError> {
        let simultaneous = [("draw", Simultaneous::Draw), ("mover_wins", Simultaneous::MoverWins)];
        let no_move = [("loss", NoMove::Loss), ("pass", NoMove::Pass)];
        let repetition = [("none", None), ("third", Some(Repetition::Third)), ("first", Some(Repetition::First))];
        let game = LinesOfAction {
            simultaneous: rules.choice("simultaneous", "a capture connects both sides", &simultaneous, "draw")?,
            no_move: rules.choice("no_move", "a player who cannot move", &no_move, "loss")?,
        };
        let repetition = rules.choice("repetition", "which recurrence of a position is a draw", &repetition, "none")?;
        Ok(match repetition {
            None => Variant::WithoutHistory(game),
            Some(repetition) => Variant::WithHistory(WithHistory { game, repetition }),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Black's, White's.
    pieces: [u64; 2],
    /// Plies played, passes included; Black moves when it is even.
    ply: u16,
    /// Follows from the pieces and the ply: kept because it is dear to find.
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Move,
    /// The player to move can only pass.
    Pass,
    Won(u8, End),
    Drawn(End),
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum End {
    Connected,
    BothConnected,
    NoMove,
    NeitherCanMove,
    Repetition,
    TooLong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Move {
        from: u8,
        to: u8,
    },
    /// Only when there is no move.
    Pass,
}

impl State {
    fn mover(&self) -> Player {
        usize::from(self.ply % 2)
    }

    /// The pieces of the player to move, and the other's.
    #[inline]
    fn sides(&self) -> (u64, u64) {
        let mover = self.mover();
        (self.pieces[mover], self.pieces[1 - mover])
    }

    /// Of the pieces with the ply, or with as much of it as matters.
    #[inline]
    fn key(&self, ply: u16) -> u64 {
        mix(mix(mix(self.pieces[0]).wrapping_add(self.pieces[1])).wrapping_add(u64::from(ply)))
    }

    fn symbol(&self, square: usize) -> Option<char> {
        match self.pieces.map(|pieces| pieces >> square & 1) {
            [1, _] => Some('b'),
            [_, 1] => Some('w'),
            _ => None,
        }
    }
}

impl LinesOfAction {
    /// The phase when it is known which side is one group: the player to move, the one before.
    #[inline]
    fn phase(&self, pieces: [u64; 2], ply: u16, mover_connected: bool, previous_connected: bool) -> Phase {
        let mover = usize::from(ply % 2);
        match (mover_connected, previous_connected) {
            (false, false) => self.phase_without_groups(pieces, ply),
            (true, false) => Phase::Won(mover as u8, End::Connected),
            (false, true) => Phase::Won(1 - mover as u8, End::Connected),
            (true, true) => match self.simultaneous {
                Simultaneous::Draw => Phase::Drawn(End::BothConnected),
                Simultaneous::MoverWins => Phase::Won(1 - mover as u8, End::BothConnected),
            },
        }
    }

    #[inline]
    fn phase_without_groups(&self, pieces: [u64; 2], ply: u16) -> Phase {
        let mover = usize::from(ply % 2);
        let (own, enemy) = (pieces[mover], pieces[1 - mover]);
        let can_move_now = can_move(own, enemy);
        if !can_move_now && self.no_move == NoMove::Loss {
            Phase::Won(1 - mover as u8, End::NoMove)
        } else if !can_move_now && !can_move(enemy, own) {
            Phase::Drawn(End::NeitherCanMove)
        } else if ply >= LONGEST_GAME {
            Phase::Drawn(End::TooLong)
        } else if can_move_now {
            Phase::Move
        } else {
            Phase::Pass
        }
    }

    /// Any pieces at any ply.
    fn state_of(&self, pieces: [u64; 2], ply: u16) -> State {
        let connected = pieces.map(is_connected);
        let mover = usize::from(ply % 2);
        State { pieces, ply, phase: self.phase(pieces, ply, connected[mover], connected[1 - mover]) }
    }
}

/// Above the codes of all moves.
const PASS_CODE: u32 = 1 << 12;

impl Game for LinesOfAction {
    type State = State;
    type Action = Action;
    type View = State;
    type Worlds = Known<State>;

    fn info(&self) -> GameInfo {
        GameInfo::two_player("lines-of-action", LONGEST_GAME.into())
    }

    fn initial_state(&self) -> State {
        State { pieces: START, ply: 0, phase: Phase::Move }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Move | Phase::Pass => Turn::Player(state.mover()),
            Phase::Won(..) | Phase::Drawn(_) => Turn::Over,
        }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        if state.phase == Phase::Pass {
            out.push(Action::Pass);
            return;
        }
        let (own, enemy) = state.sides();
        each_move(own, enemy, |from, to| out.push(Action::Move { from: from as u8, to: to as u8 }));
    }

    /// Only a capture can connect the side that did not move.
    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        let (mut own, mut enemy) = state.sides();
        let mut captures = false;
        if let Action::Move { from, to } = action {
            own ^= 1 << from | 1 << to;
            captures = enemy >> to & 1 == 1;
            enemy &= !(1 << to);
        }
        let mover = state.mover();
        state.pieces[mover] = own;
        state.pieces[1 - mover] = enemy;
        state.ply += 1;
        state.phase = self.phase(state.pieces, state.ply, captures && is_connected(enemy), is_connected(own));
    }

    #[inline]
    fn payoffs(&self, state: &State) -> Payoffs {
        zero_sum(match state.phase {
            Phase::Won(0, _) => 1.0,
            Phase::Won(..) => -1.0,
            _ => 0.0,
        })
    }

    fn outcome(&self, state: &State) -> Outcome {
        let (Phase::Won(_, end) | Phase::Drawn(end)) = state.phase else { panic!("the game is not over") };
        let reason = match end {
            End::Connected => "connected",
            End::BothConnected => "both connected",
            End::NoMove => "no move",
            End::NeitherCanMove => "neither can move",
            End::Repetition => "repetition",
            End::TooLong => "too long",
        };
        let payoffs = self.payoffs(state);
        Outcome { payoffs, scores: payoffs, reason }
    }

    fn view(&self, state: &State, _: Option<Player>) -> State {
        *state
    }

    fn worlds(&self, view: &State) -> Known<State> {
        Known(*view)
    }

    /// The ply is part of it, so no line of play meets a key twice.
    #[inline]
    fn view_key(&self, state: &State, _: Option<Player>) -> u64 {
        state.key(state.ply)
    }

    /// Of the ply only whose turn it is.
    #[inline]
    fn position_key(&self, state: &State) -> u64 {
        state.key(state.ply % 2)
    }

    fn action_code(&self, action: Action) -> u32 {
        match action {
            Action::Move { from, to } => u32::from(from) << 6 | u32::from(to),
            Action::Pass => PASS_CODE,
        }
    }

    fn action_from_code(&self, code: u32) -> Action {
        if code == PASS_CODE {
            return Action::Pass;
        }
        Action::Move { from: (code >> 6) as u8, to: code as u8 & 63 }
    }

    fn action_text(&self, _: &State, action: Action) -> String {
        match action {
            Action::Move { from, to } => GRID.square_text(from.into()) + &GRID.square_text(to.into()),
            Action::Pass => "pass".into(),
        }
    }

    fn render(&self, view: &State) -> String {
        let board = GRID.draw(|square| view.symbol(square));
        let status = match (view.phase, view.mover()) {
            (Phase::Move, 0) => "Black (b) to move",
            (Phase::Move, _) => "White (w) to move",
            (Phase::Pass, 0) => "Black (b) cannot move and passes",
            (Phase::Pass, _) => "White (w) cannot move and passes",
            (Phase::Won(0, _), _) => "Black has won",
            (Phase::Won(..), _) => "White has won",
            (Phase::Drawn(_), _) => "A draw",
        };
        format!("{board}\n{status}, ply {}", view.ply)
    }

    /// Draws a piece and a direction until they make a move: every move is as likely. Listing
    /// them all takes five times as long.
    #[inline]
    fn random_action(&self, state: &State, _: &mut Vec<Action>, rng: &mut Rng) -> Action {
        if state.phase == Phase::Pass {
            return Action::Pass;
        }
        let (own, enemy) = state.sides();
        let choices = own.count_ones() * 8;
        loop {
            let choice = rng.below(choices);
            let from = bits::select(own, choice / 8);
            if let Some(to) = target(own, enemy, from, choice % 8) {
                return Action::Move { from: from as u8, to: to as u8 };
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
        vec![Box::new(encoder::Planes::new(self))]
    }

    fn board(&self) -> Option<&dyn Board<Self>> {
        Some(self)
    }

    fn symmetries(&self) -> Option<&dyn Symmetries<Self>> {
        Some(self)
    }
}

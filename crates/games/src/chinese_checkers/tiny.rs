//! The game of thesis 004: three players, 37 fields, closed tips, 3, 1 and 0 points.

use meeple_core::game::Named;
use meeple_core::{
    Encoder, Fact, Game, GameInfo, Information, Known, MAX_PLAYERS, Notation, Outcome, PayoffSum, Payoffs, Player, Rng,
    Scenery, Script, Turn,
};

use super::board::{Board, Fields, key};
use super::draw::{draw, letter};
use super::encoder::{Numbering, TinyPicture, TinyPlanes};
use super::facts;
use super::moves::{Move, Mover, Seat};
use super::script::{self, Race};

/// South, north-west, north-east: clockwise.
const HOME_TIPS: [usize; 3] = [3, 5, 1];

/// Homes and targets are a tip and the next row of the hexagon: six fields. A player may stop and
/// land on the 25 fields of the hexagon and of his own two tips. Who fills his target with his own
/// pieces first gets 3 points; from then on a target filled by anyone is worth 1 point to its
/// player. Once two have points the game is over. Until then who has finished passes.
#[derive(Clone, Debug)]
pub struct TinyChineseCheckers {
    cap: u16,
    pub(super) board: Board,
    pub(super) seats: Vec<Seat>,
    pub(super) numbering: Numbering,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TinyState {
    pub(super) pieces: [Fields; 3],
    /// Of players who had not finished.
    pub(super) moves: u16,
    pub(super) to_move: u8,
    pub(super) scores: [u8; 3],
}

impl TinyState {
    #[inline]
    pub(super) fn occupied(&self) -> Fields {
        self.pieces[0].union(self.pieces[1]).union(self.pieces[2])
    }
}

impl Default for TinyChineseCheckers {
    fn default() -> TinyChineseCheckers {
        TinyChineseCheckers::new(120)
    }
}

impl TinyChineseCheckers {
    /// The game stops after `cap` moves of players who have not finished: 120 in the thesis, 40 each
    /// until somebody finishes. Who has no points by then gets none.
    pub fn new(cap: u16) -> TinyChineseCheckers {
        let board = Board::new(2);
        let seat = |tip: usize| {
            let accessible = board.hexagon().union(board.tip(tip, 0)).union(board.tip(tip + 3, 0));
            Seat::new(&board, tip, 1, accessible, accessible)
        };
        let seats: Vec<Seat> = HOME_TIPS.into_iter().map(seat).collect();
        // Seen by the first player, whose home is in the south already.
        let numbering = Numbering::new(&board, seats[0].stop);
        TinyChineseCheckers { cap, board, seats, numbering }
    }

    /// The number of an action among the 320 of the thesis (section 2.2), from 0: seen by its
    /// player with his home in the south, 150 steps, 169 chains of jumps, then the pass.
    pub fn action_number(&self, player: Player, action: Move) -> usize {
        self.numbering.index(&self.board, self.seats[player].turns, action)
    }

    pub(super) fn cap(&self) -> u16 {
        self.cap
    }

    #[inline]
    pub(super) fn is_decided(&self, state: &TinyState) -> bool {
        state.scores.iter().filter(|&&score| score > 0).count() >= 2
    }

    #[inline]
    fn mover(&self, state: &TinyState) -> Mover<'_> {
        let player = usize::from(state.to_move);
        Mover { seat: &self.seats[player], own: state.pieces[player], occupied: state.occupied() }
    }

    #[inline]
    fn has_finished(&self, state: &TinyState) -> bool {
        state.scores[usize::from(state.to_move)] > 0
    }

    #[inline]
    fn give_points(&self, state: &mut TinyState) {
        let mover = usize::from(state.to_move);
        if state.scores == [0; 3] {
            if state.pieces[mover] != self.seats[mover].target {
                return;
            }
            state.scores[mover] = 3;
        }
        for player in 0..3 {
            if state.scores[player] == 0 && self.seats[player].target.is_within(state.occupied()) {
                state.scores[player] = 1;
            }
        }
    }
}

impl Game for TinyChineseCheckers {
    type State = TinyState;
    type Action = Move;
    type View = TinyState;
    type Worlds = Known<TinyState>;

    fn info(&self) -> GameInfo {
        GameInfo {
            name: "chinese-checkers",
            version: 1,
            players: 3,
            teams: 3,
            // Every third action may be the pass of one who has finished, which does not count.
            longest_game: usize::from(self.cap) * 3 / 2 + 1,
            payoff_sum: PayoffSum::General,
            information: Information::Perfect,
            chance: false,
        }
    }

    fn initial_state(&self) -> TinyState {
        let pieces = std::array::from_fn(|player| self.seats[player].home);
        TinyState { pieces, moves: 0, to_move: 0, scores: [0; 3] }
    }

    #[inline]
    fn turn(&self, state: &TinyState) -> Turn {
        if state.moves >= self.cap || self.is_decided(state) {
            Turn::Over
        } else {
            Turn::Player(usize::from(state.to_move))
        }
    }

    fn legal_actions(&self, state: &TinyState, out: &mut Vec<Move>) {
        out.clear();
        if !self.has_finished(state) {
            self.mover(state).moves(out);
        }
        if out.is_empty() {
            out.push(Move::PASS);
        }
    }

    fn apply(&self, state: &mut TinyState, action: Move) {
        state.moves += u16::from(!self.has_finished(state));
        if action != Move::PASS {
            let own = &mut state.pieces[usize::from(state.to_move)];
            own.toggle(action.from);
            own.toggle(action.to);
            self.give_points(state);
        }
        state.to_move = if state.to_move == 2 { 0 } else { state.to_move + 1 };
    }

    fn payoffs(&self, state: &TinyState) -> Payoffs {
        let mut payoffs = Payoffs::default();
        for player in 0..3 {
            payoffs[player] = f32::from(state.scores[player]) / 1.5 - 1.0;
        }
        payoffs
    }

    fn payoffs_so_far(&self, state: &TinyState) -> Option<Payoffs> {
        Some(self.payoffs(state))
    }

    fn outcome(&self, state: &TinyState) -> Outcome {
        let mut scores = [0.0; MAX_PLAYERS];
        for player in 0..3 {
            scores[player] = f32::from(state.scores[player]);
        }
        let reason = if self.is_decided(state) { "finished" } else { "move limit" };
        Outcome { payoffs: self.payoffs(state), scores, reason }
    }

    fn view(&self, state: &TinyState, _: Option<Player>) -> TinyState {
        *state
    }

    fn worlds(&self, view: &TinyState) -> Known<TinyState> {
        Known(*view)
    }

    fn view_key(&self, state: &TinyState, _: Option<Player>) -> u64 {
        let [a, b, c] = state.scores.map(u64::from);
        key(&state.pieces, u64::from(state.moves) << 32 | u64::from(state.to_move) << 24 | a << 16 | b << 8 | c)
    }

    fn position_key(&self, state: &TinyState) -> u64 {
        self.view_key(&TinyState { moves: 0, ..*state }, None)
    }

    fn action_code(&self, action: Move) -> u32 {
        action.code()
    }

    fn action_from_code(&self, code: u32) -> Move {
        Move::from_code(code)
    }

    fn action_text(&self, _: &TinyState, action: Move) -> String {
        action.text(&self.board)
    }

    fn render(&self, view: &TinyState) -> String {
        let [a, b, c] = view.scores;
        let turn = match self.turn(view) {
            Turn::Player(player) => format!("{} to move", letter(player)),
            _ => "game over".into(),
        };
        let picture = draw(&self.board, &view.pieces);
        format!("{picture}{turn}, move {} of {}, points A {a}, B {b}, C {c}", view.moves, self.cap)
    }

    fn random_action(&self, state: &TinyState, buffer: &mut Vec<Move>, rng: &mut Rng) -> Move {
        if self.has_finished(state) {
            return Move::PASS;
        }
        self.mover(state).random(rng).unwrap_or_else(|| {
            self.legal_actions(state, buffer);
            *rng.choose(buffer)
        })
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(TinyPlanes), Box::new(TinyPicture)]
    }

    fn board(&self) -> Option<&dyn meeple_core::Board<Self>> {
        Some(self)
    }

    fn facts(&self) -> Vec<Fact> {
        facts::of_tiny(self)
    }

    fn scripts(&self) -> Vec<Named<dyn Script<Self>>> {
        script::all()
    }
}

impl Race for TinyChineseCheckers {
    fn progress(&self, view: &TinyState, action: Move) -> i8 {
        script::rows_up(&self.board, &self.seats[usize::from(view.to_move)], action)
    }
}

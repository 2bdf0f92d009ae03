//! Lines of Action in which a recurring position is a draw. The positions since the last capture,
//! beyond which nothing can recur, hang on the small state as a list that its descendants share.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use meeple_core::rng::mix;
use meeple_core::{
    Board, Encoder, Game, GameInfo, Known, Notation, Outcome, Payoffs, Player, Rng, Scenery, Symmetries, Turn,
};

use super::encoder::Planes;
use super::{Action, End, LinesOfAction, Phase, State};

/// The game with a rule against repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithHistory {
    pub game: LinesOfAction,
    pub repetition: Repetition,
}

/// Which recurrence of a position is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The third time that a board appears with the same side to move (Mind Sports Olympiad).
    Third,
    /// As soon as a move brings back a board, whoever moves next (OpenSpiel). A pass brings back none.
    First,
}

/// A position and how it came about since the last capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryState {
    position: State,
    earlier: Option<Arc<Earlier>>,
}

#[derive(Debug, PartialEq, Eq)]
struct Earlier {
    position: State,
    /// Sum of a key for each position up to this one: does not depend on their order.
    key: u64,
    before: Option<Arc<Earlier>>,
}

impl HistoryState {
    pub(super) fn starting_with(position: State) -> HistoryState {
        HistoryState { position, earlier: None }
    }

    pub(super) fn position(&self) -> &State {
        &self.position
    }

    /// From the earliest to the present one.
    pub(super) fn positions(&self) -> Vec<&State> {
        let mut positions: Vec<&State> = [&self.position].into_iter().chain(self.history()).collect();
        positions.reverse();
        positions
    }

    /// From the latest to the earliest.
    fn history(&self) -> impl Iterator<Item = &State> {
        let mut earlier = self.earlier.as_deref();
        std::iter::from_fn(move || {
            let Earlier { position, before, .. } = earlier?;
            earlier = before.as_deref();
            Some(position)
        })
    }

    fn history_key(&self) -> u64 {
        self.earlier.as_ref().map_or(0, |earlier| earlier.key)
    }

    /// Makes the position part of the history of the one that takes its place.
    pub(super) fn advance_to(&mut self, position: State) {
        self.remember();
        self.position = position;
    }

    fn remember(&mut self) {
        let key = self.history_key().wrapping_add(self.position.key(self.position.ply % 2));
        self.earlier = Some(Arc::new(Earlier { position: self.position, key, before: self.earlier.take() }));
    }
}

/// The history takes part in equality but would make the hash as long as the game.
impl Hash for HistoryState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.position.hash(hasher);
        self.history_key().hash(hasher);
    }
}

impl WithHistory {
    fn recurs(&self, state: &HistoryState) -> bool {
        let State { pieces, ply, .. } = state.position;
        let mut same_board = state.history().filter(|earlier| earlier.pieces == pieces);
        match self.repetition {
            Repetition::First => same_board.next().is_some(),
            Repetition::Third => same_board.filter(|earlier| earlier.ply % 2 == ply % 2).nth(1).is_some(),
        }
    }
}

impl Game for WithHistory {
    type State = HistoryState;
    type Action = Action;
    type View = HistoryState;
    type Worlds = Known<HistoryState>;

    fn info(&self) -> GameInfo {
        self.game.info()
    }

    fn initial_state(&self) -> HistoryState {
        HistoryState::starting_with(self.game.initial_state())
    }

    fn turn(&self, state: &HistoryState) -> Turn {
        self.game.turn(&state.position)
    }

    fn legal_actions(&self, state: &HistoryState, out: &mut Vec<Action>) {
        self.game.legal_actions(&state.position, out);
    }

    fn apply(&self, state: &mut HistoryState, action: Action) {
        let pieces = |state: &HistoryState| (state.position.pieces[0] | state.position.pieces[1]).count_ones();
        let before = pieces(state);
        state.remember();
        self.game.apply(&mut state.position, action);
        if pieces(state) < before {
            state.earlier = None;
        }
        let counts = action != Action::Pass || self.repetition == Repetition::Third;
        if counts && self.recurs(state) {
            state.position.phase = Phase::Drawn(End::Repetition);
        }
    }

    fn payoffs(&self, state: &HistoryState) -> Payoffs {
        self.game.payoffs(&state.position)
    }

    fn outcome(&self, state: &HistoryState) -> Outcome {
        self.game.outcome(&state.position)
    }

    fn view(&self, state: &HistoryState, _: Option<Player>) -> HistoryState {
        state.clone()
    }

    fn worlds(&self, view: &HistoryState) -> Known<HistoryState> {
        Known(view.clone())
    }

    fn view_key(&self, state: &HistoryState, viewer: Option<Player>) -> u64 {
        self.game.view_key(&state.position, viewer) ^ mix(state.history_key())
    }

    fn position_key(&self, state: &HistoryState) -> u64 {
        self.game.position_key(&state.position)
    }

    fn action_code(&self, action: Action) -> u32 {
        self.game.action_code(action)
    }

    fn action_from_code(&self, code: u32) -> Action {
        self.game.action_from_code(code)
    }

    fn action_text(&self, state: &HistoryState, action: Action) -> String {
        self.game.action_text(&state.position, action)
    }

    fn render(&self, view: &HistoryState) -> String {
        self.game.render(&view.position)
    }

    fn random_action(&self, state: &HistoryState, buffer: &mut Vec<Action>, rng: &mut Rng) -> Action {
        self.game.random_action(&state.position, buffer, rng)
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(Planes::new(&self.game))]
    }

    fn board(&self) -> Option<&dyn Board<Self>> {
        Some(self)
    }

    fn symmetries(&self) -> Option<&dyn Symmetries<Self>> {
        Some(self)
    }
}

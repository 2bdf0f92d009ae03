//! Positions of Keezen set up from marbles and a hand; the rest does not matter.

use meeple_core::{Game, Notation, Rng, Turn, Worlds};
use meeple_games::Keezen;
use meeple_games::keezen::{Action, State};

pub(crate) struct Position {
    game: Keezen,
    state: State,
}

impl Position {
    /// `seat` moves first in the first round, after everybody has played as many cards as the
    /// hand is short of five.
    pub(crate) fn new(game: &Keezen, seat: usize, marbles: &str, hand: &str) -> Position {
        let view = game.parse_view(&view_text(seat, marbles, hand)).unwrap();
        let mut state = game.initial_state();
        game.worlds(&view).sample_into(&mut state, &mut Rng::from_seed(1));
        Position { game: game.clone(), state }
    }

    pub(crate) fn legal(&self) -> Vec<String> {
        let mut actions = Vec::new();
        self.game.legal_actions(&self.state, &mut actions);
        actions.into_iter().map(|action| self.game.action_text(&self.state, action)).collect()
    }

    pub(crate) fn play(&self, text: &str) -> State {
        let mut state = self.state;
        self.game.apply(&mut state, self.action(text));
        state
    }

    /// What a behaviour makes of an action.
    pub(crate) fn judge(&self, behaviour: &str, text: &str) -> Option<bool> {
        let found = self.game.behaviours().into_iter().find(|(name, _)| *name == behaviour);
        let Turn::Player(seat) = self.game.turn(&self.state) else { return None };
        found.unwrap().1.judge(&self.game, &self.game.view(&self.state, Some(seat)), self.action(text))
    }

    fn action(&self, text: &str) -> Action {
        let mut actions = Vec::new();
        self.game.legal_actions(&self.state, &mut actions);
        let action = actions.into_iter().find(|&action| self.game.action_text(&self.state, action) == text);
        action.unwrap_or_else(|| panic!("{text} is not legal: {:?}", self.legal()))
    }

    /// What a seat sees.
    pub(crate) fn picture(&self, seat: usize) -> String {
        self.game.render(&self.game.view(&self.state, Some(seat)))
    }

    /// The marbles after an action.
    pub(crate) fn after(&self, text: &str) -> String {
        let state = self.game.state_text(&self.play(text));
        state.split(' ').next().unwrap().to_string()
    }
}

/// The view of `seat`, which is to move.
pub(crate) fn view_text(seat: usize, marbles: &str, hand: &str) -> String {
    let mut rest: Vec<char> = "A23456789TJQK".repeat(4).chars().collect();
    for card in hand.chars() {
        rest.remove(rest.iter().position(|&other| other == card).unwrap());
    }
    let played: String = rest[..20 - 4 * hand.len()].iter().collect();
    let played = if played.is_empty() { "-".to_string() } else { played };
    let hands: Vec<String> =
        (0..4).map(|other| if other == seat { hand.to_string() } else { "?".repeat(hand.len()) }).collect();
    format!("{marbles} {} ? {played} d{} r0 t{seat} m40 v{seat}", hands.join("/"), (seat + 3) % 4)
}

//! Positions and views as one line of text, to set up, to share and to transcribe.

use std::fmt;

use crate::Game;

/// Both ways for both: what is printed parses back to the same value.
pub trait Notation<G: Game>: Send + Sync {
    /// One line that describes the form, shown when a text does not fit, with an example.
    fn help(&self) -> String;

    fn state_text(&self, state: &G::State) -> String;

    /// Refuses what no game can reach as far as counting tells: too many cards of a rank, a wrong
    /// number of stones, a card that the player cannot hold.
    fn parse_state(&self, text: &str) -> Result<G::State, NotationError>;

    /// Like a state, with `?` for what the viewer does not know.
    fn view_text(&self, view: &G::View) -> String;

    fn parse_view(&self, text: &str) -> Result<G::View, NotationError>;
}

/// What is wrong with a text, as one sentence for its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError(pub String);

impl NotationError {
    pub fn new(message: impl Into<String>) -> NotationError {
        NotationError(message.into())
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotationError {}

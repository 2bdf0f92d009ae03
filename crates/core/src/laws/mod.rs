//! What every game promises, checked on random games. Shipped to users as `meeple check-game`.
//!
//! A test of a game is one line, `laws::assert_all(&game)`; hidden information also gets
//! `laws::assert_worlds_exhaustively(&tiny, most_states, views)` on a variant small enough to list every state.

mod chance;
mod exhaustive;
mod play;
mod public;
mod scene;
mod view;

use std::fmt;

use serde::Serialize;

use crate::{Game, Rng};

pub use exhaustive::assert_worlds_exhaustively;
pub use view::assert_fair;

/// How thoroughly to look.
#[derive(Clone, Debug)]
pub struct Laws {
    /// Random games to play.
    pub games: u32,
    pub seed: u64,
    /// Worlds to sample at each decision and viewer.
    pub worlds: u32,
}

impl Default for Laws {
    fn default() -> Laws {
        Laws { games: 30, seed: 1, worlds: 3 }
    }
}

/// What was looked at.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LawReport {
    pub games: u64,
    pub decisions: u64,
    pub outcomes_of_chance: u64,
    pub worlds: u64,
    pub notations: u64,
    pub encodings: u64,
    pub symmetries: u64,
}

/// A broken law, with the way to the position where it broke.
#[derive(Clone, Debug)]
pub struct Violation {
    pub law: &'static str,
    pub detail: String,
    /// The texts of the actions that lead there.
    pub actions: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "law broken: {}: {}\nafter: {}", self.law, self.detail, self.actions.join(" "))
    }
}

impl std::error::Error for Violation {}

type Checked = Result<(), Violation>;

/// Ends the check with the law that is broken, unless `holds`.
fn require(holds: bool, law: &'static str, detail: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(Violation { law, detail: detail(), actions: Vec::new() }) }
}

/// Checks every law on random games.
pub fn check<G: Game>(game: &G, laws: &Laws) -> Result<LawReport, Violation> {
    let mut report = LawReport::default();
    for number in 0..laws.games {
        let mut rng = Rng::stream(laws.seed, u64::from(number));
        play::check_game(game, laws, &mut rng, &mut report)?;
    }
    let mut rng = Rng::stream(laws.seed, u64::MAX);
    chance::check_hooks(game, &mut rng)?;
    Ok(report)
}

/// [`check`] with its defaults; panics with the broken law.
pub fn assert_all<G: Game>(game: &G) {
    assert_with(game, &Laws::default());
}

/// [`check`]; panics with the broken law.
pub fn assert_with<G: Game>(game: &G, laws: &Laws) {
    if let Err(violation) = check(game, laws) {
        panic!("{}: {violation}", game.info().name);
    }
}

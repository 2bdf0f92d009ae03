//! Where positions come from.

use std::fmt;

use meeple_core::erased::{AnyCase, AnyGame};
use meeple_core::suite::Bands;
use meeple_core::{Case, Rng};

type Draw<'a> = Box<dyn FnMut(&mut Rng) -> Vec<AnyCase> + Send + 'a>;

/// A set of positions, perhaps drawn anew each time.
pub struct Positions<'a> {
    pub name: String,
    /// How metrics are rated, if that is defined.
    pub bands: Option<Bands>,
    /// Whether they are drawn anew each time.
    pub drawn: bool,
    cases: Draw<'a>,
}

impl fmt::Debug for Positions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Positions").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'a> Positions<'a> {
    /// A suite of the game, if it has one with this name.
    pub fn of_suite(game: &'a dyn AnyGame, suite: &str) -> Option<Positions<'a>> {
        let suite = game.suites().into_iter().find(|known| known.name == suite)?;
        let cases = move |rng: &mut Rng| game.suite_cases(suite.name, rng).unwrap_or_default();
        let name = format!("{}/{}", game.info().name, suite.name);
        Some(Positions { name, bands: suite.bands, drawn: true, cases: Box::new(cases) })
    }

    /// The same positions each time.
    pub fn fixed(name: &str, cases: Vec<AnyCase>, bands: Option<Bands>) -> Positions<'static> {
        let copy = |case: &AnyCase| Case {
            name: case.name.clone(),
            position: case.position.clone_box(),
            expected: case.expected.clone(),
            turns: case.turns,
        };
        let cases = move |_: &mut Rng| cases.iter().map(copy).collect();
        Positions { name: name.to_string(), bands, drawn: false, cases: Box::new(cases) }
    }

    pub(super) fn draw(&mut self, rng: &mut Rng) -> Vec<AnyCase> {
        (self.cases)(rng)
    }
}

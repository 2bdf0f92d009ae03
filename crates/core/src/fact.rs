//! A figure about a game with its name, for `meeple games NAME --stats`.

use serde::Serialize;

/// One line of a game's analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// What is counted or measured, with its unit.
    pub name: String,
    pub text: String,
    /// The same as a number, where it is one.
    pub number: Option<f64>,
}

impl Fact {
    pub fn number(name: impl Into<String>, number: f64) -> Fact {
        let text = if number.fract() == 0.0 && number.abs() < 1e15 {
            format!("{number:.0}")
        } else if number.abs() >= 1e6 || (number != 0.0 && number.abs() < 1e-3) {
            format!("{number:.3e}")
        } else {
            format!("{number:.4}")
        };
        Fact { name: name.into(), text, number: Some(number) }
    }

    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Fact {
        Fact { name: name.into(), text: text.into(), number: None }
    }
}

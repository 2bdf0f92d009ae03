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

    /// A number of states with its class in thesis 003, section 3.4.
    pub fn state_space(name: impl Into<String>, states: f64) -> Fact {
        let class = match states {
            states if states <= 1e5 => "Small",
            states if states <= 1e10 => "Medium",
            _ => "Large",
        };
        let fact = Fact::number(name, states);
        Fact { text: format!("{} ({class})", fact.text), ..fact }
    }

    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Fact {
        Fact { name: name.into(), text: text.into(), number: None }
    }
}

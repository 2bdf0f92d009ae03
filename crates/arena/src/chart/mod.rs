//! Charts as SVG: grouped bars and curves, both with error bars.

mod bars;
mod canvas;
mod curves;
mod scale;

pub use bars::{BarChart, Group, Series};
pub use curves::{Curve, CurveChart};

/// A figure with its error bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    pub value: f64,
    /// From, to.
    pub spread: Option<[f64; 2]>,
}

impl Value {
    fn ends(&self) -> [f64; 3] {
        let [low, high] = self.spread.unwrap_or([self.value; 2]);
        [low, self.value, high]
    }
}

/// Colours that are told apart also by readers who see few of them.
const COLOURS: [&str; 8] = ["#a9b8c6", "#1f6f9f", "#d1782c", "#3c8d5a", "#8b5fa8", "#b8433f", "#6b6b6b", "#c2a323"];

//! A match that ends by itself: the test looks at its deals in the order of their numbers, however the games
//! were played.

use super::MatchSettings;
use super::line::Line;
use crate::sprt::{Sprt, SprtResult};

pub(super) struct Sequential {
    test: Option<Sprt>,
    seatings: usize,
}

impl Sequential {
    /// An error says why there can be no test.
    pub(super) fn new(settings: &MatchSettings, seatings: usize) -> Result<Sequential, String> {
        match &settings.sprt {
            Some(_) if settings.agents.len() != 2 => {
                Err(format!("a sequential test compares two agents, not {}", settings.agents.len()))
            }
            test => Ok(Sequential { test: test.clone(), seatings }),
        }
    }

    /// Takes the deals that follow and are complete. True once the test has decided.
    pub(super) fn look(&mut self, lines: &[Option<Line>]) -> bool {
        let Some(test) = &mut self.test else { return false };
        while test.verdict().is_none() {
            let from = test.deals() as usize * self.seatings;
            let Some(deal) = lines.get(from..from + self.seatings) else { break };
            let points: Option<Vec<f64>> = deal.iter().map(|line| line.as_ref().map(points)).collect();
            let Some(points) = points else { break };
            test.add(points.iter().sum::<f64>() / self.seatings as f64);
        }
        test.verdict().is_some()
    }

    /// The games that count: those that the test has seen if it has decided, else all.
    pub(super) fn counted<'a>(&self, lines: &'a [Option<Line>]) -> &'a [Option<Line>] {
        match &self.test {
            Some(test) if test.verdict().is_some() => &lines[..test.deals() as usize * self.seatings],
            _ => lines,
        }
    }

    pub(super) fn result(&self) -> Option<SprtResult> {
        self.test.as_ref().map(Sprt::result)
    }
}

/// What the first of two agents gets: 1, for a tie a half, or 0.
fn points(line: &Line) -> f64 {
    let ranks = line.ranks(2);
    0.5 + 0.5 * (ranks[1] as f64 - ranks[0] as f64)
}

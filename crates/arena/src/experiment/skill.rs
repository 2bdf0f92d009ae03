//! How much skill decides a game (thesis 003, equation 3.1; Borm and van der Genugten 2001).

use meeple_core::Rules;
use serde::Deserialize;

use super::figure::{Figure, Measurement, Unit};
use super::metric::Metric;
use super::plan::{Part, one};
use crate::{Estimate, MatchResult};

/// Three players in turn against the same opponent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedSkill {
    pub name: String,
    pub game: String,
    #[serde(default)]
    pub rules: Rules,
    /// Knows the rules and no more.
    pub beginner: String,
    pub average: String,
    /// Plays like the average one, but is told what chance hides.
    pub informed: String,
    pub opponent: String,
    pub games: u64,
    /// Games for a first impression.
    pub quick: u64,
    #[serde(default = "one")]
    pub seed: u64,
}

impl PlannedSkill {
    pub(super) fn check(&self) -> Result<(), String> {
        if self.games < 2 || self.quick < 2 {
            return Err("there must be at least two games, quick or not".to_string());
        }
        Ok(())
    }

    pub(super) fn parts(&self, quick: bool) -> Vec<Part> {
        let part = |agent: &String| Part {
            game: self.game.clone(),
            rules: self.rules.to_string(),
            agents: vec![agent.clone(), self.opponent.clone()],
            games: if quick { self.quick } else { self.games },
            seed: self.seed,
        };
        [&self.beginner, &self.average, &self.informed].into_iter().map(part).collect()
    }

    pub(super) fn figures(&self, results: &[MatchResult]) -> Vec<Figure> {
        let [beginner, average, informed] = results else { return Vec::new() };
        let payoff = |result: &MatchResult| result.agents[0].payoff();
        let skill = skill(payoff(beginner), payoff(average), payoff(informed));
        let games = beginner.games;
        let found = Measurement {
            name: "skill".to_string(),
            unit: Unit::Plain,
            value: skill.mean,
            interval: skill.interval,
            n: games,
        };
        let mut figures = vec![Figure::new(&self.name, found, None, None)];
        for (who, result) in [("beginner", beginner), ("average", average), ("informed", informed)] {
            let wins = Metric::Wins.measure(result);
            let found = Measurement { name: format!("wins of the {who}"), ..wins };
            figures.push(Figure::new(&self.name, found, None, None));
        }
        figures
    }
}

/// (average - beginner) / (informed - beginner), with the spread of the three means carried over to the ratio.
fn skill(beginner: Estimate, average: Estimate, informed: Estimate) -> Estimate {
    let whole = informed.mean - beginner.mean;
    let skill = if whole == 0.0 { 0.0 } else { (average.mean - beginner.mean) / whole };
    let half = |estimate: Estimate| estimate.interval.map(|[low, high]| (high - low) / 2.0);
    let spread = || {
        let (beginner, average, informed) = (half(beginner)?, half(average)?, half(informed)?);
        if whole == 0.0 {
            return None;
        }
        let squares = average.powi(2) + (skill * informed).powi(2) + ((1.0 - skill) * beginner).powi(2);
        Some(squares.sqrt() / whole.abs())
    };
    Estimate { mean: skill, interval: spread().map(|spread| [skill - spread, skill + spread]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(mean: f64, spread: f64) -> Estimate {
        Estimate { mean, interval: Some([mean - spread, mean + spread]) }
    }

    #[test]
    fn skill_lies_between_the_beginner_and_the_informed() {
        let skill_of = |average: Estimate| skill(estimate(-1.0, 0.0), average, estimate(1.0, 0.0));
        assert_eq!(skill_of(estimate(-1.0, 0.0)).mean, 0.0);
        assert_eq!(skill_of(estimate(1.0, 0.0)).mean, 1.0);
        let half = skill_of(estimate(0.0, 0.2));
        assert_eq!(half.mean, 0.5);
        let [low, high] = half.interval.unwrap();
        assert!((low - 0.4).abs() < 1e-12 && (high - 0.6).abs() < 1e-12);
    }

    #[test]
    fn doubt_about_each_player_widens_the_interval() {
        let width = |beginner, average, informed| {
            let skill = skill(estimate(-1.0, beginner), estimate(0.0, average), estimate(1.0, informed));
            skill.interval.map(|[low, high]| high - low).unwrap()
        };
        let least = width(0.1, 0.1, 0.1);
        assert!(width(0.2, 0.1, 0.1) > least && width(0.1, 0.2, 0.1) > least && width(0.1, 0.1, 0.2) > least);
    }
}

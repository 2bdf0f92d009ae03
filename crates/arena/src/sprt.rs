//! The sequential probability ratio test: it says after each deal whether two hypotheses about the
//! strength of the first agent can be told apart already.
//!
//! The generalised test for samples of any distribution (Van den Bergh's, used by fishtest), in its normal
//! approximation: with the mean m and variance v of n deals and the expected points s0 and s1 of the
//! hypotheses, the log-likelihood ratio is n (s1 - s0)(2 m - s0 - s1) / 2 v.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The probability of either error: accepting the one hypothesis where the other is true.
const ERROR: f64 = 0.05;
/// The variance counts as if so many deals had been seen before...
const DEALS_BEFORE: f64 = 2.0;
/// ...with the greatest variance that points between 0 and 1 can have. Few deals that happen to agree
/// decide nothing.
const VARIANCE_BEFORE: f64 = 0.25;
/// Beyond, nothing can be expected but wins.
const GREATEST_ELO: f64 = 2000.0;

/// A test between two Elo differences (logistic). One sample is the mean points of the first agent over all
/// seatings of one deal.
#[derive(Clone, Debug, PartialEq)]
pub struct Sprt {
    elo: [f64; 2],
    deals: u64,
    mean: f64,
    /// The sum of squared distances from the mean.
    squares: f64,
    verdict: Option<Accepted>,
}

/// What a test has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Accepted {
    Elo0,
    Elo1,
}

/// A test as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtResult {
    pub elo0: f64,
    pub elo1: f64,
    /// Deals with all seatings that the test has seen.
    pub deals: u64,
    pub llr: f64,
    pub bounds: [f64; 2],
    /// `None` if the match ended before the test could decide.
    pub accepted: Option<Accepted>,
}

impl Sprt {
    /// An error says what is wrong with the hypotheses.
    pub fn new(elo0: f64, elo1: f64) -> Result<Sprt, String> {
        let possible = |elo: f64| (-GREATEST_ELO..=GREATEST_ELO).contains(&elo);
        if !possible(elo0) || !possible(elo1) || elo0 >= elo1 {
            return Err(format!(
                "the hypotheses {elo0} and {elo1} must be Elo differences within {GREATEST_ELO}, the lower one first"
            ));
        }
        Ok(Sprt { elo: [elo0, elo1], deals: 0, mean: 0.0, squares: 0.0, verdict: None })
    }

    /// Takes the next deal, in the order of their numbers. A test that has decided ignores it.
    pub fn add(&mut self, points_of_a_deal: f64) {
        if self.verdict.is_some() {
            return;
        }
        self.deals += 1;
        let distance = points_of_a_deal - self.mean;
        self.mean += distance / self.deals as f64;
        self.squares += distance * (points_of_a_deal - self.mean);
        let [low, high] = self.bounds();
        self.verdict = match self.llr() {
            llr if llr <= low => Some(Accepted::Elo0),
            llr if llr >= high => Some(Accepted::Elo1),
            _ => None,
        };
    }

    /// The logarithm of how much likelier the deals are under the second hypothesis.
    pub fn llr(&self) -> f64 {
        let [expected0, expected1] = self.elo.map(expected_points);
        let deals = self.deals as f64;
        let variance = (self.squares + DEALS_BEFORE * VARIANCE_BEFORE) / (deals + DEALS_BEFORE);
        deals * (expected1 - expected0) * (2.0 * self.mean - expected0 - expected1) / (2.0 * variance)
    }

    /// Where the test decides for the first and for the second hypothesis (Wald 1945).
    pub fn bounds(&self) -> [f64; 2] {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        [-bound, bound]
    }

    pub fn verdict(&self) -> Option<Accepted> {
        self.verdict
    }

    pub fn deals(&self) -> u64 {
        self.deals
    }

    pub fn result(&self) -> SprtResult {
        let [elo0, elo1] = self.elo;
        let (deals, llr, bounds) = (self.deals, self.llr(), self.bounds());
        SprtResult { elo0, elo1, deals, llr, bounds, accepted: self.verdict }
    }
}

/// Reads `elo0,elo1`.
impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let numbers = text.split(',').map(|piece| piece.trim().parse::<f64>());
        match numbers.collect::<Result<Vec<f64>, _>>().as_deref() {
            Ok(&[elo0, elo1]) => Sprt::new(elo0, elo1),
            _ => Err(format!("`{text}` must be two numbers: elo0,elo1")),
        }
    }
}

/// The points of a game to expect from an Elo difference.
fn expected_points(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::Rng;

    /// The mean points of two games that are drawn with a given probability.
    fn deal(rng: &mut Rng, expected: f64, drawn: f64) -> f64 {
        let mut game = || match rng.unit() < drawn {
            true => 0.5,
            false => f64::from(u8::from(rng.unit() < (expected - drawn / 2.0) / (1.0 - drawn))),
        };
        (game() + game()) / 2.0
    }

    /// How often the second hypothesis is accepted, and the deals that it took on average.
    fn accepted(test: &Sprt, elo: f64, drawn: f64, runs: u64) -> (f64, f64) {
        let (mut seconds, mut deals) = (0, 0);
        for run in 0..runs {
            let mut rng = Rng::stream(7, run);
            let mut test = test.clone();
            while test.verdict().is_none() {
                test.add(deal(&mut rng, expected_points(elo), drawn));
                assert!(test.deals() < 100_000, "the test does not stop");
            }
            seconds += u64::from(test.verdict() == Some(Accepted::Elo1));
            deals += test.deals();
        }
        (seconds as f64 / runs as f64, deals as f64 / runs as f64)
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        let runs = 2000;
        // Three standard errors of a rate of 5 %.
        let most = 0.05 + 3.0 * (0.05f64 * 0.95 / runs as f64).sqrt();
        for (elo0, elo1, drawn) in [(0.0, 30.0, 0.0), (0.0, 50.0, 0.5), (-20.0, 20.0, 0.2), (0.0, 200.0, 0.0)] {
            let test = Sprt::new(elo0, elo1).unwrap();
            let (wrong, under_first) = accepted(&test, elo0, drawn, runs);
            let (right, under_second) = accepted(&test, elo1, drawn, runs);
            assert!(wrong <= most && right >= 1.0 - most, "{elo0} {elo1}: {wrong} {right}");
            // A fixed number of deals for the same errors needs (2 · 1.645)² v / (s1 - s0)².
            let gap = expected_points(elo1) - expected_points(elo0);
            let fixed = 3.29f64.powi(2) * 0.125 * (1.0 - drawn) / gap.powi(2);
            assert!(under_first.max(under_second) < fixed.max(10.0), "{under_first} {under_second} {fixed}");
        }
    }

    #[test]
    fn equal_deals_need_some_company() {
        let mut test = Sprt::new(0.0, 50.0).unwrap();
        test.add(1.0);
        test.add(1.0);
        assert_eq!(test.verdict(), None, "two deals prove nothing: {}", test.llr());
        (0..20).for_each(|_| test.add(1.0));
        assert_eq!(test.verdict(), Some(Accepted::Elo1));
        let decided = test.clone();
        test.add(0.0);
        assert_eq!(test, decided);
        assert!((test.bounds()[1] - 19f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn hypotheses_are_read() {
        assert_eq!("-5, 5".parse::<Sprt>(), Sprt::new(-5.0, 5.0));
        for bad in ["", "5", "0,5,10", "five,ten", "5,0", "0,0", "0,inf", "nan,1", "0,5000"] {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
    }
}

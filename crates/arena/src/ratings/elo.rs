//! Elo ratings of a pool of agents from games between two: the posterior of Davidson's model (1970), which is
//! Bradley and Terry's with draws.
//!
//! With strengths a and b and d = a - b, the odds of win, draw and loss are exp(d/2) : exp(c) : exp(-d/2),
//! where c is one figure for the game. The prior of each strength is one draw (half a win and half a loss)
//! against an agent of strength 0, the prior of c of the same shape. The posterior has one summit, which
//! does not depend on the order of the games; around it it is taken as normal.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use super::linear::{inverse, times};
use crate::statistics::Z;

/// Elo points for one unit of strength.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The games between two agents, from the point of view of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCount {
    pub first: usize,
    pub second: usize,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EloRatings {
    /// By agent.
    pub ratings: Vec<EloRating>,
    /// `superiority[a][b]`: the probability that a is stronger than b.
    pub superiority: Vec<Vec<f64>>,
    /// The probability of a draw between two agents of the same strength.
    pub draw_rate: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EloRating {
    /// Above the mean of the pool.
    pub elo: f64,
    /// 95 %. Games count as independent: where shared deals gain, the true interval is narrower.
    pub interval: [f64; 2],
    pub games: u64,
}

/// The ratings of agents 0..`agents`. One that has not played has the prior's wide interval.
pub fn elo_ratings(agents: usize, pairs: &[PairCount]) -> EloRatings {
    let posterior = Posterior { agents, pairs };
    let summit = posterior.summit();
    let covariance = inverse(&posterior.slope_and_curvature(&summit).1);
    let mean = summit[..agents].iter().sum::<f64>() / agents.max(1) as f64;
    let rating = |agent: usize| {
        let elo = SCALE * (summit[agent] - mean);
        let spread = Z * SCALE * variance_from_mean(&covariance, agents, agent).sqrt();
        EloRating { elo, interval: [elo - spread, elo + spread], games: posterior.games(agent) }
    };
    let superior = |a: usize, b: usize| {
        let variance = covariance[a][a] + covariance[b][b] - 2.0 * covariance[a][b];
        if a == b { 0.5 } else { Normal::standard().cdf((summit[a] - summit[b]) / variance.sqrt()) }
    };
    EloRatings {
        ratings: (0..agents).map(rating).collect(),
        superiority: (0..agents).map(|a| (0..agents).map(|b| superior(a, b)).collect()).collect(),
        draw_rate: summit[agents].exp() / (2.0 + summit[agents].exp()),
    }
}

/// The variance of an agent's distance from the mean of all.
fn variance_from_mean(covariance: &[Vec<f64>], agents: usize, agent: usize) -> f64 {
    let weight = |other: usize| f64::from(u8::from(other == agent)) - 1.0 / agents as f64;
    let weights: Vec<f64> = (0..agents).map(weight).collect();
    (0..agents).map(|row| weights[row] * times(&covariance[row..=row], &weights)[0]).sum()
}

/// The logarithm of the posterior, over the strengths of the agents and, last, c.
struct Posterior<'a> {
    agents: usize,
    pairs: &'a [PairCount],
}

impl Posterior<'_> {
    fn games(&self, agent: usize) -> u64 {
        let own = self.pairs.iter().filter(|pair| pair.first == agent || pair.second == agent);
        own.map(|pair| pair.wins + pair.draws + pair.losses).sum()
    }

    /// Newton's method with bounded steps; the function is concave.
    fn summit(&self) -> Vec<f64> {
        let mut point = vec![0.0; self.agents + 1];
        for _ in 0..500 {
            let (slope, curvature) = self.slope_and_curvature(&point);
            let step = times(&inverse(&curvature), &slope);
            let longest = step.iter().fold(0f64, |longest, part| longest.max(part.abs()));
            let shorten = 1.0 / longest.max(1.0);
            point.iter_mut().zip(&step).for_each(|(part, by)| *part += shorten * by);
            if longest < 1e-10 {
                break;
            }
        }
        point
    }

    /// The first derivatives, and the second ones with the sign turned.
    fn slope_and_curvature(&self, point: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = point.len();
        let (mut slope, mut curvature) = (vec![0.0; size], vec![vec![0.0; size]; size]);
        for (part, &value) in point.iter().enumerate() {
            slope[part] -= 0.5 * (0.5 * value).tanh();
            curvature[part][part] += 0.25 / (0.5 * value).cosh().powi(2);
        }
        for pair in self.pairs {
            self.add(pair, point, &mut slope, &mut curvature);
        }
        (slope, curvature)
    }

    fn add(&self, pair: &PairCount, point: &[f64], slope: &mut [f64], curvature: &mut [Vec<f64>]) {
        let places = [pair.first, pair.second, self.agents];
        let half = 0.5 * (point[pair.first] - point[pair.second]);
        // How each of the three results depends on a, b and c.
        let results = [(half, [0.5, -0.5, 0.0]), (point[self.agents], [0.0, 0.0, 1.0]), (-half, [-0.5, 0.5, 0.0])];
        let odds = results.map(|(log_odds, _)| log_odds.exp());
        let counts = [pair.wins, pair.draws, pair.losses].map(|count| count as f64);
        let (total, games) = (odds.iter().sum::<f64>(), counts.iter().sum::<f64>());
        let expected = |row: usize| (0..3).map(|result| odds[result] / total * results[result].1[row]).sum::<f64>();
        let expected = [0, 1, 2].map(expected);
        for row in 0..3 {
            slope[places[row]] +=
                (0..3).map(|result| counts[result] * (results[result].1[row] - expected[row])).sum::<f64>();
            for column in 0..3 {
                let product = |result: usize| odds[result] / total * results[result].1[row] * results[result].1[column];
                let covariance = (0..3).map(product).sum::<f64>() - expected[row] * expected[column];
                curvature[places[row]][places[column]] += games * covariance;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::Rng;

    const TRUE_ELO: [f64; 4] = [150.0, 40.0, -30.0, -160.0];

    /// A round robin between agents of known strength.
    fn round_robin(rng: &mut Rng, elo: &[f64], games: u64, draw_odds: f64) -> Vec<PairCount> {
        let mut pairs = Vec::new();
        for (first, second) in (0..elo.len()).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let mut pair = PairCount { first, second, ..PairCount::default() };
            for _ in 0..games {
                let half = (0.5 * (elo[first] - elo[second]) / SCALE).exp();
                let draw = rng.unit() * (half + draw_odds + 1.0 / half);
                *match draw {
                    draw if draw < half => &mut pair.wins,
                    draw if draw < half + draw_odds => &mut pair.draws,
                    _ => &mut pair.losses,
                } += 1;
            }
            pairs.push(pair);
        }
        pairs
    }

    #[test]
    fn known_ratings_come_back() {
        let found = elo_ratings(4, &round_robin(&mut Rng::from_seed(1), &TRUE_ELO, 20_000, 0.5));
        for (rating, elo) in found.ratings.iter().zip(TRUE_ELO) {
            assert!((rating.elo - elo).abs() < 5.0, "{rating:?} {elo}");
            assert_eq!(rating.games, 60_000);
        }
        assert!((found.draw_rate - 0.2).abs() < 0.01, "{}", found.draw_rate);
        assert!(found.superiority[0][1] > 0.999 && found.superiority[1][0] < 0.001);
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_promised() {
        for (games, draw_odds) in [(10, 0.0), (30, 1.0)] {
            let (mut inside, mut pairs_inside, runs) = (0, 0, 500);
            for run in 0..runs {
                let found = elo_ratings(4, &round_robin(&mut Rng::stream(3, run), &TRUE_ELO, games, draw_odds));
                let holds = |(rating, &elo): (&EloRating, &f64)| rating.interval[0] <= elo && elo <= rating.interval[1];
                inside += found.ratings.iter().zip(&TRUE_ELO).filter(|&pair| holds(pair)).count();
                // Superiority is a probability: what it says to be surer than 97.5 % fails as rarely.
                pairs_inside += usize::from(found.superiority[1][2] < 0.025);
            }
            let coverage = inside as f64 / (4 * runs) as f64;
            assert!((0.93..=0.98).contains(&coverage), "{games}: {coverage}");
            assert!(pairs_inside as f64 <= 0.025 * runs as f64, "{pairs_inside}");
        }
    }

    #[test]
    fn the_order_of_the_results_does_not_matter() {
        let mut pairs = round_robin(&mut Rng::from_seed(5), &TRUE_ELO, 50, 0.3);
        let found = elo_ratings(4, &pairs);
        pairs.reverse();
        for pair in &mut pairs {
            *pair = PairCount { first: pair.second, second: pair.first, wins: pair.losses, losses: pair.wins, ..*pair };
        }
        for (rating, turned) in found.ratings.iter().zip(elo_ratings(4, &pairs).ratings) {
            assert!((rating.elo - turned.elo).abs() < 1e-6);
        }
        assert!(found.ratings.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
    }

    #[test]
    fn one_sided_and_missing_results_leave_doubt() {
        let pair = PairCount { first: 0, second: 1, wins: 100, ..PairCount::default() };
        let found = elo_ratings(3, &[pair]);
        let width = |agent: usize| found.ratings[agent].interval[1] - found.ratings[agent].interval[0];
        assert!(found.ratings[0].elo > 200.0 && found.ratings[0].elo < 1500.0, "{found:?}");
        assert!(width(0) > 200.0 && width(2) > 1000.0, "{found:?}");
        assert!((found.superiority[0][1] + found.superiority[1][0] - 1.0).abs() < 1e-12);
        assert!(found.superiority[0][1] > 0.95);
    }
}

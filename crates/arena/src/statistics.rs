//! Intervals and tests. All intervals are two-sided, 95 %.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The two-sided 95 % point of the normal distribution.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The interval of a rate seen in `n` trials (Wilson 1927).
pub fn wilson(rate: f64, n: u64) -> [f64; 2] {
    if n == 0 {
        return [0.0, 1.0];
    }
    let n = n as f64;
    let centre = rate + Z * Z / (2.0 * n);
    let spread = Z * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    [((centre - spread) / scale).max(0.0), ((centre + spread) / scale).min(1.0)]
}

/// A mean and how far it can be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub mean: f64,
    /// By Student's t; `None` with fewer than two samples, or without any spread.
    pub interval: Option<[f64; 2]>,
}

impl Estimate {
    pub fn of(samples: &[f64]) -> Estimate {
        let Moments { count, mean, variance } = moments(samples);
        let interval = (count >= 2 && !is_nothing(variance, mean)).then(|| {
            let spread = t_point(count - 1) * (variance / count as f64).sqrt();
            [mean - spread, mean + spread]
        });
        Estimate { mean, interval }
    }
}

/// The interval of a share between 0 and 1, of which each sample is one part: the points of a deal. One deal that
/// is won throughout and one that is lost are added, so that few or one-sided deals leave doubt. With two games to
/// a deal these are the two wins and two losses of Agresti and Coull (1998).
pub(crate) fn share_interval(samples: &[f64]) -> [f64; 2] {
    let Moments { count, mean, variance } = moments(&[samples, &[0.0, 1.0]].concat());
    let spread = t_point(count - 1) * (variance / count as f64).sqrt();
    [(mean - spread).max(0.0), (mean + spread).min(1.0)]
}

/// The probability of a mean at least as far from `expected`, were that the true one (t test). Samples
/// without any spread are judged by their number alone: that all are on the same side (sign test).
pub(crate) fn mean_p(samples: &[f64], expected: f64) -> Option<f64> {
    let Moments { count, mean, variance } = moments(samples);
    if count < 2 {
        return None;
    }
    if is_nothing(variance, mean) {
        let same = (mean - expected).abs() < 1e-9;
        return Some(if same { 1.0 } else { 0.5f64.powi(count.min(1000) as i32 - 1) });
    }
    let t = (mean - expected).abs() / (variance / count as f64).sqrt();
    let distribution = StudentsT::new(0.0, 1.0, (count - 1) as f64).expect("at least one degree of freedom");
    Some((2.0 * distribution.sf(t)).min(1.0))
}

/// The probability that two rates differ at least as much, were they the same (pooled, two-sided).
pub(crate) fn two_proportions_p(first: f64, n: u64, second: f64, m: u64) -> f64 {
    let (n, m) = (n as f64, m as f64);
    let pooled = (first * n + second * m) / (n + m);
    let spread = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
    if spread.is_nan() || spread == 0.0 {
        return if first == second { 1.0 } else { 0.0 };
    }
    2.0 * Normal::standard().sf((first - second).abs() / spread)
}

/// Whether a variance is only rounding.
pub(crate) fn is_nothing(variance: f64, mean: f64) -> bool {
    variance <= 1e-18 * (1.0 + mean * mean)
}

pub(crate) struct Moments {
    pub(crate) count: usize,
    pub(crate) mean: f64,
    /// Of the samples, without bias; 0 for fewer than two.
    pub(crate) variance: f64,
}

pub(crate) fn moments(samples: &[f64]) -> Moments {
    let count = samples.len();
    let mean = samples.iter().sum::<f64>() / count.max(1) as f64;
    let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
    let variance = if count < 2 { 0.0 } else { squares / (count - 1) as f64 };
    Moments { count, mean, variance }
}

/// The two-sided 95 % point of Student's t.
fn t_point(freedom: usize) -> f64 {
    let distribution = StudentsT::new(0.0, 1.0, freedom as f64).expect("at least one degree of freedom");
    distribution.inverse_cdf(0.975)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_match_published_ones() {
        // Newcombe 1998, table I, method 3: 81/263, 15/148, 0/20, 1/29.
        for (wins, n, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let [from, to] = wilson(f64::from(wins) / n as f64, n);
            assert!((from - low).abs() < 5e-5 && (to - high).abs() < 5e-5, "{wins}/{n}: {from} {to}");
        }
    }

    #[test]
    fn means_have_t_intervals() {
        // t(0.975; 4) = 2.776445, s = sqrt 2.5.
        let Estimate { mean, interval } = Estimate::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        let [low, high] = interval.unwrap();
        let spread = 2.776_445 * (2.5f64 / 5.0).sqrt();
        assert!((mean - 3.0).abs() < 1e-12 && (low - 3.0 + spread).abs() < 1e-5 && (high - 3.0 - spread).abs() < 1e-5);
        assert_eq!(Estimate::of(&[7.0]), Estimate { mean: 7.0, interval: None });
        // At the end of the interval the p-value is 5 %.
        assert!((mean_p(&[1.0, 2.0, 3.0, 4.0, 5.0], low).unwrap() - 0.05).abs() < 1e-6);
        assert_eq!(mean_p(&[1.0; 5], 0.0), Some(1.0 / 16.0), "five heads in a row");
        assert_eq!(Estimate::of(&[1.0; 5]).interval, None);
        assert_eq!(mean_p(&[1.0, 1.0], 1.0), Some(1.0));
        assert_eq!(mean_p(&[1.0], 0.0), None);
    }

    #[test]
    fn shares_are_held_as_often_as_promised() {
        let mut rng = meeple_core::Rng::from_seed(11);
        for (share, deals) in [(0.5, 5), (0.5, 40), (0.8, 20), (0.95, 40), (0.99, 40)] {
            let runs = 2000;
            let mut held = 0;
            for _ in 0..runs {
                let mut game = || f64::from(u8::from(rng.unit() < share));
                let samples: Vec<f64> = (0..deals).map(|_| (game() + game()) / 2.0).collect();
                let [low, high] = share_interval(&samples);
                held += u32::from(low <= share && share <= high);
            }
            assert!(f64::from(held) / f64::from(runs) > 0.93, "{share} {deals}: {held}");
        }
        assert_eq!(share_interval(&[]), [0.0, 1.0]);
        let [low, high] = share_interval(&[1.0; 20]);
        assert!((0.8..0.95).contains(&low) && high == 1.0, "{low}");
    }

    #[test]
    fn proportions_are_compared() {
        // 45/100 and 60/100: z = 0.15 / sqrt(0.525 · 0.475 · 0.02) = 2.1240.
        assert!((two_proportions_p(0.45, 100, 0.60, 100) - 0.033_67).abs() < 2e-4);
        assert_eq!(two_proportions_p(1.0, 10, 1.0, 20), 1.0);
        assert!((two_proportions_p(0.5, 10, 0.5, 20) - 1.0).abs() < 1e-12);
    }
}

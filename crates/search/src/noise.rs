//! Random shares that add up to 1, for exploration at the root.

use meeple_core::Rng;

/// Fills `shares` with a sample of the symmetric Dirichlet distribution.
pub(crate) fn dirichlet(alpha: f64, shares: &mut [f64], rng: &mut Rng) {
    shares.iter_mut().for_each(|share| *share = gamma(alpha, rng));
    let sum: f64 = shares.iter().sum();
    if sum > 0.0 {
        shares.iter_mut().for_each(|share| *share /= sum);
    } else if !shares.is_empty() {
        // Too small an alpha for floating point: in the limit one takes all.
        let all = rng.below(shares.len() as u32) as usize;
        shares[all] = 1.0;
    }
}

/// A sample of the gamma distribution with scale 1 (Marsaglia and Tsang 2000).
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        return gamma(shape + 1.0, rng) * libm::pow(1.0 - rng.unit(), 1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = rng.normal();
        let v = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
        if v > 0.0 && libm::log(1.0 - rng.unit()) < 0.5 * x * x + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_samples_have_their_mean_and_variance() {
        for shape in [0.1, 0.5, 1.0, 3.0] {
            let mut rng = Rng::from_seed(1);
            let samples: Vec<f64> = (0..40_000).map(|_| gamma(shape, &mut rng)).collect();
            let mean = samples.iter().sum::<f64>() / 40_000.0;
            let variance = samples.iter().map(|sample| (sample - mean) * (sample - mean)).sum::<f64>() / 40_000.0;
            assert!((mean - shape).abs() < 0.03 * (1.0 + shape), "{shape}: mean {mean}");
            assert!((variance - shape).abs() < 0.06 * (1.0 + shape), "{shape}: variance {variance}");
        }
    }

    #[test]
    fn shares_add_up_and_are_reproducible() {
        for alpha in [1e-4, 0.03, 0.3, 1.0, 10.0] {
            let sample = |seed| {
                let mut shares = [0.0; 30];
                dirichlet(alpha, &mut shares, &mut Rng::from_seed(seed));
                shares
            };
            assert!((sample(1).iter().sum::<f64>() - 1.0).abs() < 1e-12, "{alpha}");
            assert!(sample(1).iter().all(|&share| (0.0..=1.0).contains(&share)));
            assert_eq!(sample(1), sample(1));
            assert_ne!(sample(1), sample(2));
        }
    }

    /// Small alphas give nearly everything to one, large ones the same to all.
    #[test]
    fn alpha_evens_out() {
        let largest = |alpha: f64| {
            let mut rng = Rng::from_seed(1);
            let mut shares = [0.0; 10];
            let mut largest = || {
                dirichlet(alpha, &mut shares, &mut rng);
                shares.iter().copied().fold(0.0, f64::max)
            };
            (0..1000).map(|_| largest()).sum::<f64>() / 1000.0
        };
        assert!(largest(0.01) > 0.9 && largest(100.0) < 0.15);
    }
}

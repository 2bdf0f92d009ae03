//! The one statistical test that the laws need.

/// The probability that counts from these cell probabilities deviate at least as much as those
/// observed (Pearson). Cells with an expectation below 5 are pooled.
pub fn chi_square_p(counts: &[u64], probabilities: &[f64]) -> f64 {
    assert_eq!(counts.len(), probabilities.len());
    let total = counts.iter().sum::<u64>() as f64;
    let mut cells = Vec::new();
    let mut pooled = (0.0, 0.0);
    for (&count, &probability) in counts.iter().zip(probabilities) {
        let expected = total * probability;
        if expected >= 5.0 {
            cells.push((count as f64, expected));
        } else {
            pooled.0 += count as f64;
            pooled.1 += expected;
        }
    }
    if pooled.1 >= 5.0 {
        cells.push(pooled);
    } else if pooled.0 > 0.0 && pooled.1 < 1e-9 * total {
        return 0.0; // something that cannot happen did
    } else if let Some(last) = cells.last_mut() {
        last.0 += pooled.0;
        last.1 += pooled.1;
    }
    if cells.len() < 2 {
        return 1.0;
    }
    let statistic: f64 = cells.iter().map(|&(count, expected)| (count - expected).powi(2) / expected).sum();
    gamma_upper((cells.len() - 1) as f64 / 2.0, statistic / 2.0)
}

/// Whether two samples of the same categories come from one distribution (2 × k table).
pub fn two_sample_p(first: &[u64], second: &[u64]) -> f64 {
    assert_eq!(first.len(), second.len());
    let (n, m) = (first.iter().sum::<u64>() as f64, second.iter().sum::<u64>() as f64);
    let mut statistic = 0.0;
    let mut used: usize = 0;
    for (&a, &b) in first.iter().zip(second) {
        let both = (a + b) as f64;
        let (expect_a, expect_b) = (both * n / (n + m), both * m / (n + m));
        if expect_a.min(expect_b) >= 5.0 {
            statistic += (a as f64 - expect_a).powi(2) / expect_a + (b as f64 - expect_b).powi(2) / expect_b;
            used += 1;
        }
    }
    if used < 2 { 1.0 } else { gamma_upper((used - 1) as f64 / 2.0, statistic / 2.0) }
}

/// The regularised upper incomplete gamma function Q(a, x): by series below a + 1, by continued
/// fraction above.
fn gamma_upper(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x < a + 1.0 {
        let mut term = 1.0 / a;
        let mut sum = term;
        let mut n = a;
        while term > sum * 1e-16 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return 1.0 - front * sum;
    }
    let mut b = x + 1.0 - a;
    let mut c = 1e300;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for i in 1..10_000 {
        let i = f64::from(i);
        let numerator = -i * (i - a);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_match_tables() {
        // The 5 % and 1 % points of the chi-square distribution.
        for (freedom, point, p) in [(1.0, 3.841, 0.05), (18.0, 28.869, 0.05), (100.0, 135.807, 0.01)] {
            let found = gamma_upper(freedom / 2.0, point / 2.0);
            assert!((found - p).abs() < 1e-4, "{freedom}: {found}");
        }
    }

    #[test]
    fn a_loaded_die_is_found_and_a_fair_one_passes() {
        let fair = [1.0 / 6.0; 6];
        assert!(chi_square_p(&[1010, 990, 1005, 995, 1000, 1000], &fair) > 0.9);
        assert!(chi_square_p(&[1200, 960, 960, 960, 960, 960], &fair) < 1e-6);
        assert!(two_sample_p(&[500, 500], &[510, 490]) > 0.5);
        assert!(two_sample_p(&[500, 500], &[700, 300]) < 1e-6);
    }

    #[test]
    fn an_impossible_outcome_has_probability_zero() {
        assert_eq!(chi_square_p(&[500, 500, 1], &[0.5, 0.5, 0.0]), 0.0);
    }
}

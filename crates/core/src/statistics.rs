//! The two statistical tests that the laws need: counts against probabilities, and two samples.

/// The probability that counts from these cell probabilities deviate at least as much as those
/// observed (Pearson). Neighbouring cells with an expectation below 5 are pooled.
pub fn chi_square_p(counts: &[u64], probabilities: &[f64]) -> f64 {
    assert_eq!(counts.len(), probabilities.len());
    let total = counts.iter().sum::<u64>() as f64;
    let mut cells = Vec::new();
    for (&count, &probability) in counts.iter().zip(probabilities) {
        if count > 0 && probability < 1e-9 {
            return 0.0; // something that cannot happen did
        }
        cells.push([count as f64, total * probability]);
    }
    let cells = pool(&cells, |&[_, expected]| expected >= 5.0);
    let statistic = cells.iter().map(|&[count, expected]| (count - expected).powi(2) / expected).sum();
    p_value(cells.len(), statistic)
}

/// The probability that two samples from one distribution differ at least as much as those observed
/// (Pearson, 2 × k table). Neighbouring cells with an expectation below 5 are pooled.
pub fn two_sample_p(first: &[u64], second: &[u64]) -> f64 {
    assert_eq!(first.len(), second.len());
    let (n, m) = (first.iter().sum::<u64>() as f64, second.iter().sum::<u64>() as f64);
    let expected = |&[a, b]: &[f64; 2]| [(a + b) * n / (n + m), (a + b) * m / (n + m)];
    let cells: Vec<[f64; 2]> = first.iter().zip(second).map(|(&a, &b)| [a as f64, b as f64]).collect();
    let cells = pool(&cells, |cell| expected(cell).into_iter().all(|expected| expected >= 5.0));
    let deviation = |cell: &[f64; 2]| {
        let pairs = cell.iter().zip(expected(cell));
        pairs.map(|(count, expected)| (count - expected).powi(2) / expected).sum::<f64>()
    };
    p_value(cells.len(), cells.iter().map(deviation).sum())
}

/// Joins cells that are not large enough with the small ones after them until they are; what is left
/// at the end joins the last one.
fn pool(cells: &[[f64; 2]], is_large_enough: impl Fn(&[f64; 2]) -> bool) -> Vec<[f64; 2]> {
    let mut pooled: Vec<[f64; 2]> = Vec::new();
    let mut open = [0.0; 2];
    for cell in cells {
        if is_large_enough(cell) {
            pooled.push(*cell);
            continue;
        }
        open = [open[0] + cell[0], open[1] + cell[1]];
        if is_large_enough(&open) {
            pooled.push(std::mem::take(&mut open));
        }
    }
    if let Some(last) = pooled.last_mut() {
        *last = [last[0] + open[0], last[1] + open[1]];
    }
    pooled
}

/// Of a statistic over this many cells whose sum is fixed.
fn p_value(cells: usize, statistic: f64) -> f64 {
    if cells < 2 { 1.0 } else { gamma_upper((cells - 1) as f64 / 2.0, statistic / 2.0) }
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
        // Also where rare cells that can happen are pooled beside it.
        let rare = [0.495, 0.495, 0.0025, 0.0025, 0.0025, 0.0025, 0.0];
        assert_eq!(chi_square_p(&[495, 495, 2, 3, 2, 2, 1], &rare), 0.0);
    }

    #[test]
    fn rare_cells_are_pooled_and_still_compared() {
        // 1000 cells with an expectation of 2 each; one half of them has three times the other half.
        let counts: Vec<u64> = (0..1000).map(|cell| if cell < 500 { 3 } else { 1 }).collect();
        assert!(chi_square_p(&counts, &vec![0.001; 1000]) < 1e-6);
        assert!(chi_square_p(&[2; 1000], &vec![0.001; 1000]) > 0.9);
        // Too rare to compare one by one, but twice as many of them in the second sample.
        let first: Vec<u64> = [700].into_iter().chain([1; 300]).collect();
        let second: Vec<u64> = [400].into_iter().chain([2; 300]).collect();
        assert!(two_sample_p(&first, &second) < 1e-6);
        assert!(two_sample_p(&first, &first) > 0.9);
    }

    #[test]
    fn p_values_of_fair_samples_are_uniform() {
        let mut rng = crate::Rng::from_seed(6);
        let mut draw = |cells: usize, number: usize| {
            let mut counts = vec![0u64; cells];
            (0..number).for_each(|_| counts[rng.below(cells as u32) as usize] += 1);
            counts
        };
        for (cells, number) in [(6, 600), (60, 180)] {
            let fair = vec![1.0 / cells as f64; cells];
            let one = (0..2000).filter(|_| chi_square_p(&draw(cells, number), &fair) < 0.1).count();
            let two = (0..2000).filter(|_| two_sample_p(&draw(cells, number), &draw(cells, number)) < 0.1).count();
            for rejected in [one, two] {
                // 200 expected, standard deviation 13.4; Pearson's statistic is approximate.
                assert!((140..=260).contains(&rejected), "{cells} cells: {one}, {two} of 2000");
            }
        }
    }
}

//! Counting: exact where it fits a word, as floats where numbers get large.

/// The number of ways to choose k of n, exactly; n and k up to 64, for which every number fits.
#[inline]
pub fn choose(n: u32, k: u32) -> u64 {
    CHOOSE[n as usize][k as usize]
}

/// The number of ways to choose k of n, for any n.
pub fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |ways, i| ways * n.saturating_sub(i) as f64 / (i + 1) as f64)
}

/// The number of orders of n things; infinite from 171 on.
pub fn factorial(n: usize) -> f64 {
    (1..=n).map(|factor| factor as f64).product()
}

static CHOOSE: [[u64; 65]; 65] = pascal();

const fn pascal() -> [[u64; 65]; 65] {
    let mut rows = [[0; 65]; 65];
    let mut n = 0;
    while n < 65 {
        rows[n][0] = 1;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers() {
        assert_eq!([choose(0, 0), choose(13, 3), choose(3, 13), choose(40, 10)], [1, 286, 0, 847_660_528]);
        assert_eq!(choose(64, 32), 1_832_624_140_942_590_534);
        assert_eq!([binomial(13, 3), binomial(3, 13), binomial(110, 2)], [286.0, 0.0, 5995.0]);
        assert_eq!([factorial(0), factorial(1), factorial(10)], [1.0, 1.0, 3_628_800.0]);
        assert!(factorial(170).is_finite() && factorial(171).is_infinite());
    }

    #[test]
    fn all_three_agree() {
        for n in 0..=64u32 {
            for k in 0..=n {
                let exact = choose(n, k) as f64;
                let by_factorials = factorial(n as usize) / factorial(k as usize) / factorial((n - k) as usize);
                assert!((binomial(n as usize, k as usize) / exact - 1.0).abs() < 1e-12, "{n} {k}");
                assert!((by_factorials / exact - 1.0).abs() < 1e-12, "{n} {k}");
            }
        }
    }
}

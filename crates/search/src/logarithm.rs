//! Natural logarithms of visit counts, the same on every machine.

use std::sync::OnceLock;

const TABLE: usize = 1 << 14;

/// ln n, from a table while n is small.
#[inline]
pub(crate) fn ln(n: u32) -> f64 {
    static LOGARITHMS: OnceLock<Vec<f64>> = OnceLock::new();
    let table = LOGARITHMS.get_or_init(|| (0..TABLE).map(|n| libm::log(n as f64)).collect());
    match table.get(n as usize) {
        Some(&logarithm) => logarithm,
        None => libm::log(f64::from(n)),
    }
}

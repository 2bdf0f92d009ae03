//! Choosing a place in a list of values.

use meeple_core::Rng;

/// The place of the highest value, any of equals.
pub(super) fn best(values: &[f64], rng: &mut Rng) -> usize {
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let equals = values.iter().filter(|&&value| value == highest).count() as u32;
    let wanted = if equals == 1 { 0 } else { rng.below(equals) as usize };
    let mut places = (0..values.len()).filter(|&place| values[place] == highest);
    places.nth(wanted).expect("one of them is the highest")
}

/// A place with a probability in proportion to its value; any if all are 0.
pub(super) fn in_proportion(values: &[f64], rng: &mut Rng) -> usize {
    let sum: f64 = values.iter().sum();
    if sum <= 0.0 {
        return rng.below(values.len() as u32) as usize;
    }
    let mut left = rng.unit() * sum;
    for (place, &value) in values.iter().enumerate() {
        left -= value;
        if left < 0.0 {
            return place;
        }
    }
    values.len() - 1 // rounding
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(choose: impl Fn(&mut Rng) -> usize, place: usize) -> f64 {
        let mut rng = Rng::from_seed(1);
        (0..20_000).filter(|_| choose(&mut rng) == place).count() as f64 / 20_000.0
    }

    #[test]
    fn choices_have_their_shares() {
        assert_eq!(share(|rng| best(&[0.0, 2.0, 1.0], rng), 1), 1.0);
        assert!((share(|rng| best(&[2.0, 2.0, 1.0], rng), 0) - 0.5).abs() < 0.02);
        assert!((share(|rng| in_proportion(&[1.0, 3.0], rng), 1) - 0.75).abs() < 0.02);
        assert!((share(|rng| in_proportion(&[0.0, 0.0], rng), 1) - 0.5).abs() < 0.02);
    }
}

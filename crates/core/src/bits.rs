//! Sets in a machine word.
//!
//! The default x86-64 target has no instruction to select the n-th set bit; where the machine has
//! BMI2 it is found at run time, which is worth a third in random Breakthrough (42 to 57 million
//! moves per second). This is the only module of the crate with unsafe code.
#![allow(unsafe_code)]

use crate::Rng;

/// The position of the n-th set bit, counted from 0 at the lowest. `n` must be below the number
/// of set bits.
#[inline]
pub fn select(set: u64, n: u32) -> u32 {
    debug_assert!(n < set.count_ones());
    #[cfg(target_arch = "x86_64")]
    if has_bmi() {
        // SAFETY: the features were just found on this machine.
        return unsafe { select_bmi2(set, n) };
    }
    select_portable(set, n)
}

/// A uniformly random element of a set that is not empty.
#[inline]
pub fn random_bit(set: u64, rng: &mut Rng) -> u32 {
    debug_assert!(set != 0);
    #[cfg(target_arch = "x86_64")]
    if has_bmi() && std::arch::is_x86_feature_detected!("popcnt") {
        // SAFETY: the features were just found on this machine.
        return unsafe { random_bit_bmi2(set, rng) };
    }
    select_portable(set, rng.below(set.count_ones()))
}

/// A uniformly random element of several sets taken together, which are not all empty: the number
/// of the set and the element.
#[inline]
pub fn random_bit_of<const N: usize>(sets: [u64; N], rng: &mut Rng) -> (usize, u32) {
    #[cfg(target_arch = "x86_64")]
    if has_bmi() && std::arch::is_x86_feature_detected!("popcnt") {
        // SAFETY: the features were just found on this machine.
        return unsafe { random_bit_of_bmi2(sets, rng) };
    }
    let (set, n) = draw(sets.map(u64::count_ones), rng);
    (set, select_portable(sets[set], n))
}

/// A uniformly random one of things in boxes that hold so many each: the box and the number in it.
#[inline(always)]
fn draw<const N: usize>(counts: [u32; N], rng: &mut Rng) -> (usize, u32) {
    let mut n = rng.below(counts.iter().sum());
    // Without jumps: which box it is cannot be predicted.
    let mut chosen = 0;
    let mut passed = 0;
    for &count in &counts[..N - 1] {
        passed += count;
        chosen += usize::from(n >= passed);
    }
    for (number, &count) in counts[..N - 1].iter().enumerate() {
        n -= if chosen > number { count } else { 0 };
    }
    (chosen, n)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt")]
fn random_bit_of_bmi2<const N: usize>(sets: [u64; N], rng: &mut Rng) -> (usize, u32) {
    let (set, n) = draw(sets.map(u64::count_ones), rng);
    (set, select_bmi2(sets[set], n))
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn has_bmi() -> bool {
    std::arch::is_x86_feature_detected!("bmi1") && std::arch::is_x86_feature_detected!("bmi2")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
fn select_bmi2(set: u64, n: u32) -> u32 {
    std::arch::x86_64::_pdep_u64(1 << n, set).trailing_zeros()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt")]
fn random_bit_bmi2(set: u64, rng: &mut Rng) -> u32 {
    select_bmi2(set, rng.below(set.count_ones()))
}

fn select_portable(mut set: u64, n: u32) -> u32 {
    for _ in 0..n {
        set &= set - 1;
    }
    set.trailing_zeros()
}

/// The elements of a set from the lowest to the highest.
#[inline]
pub fn elements(set: u64) -> Elements {
    Elements(set)
}

/// See [`elements`].
#[derive(Clone, Debug)]
pub struct Elements(u64);

impl Iterator for Elements {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_agrees_with_the_elements() {
        let mut rng = Rng::from_seed(3);
        for _ in 0..1000 {
            let set = rng.next_u64() & rng.next_u64();
            for (n, element) in elements(set).enumerate() {
                assert_eq!(select(set, n as u32), element);
                assert_eq!(select_portable(set, n as u32), element);
            }
        }
    }

    #[test]
    fn random_bit_is_uniform() {
        let mut rng = Rng::from_seed(4);
        let set = 0x8000_0100_0040_0003u64;
        let mut counts = [0u64; 64];
        for _ in 0..50_000 {
            counts[random_bit(set, &mut rng) as usize] += 1;
        }
        let counts: Vec<u64> = elements(set).map(|bit| counts[bit as usize]).collect();
        assert_eq!(counts.iter().sum::<u64>(), 50_000);
        assert!(crate::statistics::chi_square_p(&counts, &[0.2; 5]) > 1e-4);
    }

    #[test]
    fn random_bit_of_is_uniform_over_all_sets() {
        let mut rng = Rng::from_seed(5);
        let sets = [0x8000_0000_0000_0001u64, 0, 0x0000_0100_0040_0003];
        let mut counts = [[0u64; 64]; 3];
        for _ in 0..60_000 {
            let (set, bit) = random_bit_of(sets, &mut rng);
            counts[set][bit as usize] += 1;
        }
        let members = (0..3).flat_map(|set| elements(sets[set]).map(move |bit| (set, bit as usize)));
        let counts: Vec<u64> = members.map(|(set, bit)| counts[set][bit]).collect();
        assert_eq!(counts.iter().sum::<u64>(), 60_000);
        assert!(crate::statistics::chi_square_p(&counts, &[1.0 / 6.0; 6]) > 1e-4);
    }

    #[test]
    fn draw_reaches_every_box_as_often_as_it_holds_things() {
        let mut rng = Rng::from_seed(6);
        let mut counts = [0u64; 4];
        for _ in 0..40_000 {
            let (chosen, n) = draw([0, 1, 0, 3], &mut rng);
            assert!(n < [0, 1, 0, 3][chosen]);
            counts[chosen / 2 + n as usize] += 1;
        }
        assert!(crate::statistics::chi_square_p(&counts, &[0.25; 4]) > 1e-4, "{counts:?}");
    }
}

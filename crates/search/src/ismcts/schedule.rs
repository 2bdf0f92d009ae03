//! How the iterations of a decision are spread over worlds.

use meeple_core::agent::Budget;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Schedule {
    pub(super) budget: Budget,
    pub(super) iterations_per_world: u64,
}

impl Schedule {
    /// Each of `worlds` worlds serves the same number of iterations: their quotient, rounded to the
    /// nearest number and between two of them to the even one (thesis 000, section 6.4). So the
    /// budget itself is rounded, but never above the limit. With 0 worlds, or without a number of
    /// iterations, every iteration has its own.
    pub(super) fn new(budget: &Budget, limit: &Budget, worlds: u64) -> Schedule {
        let mut budget = budget.and(limit);
        let Some(iterations) = budget.iterations.filter(|_| worlds > 0) else {
            return Schedule { budget, iterations_per_world: 1 };
        };
        let share = rounded(iterations, worlds);
        if share > 0 {
            budget.iterations = Some(share.saturating_mul(worlds));
        }
        Schedule { budget: budget.and(limit), iterations_per_world: share.max(1) }
    }
}

fn rounded(dividend: u64, divisor: u64) -> u64 {
    let (quotient, rest) = (dividend / divisor, dividend % divisor);
    let up = match rest.cmp(&(divisor - rest)) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => quotient % 2 == 1,
        std::cmp::Ordering::Greater => true,
    };
    quotient + u64::from(up)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of thesis 000, sections 7.2 and 7.6.4, and halves.
    #[test]
    fn iterations_are_rounded_to_even_shares() {
        for (iterations, worlds, share, sum) in [
            (900, 120, 8, 960),
            (8_000, 700, 11, 7_700),
            (16_000, 50, 320, 16_000),
            (900, 3, 300, 900),
            (5, 2, 2, 4),
            (7, 2, 4, 8),
            (2, 8, 1, 2),
            (900, 0, 1, 900),
        ] {
            let schedule = Schedule::new(&Budget::iterations(iterations), &Budget::NONE, worlds);
            let expected = Schedule { budget: Budget::iterations(sum), iterations_per_world: share };
            assert_eq!(schedule, expected, "{iterations} in {worlds}");
        }
    }

    #[test]
    fn a_limit_stays_a_limit() {
        let schedule = Schedule::new(&Budget::iterations(900), &Budget::iterations(77), 3);
        assert_eq!((schedule.budget.iterations, schedule.iterations_per_world), (Some(77), 26));
    }
}

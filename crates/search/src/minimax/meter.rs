//! Counts positions and says when to stop.

use std::time::{Duration, Instant};

use meeple_core::agent::Budget;

/// Positions between two looks at the clock.
const LOOK_EVERY: u64 = 1024;

#[derive(Clone, Copy, Debug)]
pub(super) struct Meter {
    started: Instant,
    time: Option<Duration>,
    /// Positions that may be searched or evaluated.
    most: u64,
    nodes: u64,
    /// The most before something was given back.
    peak: u64,
    /// At the latest when so many positions are reached, something has to be checked.
    check_at: u64,
    stopped: bool,
}

impl Meter {
    /// Iterations of this kind of search are its nodes.
    pub(super) fn start(budget: &Budget) -> Meter {
        let most = budget.nodes.unwrap_or(u64::MAX).min(budget.iterations.unwrap_or(u64::MAX));
        Meter { started: Instant::now(), time: budget.time, most, nodes: 0, peak: 0, check_at: 0, stopped: false }
    }

    /// Counts positions that are about to be looked at; false when they are too many.
    #[inline]
    pub(super) fn grant(&mut self, nodes: u64) -> bool {
        if self.nodes + nodes > self.check_at {
            return self.check(nodes);
        }
        self.nodes += nodes;
        true
    }

    #[cold]
    fn check(&mut self, nodes: u64) -> bool {
        let late = self.time.is_some_and(|most| self.started.elapsed() >= most);
        if self.stopped || late || self.nodes + nodes > self.most {
            self.stopped = true;
            self.check_at = 0;
            return false;
        }
        self.nodes += nodes;
        self.check_at = self.most.min(self.nodes + LOOK_EVERY);
        true
    }

    /// Gives back positions that were granted and not needed.
    #[inline]
    pub(super) fn refund(&mut self, nodes: u64) {
        self.peak = self.peak.max(self.nodes);
        self.nodes -= nodes;
    }

    #[inline]
    pub(super) fn stopped(&self) -> bool {
        self.stopped
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The most positions that were granted at any time: a budget of so many repeats the search.
    pub(super) fn reached(&self) -> u64 {
        self.peak.max(self.nodes)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_the_budget_is_granted() {
        let mut meter = Meter::start(&Budget { nodes: Some(5_000), ..Budget::NONE });
        while meter.grant(7) {
            meter.refund(3);
        }
        assert!(meter.nodes() <= 5_000 && meter.nodes() > 4_990, "{}", meter.nodes());
        assert!(meter.stopped() && !meter.grant(0));
    }

    #[test]
    fn without_time_nothing_is_granted() {
        let mut meter = Meter::start(&Budget { time: Some(Duration::ZERO), ..Budget::NONE });
        assert!(!meter.grant(1));
    }

    #[test]
    fn a_budget_of_what_was_reached_repeats_the_search() {
        let search = |budget: Budget| {
            let mut meter = Meter::start(&budget);
            let granted: Vec<u64> = (1..400)
                .map(|step| {
                    let granted = meter.grant(step % 37 + 1);
                    if granted && step % 3 == 0 {
                        meter.refund(step % 7);
                    }
                    u64::from(granted)
                })
                .collect();
            (granted, meter.reached())
        };
        let (granted, reached) = search(Budget { nodes: Some(3_000), ..Budget::NONE });
        assert!(granted.contains(&0) && reached <= 3_000);
        assert_eq!(search(Budget::iterations(reached)).0, granted);
    }
}

//! When a search has to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use meeple_core::agent::Budget;

/// Iterations between two looks at the clock: a look costs about as much as a cheap playout.
const LOOK_EVERY: u64 = 16;
/// A search that cannot make as many nodes as its budget grants ends after so many times as many
/// iterations.
const ITERATIONS_PER_NODE: u64 = 4;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    started: Instant,
    budget: Budget,
    done: u64,
}

impl Clock {
    pub(crate) fn start(budget: Budget) -> Clock {
        Clock { started: Instant::now(), budget, done: 0 }
    }

    /// As [`Clock::tick_at`] for a search without nodes.
    pub(crate) fn tick(&mut self) -> bool {
        self.tick_at(0)
    }

    /// Counts an iteration that is about to begin, with so many nodes made; false when there is none
    /// left. At least one is always granted.
    #[inline]
    pub(crate) fn tick_at(&mut self, nodes: u64) -> bool {
        let over = self.budget.iterations.is_some_and(|most| self.done >= most)
            || self.budget.nodes.is_some_and(|most| nodes_are_used_up(most, nodes, self.done))
            || self.done.is_multiple_of(LOOK_EVERY) && self.time_is_up();
        if over && self.done > 0 {
            return false;
        }
        self.done += 1;
        true
    }

    /// Ends the search after so many iterations in all, if it would not end before.
    pub(crate) fn shorten_to(&mut self, iterations: u64) {
        self.budget = self.budget.and(&Budget::iterations(iterations));
    }

    pub(crate) fn time_is_up(&self) -> bool {
        self.budget.time.is_some_and(|most| self.started.elapsed() >= most)
    }

    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    pub(crate) fn elapsed(&self) -> std::time::Duration {
        self.started.elapsed()
    }
}

fn nodes_are_used_up(most: u64, nodes: u64, iterations: u64) -> bool {
    nodes >= most || iterations >= most.saturating_mul(ITERATIONS_PER_NODE)
}

/// A clock that threads share: each takes a few iterations at a time.
#[derive(Debug)]
pub(crate) struct SharedClock {
    clock: Clock,
    taken: AtomicU64,
    stopped: AtomicBool,
}

impl SharedClock {
    pub(crate) fn start(budget: Budget) -> SharedClock {
        SharedClock { clock: Clock::start(budget), taken: AtomicU64::new(0), stopped: AtomicBool::new(false) }
    }

    /// How many iterations the thread may do now, with so many nodes made by all; 0 when there are
    /// none left. Some are always granted.
    pub(crate) fn take(&self, nodes: u64) -> u64 {
        let budget = &self.clock.budget;
        let taken = self.taken.load(Relaxed);
        let over = self.stopped.load(Relaxed)
            || budget.nodes.is_some_and(|most| nodes_are_used_up(most, nodes, taken))
            || self.clock.time_is_up();
        if over && taken > 0 {
            return 0;
        }
        let most = budget.iterations.unwrap_or(u64::MAX).max(1);
        let after = |taken: u64| most.min(taken + LOOK_EVERY);
        match self.taken.fetch_update(Relaxed, Relaxed, |taken| (taken < most).then(|| after(taken))) {
            Ok(taken) => after(taken) - taken,
            Err(_) => 0,
        }
    }

    /// Grants nothing any more.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_end_a_search_that_makes_them_and_one_that_does_not() {
        let budget = Budget { nodes: Some(10), ..Budget::NONE };
        let mut clock = Clock::start(budget);
        let iterations = (1..).take_while(|&nodes| clock.tick_at(nodes)).count();
        assert_eq!(iterations, 9);
        let mut clock = Clock::start(budget);
        assert_eq!((0..).take_while(|_| clock.tick_at(1)).count(), 40);
    }

    #[test]
    fn threads_share_the_iterations_exactly() {
        let clock = SharedClock::start(Budget::iterations(1001));
        let count = || std::iter::repeat_with(|| clock.take(0)).take_while(|&granted| granted > 0).sum::<u64>();
        let total = std::thread::scope(|scope| {
            let other = scope.spawn(count);
            count() + other.join().unwrap()
        });
        assert_eq!(total, 1001);
    }

    #[test]
    fn something_is_granted_without_time() {
        let budget = Budget { time: Some(std::time::Duration::ZERO), ..Budget::NONE };
        let clock = SharedClock::start(budget);
        assert!(clock.take(0) > 0);
        assert_eq!(clock.take(0), 0);
    }
}

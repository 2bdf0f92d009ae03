//! When a search has to stop.

use std::time::Instant;

use meeple_core::agent::Budget;

/// Iterations between two looks at the clock: a look costs about as much as a cheap playout.
const LOOK_EVERY: u64 = 16;

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

    /// Counts an iteration that is about to begin; false when there is none left. At least one is
    /// always granted.
    pub(crate) fn tick(&mut self) -> bool {
        let over = self.budget.iterations.is_some_and(|most| self.done >= most)
            || self.done.is_multiple_of(LOOK_EVERY) && self.time_is_up();
        if over && self.done > 0 {
            return false;
        }
        self.done += 1;
        true
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

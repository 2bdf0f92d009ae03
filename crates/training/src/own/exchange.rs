//! Where threads that work on parts of a batch meet, to learn what concerns the whole of it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{hint, thread};

/// A meeting point for so many workers. They wait actively at first: meetings are many and short.
#[derive(Debug)]
pub(super) struct Exchange {
    workers: usize,
    arrived: AtomicUsize,
    meetings: AtomicUsize,
    /// Whether a worker will never come.
    is_broken: AtomicBool,
    /// What each worker brings, by topic.
    brought: Vec<Vec<Mutex<Vec<f32>>>>,
}

const ACTIVE_WAITS: u32 = 20_000;

impl Exchange {
    pub(super) fn new(workers: usize, topics: usize) -> Exchange {
        let of_topic = || (0..workers).map(|_| Mutex::default()).collect();
        Exchange {
            workers,
            arrived: AtomicUsize::new(0),
            meetings: AtomicUsize::new(0),
            is_broken: AtomicBool::new(false),
            brought: (0..topics).map(|_| of_topic()).collect(),
        }
    }

    pub(super) fn workers(&self) -> usize {
        self.workers
    }

    /// Returns when all workers have come.
    pub(super) fn meet(&self) {
        let meeting = self.meetings.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.workers {
            self.arrived.store(0, Ordering::Relaxed);
            self.meetings.store(meeting + 1, Ordering::Release);
            return;
        }
        let mut waits = 0;
        while self.meetings.load(Ordering::Acquire) == meeting {
            assert!(!self.is_broken.load(Ordering::Relaxed), "another thread of the training has panicked");
            waits += 1;
            if waits < ACTIVE_WAITS { hint::spin_loop() } else { thread::yield_now() }
        }
    }

    /// Brings numbers and has `take` called with those of all workers, in their order. A topic can
    /// be used once between two starts of the threads.
    pub(super) fn share(&self, topic: usize, worker: usize, numbers: &[f32], mut take: impl FnMut(usize, &[f32])) {
        let brought = &self.brought[topic];
        {
            let mut mine = brought[worker].lock().expect("no holder panics");
            mine.clear();
            mine.extend_from_slice(numbers);
        }
        self.meet();
        for (other, numbers) in brought.iter().enumerate() {
            take(other, &numbers.lock().expect("no holder panics"));
        }
    }

    /// To be held by each worker while it works, so that others do not wait for one that panicked.
    pub(super) fn attend(&self) -> Attendance<'_> {
        Attendance(self)
    }
}

pub(super) struct Attendance<'a>(&'a Exchange);

impl Drop for Attendance<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.is_broken.store(true, Ordering::Relaxed);
        }
    }
}

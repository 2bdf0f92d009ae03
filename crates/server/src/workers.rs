//! Threads that think, so that nobody else has to wait for them.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// Work that takes long.
pub(crate) type Job = Box<dyn FnOnce() + Send>;

/// Jobs that may wait.
const WAITING: usize = 4096;

#[derive(Default)]
struct Queue {
    jobs: Mutex<(VecDeque<Job>, bool)>,
    ready: Condvar,
}

/// A few threads that take jobs in the order in which they came.
pub(crate) struct Workers {
    queue: Arc<Queue>,
}

impl Workers {
    pub(crate) fn new(threads: usize) -> Workers {
        let queue = Arc::new(Queue::default());
        for number in 0..threads.max(1) {
            let queue = queue.clone();
            let name = format!("thinker-{number}");
            thread::Builder::new().name(name).spawn(move || work(&queue)).expect("the system has threads");
        }
        Workers { queue }
    }

    /// False if too many wait.
    pub(crate) fn give(&self, job: Job) -> bool {
        let mut jobs = self.queue.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if jobs.0.len() >= WAITING {
            return false;
        }
        jobs.0.push_back(job);
        drop(jobs);
        self.queue.ready.notify_one();
        true
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.queue.jobs.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        self.queue.ready.notify_all();
    }
}

fn work(queue: &Queue) {
    loop {
        let mut jobs = queue.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let job = loop {
            if jobs.1 {
                return;
            }
            match jobs.0.pop_front() {
                Some(job) => break job,
                None => jobs = queue.ready.wait(jobs).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(jobs);
        // A job that breaks down takes nothing else with it.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
    }
}

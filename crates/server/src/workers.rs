//! Threads that think, so that nobody else has to wait for them.
//!
//! Clients take turns, so that nobody waits for all that another one has begun. Of one client's jobs decisions for
//! which somebody waits at a table come first, and one thread is kept for those.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use crate::hub::lock;

/// Work that takes long.
pub(crate) type Job = Box<dyn FnOnce() + Send>;

/// Questions that may wait.
const QUESTIONS: usize = 64;

/// What a job is for, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A decision for which a person or a bot waits.
    Table,
    /// What a client asks.
    Question,
    /// A decision in a game among programs.
    Background,
}

const PURPOSES: [Purpose; 3] = [Purpose::Table, Purpose::Question, Purpose::Background];

/// Those of whom nobody knows who they are share a place.
type Client = Option<IpAddr>;

#[derive(Default)]
struct Jobs {
    waiting: HashMap<Client, [VecDeque<Job>; 3]>,
    /// Clients with jobs, whose turn it is first.
    turns: VecDeque<Client>,
    questions: usize,
    /// Threads that work on anything but decisions for which somebody waits.
    others: usize,
    ended: bool,
}

impl Jobs {
    fn add(&mut self, client: Client, purpose: Purpose, job: Job) {
        let jobs = self.waiting.entry(client).or_insert_with(|| {
            self.turns.push_back(client);
            Default::default()
        });
        jobs[purpose as usize].push_back(job);
        self.questions += usize::from(purpose == Purpose::Question);
    }

    /// The next job, unless nobody waits for any of them at a table and such may not have one more thread.
    fn next(&mut self, most_others: usize) -> Option<(Purpose, Job)> {
        for turn in 0..self.turns.len() {
            let client = self.turns[turn];
            let jobs = self.waiting.get_mut(&client)?;
            let may = |purpose: &Purpose| *purpose == Purpose::Table || self.others < most_others;
            let found = PURPOSES.into_iter().filter(may).find_map(|purpose| {
                let job = jobs[purpose as usize].pop_front()?;
                Some((purpose, job))
            });
            let Some((purpose, job)) = found else { continue };
            self.turns.remove(turn);
            match jobs.iter().all(VecDeque::is_empty) {
                true => drop(self.waiting.remove(&client)),
                false => self.turns.push_back(client),
            }
            self.questions -= usize::from(purpose == Purpose::Question);
            self.others += usize::from(purpose != Purpose::Table);
            return Some((purpose, job));
        }
        None
    }
}

#[derive(Default)]
struct Queue {
    jobs: Mutex<Jobs>,
    ready: Condvar,
}

/// A few threads that take jobs.
pub(crate) struct Workers {
    queue: Arc<Queue>,
}

impl Workers {
    pub(crate) fn new(threads: usize) -> Workers {
        let queue = Arc::new(Queue::default());
        let most_others = threads.saturating_sub(1).max(1);
        for number in 0..threads.max(1) {
            let queue = queue.clone();
            let name = format!("thinker-{number}");
            let work = move || work(&queue, most_others);
            thread::Builder::new().name(name).spawn(work).expect("the system has threads");
        }
        Workers { queue }
    }

    /// A job of a client; false if too many questions wait.
    pub(crate) fn add(&self, client: Client, purpose: Purpose, job: Job) -> bool {
        let mut jobs = lock(&self.queue.jobs);
        if purpose == Purpose::Question && jobs.questions >= QUESTIONS {
            return false;
        }
        jobs.add(client, purpose, job);
        drop(jobs);
        self.queue.ready.notify_one();
        true
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        lock(&self.queue.jobs).ended = true;
        self.queue.ready.notify_all();
    }
}

fn work(queue: &Queue, most_others: usize) {
    loop {
        let mut jobs = lock(&queue.jobs);
        let (purpose, job) = loop {
            if jobs.ended {
                return;
            }
            match jobs.next(most_others) {
                Some(job) => break job,
                None => jobs = queue.ready.wait(jobs).unwrap_or_else(std::sync::PoisonError::into_inner),
            }
        };
        drop(jobs);
        unbroken(job);
        if purpose != Purpose::Table {
            lock(&queue.jobs).others -= 1;
            queue.ready.notify_one();
        }
    }
}

/// Something that breaks down takes nothing else with it.
pub(crate) fn unbroken<T>(work: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_take_turns_and_who_waits_comes_first() {
        let done = Arc::new(Mutex::new(Vec::new()));
        let mut jobs = Jobs::default();
        let mut add = |client: u8, purpose, name: &'static str| {
            let done = done.clone();
            jobs.add(Some([10, 0, 0, client].into()), purpose, Box::new(move || done.lock().unwrap().push(name)));
        };
        for name in ["a background 1", "a background 2", "a background 3"] {
            add(1, Purpose::Background, name);
        }
        add(1, Purpose::Question, "a question");
        add(1, Purpose::Question, "another question");
        add(1, Purpose::Table, "a table");
        add(2, Purpose::Background, "b background");
        add(2, Purpose::Table, "b table");
        while let Some((_, job)) = jobs.next(2) {
            job();
        }
        let first = ["a table", "b table", "a question", "b background"];
        assert_eq!(*done.lock().unwrap(), first, "two threads have something else to do");
        for _ in 0..4 {
            jobs.others -= 1;
            assert!(jobs.next(2).is_some() && jobs.next(2).is_none());
        }
        assert!(jobs.waiting.is_empty() && jobs.turns.is_empty());
    }
}

//! What is done again and again: clocks are looked at, the journal goes to the disk, and what nobody needs any
//! more is dropped.

use std::cmp::Reverse;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use crate::hub::{Hub, lock, spawn};
use crate::journal;
use crate::table::{Event, Status};
use crate::time::DAY;
use crate::workers::unbroken;

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(20);

/// How often the journal is brought to the disk.
const SYNC: Duration = Duration::from_millis(500);

/// How often what nobody needs is looked for.
const TIDY: Duration = Duration::from_secs(5);

/// How long a finished game stays at its table, and how many do.
const KEPT: Duration = Duration::from_secs(3600);
const MOST_KEPT: usize = 1000;

/// How long a table waits for players, and a game for a move of somebody without a clock.
const IDLE: Duration = Duration::from_secs(7 * DAY);

/// How long a bot is known that does not show itself, in seconds.
const AWAY: u64 = 30 * DAY;

/// Goes on until the hub is dropped.
pub(crate) fn begin(hub: &Arc<Hub>) {
    let weak = Arc::downgrade(hub);
    spawn("clocks", move || repeat(&weak, TICK, Hub::look_at_clocks));
    let weak = Arc::downgrade(hub);
    spawn("journal", move || repeat(&weak, SYNC, |hub| hub.keep_journal()));
    let weak = Arc::downgrade(hub);
    spawn("upkeep", move || repeat(&weak, TIDY, Hub::tidy));
}

fn repeat(hub: &Weak<Hub>, every: Duration, work: impl Fn(&Arc<Hub>)) {
    loop {
        // A server that has ended is not held up for long.
        let until = Instant::now() + every;
        while Instant::now() < until {
            thread::sleep(every.min(SYNC));
            if hub.strong_count() == 0 {
                return;
            }
        }
        let Some(hub) = hub.upgrade() else { return };
        unbroken(|| work(&hub));
    }
}

impl Hub {
    /// Plays on for those whose time is up.
    fn look_at_clocks(self: &Arc<Hub>) {
        let now = Instant::now();
        loop {
            let mut deadlines = lock(&self.deadlines);
            let due = deadlines.first().is_some_and(|(deadline, _)| *deadline <= now);
            let Some((deadline, id)) = (if due { deadlines.pop_first() } else { None }) else { return };
            drop(deadlines);
            let Ok(seating) = self.seating(&id) else { continue };
            unbroken(|| {
                let mut seating = lock(&seating);
                if seating.deadline == Some(deadline) {
                    seating.deadline = None;
                }
                match seating.table.due(now) {
                    Some(event) => drop(self.happen(&mut seating, event)),
                    None => self.watch_deadline(&mut seating),
                }
            });
        }
    }

    /// Brings the journal to the disk, and makes it smaller when most of it is not needed.
    fn keep_journal(&self) {
        let (file, to_compact) = {
            let journal = lock(&self.journal);
            (journal.file(), journal.to_compact())
        };
        let _ = file.sync_data();
        let Some((path, bytes)) = to_compact else { return };
        let compacted = journal::compact(&path, bytes);
        let mut journal = lock(&self.journal);
        if let Err(error) = compacted.and_then(|compacted| journal.replace(compacted)) {
            eprintln!("meeple serve: the journal cannot be made smaller: {error}");
            journal.leave_large();
        }
    }

    /// Drops what nobody needs any more, and tries again what was not possible before.
    fn tidy(self: &Arc<Hub>) {
        self.tidy_tables();
        self.forget_competitions();
        self.forget_bots();
        self.competitions_go_on();
    }

    fn tidy_tables(&self) {
        let mut finished = Vec::new();
        for seating in self.seatings() {
            let mut seating = lock(&seating);
            let quiet = seating.changed.elapsed();
            let table = &seating.table;
            match table.status() {
                Status::Over if table.is_archived() => finished.push((Reverse(quiet), table.id.clone())),
                Status::Over if seating.refused => {
                    self.hand_to_archive(table, true);
                    seating.refused = false;
                }
                Status::Over => {}
                _ if quiet > IDLE => {
                    self.release(table);
                    self.end_for_bots(table);
                    finished.push((Reverse(quiet), table.id.clone()));
                }
                _ => {}
            }
        }
        finished.sort_unstable();
        let too_many = finished.len().saturating_sub(MOST_KEPT);
        for (place, (Reverse(quiet), id)) in finished.into_iter().enumerate() {
            if place < too_many || quiet > KEPT {
                self.close(&id);
            }
        }
    }

    fn forget_bots(&self) {
        let mut bots = lock(&self.bots);
        for name in bots.forget(crate::time::now().saturating_sub(AWAY)) {
            self.write(|journal| journal.forget_bot(&name));
        }
    }

    pub(crate) fn close(&self, id: &str) {
        self.write(|journal| journal.note(id, &[Event::Closed]));
        if let Ok(seating) = self.seating(id)
            && let Some(deadline) = lock(&seating).deadline.take()
        {
            lock(&self.deadlines).remove(&(deadline, id.to_string()));
        }
        self.remove(id);
    }
}

//! One thread alone, or several at once in one tree or each in its own.

use meeple_core::{Game, Rng};

use super::search::Search;
use super::worker::Worker;
use crate::clock::{Clock, SharedClock};

/// One thread alone. Returns the iterations.
pub(super) fn alone<G: Game>(search: &Search<'_, G>, worker: &mut Worker<G>, clock: &mut Clock, rng: &mut Rng) -> u64 {
    let before = search.tree.len();
    while !search.is_solved() && clock.tick_at(before + u64::from(worker.block.added)) {
        worker.iterate::<false>(search, rng);
    }
    search.tree.count(&mut worker.block);
    clock.done()
}

/// Every worker with its search, which may all be in the same tree (`SHARED`) or each in its own.
/// Returns the iterations of all.
pub(super) fn together<const SHARED: bool, G: Game>(
    searches: &[Search<'_, G>],
    workers: &mut [Worker<G>],
    clock: &SharedClock,
    rng: &mut Rng,
) -> u64 {
    let seed = rng.next_u64();
    let work = |number: usize, worker: &mut Worker<G>| {
        let search = &searches[number % searches.len()];
        let mut rng = Rng::stream(seed, number as u64);
        let mut iterations = 0;
        loop {
            worker.count_root::<SHARED>(search);
            search.tree.count(&mut worker.block);
            let granted = clock.take(searches.iter().map(|search| search.tree.len()).sum());
            if granted == 0 {
                return iterations;
            }
            for _ in 0..granted {
                if search.is_solved() {
                    clock.stop();
                    break;
                }
                worker.iterate::<SHARED>(search, &mut rng);
                iterations += 1;
            }
        }
    };
    std::thread::scope(|scope| {
        let (first, others) = workers.split_first_mut().expect("there is a worker");
        let work = &work;
        let others: Vec<_> = others
            .iter_mut()
            .enumerate()
            .map(|(number, worker)| scope.spawn(move || work(number + 1, worker)))
            .collect();
        let own = work(0, first);
        own + others.into_iter().map(|thread| thread.join().expect("a search does not panic")).sum::<u64>()
    })
}

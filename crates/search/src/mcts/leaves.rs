//! Several threads at one leaf: one walks down the tree, all play from there.

use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::{Mutex, MutexGuard};

use meeple_core::{Game, Rng};

use super::search::{Search, Step};
use super::worker::{Leaf, Worker};
use crate::clock::Clock;
use crate::playout::Worth;
use crate::proof::Proof;

/// How often a thread looks whether another is done before it gives its processor away.
const SPINS: u32 = 500;

/// Where a helper finds its work and leaves what came of it.
struct Desk<G: Game> {
    stage: AtomicU8,
    content: Mutex<Content<G>>,
}

struct Content<G: Game> {
    state: G::State,
    path: Vec<Step>,
    worth: Option<Worth>,
}

/// Stages of a desk; the last means that nobody works there any more.
const EMPTY: u8 = 0;
const GIVEN: u8 = 1;
const DONE: u8 = 2;
const CLOSED: u8 = 3;

impl<G: Game> Desk<G> {
    fn new(state: &G::State) -> Desk<G> {
        let content = Content { state: state.clone(), path: Vec::new(), worth: None };
        Desk { stage: AtomicU8::new(EMPTY), content: Mutex::new(content) }
    }

    fn content(&self) -> MutexGuard<'_, Content<G>> {
        self.content.lock().expect("a playout does not panic")
    }

    /// Waits for one of two stages and returns which it was.
    fn wait(&self, stages: [u8; 2]) -> u8 {
        let mut spins = 0;
        loop {
            let stage = self.stage.load(Acquire);
            if stages.contains(&stage) {
                return stage;
            }
            spins += 1;
            if spins < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
    }

    fn give(&self, state: &G::State, path: &[Step]) {
        let mut content = self.content();
        content.state.clone_from(state);
        content.path.clear();
        content.path.extend_from_slice(path);
        drop(content);
        self.stage.store(GIVEN, Release);
    }

    /// What the helper found.
    fn collect(&self) -> Worth {
        self.wait([DONE, CLOSED]);
        self.stage.store(EMPTY, Release);
        self.content().worth.take().expect("a playout does not panic")
    }
}

/// Closes desks when their user is gone, also by a panic, so that nobody waits for ever.
struct Closing<'a, G: Game>(&'a [Desk<G>]);

impl<G: Game> Drop for Closing<'_, G> {
    fn drop(&mut self) {
        self.0.iter().for_each(|desk| desk.stage.store(CLOSED, Release));
    }
}

/// The first worker walks down the tree; all play from there. Returns the games played.
pub(super) fn at_leaves<G: Game>(
    search: &Search<'_, G>,
    workers: &mut [Worker<G>],
    clock: &mut Clock,
    rng: &mut Rng,
) -> u64 {
    let seed = rng.next_u64();
    let (first, helpers) = workers.split_first_mut().expect("there is a worker");
    let desks: Vec<Desk<G>> = helpers.iter().map(|_| Desk::new(search.state)).collect();
    std::thread::scope(|scope| {
        for (number, (helper, desk)) in helpers.iter_mut().zip(desks.chunks(1)).enumerate() {
            scope.spawn(move || help(search, helper, desk, &mut Rng::stream(seed, number as u64)));
        }
        let _closing = Closing(&desks);
        let before = search.tree.len();
        while !search.is_solved() && clock.tick_at(before + u64::from(first.block.added)) {
            iterate(search, first, &desks, clock, rng);
        }
        search.tree.count(&mut first.block);
        clock.done()
    })
}

/// One leaf. The clock has granted one game and is asked for as many more as there are helpers.
fn iterate<G: Game>(
    search: &Search<'_, G>,
    worker: &mut Worker<G>,
    desks: &[Desk<G>],
    clock: &mut Clock,
    rng: &mut Rng,
) {
    let leaf = worker.descend::<false>(search, rng);
    if matches!(leaf, Leaf::Proven(_)) || worker.is_over(search) {
        worker.finish::<false>(search, leaf, rng);
        return;
    }
    let helpers = desks.iter().take_while(|_| clock.tick()).count();
    desks[..helpers].iter().for_each(|desk| desk.give(&worker.state, &worker.path));
    let mut worth = worker.play(search, rng);
    desks[..helpers].iter().for_each(|desk| add(&mut worth, &desk.collect()));
    let games = helpers as u32 + 1;
    for number in worth.payoffs.iter_mut().chain(&mut worth.rewards) {
        *number /= games as f32;
    }
    worker.back_up::<false>(search, &worth, Proof::UNKNOWN, games);
}

fn add(sum: &mut Worth, more: &Worth) {
    let numbers = sum.payoffs.iter_mut().chain(&mut sum.rewards);
    numbers.zip(more.payoffs.iter().chain(&more.rewards)).for_each(|(sum, more)| *sum += more);
}

/// Plays whatever is given to one desk.
fn help<G: Game>(search: &Search<'_, G>, worker: &mut Worker<G>, desk: &[Desk<G>], rng: &mut Rng) {
    let _closing = Closing(desk);
    let desk = &desk[0];
    while desk.wait([GIVEN, CLOSED]) == GIVEN {
        let mut content = desk.content();
        worker.set_out(search, &content.state, &content.path);
        content.worth = Some(worker.play(search, rng));
        drop(content);
        desk.stage.store(DONE, Release);
    }
}

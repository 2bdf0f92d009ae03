//! Promises about speed that can be kept by a test: nothing on the path of a playout allocates, and
//! states are small.
#![allow(unsafe_code)] // a counting allocator has to implement an unsafe trait

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::Duration;

use meeple_catalog::{GAMES, game};
use meeple_core::{Rng, Rules};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Games whose state is larger than 256 bytes, or whose playouts allocate, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[("lines-of-action repetition=third", "keeps the history of the game in a list")];

fn check(name: &str, rules: &str) {
    let game = game(name, &Rules::parse(rules).unwrap()).unwrap();
    let before = ALLOCATIONS.with(Cell::get);
    let speed = game.measure_playouts(Duration::from_millis(100), &mut Rng::from_seed(1), &|| 0.0);
    let allocations = ALLOCATIONS.with(Cell::get) - before;
    let excepted = EXCEPTIONS.iter().any(|&(game, _)| game == format!("{name} {rules}"));
    assert!(speed.state_bytes <= 256, "{name} {rules}: a state has {} bytes", speed.state_bytes);
    // Each of the twenty slices of a measurement grows a buffer of actions or two.
    assert!(excepted || allocations < 300, "{name} {rules}: {allocations} allocations in {} moves", speed.moves);
}

#[test]
fn playouts_do_not_allocate_and_states_are_small() {
    for entry in GAMES {
        check(entry.name, "");
    }
    for (name, rules) in [
        ("breakthrough", "rows=12,columns=12"),
        ("connect-four", "rows=8,columns=8"),
        ("connect-four", "rows=12,columns=12"),
        ("lines-of-action", "repetition=third"),
        ("just4fun", "players=4,hidden_discards=true"),
        ("sueca", "to=10"),
        ("bisca", "players=4"),
        ("hearts", "to=100"),
        ("keezen", "variant=tock"),
        ("keezen", "variant=dog"),
        ("keezen", "variant=sorry"),
        ("chinese-checkers", "board=37"),
        ("chinese-checkers", "players=6"),
    ] {
        check(name, rules);
    }
}

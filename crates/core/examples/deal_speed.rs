//! How long it takes to prepare and to sample a deal: `cargo run --release -p meeple-core --example deal_speed`.

use std::hint::black_box;
use std::time::Instant;

use meeple_core::Rng;
use meeple_core::deal::{Deal, WeightedDeal};

/// The best of this many rounds: other programs only make a round slower.
const ROUNDS: usize = 20;

struct Pattern {
    name: &'static str,
    cards: u64,
    need: &'static [u32],
    allowed: &'static [u64],
}

/// A suit is 13 bits; Sueca uses the lower 10.
const SUIT: u64 = (1 << 13) - 1;
const SHORT: u64 = (1 << 10) - 1;
const ALL: u64 = u64::MAX;

const fn suits(of: u64, numbers: &[u32]) -> u64 {
    let mut cards = 0;
    let mut i = 0;
    while i < numbers.len() {
        cards |= of << (13 * numbers[i]);
        i += 1;
    }
    cards
}

const PATTERNS: &[Pattern] = &[
    Pattern { name: "Sueca 3 x 10, no void", cards: suits(SHORT, &[0, 1, 2]), need: &[10; 3], allowed: &[ALL; 3] },
    Pattern {
        name: "Sueca 3 x 10, two voids",
        cards: suits(SHORT, &[0, 1, 2]),
        need: &[10; 3],
        allowed: &[!suits(SUIT, &[0]), !suits(SUIT, &[1]), ALL],
    },
    Pattern {
        name: "Sueca 3 x 10, three voids",
        cards: suits(SHORT >> 2, &[0, 1, 2]) | suits(SHORT >> 4, &[3]),
        need: &[10; 3],
        allowed: &[!suits(SUIT, &[0]), !suits(SUIT, &[1]), !suits(SUIT, &[2])],
    },
    Pattern { name: "Hearts 3 x 13, no void", cards: suits(SUIT, &[0, 1, 2]), need: &[13; 3], allowed: &[ALL; 3] },
    Pattern {
        name: "Hearts 3 x 13, three voids",
        cards: suits(SUIT >> 3, &[0, 1, 2]) | suits(SUIT >> 4, &[3]),
        need: &[13; 3],
        allowed: &[!suits(SUIT, &[0]), !suits(SUIT, &[1]), !suits(SUIT, &[2])],
    },
    Pattern {
        name: "four hands of 13, no void",
        cards: suits(SUIT, &[0, 1, 2, 3]),
        need: &[13; 4],
        allowed: &[ALL; 4],
    },
    Pattern {
        name: "four hands of 13, four voids",
        cards: suits(SUIT, &[0, 1, 2, 3]),
        need: &[13; 4],
        allowed: &[!suits(SUIT, &[0]), !suits(SUIT, &[1]), !suits(SUIT, &[2]), !suits(SUIT, &[3])],
    },
];

fn main() {
    println!("{:30} {:>12} {:>12} {:>12}", "", "ways", "prepare ns", "sample ns");
    uniform();
    weighted();
}

fn uniform() {
    for pattern in PATTERNS {
        let prepare = || Deal::prepare(black_box(pattern.cards), pattern.need, pattern.allowed);
        let deal = prepare().expect("the pattern has deals");
        let mut rng = Rng::from_seed(1);
        let mut hands = [0; 4];
        let prepared = best(1_000, || drop(black_box(prepare())));
        let sampled = best(20_000, || {
            deal.sample(&mut hands[..pattern.need.len()], &mut rng);
            black_box(&hands);
        });
        println!("{:30} {:12.3e} {prepared:12.1} {sampled:12.1}", pattern.name, deal.count() as f64);
    }
}

/// Hearts with a belief for every card.
fn weighted() {
    let cards = suits(SUIT, &[0, 1, 2]);
    let weight = |card: u32, holder: usize| 1.0 + f64::from(card) * holder as f64;
    let prepare = || WeightedDeal::prepare(black_box(cards), &[13; 3], &weight);
    let deal = prepare().expect("every deal is possible");
    let mut rng = Rng::from_seed(1);
    let mut hands = [0; 3];
    let prepared = best(10, || drop(black_box(prepare())));
    let sampled = best(10_000, || {
        deal.sample(&mut hands, &mut rng);
        black_box(&hands);
    });
    println!("{:30} {:>12} {prepared:12.1} {sampled:12.1}", "Hearts, 39 weights", "");
}

/// Nanoseconds per call.
fn best(calls: u32, mut call: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(calls));
    }
    best
}

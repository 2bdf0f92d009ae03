//! A node of the tree: 24 bytes.
//!
//! Threads may share nodes, therefore the fields are atomic. With one thread they are read and
//! written like plain ones: the functions that are generic over `SHARED` say which.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

/// In [`Node::children`]: a thread is about to add a child.
const CLAIMED: u16 = 1 << 15;

/// What is known about the position after an action.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The sum of rewards of the player who chose the action, as the bits of an f64; minus
    /// infinity once the action is never to be selected again.
    reward: AtomicU64,
    visits: AtomicU32,
    /// The first chunk of children plus 1; 0 if there is none.
    pub(super) first: AtomicU32,
    code: AtomicU32,
    children: AtomicU16,
    /// The number of legal actions; 0 until they were counted.
    legal: AtomicU16,
}

impl Node {
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    #[inline]
    pub(super) fn reward(&self) -> f64 {
        f64::from_bits(self.reward.load(Relaxed))
    }

    #[inline]
    pub(super) fn set_reward(&self, reward: f64) {
        self.reward.store(reward.to_bits(), Relaxed);
    }

    #[inline]
    pub(super) fn code(&self) -> u32 {
        self.code.load(Relaxed)
    }

    #[inline]
    pub(super) fn children(&self) -> usize {
        usize::from(self.children.load(Acquire) & !CLAIMED)
    }

    #[inline]
    pub(super) fn legal(&self) -> usize {
        usize::from(self.legal.load(Relaxed))
    }

    pub(super) fn set_legal(&self, legal: usize) {
        debug_assert!(legal < usize::from(CLAIMED));
        self.legal.store(legal as u16, Relaxed);
    }

    /// Adds visits, modulo 2^32, and rewards of the player who chose the action.
    #[inline]
    pub(super) fn add<const SHARED: bool>(&self, visits: u32, reward: f64) {
        self.add_visits::<SHARED>(visits);
        add_float::<SHARED>(&self.reward, reward);
    }

    #[inline]
    pub(super) fn add_visits<const SHARED: bool>(&self, visits: u32) {
        match SHARED {
            // A write that changes nothing would still take the memory away from other threads.
            true if visits == 0 => {}
            true => drop(self.visits.fetch_add(visits, Relaxed)),
            false => self.visits.store(self.visits().wrapping_add(visits), Relaxed),
        }
    }

    /// The right to add a child, for one thread at a time.
    pub(super) fn claim(&self) -> bool {
        let children = self.children.load(Relaxed);
        let claimed = children | CLAIMED;
        children != claimed && self.children.compare_exchange(children, claimed, Acquire, Relaxed).is_ok()
    }

    /// Shows so many children to all threads and gives a claim back.
    pub(super) fn publish(&self, children: usize) {
        self.children.store(children as u16, Release);
    }

    /// Makes it a node without children.
    pub(super) fn reset(&self, code: u32, visits: u32, reward: f64) {
        self.set_reward(reward);
        self.visits.store(visits, Relaxed);
        self.first.store(0, Relaxed);
        self.code.store(code, Relaxed);
        self.children.store(0, Relaxed);
        self.legal.store(0, Relaxed);
    }
}

/// Adds to the bits of an f64.
#[inline]
pub(super) fn add_float<const SHARED: bool>(sum: &AtomicU64, number: f64) {
    let added = |bits: u64| (f64::from_bits(bits) + number).to_bits();
    let mut bits = sum.load(Relaxed);
    if !SHARED {
        sum.store(added(bits), Relaxed);
        return;
    }
    while let Err(now) = sum.compare_exchange_weak(bits, added(bits), Relaxed, Relaxed) {
        bits = now;
    }
}

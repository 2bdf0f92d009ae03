//! The tree of a game without chance: nodes in one growing arena, children in chunks of four.
//!
//! A node takes 24 bytes and is created when it is first visited. The children of a node stand in
//! a chain of chunks, so that looking at all of them reads memory in order, and no child is ever
//! moved: threads can share the tree without locks on reading. Fields are atomic for that reason;
//! with one thread they are read and written like plain ones.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Nodes in a chunk.
const CHUNK: usize = 4;
/// Chunks in a segment of the arena.
const SEGMENT: usize = 1 << 12;

pub(crate) const ROOT: u32 = 0;

/// What is known about the position after an action.
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// The sum of rewards of the player who chose the action, as the bits of an f64.
    reward: AtomicU64,
    visits: AtomicU32,
    /// The first chunk of children plus 1; 0 if there is none.
    first: AtomicU32,
    code: AtomicU32,
    children: AtomicU16,
    /// The number of legal actions; 0 until they were counted.
    legal: AtomicU16,
}

impl Node {
    #[inline]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    #[inline]
    pub(crate) fn reward(&self) -> f64 {
        f64::from_bits(self.reward.load(Relaxed))
    }

    #[inline]
    pub(crate) fn code(&self) -> u32 {
        self.code.load(Relaxed)
    }

    #[inline]
    pub(crate) fn children(&self) -> usize {
        usize::from(self.children.load(Relaxed))
    }

    #[inline]
    pub(crate) fn legal(&self) -> usize {
        usize::from(self.legal.load(Relaxed))
    }

    pub(crate) fn set_legal(&self, legal: usize) {
        self.legal.store(legal as u16, Relaxed);
    }

    /// Counts a visit with its reward for the player who chose the action.
    #[inline]
    pub(crate) fn update(&self, reward: f64) {
        self.visits.store(self.visits.load(Relaxed) + 1, Relaxed);
        self.reward.store((self.reward() + reward).to_bits(), Relaxed);
    }

    fn clear(&self, code: u32) {
        self.reward.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.first.store(0, Relaxed);
        self.code.store(code, Relaxed);
        self.children.store(0, Relaxed);
        self.legal.store(0, Relaxed);
    }
}

#[derive(Debug)]
struct Segment {
    nodes: Vec<[Node; CHUNK]>,
    /// For each chunk the next one of the same parent plus 1; 0 at the end.
    next: Vec<AtomicU32>,
}

#[derive(Debug)]
pub(crate) struct Tree {
    segments: Vec<OnceLock<Segment>>,
    used: AtomicU32,
    nodes: AtomicU32,
    most: u32,
}

impl Tree {
    /// A tree that holds the root alone and never takes more than about `bytes`.
    pub(crate) fn new(bytes: usize) -> Tree {
        let chunk_bytes = size_of::<[Node; CHUNK]>() + size_of::<AtomicU32>();
        let segments = (bytes / (chunk_bytes * SEGMENT)).clamp(1, u32::MAX as usize / SEGMENT / CHUNK - 1);
        let tree = Tree {
            segments: (0..segments).map(|_| OnceLock::new()).collect(),
            used: AtomicU32::new(0),
            nodes: AtomicU32::new(1),
            most: (segments * SEGMENT) as u32,
        };
        tree.clear();
        tree
    }

    /// Forgets all but an unvisited root; keeps the memory.
    pub(crate) fn clear(&self) {
        self.used.store(0, Relaxed);
        self.nodes.store(1, Relaxed);
        self.new_chunk().expect("a tree has room for its root");
        self.node(ROOT).clear(0);
    }

    #[inline]
    pub(crate) fn node(&self, index: u32) -> &Node {
        &self.chunk(index / CHUNK as u32)[index as usize % CHUNK]
    }

    /// The child with the highest score; the first of equals.
    #[inline]
    pub(crate) fn best_child(&self, parent: &Node, mut score: impl FnMut(&Node) -> f64) -> u32 {
        let mut best = (f64::NEG_INFINITY, ROOT);
        self.each_child(parent, |index, child| {
            let score = score(child);
            if score > best.0 {
                best = (score, index);
            }
        });
        best.1
    }

    /// Calls `each` for every child in the order of creation.
    #[inline]
    pub(crate) fn each_child(&self, parent: &Node, mut each: impl FnMut(u32, &Node)) {
        let mut left = parent.children();
        let mut link = parent.first.load(Relaxed);
        while left > 0 {
            let number = link - 1;
            let count = left.min(CHUNK);
            for (offset, child) in self.chunk(number)[..count].iter().enumerate() {
                each(number * CHUNK as u32 + offset as u32, child);
            }
            left -= count;
            link = self.next(number).load(Relaxed);
        }
    }

    pub(crate) fn has_child(&self, parent: &Node, code: u32) -> bool {
        let mut found = false;
        self.each_child(parent, |_, child| found |= child.code() == code);
        found
    }

    /// A new child, or `None` if memory is used up.
    pub(crate) fn add_child(&self, parent: &Node, code: u32) -> Option<u32> {
        let count = parent.children();
        let chunk = if count.is_multiple_of(CHUNK) {
            let chunk = self.new_chunk()?;
            self.last_link(parent).store(chunk + 1, Relaxed);
            chunk
        } else {
            self.last_chunk(parent)
        };
        let index = chunk * CHUNK as u32 + (count % CHUNK) as u32;
        self.node(index).clear(code);
        parent.children.store(count as u16 + 1, Relaxed);
        self.nodes.store(self.nodes.load(Relaxed) + 1, Relaxed);
        Some(index)
    }

    pub(crate) fn len(&self) -> u64 {
        u64::from(self.nodes.load(Relaxed))
    }

    /// Of all chunks, also where they are not full.
    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.used.load(Relaxed)) * (size_of::<[Node; CHUNK]>() + size_of::<AtomicU32>()) as u64
    }

    pub(crate) fn is_full(&self) -> bool {
        self.used.load(Relaxed) >= self.most
    }

    fn last_chunk(&self, parent: &Node) -> u32 {
        let mut chunk = parent.first.load(Relaxed) - 1;
        for _ in 1..parent.children().div_ceil(CHUNK) {
            chunk = self.next(chunk).load(Relaxed) - 1;
        }
        chunk
    }

    /// Where the number of a further chunk is to be written.
    fn last_link<'a>(&'a self, parent: &'a Node) -> &'a AtomicU32 {
        if parent.children() == 0 { &parent.first } else { self.next(self.last_chunk(parent)) }
    }

    fn new_chunk(&self) -> Option<u32> {
        let number = self.used.load(Relaxed);
        if number >= self.most {
            return None;
        }
        self.used.store(number + 1, Relaxed);
        self.segments[number as usize / SEGMENT].get_or_init(Segment::new);
        self.next(number).store(0, Relaxed);
        Some(number)
    }

    #[inline]
    fn segment(&self, chunk: u32) -> &Segment {
        self.segments[chunk as usize / SEGMENT].get().expect("chunks are numbered as they are made")
    }

    #[inline]
    fn chunk(&self, number: u32) -> &[Node; CHUNK] {
        &self.segment(number).nodes[number as usize % SEGMENT]
    }

    #[inline]
    fn next(&self, number: u32) -> &AtomicU32 {
        &self.segment(number).next[number as usize % SEGMENT]
    }
}

impl Segment {
    fn new() -> Segment {
        Segment {
            nodes: (0..SEGMENT).map(|_| <[Node; CHUNK]>::default()).collect(),
            next: (0..SEGMENT).map(|_| AtomicU32::new(0)).collect(),
        }
    }
}

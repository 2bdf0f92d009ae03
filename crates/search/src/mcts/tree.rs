//! The tree of a game without chance: nodes in one growing arena, children in chunks of four.
//!
//! A node is created when it is first visited. The children of a node stand in a chain of chunks,
//! so that looking at all of them reads memory in order, and no child is ever moved: threads share
//! the tree without locks.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use super::node::{Node, add_float};
use crate::proof::Proof;

/// Nodes in a chunk.
const CHUNK: usize = 4;
/// Chunks in a segment of the arena.
const SEGMENT: usize = 1 << 12;

pub(super) const ROOT: u32 = 0;

/// What belongs to a chunk beside its nodes.
#[derive(Debug, Default)]
struct Link {
    /// The next chunk of the same parent plus 1; 0 at the end.
    next: AtomicU32,
    /// The bytes of [`Proof`]s.
    proofs: [AtomicU8; CHUNK],
}

#[derive(Debug)]
struct Segment {
    nodes: Vec<[Node; CHUNK]>,
    links: Vec<Link>,
    /// Sums of squared rewards as the bits of f64; empty if no rule asks for them.
    squares: Vec<[AtomicU64; CHUNK]>,
}

#[derive(Debug)]
pub(super) struct Tree {
    segments: Vec<OnceLock<Segment>>,
    /// Chunks handed out.
    used: AtomicU32,
    nodes: AtomicU32,
    /// Chunks that memory allows.
    most: u32,
    with_squares: bool,
}

/// Chunks that one thread fills without asking the others.
#[derive(Debug)]
pub(super) struct Block {
    next: u32,
    end: u32,
    /// Chunks to take at once.
    size: u32,
    /// Nodes made and not yet counted in the tree.
    pub(super) added: u32,
}

impl Block {
    pub(super) fn new(size: u32) -> Block {
        Block { next: 0, end: 0, size, added: 0 }
    }

    /// Forgets its chunks, which the tree has forgotten.
    pub(super) fn clear(&mut self) {
        *self = Block::new(self.size);
    }
}

fn chunk_bytes(with_squares: bool) -> usize {
    let squares = if with_squares { size_of::<[AtomicU64; CHUNK]>() } else { 0 };
    size_of::<[Node; CHUNK]>() + size_of::<Link>() + squares
}

impl Tree {
    /// A tree that holds the root alone and never takes more than about `bytes`.
    pub(super) fn new(bytes: usize, with_squares: bool) -> Tree {
        let segments =
            (bytes / (chunk_bytes(with_squares) * SEGMENT)).clamp(1, u32::MAX as usize / SEGMENT / CHUNK - 1);
        let tree = Tree {
            segments: (0..segments).map(|_| OnceLock::new()).collect(),
            used: AtomicU32::new(0),
            nodes: AtomicU32::new(1),
            most: (segments * SEGMENT) as u32,
            with_squares,
        };
        tree.clear();
        tree
    }

    /// Forgets all but an unvisited root; keeps the memory.
    pub(super) fn clear(&self) {
        self.used.store(0, Relaxed);
        self.nodes.store(1, Relaxed);
        self.new_chunk(&mut Block::new(1)).expect("a tree has room for its root");
        self.reset(ROOT, 0, (0, 0.0));
    }

    #[inline]
    pub(super) fn node(&self, index: u32) -> &Node {
        &self.chunk(index / CHUNK as u32)[index as usize % CHUNK]
    }

    #[inline]
    pub(super) fn proof(&self, index: u32) -> Proof {
        Proof::from_byte(self.proof_byte(index).load(Relaxed))
    }

    pub(super) fn set_proof(&self, index: u32, proof: Proof) {
        self.proof_byte(index).store(proof.byte(), Relaxed);
    }

    #[inline]
    pub(super) fn square(&self, index: u32) -> f64 {
        f64::from_bits(self.square_bits(index).load(Relaxed))
    }

    #[inline]
    pub(super) fn add_square<const SHARED: bool>(&self, index: u32, square: f64) {
        if self.with_squares {
            add_float::<SHARED>(self.square_bits(index), square);
        }
    }

    /// The child with the highest score, the first of equals. There must be a child.
    #[inline]
    pub(super) fn best_child(&self, parent: &Node, mut score: impl FnMut(u32, &Node) -> f64) -> u32 {
        let first = (parent.first.load(Relaxed) - 1) * CHUNK as u32;
        let mut best = (f64::NEG_INFINITY, first);
        self.each_child(parent, |index, child| {
            let score = score(index, child);
            if score > best.0 {
                best = (score, index);
            }
        });
        best.1
    }

    /// Calls `each` for every child in the order of creation.
    #[inline]
    pub(super) fn each_child(&self, parent: &Node, mut each: impl FnMut(u32, &Node)) {
        let mut left = parent.children();
        let mut link = parent.first.load(Relaxed);
        while left > 0 {
            let number = link - 1;
            let count = left.min(CHUNK);
            for (offset, child) in self.chunk(number)[..count].iter().enumerate() {
                each(number * CHUNK as u32 + offset as u32, child);
            }
            left -= count;
            link = self.link(number).next.load(Relaxed);
        }
    }

    /// The child of an action.
    pub(super) fn child(&self, parent: &Node, code: u32) -> Option<u32> {
        let mut found = None;
        self.each_child(parent, |index, child| {
            if child.code() == code {
                found = Some(index);
            }
        });
        found
    }

    /// A new child, or `None` if memory is used up. With several threads the caller has claimed the
    /// parent; the claim ends here.
    pub(super) fn add_child(&self, parent: &Node, code: u32, start: (u32, f64), block: &mut Block) -> Option<u32> {
        let count = parent.children();
        let chunk = if count.is_multiple_of(CHUNK) {
            let Some(chunk) = self.new_chunk(block) else {
                parent.publish(count);
                return None;
            };
            self.last_link(parent, count).store(chunk + 1, Relaxed);
            chunk
        } else {
            self.last_chunk(parent, count)
        };
        let index = chunk * CHUNK as u32 + (count % CHUNK) as u32;
        self.reset(index, code, start);
        block.added += 1;
        parent.publish(count + 1);
        Some(index)
    }

    /// Replaces the whole tree by what stands below a node of another one.
    pub(super) fn copy_from(&self, source: &Tree, root: u32) {
        self.clear();
        let mut block = Block::new(1);
        let mut pairs = vec![(root, ROOT)];
        self.copy_node(source, root, ROOT);
        while let Some((from, to)) = pairs.pop() {
            source.each_child(source.node(from), |index, child| {
                if let Some(copy) = self.add_child(self.node(to), child.code(), (0, 0.0), &mut block) {
                    self.copy_node(source, index, copy);
                    pairs.push((index, copy));
                }
            });
        }
        self.count(&mut block);
    }

    fn copy_node(&self, source: &Tree, from: u32, to: u32) {
        let (original, copy) = (source.node(from), self.node(to));
        copy.add::<false>(original.visits(), original.reward());
        copy.set_legal(original.legal());
        self.set_proof(to, source.proof(from));
        if self.with_squares {
            self.add_square::<false>(to, source.square(from));
        }
    }

    /// Counts the nodes that a thread has made.
    pub(super) fn count(&self, block: &mut Block) {
        self.nodes.fetch_add(std::mem::take(&mut block.added), Relaxed);
    }

    pub(super) fn len(&self) -> u64 {
        u64::from(self.nodes.load(Relaxed))
    }

    /// Of all chunks, also where they are not full.
    pub(super) fn bytes(&self) -> u64 {
        u64::from(self.used.load(Relaxed)) * chunk_bytes(self.with_squares) as u64
    }

    #[inline]
    pub(super) fn is_full(&self, block: &Block) -> bool {
        block.next == block.end && self.used.load(Relaxed) + block.size > self.most
    }

    /// Whether a search would soon find no room.
    pub(super) fn is_nearly_full(&self) -> bool {
        self.used.load(Relaxed) > self.most / 4 * 3
    }

    fn reset(&self, index: u32, code: u32, (visits, reward): (u32, f64)) {
        self.node(index).reset(code, visits, reward);
        self.set_proof(index, Proof::UNKNOWN);
        if self.with_squares {
            self.square_bits(index).store(0, Relaxed);
        }
    }

    fn last_chunk(&self, parent: &Node, children: usize) -> u32 {
        let mut chunk = parent.first.load(Relaxed) - 1;
        for _ in 1..children.div_ceil(CHUNK) {
            chunk = self.link(chunk).next.load(Relaxed) - 1;
        }
        chunk
    }

    /// Where the number of a further chunk is to be written.
    fn last_link<'a>(&'a self, parent: &'a Node, children: usize) -> &'a AtomicU32 {
        if children == 0 { &parent.first } else { &self.link(self.last_chunk(parent, children)).next }
    }

    fn new_chunk(&self, block: &mut Block) -> Option<u32> {
        if block.next == block.end {
            let take = |used: u32| (used + block.size <= self.most).then_some(used + block.size);
            block.next = self.used.fetch_update(Relaxed, Relaxed, take).ok()?;
            block.end = block.next + block.size;
        }
        let number = block.next;
        block.next += 1;
        self.segments[number as usize / SEGMENT].get_or_init(|| Segment::new(self.with_squares));
        self.link(number).next.store(0, Relaxed);
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
    fn link(&self, number: u32) -> &Link {
        &self.segment(number).links[number as usize % SEGMENT]
    }

    #[inline]
    fn proof_byte(&self, index: u32) -> &AtomicU8 {
        &self.link(index / CHUNK as u32).proofs[index as usize % CHUNK]
    }

    #[inline]
    fn square_bits(&self, index: u32) -> &AtomicU64 {
        let chunk = index / CHUNK as u32;
        &self.segment(chunk).squares[chunk as usize % SEGMENT][index as usize % CHUNK]
    }
}

impl Segment {
    fn new(with_squares: bool) -> Segment {
        let squares = if with_squares { SEGMENT } else { 0 };
        Segment {
            nodes: (0..SEGMENT).map(|_| <[Node; CHUNK]>::default()).collect(),
            links: (0..SEGMENT).map(|_| Link::default()).collect(),
            squares: (0..squares).map(|_| <[AtomicU64; CHUNK]>::default()).collect(),
        }
    }
}

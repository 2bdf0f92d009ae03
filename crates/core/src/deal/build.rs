//! Fills the table from the first decision on: each node that can be reached, once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::MAX_HOLDERS;
use super::plan::{Plan, Step};
use super::table::{Child, Choice, Needs, Node};
use super::weight::Weight;
use crate::bits;

/// The nodes, their choices and the root.
pub(super) fn build<W: Weight>(plan: &Plan<W::Odds>) -> (Vec<Node<W>>, Vec<Choice<W>>, Child<W>) {
    let size = if plan.steps.is_empty() { 0 } else { 16 };
    let mut builder = Builder {
        plan,
        known: HashMap::with_capacity_and_hasher(size, BuildHasherDefault::default()),
        nodes: Vec::with_capacity(size),
        choices: Vec::with_capacity(8 * size),
        pending: Vec::with_capacity(2 * size),
    };
    let root = builder.follow(0, plan.need, 0);
    (builder.nodes, builder.choices, root)
}

struct Builder<'a, W: Weight> {
    plan: &'a Plan<W::Odds>,
    known: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    nodes: Vec<Node<W>>,
    choices: Vec<Choice<W>>,
    /// The choices of the nodes on the way to the present one.
    pending: Vec<Choice<W>>,
}

impl<W: Weight> Builder<'_, W> {
    /// All that follows from decision number `at` on, with `cards` of its group left over from the
    /// decisions before.
    fn follow(&mut self, at: usize, left: Needs, cards: u32) -> Child<W> {
        let plan = self.plan;
        let Some(step) = plan.steps.get(at) else {
            return Child { weight: self.fill_up(left), node: 0 };
        };
        let key = left.0 | (at as u64) << 48;
        if let Some(&node) = self.known.get(&key) {
            return Child { weight: self.nodes[node as usize].total, node };
        }
        let base = self.pending.len();
        let total = self.weigh(at, step, left, cards + step.joins.count_ones());
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { total, first: self.choices.len() as u32 });
        self.choices.extend(self.pending.drain(base..));
        self.known.insert(key, node);
        Child { weight: total, node }
    }

    /// Puts the choices of a decision on the pending ones and returns their total weight.
    fn weigh(&mut self, at: usize, step: &Step<W::Odds>, left: Needs, cards: u32) -> W {
        let need = left.of(step.holder);
        let room: u32 = bits::elements(u64::from(step.others)).map(|other| left.of(other)).sum();
        let least = cards.saturating_sub(room).max(need.saturating_sub(step.supply));
        let mut most = cards.min(need);
        if let Some(last) = &step.last {
            most = most.min((cards + last.supply).saturating_sub(left.of(last.holder)));
        }
        let mut total = W::ZERO;
        for take in least..=most {
            let mut left = left.minus(step.holder, take);
            let mut rest = cards - take;
            let mut weight = W::choose(cards, take, step.odds);
            if let Some(last) = &step.last {
                left = left.minus(last.holder, rest);
                weight = weight * W::choose(rest, rest, last.odds);
                rest = 0;
            }
            let child = self.follow(at + 1, left, rest);
            if child.weight > W::ZERO {
                total = total + weight * child.weight;
                self.pending.push(Choice { below: total, child: child.node, take: take as u8 });
            }
        }
        total
    }

    /// The weight of the groups that leave no decision.
    #[inline]
    fn fill_up(&self, left: Needs) -> W {
        let mut weight = W::ONE;
        let mut cards = 0;
        let mut pools = [0; MAX_HOLDERS];
        let mut depth = 0;
        for fill in &self.plan.fills {
            if fill.joins != 0 {
                pools[depth] = cards;
                depth += 1;
                cards = fill.joins.count_ones();
            }
            for _ in 0..fill.merges {
                depth -= 1;
                cards += pools[depth];
            }
            let take = left.of(fill.holder);
            if take > cards {
                return W::ZERO;
            }
            weight = weight * W::choose(cards, take, fill.odds);
            cards -= take;
        }
        let empty = cards == 0 && pools[..depth] == [0; MAX_HOLDERS][..depth];
        if empty { weight } else { W::ZERO }
    }
}

/// Keys are spread by one multiplication.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        let product = u128::from(self.0 ^ key) * 0x9e37_79b9_7f4a_7c15u128;
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

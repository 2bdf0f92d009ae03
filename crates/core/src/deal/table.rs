//! The table behind every sampler: how many ways remain after each decision on how many cards of
//! a group go to which holder.
//!
//! Cards that the same holders may take, with the same odds, form a group. Groups are split one
//! after the other; in a group one holder after the other takes a number of cards, and the last
//! takes the rest. With W(decision, cards still needed) = sum over k of choose(n, k) · W(next
//! decision, needed − k), and k drawn in proportion to its term, every deal has probability
//! 1 / W(first decision, all needs): the product telescopes. The last groups need no decision, see
//! [`Plan`].

use super::build::build;
use super::plan::{Group, Plan};
use super::weight::Weight;
use super::{Impossible, MAX_HOLDERS};
use crate::{Rng, bits};

#[derive(Clone, Debug)]
pub(super) struct Table<W: Weight> {
    plan: Plan<W::Odds>,
    /// All cards in the order of the plan.
    pile: [u8; 64],
    nodes: Vec<Node<W>>,
    choices: Vec<Choice<W>>,
    root: Child<W>,
}

/// A decision with what was given before it: its choices in the table, and their total weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<W> {
    pub(super) total: W,
    pub(super) first: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Choice<W> {
    /// The weight of this choice and those before it.
    pub(super) below: W,
    pub(super) child: u32,
    pub(super) take: u8,
}

/// The weight of all that follows, and its node where a decision is left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<W> {
    pub(super) weight: W,
    pub(super) node: u32,
}

/// How many cards each holder still takes: a byte for each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs(pub(super) u64);

impl Needs {
    pub(super) fn new(need: &[u32]) -> Needs {
        Needs(need.iter().rev().fold(0, |all, &cards| all << 8 | u64::from(cards)))
    }

    #[inline]
    pub(super) fn of(self, holder: u32) -> u32 {
        (self.0 >> (8 * holder)) as u32 & 0xff
    }

    #[inline]
    pub(super) fn minus(self, holder: u32, cards: u32) -> Needs {
        Needs(self.0 - (u64::from(cards) << (8 * holder)))
    }
}

impl<W: Weight> Table<W> {
    /// The needs add up to the number of cards.
    pub(super) fn new(groups: Vec<Group<W::Odds>>, need: Needs) -> Result<Table<W>, Impossible> {
        let plan = Plan::new(groups, need, W::ALIKE);
        let (nodes, choices, root) = build(&plan);
        if root.weight > W::ZERO {
            let pile = pile(&plan);
            Ok(Table { plan, pile, nodes, choices, root })
        } else {
            Err(Impossible)
        }
    }

    pub(super) fn total(&self) -> W {
        self.root.weight
    }

    /// Adds the cards of every holder to `hands`.
    #[inline]
    pub(super) fn sample(&self, hands: &mut [u64], rng: &mut Rng) {
        let mut pool = Pool::new(self.pile);
        let mut left = self.plan.need;
        let mut node = self.root.node;
        for step in &self.plan.steps {
            pool.next(step.joins.count_ones());
            let choice = self.choose(node, rng);
            node = choice.child;
            let take = u32::from(choice.take);
            left = left.minus(step.holder, take);
            hands[step.holder as usize] |= pool.draw(take, rng);
            if let Some(last) = step.last {
                left = left.minus(last.holder, pool.size());
                hands[last.holder as usize] |= pool.draw(pool.size(), rng);
            }
        }
        for fill in &self.plan.fills {
            if fill.joins != 0 {
                pool.set_aside();
                pool.next(fill.joins.count_ones());
            }
            (0..fill.merges).for_each(|_| pool.merge());
            hands[fill.holder as usize] |= pool.draw(left.of(fill.holder), rng);
        }
    }

    #[inline]
    fn choose(&self, node: u32, rng: &mut Rng) -> Choice<W> {
        let Node { total, first } = self.nodes[node as usize];
        let ticket = W::below(total, rng);
        let choices = &self.choices[first as usize..];
        *choices.iter().find(|choice| ticket < choice.below).expect("the ticket is below the total")
    }

    /// Every deal once, added to what `hands` holds already.
    pub(super) fn enumerate(&self, hands: [u64; MAX_HOLDERS]) -> Vec<[u64; MAX_HOLDERS]> {
        let mut out = Vec::new();
        self.list(Partial::new(self.root.node, self.plan.need, hands), &mut out);
        out
    }

    fn list(&self, deal: Partial, out: &mut Vec<[u64; MAX_HOLDERS]>) {
        let Some(step) = self.plan.steps.get(deal.at) else {
            return self.list_fills(Partial { at: deal.at - self.plan.steps.len(), ..deal }, out);
        };
        let Node { total, first } = self.nodes[deal.node as usize];
        let pool = deal.pool | step.joins;
        for choice in &self.choices[first as usize..] {
            for_each_subset(pool, u32::from(choice.take), 0, &mut |cards| {
                let mut next = deal.after(pool, step.holder, cards);
                next.node = choice.child;
                if let Some(last) = step.last {
                    next = next.after(next.pool, last.holder, next.pool);
                }
                next.at = deal.at + 1;
                self.list(next, out);
            });
            if choice.below == total {
                return;
            }
        }
    }

    fn list_fills(&self, deal: Partial, out: &mut Vec<[u64; MAX_HOLDERS]>) {
        let Some(fill) = self.plan.fills.get(deal.at) else { return out.push(deal.hands) };
        let mut deal = deal;
        let mut pool = deal.pool;
        if fill.joins != 0 {
            deal.aside[deal.depth] = pool;
            deal.depth += 1;
            pool = fill.joins;
        }
        for _ in 0..fill.merges {
            deal.depth -= 1;
            pool |= deal.aside[deal.depth];
        }
        for_each_subset(pool, deal.left.of(fill.holder), 0, &mut |cards| {
            self.list_fills(Partial { at: deal.at + 1, ..deal.after(pool, fill.holder, cards) }, out);
        });
    }
}

/// A deal that is being listed, up to some place of the plan.
#[derive(Clone, Copy)]
struct Partial {
    at: usize,
    node: u32,
    pool: u64,
    aside: [u64; MAX_HOLDERS],
    depth: usize,
    left: Needs,
    hands: [u64; MAX_HOLDERS],
}

impl Partial {
    fn new(node: u32, left: Needs, hands: [u64; MAX_HOLDERS]) -> Partial {
        Partial { at: 0, node, pool: 0, aside: [0; MAX_HOLDERS], depth: 0, left, hands }
    }

    /// A holder took these cards of the pool.
    fn after(mut self, pool: u64, holder: u32, cards: u64) -> Partial {
        self.pool = pool & !cards;
        self.left = self.left.minus(holder, cards.count_ones());
        self.hands[holder as usize] |= cards;
        self
    }
}

/// Calls `each` with `chosen` and `size` elements of `set`, in every way.
fn for_each_subset(mut set: u64, size: u32, chosen: u64, each: &mut dyn FnMut(u64)) {
    if size == 0 {
        return each(chosen);
    }
    while set.count_ones() >= size {
        let lowest = set & set.wrapping_neg();
        set &= !lowest;
        for_each_subset(set, size - 1, chosen | lowest, each);
    }
}

fn pile<O>(plan: &Plan<O>) -> [u8; 64] {
    let mut pile = [0; 64];
    let joins = plan.steps.iter().map(|step| step.joins).chain(plan.fills.iter().map(|fill| fill.joins));
    for (place, card) in pile.iter_mut().zip(joins.flat_map(bits::elements)) {
        *place = card as u8;
    }
    pile
}

/// A pile with the cards that may be taken now, and others set aside in front of them.
struct Pool {
    pile: [u8; 64],
    start: u32,
    end: u32,
    aside: [(u32, u32); MAX_HOLDERS],
    depth: usize,
}

impl Pool {
    #[inline]
    fn new(pile: [u8; 64]) -> Pool {
        Pool { pile, start: 0, end: 0, aside: [(0, 0); MAX_HOLDERS], depth: 0 }
    }

    #[inline]
    fn size(&self) -> u32 {
        self.end - self.start
    }

    /// The next cards of the pile.
    #[inline]
    fn next(&mut self, cards: u32) {
        if cards > 0 {
            self.start = self.end;
            self.end += cards;
        }
    }

    #[inline]
    fn set_aside(&mut self) {
        self.aside[self.depth] = (self.start, self.end);
        self.depth += 1;
    }

    /// Brings the cards back that were set aside last: over the gap that drawn cards left.
    #[inline]
    fn merge(&mut self) {
        self.depth -= 1;
        let (start, end) = self.aside[self.depth];
        if end != self.start {
            self.pile.copy_within(start as usize..end as usize, (self.start - (end - start)) as usize);
        }
        self.start -= end - start;
    }

    /// Takes random cards.
    #[inline]
    fn draw(&mut self, cards: u32, rng: &mut Rng) -> u64 {
        let stop = self.start + cards;
        let mut drawn = 0;
        for place in self.start..stop {
            let at = if stop == self.end { place } else { place + rng.below(self.end - place) };
            drawn |= 1 << self.pile[at as usize & 63];
            self.pile[at as usize & 63] = self.pile[place as usize & 63];
        }
        self.start = stop;
        drawn
    }
}

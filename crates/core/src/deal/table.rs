//! The table behind every sampler: how many ways remain after each decision on how many cards of
//! a group go to which holder.
//!
//! Cards that the same holders may take, with the same odds, form a group. Groups are split one
//! after the other, and in a group one holder after the other takes a number of cards; the last
//! takes the rest, and the last group fills all hands up. With W(decision, cards still needed) =
//! sum over k of choose(n, k) · W(next decision, needed − k), and k drawn in proportion to its
//! term, every deal has probability 1 / W(first decision, all needs): the product telescopes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::weight::Weight;
use super::{Impossible, MAX_HOLDERS};
use crate::{Rng, bits};

/// Cards that the same holders may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group<O> {
    pub(super) cards: u64,
    /// A set of holders, at least two.
    pub(super) holders: u8,
    /// By holder.
    pub(super) odds: [O; MAX_HOLDERS],
}

#[derive(Clone, Debug)]
pub(super) struct Table<W: Weight> {
    groups: Vec<Group<W::Odds>>,
    need: Needs,
    nodes: Vec<Node<W>>,
    choices: Vec<Choice<W>>,
    root: Child<W>,
}

/// How many cards each holder still takes: a byte for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needs(u64);

/// A decision with what was given before it: its choices in the table, and their total weight.
#[derive(Clone, Copy, Debug)]
struct Node<W> {
    total: W,
    first: u32,
}

#[derive(Clone, Copy, Debug)]
struct Choice<W> {
    /// The weight of this choice and those before it.
    below: W,
    child: u32,
    take: u8,
}

/// The weight of all that follows, and its node where a decision is left.
#[derive(Clone, Copy, Debug)]
struct Child<W> {
    weight: W,
    node: u32,
}

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
    pub(super) fn new(mut groups: Vec<Group<W::Odds>>, need: Needs) -> Result<Table<W>, Impossible> {
        groups.sort_unstable_by_key(|group| (group.holders.count_ones(), group.cards.count_ones()));
        let mut builder = Builder::new(&groups);
        let cards = groups.first().map_or(0, |group| group.cards.count_ones());
        let root = builder.follow(0, need, cards);
        if root.weight == W::ZERO {
            return Err(Impossible);
        }
        let (nodes, choices) = (builder.nodes, builder.choices);
        Ok(Table { groups, need, nodes, choices, root })
    }

    pub(super) fn total(&self) -> W {
        self.root.weight
    }

    /// Adds the cards of every holder to `hands`.
    #[inline]
    pub(super) fn sample(&self, hands: &mut [u64], rng: &mut Rng) {
        let Some((last, groups)) = self.groups.split_last() else { return };
        let mut left = self.need;
        let mut node = self.root.node;
        for group in groups {
            let mut rest = group.cards.count_ones();
            let mut given = Needs(0);
            let mut holders = bits::elements(u64::from(group.holders));
            let mut holder = holders.next().unwrap_or(0);
            for next in holders {
                let choice = self.choose(node, rng);
                node = choice.child;
                rest -= u32::from(choice.take);
                given.0 += u64::from(choice.take) << (8 * holder);
                holder = next;
            }
            given.0 += u64::from(rest) << (8 * holder);
            left.0 -= given.0;
            hand_out(group.cards, group.holders, given, hands, rng);
        }
        hand_out(last.cards, last.holders, left, hands, rng);
    }

    #[inline]
    fn choose(&self, node: u32, rng: &mut Rng) -> Choice<W> {
        let Node { total, first } = self.nodes[node as usize];
        let ticket = W::below(total, rng);
        let mut choices = self.choices[first as usize..].iter();
        loop {
            match choices.next() {
                Some(choice) if choice.below <= ticket => (),
                Some(choice) => return *choice,
                None => unreachable!("a ticket is below the total"),
            }
        }
    }

    /// Every deal once, added to what `hands` holds already.
    pub(super) fn enumerate(&self, hands: [u64; MAX_HOLDERS], out: &mut Vec<[u64; MAX_HOLDERS]>) {
        match self.groups.first() {
            None => out.push(hands),
            Some(group) => self.list(
                Place { group: 0, holders: group.holders, cards: group.cards },
                self.root.node,
                self.need,
                hands,
                out,
            ),
        }
    }

    fn list(&self, place: Place, node: u32, left: Needs, hands: [u64; MAX_HOLDERS], out: &mut Vec<[u64; MAX_HOLDERS]>) {
        let holder = place.holders.trailing_zeros();
        let others = place.holders & (place.holders - 1);
        let mut take = |cards: u64, child: u32| {
            let mut hands = hands;
            hands[holder as usize] |= cards;
            let left = left.minus(holder, cards.count_ones());
            if others != 0 {
                let place = Place { holders: others, cards: place.cards & !cards, ..place };
                self.list(place, child, left, hands, out);
            } else if let Some(next) = self.groups.get(place.group + 1) {
                let place = Place { group: place.group + 1, holders: next.holders, cards: next.cards };
                self.list(place, child, left, hands, out);
            } else {
                out.push(hands);
            }
        };
        if others == 0 {
            take(place.cards, node);
        } else if place.group + 1 == self.groups.len() {
            subsets(place.cards, left.of(holder), 0, &mut |cards| take(cards, node));
        } else {
            let Node { total, first } = self.nodes[node as usize];
            for choice in &self.choices[first as usize..] {
                subsets(place.cards, u32::from(choice.take), 0, &mut |cards| take(cards, choice.child));
                if choice.below == total {
                    break;
                }
            }
        }
    }
}

/// A decision of the enumeration: the first of `holders` takes some of `cards`.
#[derive(Clone, Copy)]
struct Place {
    group: usize,
    holders: u8,
    cards: u64,
}

/// Calls `each` with `chosen` and `size` elements of `set`, in every way.
fn subsets(set: u64, size: u32, chosen: u64, each: &mut dyn FnMut(u64)) {
    if size == 0 {
        return each(chosen);
    }
    let mut set = set;
    while set.count_ones() >= size {
        let lowest = set & set.wrapping_neg();
        set &= !lowest;
        subsets(set, size - 1, chosen | lowest, each);
    }
}

/// Deals a group at random; the holder with the most cards takes what the others leave.
#[inline]
fn hand_out(cards: u64, holders: u8, given: Needs, hands: &mut [u64], rng: &mut Rng) {
    let mut pile = [0u8; 64];
    let mut size = 0;
    for card in bits::elements(cards) {
        pile[size] = card as u8;
        size += 1;
    }
    let taker = bits::elements(u64::from(holders)).max_by_key(|&holder| given.of(holder)).unwrap_or(0);
    let mut rest = cards;
    for holder in bits::elements(u64::from(holders)) {
        if holder == taker {
            continue;
        }
        let mut hand = 0;
        for _ in 0..given.of(holder) {
            let at = rng.below(size as u32) as usize;
            size -= 1;
            hand |= 1 << pile[at];
            pile[at] = pile[size];
        }
        hands[holder as usize] |= hand;
        rest &= !hand;
    }
    hands[taker as usize] |= rest;
}

/// Fills the table from the first decision on, each reachable node once.
struct Builder<'a, W: Weight> {
    groups: &'a [Group<W::Odds>],
    steps: Vec<Step<W::Odds>>,
    known: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    nodes: Vec<Node<W>>,
    choices: Vec<Choice<W>>,
    /// The choices of the nodes on the way to the present one.
    pending: Vec<Choice<W>>,
}

/// A decision: how many cards of its group a holder takes.
#[derive(Clone, Copy, Debug)]
struct Step<O> {
    holder: u32,
    odds: O,
    /// Who else may take the rest of the group.
    others: u8,
    /// The cards of later groups that the holder may take.
    supply: u32,
    /// Where only one other holder is left: who takes the rest then, from how many in later groups.
    last: Option<Last<O>>,
}

#[derive(Clone, Copy, Debug)]
struct Last<O> {
    holder: u32,
    odds: O,
    supply: u32,
    /// The size of the next group.
    next: u32,
}

impl<'a, W: Weight> Builder<'a, W> {
    fn new(groups: &'a [Group<W::Odds>]) -> Builder<'a, W> {
        let steps = steps(groups);
        let nodes = if steps.is_empty() { 0 } else { 128 };
        Builder {
            groups,
            steps,
            known: HashMap::with_capacity_and_hasher(nodes, BuildHasherDefault::default()),
            nodes: Vec::with_capacity(nodes),
            choices: Vec::with_capacity(4 * nodes),
            pending: Vec::with_capacity(nodes / 2),
        }
    }

    /// All that follows from decision number `at` on, with `cards` of its group still to be given.
    fn follow(&mut self, at: usize, left: Needs, cards: u32) -> Child<W> {
        let Some(&step) = self.steps.get(at) else {
            return Child { weight: self.fill_up(left), node: 0 };
        };
        let key = left.0 | (at as u64) << 48;
        if let Some(&node) = self.known.get(&key) {
            return Child { weight: self.nodes[node as usize].total, node };
        }
        let base = self.pending.len();
        let total = self.weigh(at, step, left, cards);
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { total, first: self.choices.len() as u32 });
        self.choices.extend(self.pending.drain(base..));
        self.known.insert(key, node);
        Child { weight: total, node }
    }

    /// Puts the choices of a decision on the pending ones and returns their total weight.
    fn weigh(&mut self, at: usize, step: Step<W::Odds>, left: Needs, cards: u32) -> W {
        let need = left.of(step.holder);
        let room: u32 = bits::elements(u64::from(step.others)).map(|other| left.of(other)).sum();
        let least = cards.saturating_sub(room).max(need.saturating_sub(step.supply));
        let mut most = cards.min(need);
        if let Some(last) = step.last {
            most = most.min((cards + last.supply).saturating_sub(left.of(last.holder)));
        }
        let mut total = W::ZERO;
        for take in least..=most {
            let mut left = left.minus(step.holder, take);
            let mut rest = cards - take;
            let mut weight = W::choose(cards, take, step.odds);
            if let Some(last) = step.last {
                left = left.minus(last.holder, rest);
                weight = weight * W::rest(rest, last.odds);
                rest = last.next;
            }
            let child = self.follow(at + 1, left, rest);
            if child.weight > W::ZERO {
                total = total + weight * child.weight;
                self.pending.push(Choice { below: total, child: child.node, take: take as u8 });
            }
        }
        total
    }

    /// The last group leaves no choice: everybody gets what they still need.
    fn fill_up(&self, mut left: Needs) -> W {
        let Some(group) = self.groups.last() else { return W::ONE };
        let mut cards = group.cards.count_ones();
        let mut weight = W::ONE;
        for holder in bits::elements(u64::from(group.holders)) {
            let take = left.of(holder);
            if take > cards {
                return W::ZERO;
            }
            weight = weight * W::choose(cards, take, group.odds[holder as usize]);
            left = left.minus(holder, take);
            cards -= take;
        }
        if left == Needs(0) && cards == 0 { weight } else { W::ZERO }
    }
}

/// The decisions on all groups but the last.
fn steps<O: Copy>(groups: &[Group<O>]) -> Vec<Step<O>> {
    let mut steps = Vec::with_capacity(groups.len());
    for (number, group) in groups.iter().enumerate().take(groups.len().saturating_sub(1)) {
        let later = &groups[number + 1..];
        let supply = |holder: u32| {
            later.iter().filter(|group| group.holders >> holder & 1 == 1).map(|group| group.cards.count_ones()).sum()
        };
        let mut others = group.holders;
        while others.count_ones() > 1 {
            let holder = others.trailing_zeros();
            others &= others - 1;
            let last = others.trailing_zeros();
            let last = others.is_power_of_two().then(|| Last {
                holder: last,
                odds: group.odds[last as usize],
                supply: supply(last),
                next: later[0].cards.count_ones(),
            });
            steps.push(Step { holder, odds: group.odds[holder as usize], others, supply: supply(holder), last });
        }
    }
    steps
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

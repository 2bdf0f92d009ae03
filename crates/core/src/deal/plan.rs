//! The order in which groups of cards are given out.

use super::MAX_HOLDERS;
use super::table::Needs;
use crate::bits;

/// Cards that the same holders may take, with the same odds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group<O> {
    pub(super) cards: u64,
    /// A set of holders.
    pub(super) holders: u8,
    /// By holder.
    pub(super) odds: [O; MAX_HOLDERS],
}

/// First the decisions, then the groups that need none: a holder whom only one of these groups
/// knows must fill their hand from it, and what they leave is as good as cards of a group without
/// that holder. So one void needs no decision at all, and two voids of two players only one.
#[derive(Clone, Debug)]
pub(super) struct Plan<O> {
    pub(super) need: Needs,
    pub(super) steps: Vec<Step<O>>,
    pub(super) fills: Vec<Fill<O>>,
}

/// A decision: how many cards of its group a holder takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<O> {
    /// The group, in its first decision.
    pub(super) joins: u64,
    pub(super) holder: u32,
    pub(super) odds: O,
    /// The other holders who may take of the rest.
    pub(super) others: u8,
    /// The number of cards in later groups that the holder may take.
    pub(super) supply: u32,
    /// Who takes the rest, in the last decision of a group.
    pub(super) last: Option<Last<O>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Last<O> {
    pub(super) holder: u32,
    pub(super) odds: O,
    pub(super) supply: u32,
}

/// A holder takes all that they still need from the last of several pools.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fill<O> {
    /// The cards that form a new pool before, if any.
    pub(super) joins: u64,
    /// How many times the last two pools are put together, after that.
    pub(super) merges: u32,
    pub(super) holder: u32,
    pub(super) odds: O,
}

impl<O: Copy> Plan<O> {
    /// `alike`: all holders of a group are equally likely to take a card, so that what is left of
    /// two groups may be put together.
    pub(super) fn new(mut groups: Vec<Group<O>>, need: Needs, alike: bool) -> Plan<O> {
        groups.sort_unstable_by_key(|group| (group.holders.count_ones(), group.cards.count_ones()));
        let free = split_off_free(&mut groups, alike);
        let order = by_need(need);
        Plan { need, steps: steps(&groups, &free, &order), fills: fills(&free, &order) }
    }
}

/// Takes out groups that together need no decision, large ones first.
fn split_off_free<O: Copy>(groups: &mut Vec<Group<O>>, alike: bool) -> Vec<Group<O>> {
    let mut free: Vec<Group<O>> = Vec::with_capacity(MAX_HOLDERS);
    free.extend(groups.pop());
    let mut sets = free.iter().fold(0, |sets, group| sets | 1 << group.holders);
    for next in (0..if alike { groups.len() } else { 0 }).rev() {
        let more = sets | 1 << groups[next].holders;
        if needs_no_decision(more) {
            sets = more;
            free.push(groups.remove(next));
        }
    }
    free
}

/// Whether sets of holders (set number s at bit s) can be emptied by taking out, again and again,
/// a holder who is in only one of them; sets that become equal count as one.
fn needs_no_decision(mut sets: u64) -> bool {
    while sets != 0 {
        let others = |set: u32| bits::elements(sets & !(1 << set)).fold(0, |union, other| union | other);
        let Some(set) = bits::elements(sets).find(|&set| set & !others(set) != 0) else { return false };
        let rest = set & others(set);
        sets &= !(1 << set);
        if rest != 0 {
            sets |= 1 << rest;
        }
    }
    true
}

/// The largest need last: who takes the rest needs no draw.
fn by_need(need: Needs) -> [u32; MAX_HOLDERS] {
    let mut order = std::array::from_fn(|holder| holder as u32);
    order.sort_by_key(|&holder| need.of(holder));
    order
}

fn members(order: &[u32; MAX_HOLDERS], set: u8) -> impl Iterator<Item = u32> {
    order.iter().copied().filter(move |&holder| set >> holder & 1 == 1)
}

/// The fills of one pool so far, and what has to happen before the next one.
struct Branch<O> {
    holders: u8,
    odds: [O; MAX_HOLDERS],
    joins: u64,
    merges: u32,
    fills: Vec<Fill<O>>,
}

impl<O: Copy> Branch<O> {
    fn fill(&mut self, holder: u32) {
        let (joins, merges) = (std::mem::take(&mut self.joins), std::mem::take(&mut self.merges));
        self.fills.push(Fill { joins, merges, holder, odds: self.odds[holder as usize] });
        self.holders &= !(1 << holder);
    }

    /// This pool and another of the same holders. Cards that still have to join come last.
    fn merge(mut self, mut other: Branch<O>) -> Branch<O> {
        if self.joins != 0 {
            std::mem::swap(&mut self, &mut other);
        }
        self.fills.append(&mut other.fills);
        self.joins = other.joins;
        self.merges += other.merges + 1;
        self
    }
}

fn fills<O: Copy>(free: &[Group<O>], order: &[u32; MAX_HOLDERS]) -> Vec<Fill<O>> {
    let mut branches: Vec<Branch<O>> = Vec::with_capacity(free.len());
    branches.extend(free.iter().map(|&Group { cards, holders, odds }| Branch {
        holders,
        odds,
        joins: cards,
        merges: 0,
        fills: Vec::new(),
    }));
    let mut done = Vec::new();
    while let Some(mut branch) = branches.pop() {
        let others = branches.iter().fold(0, |union, other| union | other.holders);
        members(order, branch.holders & !others).for_each(|holder| branch.fill(holder));
        if branch.holders == 0 {
            done.append(&mut branch.fills);
        } else if let Some(twin) = branches.iter().position(|other| other.holders == branch.holders) {
            let twin = branches.remove(twin);
            branches.push(twin.merge(branch));
        } else {
            branches.insert(0, branch);
        }
    }
    done
}

fn steps<O: Copy>(groups: &[Group<O>], free: &[Group<O>], order: &[u32; MAX_HOLDERS]) -> Vec<Step<O>> {
    let mut steps = Vec::with_capacity(2 * groups.len());
    for (number, group) in groups.iter().enumerate() {
        let later = || groups[number + 1..].iter().chain(free);
        let supply = |holder: u32| {
            let open = later().filter(|later| later.holders >> holder & 1 == 1);
            open.map(|later| later.cards.count_ones()).sum()
        };
        let mut joins = group.cards;
        let mut others = group.holders;
        for holder in members(order, group.holders) {
            others &= !(1 << holder);
            let odds = group.odds[holder as usize];
            if others == 0 {
                break;
            }
            let last = others.trailing_zeros();
            let last = others.is_power_of_two().then(|| Last {
                holder: last,
                odds: group.odds[last as usize],
                supply: supply(last),
            });
            steps.push(Step { joins: std::mem::take(&mut joins), holder, odds, others, supply: supply(holder), last });
        }
    }
    steps
}

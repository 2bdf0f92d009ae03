//! The order in which groups of cards are given out.

use super::MAX_HOLDERS;
use super::table::Needs;

/// Cards that the same holders may take, with the same odds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group<O> {
    pub(super) cards: u64,
    /// A set of holders.
    pub(super) holders: u8,
    /// By holder.
    pub(super) odds: [O; MAX_HOLDERS],
}

/// First the decisions, then the groups that need none: a chain in which each group's holders are
/// among those of the group before. Holders whom the next group does not know fill their hands
/// from the cards at hand, and what they leave is as good as cards of the next group. So one void
/// needs no decision at all, and two voids of two players only one.
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

/// A holder takes all that they still need from the cards at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fill<O> {
    /// The cards that come to hand before.
    pub(super) joins: u64,
    pub(super) holder: u32,
    pub(super) odds: O,
}

impl<O: Copy> Plan<O> {
    /// `alike`: all holders of a group are equally likely to take a card, so that groups of a
    /// chain may be joined.
    pub(super) fn new(mut groups: Vec<Group<O>>, need: Needs, alike: bool) -> Plan<O> {
        groups.sort_unstable_by_key(|group| (group.holders.count_ones(), group.cards.count_ones()));
        let chain = split_off_chain(&mut groups, alike);
        let order = by_need(need);
        let fills = fills(&chain, &order);
        Plan { need, steps: steps(&groups, &chain, &order), fills }
    }
}

/// Takes the largest group and those that follow it in a chain, the widest first.
fn split_off_chain<O: Copy>(groups: &mut Vec<Group<O>>, alike: bool) -> Vec<Group<O>> {
    let mut chain: Vec<Group<O>> = groups.pop().into_iter().collect();
    let mut next = if alike { groups.len() } else { 0 };
    while next > 0 {
        next -= 1;
        let inner = chain[chain.len() - 1].holders;
        if groups[next].holders & !inner == 0 {
            chain.push(groups.remove(next));
        }
    }
    chain
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

fn fills<O: Copy>(chain: &[Group<O>], order: &[u32; MAX_HOLDERS]) -> Vec<Fill<O>> {
    let mut fills = Vec::with_capacity(MAX_HOLDERS);
    let mut joins = 0;
    for (number, group) in chain.iter().enumerate() {
        joins |= group.cards;
        let inner = chain.get(number + 1).map_or(0, |next| next.holders);
        for holder in members(order, group.holders & !inner) {
            fills.push(Fill { joins: std::mem::take(&mut joins), holder, odds: group.odds[holder as usize] });
        }
    }
    fills
}

fn steps<O: Copy>(groups: &[Group<O>], chain: &[Group<O>], order: &[u32; MAX_HOLDERS]) -> Vec<Step<O>> {
    let mut steps = Vec::with_capacity(2 * groups.len());
    for (number, group) in groups.iter().enumerate() {
        let later = || groups[number + 1..].iter().chain(chain);
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

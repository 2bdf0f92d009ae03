//! The size of the trees that searches grow, by the formulas of thesis 002, tables 5.1 and 5.2, for
//! any number of players and cards.
//!
//! Duties to follow suit are left out, so both trees are upper bounds. The thesis calls the second
//! exact, but a player who has shown a void cannot play that suit later.

use meeple_core::Fact;
use meeple_core::combinatorics::factorial;

/// The facts of both tables for a hand; the cards that are not dealt make up a stock, from which
/// everybody draws one after each trick.
pub(crate) fn facts(players: usize, hand_size: usize, cards: usize) -> Vec<Fact> {
    let deals = deals(players, hand_size, cards);
    let mut facts = vec![Fact::state_space("deals (state space)", deals)];
    let trees = [
        ("determinized", determinized(players, hand_size, cards)),
        ("information-set", information_sets(players, hand_size, cards)),
    ];
    for (tree, branching) in &trees {
        let (nodes, leaves) = size(branching);
        facts.push(Fact::number(format!("nodes of the {tree} tree, at most"), nodes));
        facts.push(Fact::number(format!("leaves of the {tree} tree, at most"), leaves));
        facts.push(Fact::number(
            format!("effective branching factor of the {tree} tree"),
            effective_branching(nodes, branching.len()),
        ));
    }
    facts.push(Fact::number("depth of both trees", cards as f64));
    facts.push(Fact::number("information sets, at most", deals * size(&trees[1].1).0));
    facts
}

/// The number of ways to deal the hands, and the stock in its order.
pub(crate) fn deals(players: usize, hand_size: usize, cards: usize) -> f64 {
    (0..players).fold(factorial(cards), |deals, _| deals / factorial(hand_size))
}

/// Branching factors from the root down when all cards are seen: each plays any card of his hand.
fn determinized(players: usize, hand_size: usize, cards: usize) -> Vec<usize> {
    let mut branching = vec![hand_size; cards - players * hand_size];
    branching.extend((1..=hand_size).rev().flat_map(|left| std::iter::repeat_n(left, players)));
    branching
}

/// The same for a searcher who sees only his own hand. Any card unknown to him may be played by
/// another; each trick shows those played and, while there is a stock, brings him one more.
fn information_sets(players: usize, hand_size: usize, cards: usize) -> Vec<usize> {
    let mut branching = Vec::with_capacity(cards);
    let mut unknown = cards - hand_size;
    let mut stock = cards - players * hand_size;
    for tricks_left in (1..=cards / players).rev() {
        branching.push(hand_size.min(tricks_left));
        branching.extend((0..players - 1).map(|place| unknown - place));
        unknown -= players - 1 + usize::from(stock > 0);
        stock = stock.saturating_sub(players);
    }
    branching
}

/// Nodes with the root, and leaves.
fn size(branching: &[usize]) -> (f64, f64) {
    branching.iter().fold((1.0, 1.0), |(nodes, leaves), &factor| {
        let level = leaves * factor as f64;
        (nodes + level, level)
    })
}

/// The factor b for which b + b² + ... + b^depth is the number of nodes.
fn effective_branching(nodes: f64, depth: usize) -> f64 {
    let (mut low, mut high) = (1.0f64, 100.0f64);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        let sum = (0..depth).fold(0.0, |sum, _| (sum + 1.0) * middle);
        if sum < nodes { low = middle } else { high = middle }
    }
    low
}

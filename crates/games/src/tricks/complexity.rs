//! The size of the trees that searches grow, by the formulas of thesis 002, tables 5.1 and 5.2.
//!
//! A tree is given by its branching factors from the root down; duties to follow suit are left
//! out, so both trees are upper bounds.

use meeple_core::Fact;

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

pub(crate) fn factorial(n: usize) -> f64 {
    (1..=n).map(|factor| factor as f64).product()
}

/// The facts of both tables. `deals` is the number of ways to deal.
pub(crate) fn facts(deals: f64, determinized: &[usize], information_sets: &[usize]) -> Vec<Fact> {
    let mut facts = vec![Fact::number("deals (state space)", deals)];
    for (tree, branching) in [("determinized", determinized), ("information-set", information_sets)] {
        let (nodes, leaves) = size(branching);
        facts.push(Fact::number(format!("nodes of the {tree} tree, at most"), nodes));
        facts.push(Fact::number(format!("leaves of the {tree} tree, at most"), leaves));
        facts.push(Fact::number(
            format!("effective branching factor of the {tree} tree"),
            effective_branching(nodes, branching.len()),
        ));
    }
    facts.push(Fact::number("depth of both trees", determinized.len() as f64));
    facts.push(Fact::number("information sets, at most", deals * size(information_sets).0));
    facts
}

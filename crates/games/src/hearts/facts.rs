//! Sizes of the game tree from exact formulas: thesis 002, sections 5.1 and 5.2, for any deck.

use meeple_core::Fact;

use super::Hearts;
use super::dealing::binomial;
use super::state::SEATS;

/// Figures of one hand. "Determinized" is the tree when all cards are seen, "information sets" the
/// tree of a player who sees only his own. Both leave out the duty to follow suit, hence are
/// bounds; the thesis calls the second exact, but a player who has shown a void cannot play that
/// suit later.
pub(super) fn facts(game: &Hearts) -> Vec<Fact> {
    let n = game.hand_size();
    let deals = factorial(4 * n) / factorial(n).powi(4);
    let mut facts = vec![
        Fact::number("deals", deals),
        Fact::number("worlds that one player's first hand allows", factorial(3 * n) / factorial(n).powi(3)),
        Fact::number("cards played in a hand", f64::from(4 * n)),
    ];
    if game.rules.passing {
        let passes = binomial(n as usize, game.passed as usize) as f64;
        facts.push(Fact::number("passes from one hand", passes));
        facts.push(Fact::number("deals with their passes", deals * passes.powi(SEATS as i32)));
    }
    let determinized = tree(&determinized_choices(n));
    let information = tree(&information_set_choices(n));
    facts.extend(tree_facts("determinized tree", &determinized));
    facts.extend(tree_facts("information-set tree", &information));
    facts.push(Fact::number("information sets at most", information.nodes * deals));
    // The opening lead is forced, which the thesis calls negligible: it is a factor of the hand size.
    facts.push(Fact::number(
        "determinized tree: leaves at most, with the forced opening lead",
        determinized.leaves / f64::from(n),
    ));
    facts
}

struct Tree {
    nodes: f64,
    leaves: f64,
    effective_branching: f64,
}

fn tree_facts(name: &str, tree: &Tree) -> [Fact; 3] {
    [
        Fact::number(format!("{name}: nodes at most"), tree.nodes),
        Fact::number(format!("{name}: leaves at most"), tree.leaves),
        Fact::number(format!("{name}: effective branching factor"), tree.effective_branching),
    ]
}

/// Every player may play any card of his hand.
fn determinized_choices(n: u32) -> Vec<u32> {
    (1..=n).rev().flat_map(|left| [left; SEATS]).collect()
}

/// The first player of each trick plays from his hand, the others any card that he has not seen.
fn information_set_choices(n: u32) -> Vec<u32> {
    (1..=n).rev().flat_map(|left| [left, 3 * left, 3 * left - 1, 3 * left - 2]).collect()
}

/// The tree with the given number of choices at each depth.
fn tree(choices: &[u32]) -> Tree {
    let mut leaves = 1.0;
    let mut nodes = 1.0;
    for &count in choices {
        leaves *= f64::from(count);
        nodes += leaves;
    }
    Tree { nodes, leaves, effective_branching: effective_branching(nodes, choices) }
}

/// The b for which b + b^2 + ... + b^depth is the number of nodes, between 1 and the most choices.
fn effective_branching(nodes: f64, choices: &[u32]) -> f64 {
    let nodes_for = |b: f64| choices.iter().fold(0.0, |sum, _| (sum + 1.0) * b);
    let mut low = 1.0;
    let mut high = f64::from(choices.iter().copied().max().unwrap_or(1)) + 1.0;
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if nodes_for(middle) < nodes {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

fn factorial(n: u32) -> f64 {
    (1..=n).map(f64::from).product()
}

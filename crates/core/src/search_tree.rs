//! A search tree as plain data, for people who look at it.

use serde::Serialize;

use crate::{Payoffs, Player};

/// The nodes of a tree, parents before their children, the root first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchTree<A> {
    pub nodes: Vec<TreeNode<A>>,
}

/// What a search knows about the position after an action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeNode<A> {
    /// The place of the parent; none for the root.
    pub parent: Option<u32>,
    /// The action that leads here, and who took it; none for the root.
    pub action: Option<A>,
    pub player: Option<Player>,
    pub visits: u64,
    /// How often the action was legal when its parent was visited, where that is counted.
    pub availability: Option<u64>,
    /// For the player who took the action, on the scale of the search's reward.
    pub value: Option<f64>,
    pub prior: Option<f32>,
    /// The payoffs under best play of all, where proven.
    pub proven: Option<Payoffs>,
}

/// How much of a tree is wanted. No more than that is ever built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// Actions below the root.
    pub depth: u32,
    /// A node with fewer visits is left out, with all that is below.
    pub visits: u64,
    /// The root, and below it the nodes with the most visits.
    pub nodes: usize,
}

impl<A: Copy> SearchTree<A> {
    /// The same with actions of another type. `convert` is given the place of the parent; parents
    /// come before their children.
    pub fn map<B>(self, mut convert: impl FnMut(u32, A) -> B) -> SearchTree<B> {
        let convert_node = |node: TreeNode<A>| {
            let TreeNode { parent, action, player, visits, availability, value, prior, proven } = node;
            let action = parent.zip(action).map(|(parent, action)| convert(parent, action));
            TreeNode { parent, action, player, visits, availability, value, prior, proven }
        };
        SearchTree { nodes: self.nodes.into_iter().map(convert_node).collect() }
    }
}

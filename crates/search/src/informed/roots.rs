//! Where the root differs from other nodes.

use meeple_core::{Game, Rng};

use super::search::Search;
use super::tree::{Node, ROOT};
use crate::root_rule::Conclusion;

impl<G: Game> Search<G> {
    /// Once the priors of the root are there.
    pub(super) fn prepare_root(&mut self, rng: &mut Rng) {
        self.add_noise(rng);
        let actions = self.tree.nodes[ROOT].children().len();
        self.at_root.begin(actions, self.settings.tree.budget.iterations.unwrap_or(0), rng);
    }

    /// The child of the root to look at next, if the rule of the root has one.
    #[inline]
    pub(super) fn select_at_root(&mut self) -> Option<usize> {
        if self.at_root.is_as_everywhere() {
            return None;
        }
        self.look_at_root();
        Some(self.tree.nodes[ROOT].children().start + self.at_root.next()?)
    }

    fn look_at_root(&mut self) {
        let children = &self.tree.nodes[self.tree.nodes[ROOT].children()];
        let known = |node: &Node| (f64::from(node.prior), node.visits, node.reward);
        self.at_root.look_at(children.iter().map(known));
    }

    /// What the rule of the root makes of the search.
    pub(super) fn conclude(&mut self) -> Option<Conclusion> {
        self.look_at_root();
        self.at_root.conclude(self.settings.tree.exploration)
    }
}

//! How results go up the tree.

use meeple_core::Game;

use super::search::{Amaf, Search};
use crate::playout::Worth;

impl<G: Game> Search<G> {
    /// Ends the walk whose path begins at `start` without asking for anything.
    pub(super) fn back_up_at_once(&mut self, game: &G, start: usize, worth: &Worth) {
        self.learn((start, self.paths.len()), worth);
        self.back_up(game, (start, self.paths.len()), worth);
        self.paths.truncate(start);
    }

    /// Puts the actions of a path in the place of those that were last played.
    pub(super) fn recall(&mut self, (start, end): (usize, usize)) {
        self.playouts.new_iteration();
        for pair in self.paths[start..end].windows(2) {
            let [parent, child] = [pair[0], pair[1]].map(|index| self.tree.nodes[index as usize]);
            self.playouts.record(parent.mover(), child.code);
        }
    }

    /// Has the nodes of a path remember all actions that were taken after them.
    pub(super) fn learn(&mut self, (start, end): (usize, usize), worth: &Worth) {
        let Some(Amaf { appearances, seen, learners, .. }) = &mut self.amaf else { return };
        learners.clear();
        learners.extend(self.paths[start..end].iter().enumerate().map(|(depth, &index)| (index, depth)));
        appearances.learn(learners, self.playouts.history(), &worth.rewards, seen);
    }

    /// Carries a result up to the root: visits and rewards, proofs, and estimates as far as they
    /// change.
    pub(super) fn back_up(&mut self, game: &G, (start, end): (usize, usize), worth: &Worth) {
        let discount = self.settings.discount as f32;
        let (mut rewards, mut factor) = (worth.rewards, 1.0);
        let leaf = self.tree.nodes[self.paths[end - 1] as usize];
        let (mut proven, mut changed) = (leaf.proof.is_known(), self.settings.selection.minimax);
        for place in (start..end).rev() {
            let index = self.paths[place] as usize;
            if place > start {
                let chooser = self.tree.nodes[self.paths[place - 1] as usize].mover();
                rewards.iter_mut().for_each(|reward| *reward *= discount);
                factor *= discount;
                self.tree.nodes[index].reward += f64::from(rewards[chooser]);
            }
            self.tree.nodes[index].visits += 1;
            self.tree.nodes[index].pending -= 1;
            let node = self.tree.nodes[index];
            proven = proven && (node.proof.is_known() || self.prove(game, index).is_some());
            if changed && !proven && !node.proof.is_known() && node.is_expanded() {
                changed = self.tree.estimates.back_up(index, node.children(), node.mover());
            }
        }
        if end > start + 1 {
            self.root_payoffs.add(self.paths[start + 1], &worth.payoffs.map(|payoff| factor * payoff));
        }
    }
}

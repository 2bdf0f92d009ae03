//! The part of a tree that is searched on after the game has gone on.

use meeple_core::Game;

use super::search::Search;
use super::tree::ROOT;

impl<G: Game> Search<G> {
    /// The node that stands for a state: the root, or what can be reached from the position after
    /// the last decision before it is the same player's turn again.
    pub(super) fn find(&self, game: &G, wanted: &G::State) -> Option<usize> {
        if self.root == *wanted {
            return Some(ROOT);
        }
        let code = self.played?;
        let mut state = self.root.clone();
        game.apply(&mut state, game.action_from_code(code));
        let child = self.tree.nodes[ROOT].children().find(|&child| self.tree.nodes[child].code == code)?;
        self.find_below(game, child, &state, wanted, game.info().players.max(2) - 1)
    }

    fn find_below(&self, game: &G, index: usize, state: &G::State, wanted: &G::State, depth: usize) -> Option<usize> {
        if state == wanted {
            return Some(index);
        }
        if depth == 0 {
            return None;
        }
        self.tree.nodes[index].children().find_map(|child| {
            let mut next = state.clone();
            game.apply(&mut next, game.action_from_code(self.tree.nodes[child].code));
            self.find_below(game, child, &next, wanted, depth - 1)
        })
    }
}

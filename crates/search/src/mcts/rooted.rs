//! A tree and the node in it where the search begins; what is kept of it between decisions.

use meeple_core::Game;

use super::node::Node;
use super::settings::{MctsSettings, Reuse};
use super::tree::{ROOT, Tree};

#[derive(Debug)]
pub(super) struct Rooted<G: Game> {
    pub(super) tree: Tree,
    pub(super) root: u32,
    /// The position of `root`; none if nothing is to be kept.
    state: Option<G::State>,
    /// The position of the top of the tree.
    top: Option<G::State>,
    /// The action chosen at `root`: what is looked for stands below.
    chosen: Option<u32>,
    /// Where what is kept is copied to.
    spare: Option<Tree>,
}

impl<G: Game> Rooted<G> {
    /// A tree that takes at most about `bytes`, together with its copy.
    pub(super) fn new(settings: &MctsSettings, bytes: usize, with_squares: bool) -> Rooted<G> {
        let copies = settings.reuse == Reuse::Moves;
        let bytes = if copies { bytes / 2 } else { bytes };
        Rooted {
            tree: Tree::new(bytes, with_squares),
            root: ROOT,
            state: None,
            top: None,
            chosen: None,
            spare: copies.then(|| Tree::new(bytes, with_squares)),
        }
    }

    /// Makes a position the root: keeps what is known about it, and with [`Reuse::Moves`] nothing
    /// else. Without room to grow everything is forgotten.
    pub(super) fn start(&mut self, game: &G, state: &G::State, reuse: Reuse) {
        let kept = self.find(game, state).filter(|_| self.spare.is_some() || !self.tree.is_nearly_full());
        match (kept, &mut self.spare) {
            (Some(node), None) => self.root = node,
            (Some(ROOT), Some(_)) => {}
            (Some(node), Some(spare)) => {
                spare.copy_from(&self.tree, node);
                std::mem::swap(&mut self.tree, spare);
            }
            (None, _) => {
                self.tree.clear();
                self.root = ROOT;
                self.top = (reuse == Reuse::Games).then(|| state.clone());
            }
        }
        self.state = (reuse != Reuse::Nothing).then(|| state.clone());
        self.chosen = None;
    }

    /// Notes the decision, so that the next one is looked for below it.
    pub(super) fn chose(&mut self, code: u32) {
        self.chosen = Some(code);
    }

    pub(super) fn new_game(&mut self) {
        self.root = ROOT;
        self.state.clone_from(&self.top);
        self.chosen = None;
    }

    /// The node of a position that is at most as many actions away as there are players.
    fn find(&self, game: &G, state: &G::State) -> Option<u32> {
        let before = self.state.as_ref()?;
        if before == state {
            return Some(self.root);
        }
        let plies = game.info().players;
        let node = self.tree.node(self.root);
        match self.chosen {
            None => self.find_below(game, node, before, state, plies),
            Some(code) => {
                let child = self.tree.child(node, code)?;
                self.find_at(game, child, before, state, plies - 1)
            }
        }
    }

    /// Looks at the position after a child's action, and below it.
    fn find_at(&self, game: &G, child: u32, before: &G::State, wanted: &G::State, plies: usize) -> Option<u32> {
        let node = self.tree.node(child);
        let mut state = before.clone();
        game.apply(&mut state, game.action_from_code(node.code()));
        match (state == *wanted, plies) {
            (true, _) => Some(child),
            (false, 0) => None,
            (false, _) => self.find_below(game, node, &state, wanted, plies),
        }
    }

    fn find_below(&self, game: &G, node: &Node, state: &G::State, wanted: &G::State, plies: usize) -> Option<u32> {
        let mut found = None;
        self.tree.each_child(node, |child, _| {
            found = found.or_else(|| self.find_at(game, child, state, wanted, plies - 1));
        });
        found
    }
}

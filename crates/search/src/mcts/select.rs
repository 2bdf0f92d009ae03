//! Which child is visited next.

use meeple_core::Player;

use super::appearances::Appearances;
use super::node::Node;
use super::search::Step;
use super::settings::{MctsSettings, Selection};
use super::tree::Tree;
use crate::logarithm::ln;

/// What the actions of one node may take: as much as stays in the cache.
const HISTORY_BYTES: usize = 1 << 19;

/// A rule with what it remembers. Threads share it.
#[derive(Debug)]
pub(super) struct Selector {
    rule: Selection,
    exploration: f64,
    /// The lowest and the highest reward.
    range: (f64, f64),
    appearances: Option<Appearances>,
}

impl Selector {
    /// `memory` bounds what the rule remembers beside the tree.
    pub(super) fn new(settings: &MctsSettings, range: (f64, f64), memory: usize) -> Selector {
        let remembers = settings.selection.looks_at_whole_games();
        let of_root_alone = matches!(settings.selection, Selection::History { .. });
        let memory = if of_root_alone { memory.min(HISTORY_BYTES) } else { memory };
        Selector {
            rule: settings.selection,
            exploration: settings.tree.exploration,
            range,
            appearances: remembers.then(|| Appearances::new(memory)),
        }
    }

    pub(super) fn new_search(&mut self) {
        if let Some(appearances) = &mut self.appearances {
            appearances.new_search();
        }
    }

    /// What is remembered of whole games, if the rule asks for it.
    pub(super) fn appearances(&self) -> Option<&Appearances> {
        self.appearances.as_ref()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.appearances.as_ref().map_or(0, Appearances::bytes) as u64
    }

    /// The lowest reward.
    pub(super) fn lowest(&self) -> f64 {
        self.range.0
    }

    /// The child to visit of a node where `player` is to move. `reference` is the node whose games
    /// are looked at.
    #[inline]
    pub(super) fn choose(&self, tree: &Tree, node: &Node, reference: u32, player: Player) -> u32 {
        let logarithm = ln(node.visits().max(1));
        let factor = self.exploration * logarithm.sqrt();
        let ucb1 = |child: &Node| {
            let visits = f64::from(child.visits());
            child.reward() / visits + factor / visits.sqrt()
        };
        match (self.rule, &self.appearances) {
            (Selection::Ucb1Tuned, _) => self.choose_tuned(tree, node, logarithm),
            (Selection::Rave { k }, Some(appearances)) => {
                let share = (k / (3.0 * f64::from(node.visits()) + k)).sqrt();
                tree.best_child(node, |_, child| match appearances.get(reference, player, child.code()) {
                    Some((_, mean)) => ucb1(child) + share * (mean - child.reward() / f64::from(child.visits())),
                    None => ucb1(child),
                })
            }
            (Selection::Grave { bias, .. }, Some(appearances)) => {
                tree.best_child(node, |_, child| match appearances.get(reference, player, child.code()) {
                    Some((games, mean)) => {
                        let visits = f64::from(child.visits());
                        let share = games / (games + visits + bias * games * visits);
                        ucb1(child) + share * (mean - child.reward() / visits)
                    }
                    None => ucb1(child),
                })
            }
            (Selection::History { weight }, Some(appearances)) => {
                let (lowest, highest) = self.range;
                tree.best_child(node, |_, child| match appearances.get(reference, player, child.code()) {
                    Some((_, mean)) => {
                        let losses = (highest * f64::from(child.visits()) - child.reward()) / (highest - lowest);
                        ucb1(child) + weight * (mean - lowest) / (losses + 1.0)
                    }
                    None => ucb1(child),
                })
            }
            _ => tree.best_child(node, |_, child| ucb1(child)),
        }
    }

    fn choose_tuned(&self, tree: &Tree, node: &Node, logarithm: f64) -> u32 {
        let (lowest, highest) = self.range;
        let most = (highest - lowest) * (highest - lowest) / 4.0;
        tree.best_child(node, |index, child| {
            let visits = f64::from(child.visits());
            let mean = child.reward() / visits;
            let variance = tree.square(index) / visits - mean * mean;
            // On the scale of 0..1 the largest variance is 1/4.
            let bound = variance / most + 4.0 * (2.0 * logarithm / visits).sqrt();
            mean + self.exploration * (logarithm / visits * bound.clamp(0.0, 1.0)).sqrt()
        })
    }

    /// The node whose games are looked at from here on: this one, or what held before.
    #[inline]
    pub(super) fn reference(&self, node: &Node, index: u32, before: u32) -> u32 {
        match self.rule {
            Selection::Rave { .. } => index,
            Selection::Grave { reference, .. } if node.visits() > reference => index,
            _ => before,
        }
    }

    /// The nodes of a path that remember the game, with their depths: always the root. With GRAVE a
    /// node begins when it has half the visits of a reference, since most never become one.
    pub(super) fn learners(&self, tree: &Tree, root: u32, path: &[Step], out: &mut Vec<(u32, usize)>) {
        out.clear();
        out.push((root, 0));
        let least = match self.rule {
            Selection::Rave { .. } => 0,
            Selection::Grave { reference, .. } => reference / 2,
            _ => return,
        };
        for (depth, step) in path.iter().enumerate() {
            if tree.node(step.node).visits() >= least {
                out.push((step.node, depth + 1));
            }
        }
    }
}

//! What can be set.

use crate::TreeSettings;

/// | field | meaning |
/// |---|---|
/// | `tree` | what all tree searches have in common |
/// | `selection` | which child is visited next |
/// | `solver` | prove results and use them (thesis 001, section 3.4); without effect if the reward looks at scores, which proofs do not know |
/// | `solver_threshold` | a node with fewer visits selects at random, proven losses included (thesis 001, section 3.4.2) |
/// | `discount` | the reward of a leaf is multiplied by discount^depth; below 1 early wins and late losses are better |
/// | `cut_loops` | do not follow an action that repeats a position of the same path (thesis 004, section 3.3) |
/// | `reuse` | what is kept of the tree |
/// | `threads` | how many search at once; several do not promise the same decision for the same seed |
/// | `parallel` | how they share the work |
/// | `virtual_loss` | losses counted at a node for each thread below it, with [`Parallel::Tree`] |
#[derive(Clone, Debug)]
pub struct MctsSettings {
    pub tree: TreeSettings,
    pub selection: Selection,
    pub solver: bool,
    pub solver_threshold: u32,
    pub discount: f64,
    pub cut_loops: bool,
    pub reuse: Reuse,
    pub threads: usize,
    pub parallel: Parallel,
    pub virtual_loss: u32,
}

/// Which child is visited next. Q is its mean reward, n its visits, N those of its parent, C the
/// exploration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection {
    /// Q + C sqrt(ln N / n) (thesis 001, equation 3.1).
    Ucb1,
    /// As UCB1 with ln N / n times the smaller of V and 1; V is an upper bound of the variance of
    /// the rewards as a part of the largest possible one (Auer et al. 2002).
    Ucb1Tuned,
    /// (1 - β) Q + β A + C sqrt(ln N / n), where A is the mean reward of all games through the
    /// parent in which the action came at any time, and β = sqrt(k / (3 N + k)) (Gelly and Silver).
    Rave { k: f64 },
    /// As RAVE with β = a / (a + n + bias a n), where a games gave A; these went through the last
    /// node of the path with more than `reference` visits (Cazenave 2015; thesis 001, equation 3.2).
    Grave { reference: u32, bias: f64 },
    /// Q + C sqrt(ln N / n) + weight H / (l + 1), where H is the mean reward of all games of the
    /// search in which the player took the action, above the lowest, and l are the losses of the
    /// child (Nijssen and Winands; thesis 001, section 3.3.1).
    History { weight: f64 },
}

impl Selection {
    /// Whether the rule counts the actions of playouts.
    pub(super) fn looks_at_whole_games(self) -> bool {
        matches!(self, Selection::Rave { .. } | Selection::Grave { .. } | Selection::History { .. })
    }
}

/// What is kept of the tree for the next decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    Nothing,
    /// What stands below the position of the next decision.
    Moves,
    /// Everything, also when another game begins, as long as the positions met are in the tree.
    Games,
}

/// How threads share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallel {
    /// All in one tree.
    Tree,
    /// Each in a tree of its own; the statistics of the root are added up.
    Root,
    /// One walks down the tree, all play from there.
    Leaf,
}

impl Default for MctsSettings {
    fn default() -> MctsSettings {
        MctsSettings {
            tree: TreeSettings::default(),
            selection: Selection::Ucb1,
            solver: true,
            solver_threshold: 0,
            discount: 1.0,
            cut_loops: false,
            reuse: Reuse::Nothing,
            threads: 1,
            parallel: Parallel::Tree,
            virtual_loss: 1,
        }
    }
}

impl From<TreeSettings> for MctsSettings {
    fn from(tree: TreeSettings) -> MctsSettings {
        MctsSettings { tree, ..MctsSettings::default() }
    }
}

//! How an information-set search is set up.

use meeple_core::{Game, Player, Turn};

use crate::{RootRule, TreeSettings};

/// | field | meaning | default |
/// |---|---|---|
/// | `tree` | budget, exploration, playouts, reward, final choice, memory | |
/// | `selection` | which action is tried next | UCB1 |
/// | `root` | how visits at the root are shared out; other than as everywhere only with PUCT | as everywhere |
/// | `keys` | which positions share their statistics | the path from the root |
/// | `determinizations` | worlds for each decision, each for an equal share of the iterations; 0 for a new world in every iteration. Sequential halving at the root goes from one to the next with every pass over its actions | 0 |
/// | `evaluations` | of a node, each in another world, before a walk goes on from it; the priors of each action are averaged over those in which it was legal | 1 |
/// | `depth` | with evaluations: moves from the root that the tree reaches at most; what lies beyond is valued anew in every iteration | no limit |
/// | `ahead` | with evaluations: where the value of a new node comes from | the node itself |
/// | `sure` | with evaluations: an action with a higher prior at the root is taken without a search, 0..=1 | 1, none |
/// | `mixture` | with evaluations: playouts that have a share in the value of a new node | none |
/// | `group_rule` | search among groups of actions, of which one is chosen by this of the game's rules | no groups |
/// | `reuse` | how long statistics are kept | one decision |
/// | `discount` | γ: what a reward loses with every action on the way to it, within the tree | 1 |
#[derive(Debug)]
pub struct IsmctsSettings<G: Game> {
    pub tree: TreeSettings<G>,
    pub selection: Selection,
    pub root: RootRule,
    pub keys: Keys,
    pub determinizations: u64,
    pub evaluations: u32,
    pub depth: usize,
    pub ahead: Ahead,
    pub sure: f64,
    pub mixture: Mixture,
    pub group_rule: Option<usize>,
    pub reuse: Reuse,
    pub discount: f64,
}

impl<G: Game> Clone for IsmctsSettings<G> {
    fn clone(&self) -> IsmctsSettings<G> {
        IsmctsSettings { tree: self.tree.clone(), ..*self }
    }
}

impl<G: Game> Default for IsmctsSettings<G> {
    fn default() -> IsmctsSettings<G> {
        TreeSettings::default().into()
    }
}

impl<G: Game> From<TreeSettings<G>> for IsmctsSettings<G> {
    fn from(tree: TreeSettings<G>) -> IsmctsSettings<G> {
        IsmctsSettings {
            tree,
            selection: Selection::Ucb1,
            root: RootRule::Same,
            keys: Keys::Path,
            determinizations: 0,
            evaluations: 1,
            depth: usize::MAX,
            ahead: Ahead::default(),
            sure: 1.0,
            mixture: Mixture::default(),
            group_rule: None,
            reuse: Reuse::None,
            discount: 1.0,
        }
    }
}

/// How far beyond a new node, by moves that are drawn by the priors, the position is whose value it gets.
///
/// An evaluator sees a position as its mover does, who does not know what the searching player holds; only where that
/// player is to move again is his own hand worth anything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ahead {
    /// At least so many.
    pub moves: u32,
    /// And on until the searching player is to move, or the game is over.
    pub to_own_turn: bool,
    /// Those of the searching player are drawn in proportion to P^(1/τ). > 0.
    pub temperature: f64,
    /// τ for those of the others.
    pub others: f64,
    /// Whether what the searching player does not see is drawn anew before them, in the place of what the world has: the
    /// value is then that of all he knows at the node, however few worlds the tree is searched in. Where he is to move
    /// himself and nothing is looked ahead, nothing that is hidden counts.
    pub redraws: bool,
}

impl Ahead {
    /// Whether the search looks further ahead from a state, with so many moves left.
    #[inline]
    pub(super) fn goes_on<G: Game>(&self, game: &G, state: &G::State, moves: u32, viewer: Player) -> bool {
        moves > 0 || self.to_own_turn && game.turn(state) != Turn::Player(viewer)
    }

    /// Whether what is hidden is drawn anew before a node is valued.
    #[inline]
    pub(super) fn sets_out_anew<G: Game>(&self, game: &G, state: &G::State, viewer: Player) -> bool {
        self.redraws && (self.moves > 0 || game.turn(state) != Turn::Player(viewer))
    }
}

impl Default for Ahead {
    fn default() -> Ahead {
        Ahead { moves: 0, to_own_turn: false, temperature: 1.0, others: 1.0, redraws: false }
    }
}

/// What playouts say about a new node, beside its evaluation (Silver et al. 2016): both err, and not alike.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mixture {
    /// Their number for each node.
    pub playouts: u32,
    /// Of their mean in the value, 0..=1; the evaluation has the rest.
    pub share: f64,
}

/// Which action is tried next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection {
    /// Untried actions first, then the highest mean + C sqrt(ln N_a / N), where an action was
    /// available N_a times and chosen N times.
    Ucb1,
    /// The highest mean + C P sqrt(N_a) / (1 + N) (thesis 000, equation 4.3). Where all actions are
    /// always available N_a counts the visits of the node, which is equation 3.2.
    Puct(Puct),
}

/// The priors P are uniform over what is legal, or come from an evaluator; at the root noise is mixed
/// in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puct {
    /// The mean of an action that was never chosen, on the scale of the reward. 0 in thesis 000.
    pub first_play: f64,
    /// Priors become P^(1/τ): above 1 more even, below 1 more decided. > 0.
    pub prior_temperature: f64,
    /// The share of Dirichlet noise in the priors at the root, 0..=1.
    pub noise: f64,
    /// The parameter of that noise, > 0: the lower, the more it favours single actions.
    pub alpha: f64,
}

/// Which positions share their statistics: those that the mover cannot or need not tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Those that the same actions lead to from the root.
    Path,
    /// Those that give the mover the same view, whatever led to them.
    View,
    /// Those that are equal by one of the game's coarse keys.
    Coarse(usize),
    /// None but the position itself: for players that know it.
    State,
}

/// How long statistics are kept. Longer than a decision only where positions have keys of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    None,
    Game,
    /// Over all games: results then depend on which games the agent played before.
    Games,
}

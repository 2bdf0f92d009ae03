//! How the informed search can be set.

use meeple_core::Game;

use crate::{RootRule, TreeSettings};

/// | field | meaning | unit |
/// |---|---|---|
/// | `tree` | what all searches have; `exploration` is C of the rule | |
/// | `selection` | which child is looked at next | |
/// | `leaf` | whence the value of a new leaf comes | |
/// | `priors` | whence the priors of actions come | |
/// | `prior_temperature` | priors become P^(1/τ); 1 leaves them as they are, more evens them out | |
/// | `noise` | mixed into the priors at the root | |
/// | `root` | how visits at the root are shared out | |
/// | `batch` | leaves that are gathered before the evaluator is asked | leaves |
/// | `solver` | whether results are proven and used (thesis 001, section 3.4); without effect if the reward looks at scores, which proofs do not know | |
/// | `discount` | what a reward keeps of its worth with every action before it (γ of thesis 000) | |
/// | `cut_loops` | whether a walk that comes back to a position of its own path ends there with what is sure so far, for who has not finished the lowest payoff (thesis 004, section 3.3) | |
/// | `reuse` | whether the part of the tree that was played is searched on at the next decision | |
#[derive(Debug)]
pub struct InformedSettings<G: Game> {
    pub tree: TreeSettings<G>,
    pub selection: Selection,
    pub leaf: Leaf,
    pub priors: Priors,
    pub prior_temperature: f64,
    pub noise: Noise,
    pub root: RootRule,
    pub batch: usize,
    pub solver: bool,
    pub discount: f64,
    pub cut_loops: bool,
    pub reuse: bool,
}

impl<G: Game> Clone for InformedSettings<G> {
    fn clone(&self) -> InformedSettings<G> {
        InformedSettings { tree: self.tree.clone(), ..*self }
    }
}

impl<G: Game> Default for InformedSettings<G> {
    fn default() -> InformedSettings<G> {
        InformedSettings {
            tree: TreeSettings::default(),
            selection: Selection::default(),
            leaf: Leaf::Evaluator,
            priors: Priors::Uniform,
            prior_temperature: 1.0,
            noise: Noise::NONE,
            root: RootRule::Same,
            batch: 1,
            solver: true,
            discount: 1.0,
            cut_loops: false,
            reuse: false,
        }
    }
}

/// The value that goes up the tree from a new leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// Of a playout.
    Playout,
    /// Of the evaluator.
    Evaluator,
}

/// How likely each action is to be the best, before it is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Priors {
    Uniform,
    /// As the evaluator says.
    Evaluator,
    /// exp(v / T) in proportion, where v is the estimate of the child for the player to move.
    Softmax(f64),
}

/// Dirichlet noise at the root (thesis 000, section 3.2): P = (1 - share) P + share η.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// 0 for none; AlphaZero has 0.25.
    pub share: f64,
    /// The smaller, the fewer actions get the noise; about 10 / actions does well.
    pub alpha: f64,
}

impl Noise {
    pub const NONE: Noise = Noise { share: 0.0, alpha: 1.0 };
}

/// Which child of a node is looked at next: the one with the highest
///
/// (1 - α) Q + α v + C · weight · growth + W v / (l + 1),
///
/// where Q is its mean reward, v its estimate and l the number of its lost visits, all for the
/// player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// C grows with the visits N of the parent as C + ln((1 + N + base) / base); `None` for a
    /// constant. AlphaZero has 19652 with C = 1.25.
    pub exploration_base: Option<f64>,
    pub growth: Growth,
    pub weight: Weight,
    /// α.
    pub influence: Influence,
    /// W of progressive bias (thesis 001, equation 3.3).
    pub bias: f64,
    /// Whether estimates are backed up by minimax; otherwise a child keeps its first one.
    pub minimax: bool,
    /// Mixes in how actions did anywhere below (thesis 001, equation 7.2).
    pub grave: Option<Grave>,
    pub first_play: FirstPlay,
    pub rescale: Rescale,
    pub top: Top,
    /// Scores are multiplied by random numbers in 1 - multiplier..1 + multiplier.
    pub multiplier: f64,
    /// Subtracted from the sum of rewards for every visit that is under way in a batch.
    pub virtual_loss: f64,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection {
            exploration_base: None,
            growth: Growth::Puct,
            weight: Weight::Priors,
            influence: Influence::fixed(0.0),
            bias: 0.0,
            minimax: false,
            grave: None,
            first_play: FirstPlay::Parent,
            rescale: Rescale::None,
            top: Top::Best,
            multiplier: 0.0,
            virtual_loss: 1.0,
        }
    }
}

impl Selection {
    /// Whether the rule looks at estimates of children.
    pub fn needs_estimates(&self) -> bool {
        self.influence != Influence::fixed(0.0)
            || self.bias != 0.0
            || matches!(self.weight, Weight::Softmax(_))
            || self.first_play == FirstPlay::Estimate
    }
}

/// How exploration depends on the visits N of the parent and n of the child; a child without
/// visits counts as one with one where it would divide by 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// sqrt(ln N / n)
    Ucb1,
    /// sqrt(N) / (1 + n)
    Puct,
    /// sqrt(N / n)
    Root,
    /// sqrt(1 / n)
    Inverse,
    /// 1
    Constant,
}

/// By what the exploration of each child is multiplied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    One,
    Priors,
    /// exp(v / τ) in proportion, with τ = T / visits of all children (thesis 001, equation 6.3); 0
    /// is the limit in which only the best count.
    Softmax(f64),
}

/// How much estimates count against mean rewards, by the visits n of the child (thesis 001,
/// equation 6.5): max(last, first - slope n first) if it falls, min(last, first + slope n last) if
/// it rises.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    pub first: f64,
    pub last: f64,
    pub slope: f64,
}

impl Influence {
    pub fn fixed(influence: f64) -> Influence {
        Influence { first: influence, last: influence, slope: 0.0 }
    }

    #[inline]
    pub(crate) fn at(&self, visits: f64) -> f64 {
        if self.last <= self.first {
            self.last.max(self.first - self.slope * visits * self.first)
        } else {
            self.last.min(self.first + self.slope * visits * self.last)
        }
    }
}

/// Generalised rapid action value estimation: the mean reward of an action wherever it was played
/// below the nearest ancestor with enough visits takes the share β = ñ / (ñ + n + bias ñ n) of the
/// score without exploration, for ñ such games and n visits of the child.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grave {
    /// Visits of an ancestor that is referred to; the root always may be.
    pub reference: u32,
    pub bias: f64,
}

impl Grave {
    #[inline]
    pub(crate) fn share(&self, count: f64, visits: f64) -> f64 {
        if count == 0.0 { 0.0 } else { count / (count + visits + self.bias * count * visits) }
    }
}

/// The mean reward that a child without visits is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstPlay {
    /// 0, whatever the reward.
    Zero,
    /// The lowest reward.
    Loss,
    /// Half way between the lowest and the highest reward.
    Draw,
    /// The highest reward.
    Win,
    /// The mean of its siblings.
    Parent,
    /// The mean of its siblings - R sqrt(sum of the priors of those with visits).
    Reduced(f64),
    /// Its estimate.
    Estimate,
    /// More than any child with visits.
    Infinite,
}

/// How the estimates of siblings are changed before they are used (thesis 001, section 7.5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rescale {
    None,
    /// The distance from the mean is multiplied.
    Multiply(f64),
    /// The distance from the mean is multiplied so that the highest and the lowest are this far
    /// apart.
    Spread(f64),
    /// Those above the mean are stretched so that the highest reaches the upper bound, those below
    /// so that the lowest reaches the lower bound.
    Bounds(f64, f64),
}

/// What happens to the children with the best scores (thesis 001, section 7.5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Top {
    /// The best is taken.
    Best,
    /// One of the best K, each equally likely.
    Sample(usize),
    /// The best K are scored again with another C.
    Explore(usize, f64),
}

//! What a network learns from: positions of games with what a search made of them and how the games
//! ended.

mod file;
mod merge;
mod packed;
mod window;

use meeple_core::{Payoffs, Player};

pub use file::{SampleError, read, write};
pub use merge::{Weighing, merge};
pub use packed::Packed;
pub use window::{Extent, Window};

/// One position, seen by the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// As the encoder wrote it.
    pub input: Packed,
    /// What the viewer does not see, as the encoder wrote it; empty unless somebody is to learn from it.
    pub hidden: Packed,
    /// The policy indices of the legal actions, ascending, each once.
    pub legal: Box<[u16]>,
    /// What the policy should say: a share for each of `legal`, 1 in sum; all 0 if nobody searched. With `drawn`, what it
    /// said.
    pub policy: Box<[f32]>,
    /// The decision, if it was drawn from the policy, which is to learn from how it turned out.
    pub drawn: Option<Box<Drawn>>,
    /// Of the viewer first, the others in the order of their seats; 0 beyond the players.
    pub payoffs: Payoffs,
    /// Equal for positions that count as the same; see [`merge()`].
    pub key: u64,
    /// How much it counts in training.
    pub weight: f32,
}

/// A decision of a policy without a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Who decided.
    pub seat: Player,
    /// A policy index among those that are legal, and where there are details one of them; where there is one only, there
    /// is no choice.
    pub choices: Box<[Choice]>,
    /// The logarithm of the probability of all choices together.
    pub likelihood: f32,
    /// What the network expected for every seat.
    pub expected: Payoffs,
}

/// Policy outputs of which one was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub among: Box<[u16]>,
    pub taken: u16,
}

impl Sample {
    /// The policy indices with a share, and the shares.
    pub fn targets(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let shares = self.legal.iter().zip(&self.policy);
        shares.filter(|&(_, &share)| share > 0.0).map(|(&index, &share)| (usize::from(index), share))
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        size_of::<Sample>()
            + self.input.bytes()
            + self.hidden.bytes()
            + size_of_val(&*self.legal)
            + size_of_val(&*self.policy)
    }
}

//! Actions that a search may treat as one.

use crate::{Game, Rng};

/// A coarser set of decisions: a search chooses a group, and one of its actions is chosen by a fixed
/// rule.
pub trait ActionGroups<G: Game>: Send + Sync {
    /// What a group is called in the settings of an agent, such as `fields`.
    fn name(&self) -> &'static str;

    /// The same number for all actions of a group, in every world.
    fn group(&self, game: &G, action: G::Action) -> u32;

    /// The ways to choose among the actions of a group, the usual one first.
    fn rules(&self) -> &'static [&'static str];

    /// One of several legal actions of the same group by one of the [`ActionGroups::rules`].
    fn choose(&self, game: &G, rule: usize, actions: &[G::Action], rng: &mut Rng) -> G::Action;
}

//! Information-set search with a tree for every player.

use meeple_core::agent::Seated;
use meeple_core::{Game, RuleError, RuleReader};
use meeple_search::mo_ismcts::{MoIsmcts, MoIsmctsSettings, Observation};

use super::belief::belief;
use super::endgame::with_endgame;
use super::settings::tree_settings;

pub(super) fn mo_ismcts<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let tree = tree_settings(game, reader)?;
    let observations = [("public", Observation::Public), ("view", Observation::View)];
    let observation = reader.choice("keys", "what players see of the actions of others", &observations, "public")?;
    let reward = tree.reward;
    let belief = belief(game, reader)?;
    let agent = MoIsmcts::new(game, MoIsmctsSettings { tree, observation }, belief.clone());
    with_endgame(game, reader, reward, belief, agent)
}

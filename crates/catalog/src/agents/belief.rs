//! What an agent assumes about the play of the others.

use std::sync::Arc;

use meeple_core::{Belief, Game, RuleError, RuleReader};

/// The game's belief with the name in the settings; by default all worlds are equally likely.
pub(super) fn belief<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Option<Arc<dyn Belief<G>>>, RuleError> {
    let beliefs = game.beliefs();
    let names: Vec<&str> = ["none"].into_iter().chain(beliefs.iter().map(|&(name, _)| name)).collect();
    let values = names.join(" | ");
    let name = reader.text("belief", "which worlds are likely, by the play of the others", &values, "none");
    if name == "none" {
        return Ok(None);
    }
    match beliefs.into_iter().find(|&(known, _)| known == name) {
        Some((_, belief)) => Ok(Some(Arc::from(belief))),
        None => Err(RuleError(format!("setting belief={name}: {} has {values}", game.info().name))),
    }
}

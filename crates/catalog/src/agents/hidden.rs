//! Searches that work with hidden information and chance.

use meeple_core::agent::Seated;
use meeple_core::{Game, RuleError, RuleReader};
use meeple_search::ismcts::Ismcts;

use super::settings::tree_settings;

pub(super) fn ismcts<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    Ok(Seated::fair(Ismcts::new(game, tree_settings(game, reader)?)))
}

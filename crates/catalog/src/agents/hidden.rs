//! Searches that work with hidden information and chance.

use meeple_core::agent::Seated;
use meeple_core::{Game, RuleError, RuleReader};
use meeple_search::ismcts::Ismcts;

use super::endgame::with_endgame;
use super::settings::tree_settings;

pub(super) fn ismcts<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let settings = tree_settings(game, reader)?;
    with_endgame(game, reader, settings.reward, None, Ismcts::new(game, settings))
}

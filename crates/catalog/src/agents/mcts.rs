//! Monte Carlo tree search with perfect information.

use meeple_core::agent::Seated;
use meeple_core::{Game, RuleError, RuleReader};
use meeple_search::mcts::Mcts;

use super::require_perfect_information;
use super::settings::tree_settings;

pub(super) fn mcts<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    require_perfect_information(game)?;
    Ok(Seated::fair(Mcts::new(game, tree_settings(game, reader)?)))
}

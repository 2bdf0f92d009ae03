//! Agents that do not search.

use meeple_core::agent::Seated;
use meeple_core::{Game, RuleError, RuleReader};
use meeple_search::greedy::Greedy;

use super::require_perfect_information;
use super::settings::heuristic;

pub(super) fn greedy<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    require_perfect_information(game)?;
    Ok(Seated::fair(Greedy::new(heuristic(game, reader, "heuristic")?)))
}

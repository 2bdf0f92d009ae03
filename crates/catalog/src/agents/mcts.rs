//! Monte Carlo tree search with perfect information: `select` decides between the lean search, which
//! makes one child at a time, and the informed one.

use meeple_core::agent::Seated;
use meeple_core::{Game, RuleError, RuleReader};
use meeple_search::mcts::Mcts;

use super::settings::tree_settings;
use super::{informed, require_perfect_information};

pub(super) fn mcts<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    require_perfect_information(game)?;
    let values = format!("ucb1 | {}", informed::RULES);
    let select = reader.text("select", "which child is looked at next", &values, "ucb1");
    if let Some(rule) = informed::Rule::parse(&select) {
        return informed::informed(game, rule, reader);
    }
    match select.as_str() {
        "ucb1" => Ok(Seated::fair(Mcts::new(game, tree_settings(game, reader)?))),
        _ => Err(RuleError(format!("setting select={select}: must be {values}"))),
    }
}

//! Agents that do not search while they play.

use meeple_core::agent::Seated;
use meeple_core::{Game, RuleError, RuleReader};
use meeple_search::cfr::Equilibrium;
use meeple_search::greedy::Greedy;
use meeple_search::scripted::Scripted;

use super::require_perfect_information;
use super::settings::heuristic;

pub(super) fn greedy<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    require_perfect_information(game)?;
    Ok(Seated::fair(Greedy::new(heuristic(game, reader, "heuristic")?)))
}

/// The game's script with the name in the settings, or its best one.
pub(super) fn rules<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let scripts = game.scripts();
    let names: Vec<&'static str> = scripts.iter().map(|&(name, _)| name).collect();
    let Some(&best) = names.first() else {
        return Err(RuleError(format!("{} has no rules written by hand: use random or ismcts", game.info().name)));
    };
    let name = reader.text("script", "which rules written by hand", &names.join(" | "), best);
    match scripts.into_iter().find(|script| script.0 == name) {
        Some((_, script)) => Ok(Seated::fair(Scripted::new(script))),
        None => Err(RuleError(format!("setting script={name}: {} has {}", game.info().name, names.join(", ")))),
    }
}

/// The longest game that is written out for an agent: the depth of a recursion.
const LONGEST: usize = 30;

/// The most histories of a game that is solved for an agent: with the most iterations that is a second.
const HISTORIES: usize = 10_000;

pub(super) fn cfr<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let meaning = "iterations of CFR+ before the first game";
    let iterations = reader.integer("iterations", meaning, 1..=2_000, 300)? as u64;
    let info = game.info();
    if info.longest_game > LONGEST {
        return Err(RuleError(format!("{} is too large to be solved: use ismcts", info.name)));
    }
    Ok(Seated::fair(Equilibrium::new(game, iterations, HISTORIES).map_err(|error| RuleError(error.0))?))
}

//! Agents with a network: its policy alone, or a search that it guides.

use meeple_core::agent::Seated;
use meeple_core::{Game, RuleError, RuleReader};
use meeple_network::{Model, ModelError, NetworkAgent, NetworkEvaluator};
use meeple_search::informed::Informed;
use meeple_search::ismcts::{Cheating, Ismcts, Keys};

use super::{informed, ismcts, require_perfect_information};
use crate::models;

/// Views whose evaluations are remembered unless it is set otherwise.
const CACHE: usize = 1 << 14;

pub(super) fn network<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let meaning = "actions are drawn in proportion to P^(1/τ); 0: the most likely one";
    let temperature = reader.number("temperature", meaning, 0.0..=100.0, 1.0)?;
    let model = model(reader)?;
    Ok(Seated::fair(NetworkAgent::new(game, &model, temperature).map_err(explain)?))
}

pub(super) fn puct<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    require_perfect_information(game)?;
    let settings = informed::network_settings(game, reader)?;
    let evaluator = evaluator(game, reader)?;
    Ok(Seated::fair(Informed::new(game, settings, Box::new(evaluator))))
}

pub(super) fn ispuct<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let evaluator = evaluator(game, reader)?;
    let settings = ismcts::network_settings(game, reader, &[], !evaluator.has_details())?;
    let reward = settings.tree.reward;
    ismcts::seated(game, reader, reward, Ismcts::new(game, settings).with_evaluator(Box::new(evaluator)))
}

/// Knows the true state; the network that guides it still does not.
pub(super) fn cheating_ispuct<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let evaluator = evaluator(game, reader)?;
    let settings = ismcts::network_settings(game, reader, &[("state", Keys::State)], !evaluator.has_details())?;
    Ok(Seated::cheating(Cheating::new(game, settings).with_evaluator(Box::new(evaluator))))
}

fn evaluator<G: Game>(game: &G, reader: &mut RuleReader) -> Result<NetworkEvaluator<G>, RuleError> {
    let cache = reader.integer("cache", "views whose evaluations are remembered", 0..=1 << 26, CACHE)?;
    let model = model(reader)?;
    Ok(NetworkEvaluator::new(game, &model).map_err(explain)?.with_cache(cache))
}

fn model(reader: &mut RuleReader) -> Result<Model, RuleError> {
    let name = reader.text("model", "the network: a file, or a short name", "a file | a short name", "");
    if name.is_empty() {
        let names = models::model_names().collect::<Vec<_>>().join(", ");
        return Err(RuleError(format!("this agent needs a network: set model to a file or to one of {names}")));
    }
    models::model(&name).map_err(explain)
}

fn explain(error: ModelError) -> RuleError {
    RuleError(error.to_string())
}

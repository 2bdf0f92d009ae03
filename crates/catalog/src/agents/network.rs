//! Agents with a network: its policy alone, or a search that it guides.

use meeple_core::agent::Seated;
use meeple_core::{Game, RuleError, RuleReader};
use meeple_network::{CheatingNetworkAgent, Model, ModelError, NetworkAgent, NetworkEvaluator};
use meeple_search::Evaluator;
use meeple_search::evaluator::MeanEvaluator;
use meeple_search::informed::Informed;
use meeple_search::ismcts::{Cheating, Ismcts, Keys};

use super::{informed, ismcts, require_perfect_information};
use crate::models;

/// Views whose evaluations are remembered unless it is set otherwise.
const CACHE: usize = 1 << 14;

pub(super) fn network<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let temperature = temperature(reader)?;
    let model = model(reader)?;
    Ok(Seated::fair(NetworkAgent::new(game, &model, temperature).map_err(explain)?))
}

/// By a network that is shown all cards.
pub(super) fn cheating_network<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let temperature = temperature(reader)?;
    let model = model(reader)?;
    Ok(Seated::cheating(CheatingNetworkAgent::new(game, &model, temperature).map_err(explain)?))
}

fn temperature(reader: &mut RuleReader) -> Result<f64, RuleError> {
    reader.number("temperature", "actions are drawn in proportion to P^(1/τ); 0: the most likely one", 0.0..=100.0, 1.0)
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
    let others = read_others(game, reader)?;
    let mut agent = Ismcts::new(game, settings).with_evaluator(Box::new(evaluator));
    if let Some(others) = others {
        agent = agent.with_others(others);
    }
    ismcts::seated(game, reader, reward, agent)
}

fn read_others<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Option<Box<dyn Evaluator<G>>>, RuleError> {
    let meaning = "a network by which the others move, and which may see all cards of a world, or the mean of several";
    let names = reader.text("others", meaning, "NETWORK | NETWORK+NETWORK, each a file or a short name", "");
    others(game, &names, 0)
}

/// Another network for the positions in which others are to move, or the mean of several; none without a name. Each
/// remembers so many evaluations.
pub(crate) fn others<G: Game>(game: &G, names: &str, cache: usize) -> Result<Option<Box<dyn Evaluator<G>>>, RuleError> {
    if names.is_empty() {
        return Ok(None);
    }
    let network = |name: &str| -> Result<Box<dyn Evaluator<G>>, ModelError> {
        Ok(Box::new(NetworkEvaluator::for_others(game, &models::model(name)?)?.with_cache(cache)))
    };
    let networks = names.split('+').map(network).collect::<Result<_, _>>().map_err(explain)?;
    Ok(Some(Box::new(MeanEvaluator::new(networks))))
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

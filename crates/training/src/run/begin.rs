//! The network that a run begins with: a new one, or what another has learnt.

use meeple_catalog::SelfPlayer;
use meeple_core::Rng;
use meeple_network::{Graph, Header, Model, Parameters, Ports, Training};

use super::RunError;
use super::config::{Config, ConfigError};

/// The network that a run begins with.
pub fn initial_model(config: &Config, player: &dyn SelfPlayer) -> Result<Model, RunError> {
    let header = player.header(config.encoder.as_deref(), config.description()?)?;
    let header = Header { training: Training { seed: config.seed, ..Training::default() }, ..header };
    let graph = Graph::new(&header.description, header.ports)?;
    let parameters = match &config.begin_with {
        Some(name) => learnt(name, &header, &graph)?,
        None => Parameters::initial(&graph, &mut Rng::stream(config.seed, 0)),
    };
    Ok(Model { header, graph, parameters })
}

/// What another network of the same kind has learnt; one with batch norm may become one without, and one whose encoder
/// sees the same and tells apart fewer actions one that tells apart more.
fn learnt(name: &str, wanted: &Header, graph: &Graph) -> Result<Parameters, RunError> {
    let mut model = meeple_catalog::model(name)?;
    if !wanted.description.has_norms() {
        model = model.without_norms()?;
    }
    if is_same_kind(&model.header, wanted) {
        return Ok(model.parameters);
    }
    let missing = wanted.ports.policy.saturating_sub(model.header.ports.policy);
    let ports = Ports { policy: wanted.ports.policy, ..model.header.ports };
    let wider = Header { encoder: wanted.encoder.clone(), ports, ..model.header.clone() };
    match missing > 0 && !wanted.description.has_norms() && is_same_kind(&wider, wanted) {
        true => Ok(widened(model, graph, missing)),
        false => Err(ConfigError(format!("begin_with: {name} {OTHER_KIND}")).into()),
    }
}

/// As many policy outputs more, which say the same about all actions.
fn widened(model: Model, graph: &Graph, missing: usize) -> Parameters {
    let outputs = model.header.ports.policy;
    let widen = |values: &Vec<f32>| {
        let rows = values.chunks_exact(outputs);
        rows.flat_map(|row| row.iter().copied().chain(std::iter::repeat_n(0.0, missing))).collect()
    };
    let parameters = graph
        .parameters
        .iter()
        .zip(&model.parameters.0)
        .map(|(info, values)| if info.count() == values.len() { values.clone() } else { widen(values) });
    Parameters(parameters.collect())
}

/// Whether what one network has learnt fits the other: all but how they were trained. Equal rules have equal texts,
/// since only those that differ from the defaults are written, in the order of their names and in their usual form.
pub(super) fn is_same_kind(a: &Header, b: &Header) -> bool {
    Header { training: a.training.clone(), ..b.clone() } == *a
}

/// What a network has for which [`is_same_kind`] does not hold.
pub(super) const OTHER_KIND: &str = "has another game, other rules, another encoder or another network";

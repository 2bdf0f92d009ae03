//! The network that a run begins with: a new one, or what another has learnt.

use meeple_catalog::SelfPlayer;
use meeple_core::Rng;
use meeple_network::{Graph, Header, Model, Parameters, Training};

use super::RunError;
use super::config::{Config, ConfigError};

/// The network that a run begins with.
pub fn initial_model(config: &Config, player: &dyn SelfPlayer) -> Result<Model, RunError> {
    let header = player.header(config.encoder.as_deref(), config.open, config.description()?)?;
    let header = Header { training: Training { seed: config.seed, ..Training::default() }, ..header };
    let graph = Graph::new(&header.description, header.ports)?;
    let parameters = match &config.begin_with {
        Some(name) => learnt(name, &header, &graph, player)?,
        None => Parameters::initial(&graph, &mut Rng::stream(config.seed, 0)),
    };
    Ok(Model { header, graph, parameters })
}

/// What another network of the same kind has learnt; one with batch norm may become one without, and one whose encoder
/// sees or tells apart less one whose encoder extends that.
fn learnt(name: &str, wanted: &Header, graph: &Graph, player: &dyn SelfPlayer) -> Result<Parameters, RunError> {
    let mut model = meeple_catalog::model(name)?;
    if !wanted.description.has_norms() {
        model = model.without_norms()?;
    }
    if is_same_kind(&model.header, wanted) {
        return Ok(model.parameters);
    }
    let grown = Header { encoder: wanted.encoder.clone(), ports: wanted.ports, ..model.header.clone() };
    let goes_on = is_same_kind(&grown, wanted)
        && !wanted.description.has_norms()
        && player.extends(&wanted.encoder, &model.header.encoder)?;
    match goes_on.then(|| grow(&model, graph)).flatten() {
        Some(parameters) => Ok(parameters),
        None => Err(ConfigError(format!("begin_with: {name} {OTHER_KIND}")).into()),
    }
}

/// The same network with more planes, which it does not look at yet, and more policy outputs, which say the same about all
/// actions. `None` if what its planes are for depends on how many there are.
fn grow(model: &Model, graph: &Graph) -> Option<Parameters> {
    let all = model.graph.parameters.iter().zip(&graph.parameters).zip(&model.parameters.0);
    all.map(|((old, new), values)| padded(values, &old.shape, &new.shape)).collect::<Option<_>>().map(Parameters)
}

/// Zeros behind what a shape had: in the last side, which are outputs, or in the inputs of a convolution.
fn padded(values: &[f32], old: &[usize], new: &[usize]) -> Option<Vec<f32>> {
    let (&[.., from], &[.., to]) = (old, new) else { return (old == new).then(|| values.to_vec()) };
    let (inputs, outputs) = (old.len().checked_sub(2), old.len() - 1);
    let may_grow = |side: usize| side == outputs || (old.len() == 4 && Some(side) == inputs);
    let fits = |side: usize| old[side] == new[side] || (old[side] < new[side] && may_grow(side));
    if old.len() != new.len() || !(0..old.len()).all(fits) {
        return None;
    }
    let rows = inputs.map_or([1, 1], |inputs| [old[inputs], new[inputs]]);
    let mut grown = Vec::with_capacity(new.iter().product());
    for block in values.chunks_exact(rows[0] * from) {
        for row in block.chunks_exact(from) {
            grown.extend(row.iter().copied().chain(std::iter::repeat_n(0.0, to - from)));
        }
        grown.resize(grown.len() + (rows[1] - rows[0]) * to, 0.0);
    }
    Some(grown)
}

/// Whether what one network has learnt fits the other: all but how they were trained. Equal rules have equal texts,
/// since only those that differ from the defaults are written, in the order of their names and in their usual form.
pub(super) fn is_same_kind(a: &Header, b: &Header) -> bool {
    Header { training: a.training.clone(), ..b.clone() } == *a
}

/// What a network has for which [`is_same_kind`] does not hold.
pub(super) const OTHER_KIND: &str = "has another game, other rules, another encoder or another network";

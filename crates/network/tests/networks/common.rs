//! Random networks of every description.

use meeple_core::Rng;
use meeple_network::description::{
    Activation, Convolution, Dense, Description, DropoutPlace, Initial, LastLayer, Layer, Lines, PolicyHead, Residual,
    ValueHead, Values,
};
use meeple_network::{Graph, Header, Model, Parameters, Ports, Role, Training};

fn one_of<T: Copy>(options: &[T], rng: &mut Rng) -> T {
    *rng.choose(options)
}

fn activation(rng: &mut Rng) -> Activation {
    use Activation::{Identity, RandomisedRelu, Relu, Selu, Tanh};
    one_of(&[Identity, Relu, Relu, RandomisedRelu, Selu, Tanh], rng)
}

fn norm(rng: &mut Rng) -> Option<f32> {
    one_of(&[None, Some(0.1), Some(0.8)], rng)
}

fn dense(rng: &mut Rng) -> Layer {
    Layer::Dense(Dense {
        size: one_of(&[1, 7, 16, 33, 70], rng),
        norm: norm(rng),
        activation: activation(rng),
        dropout: one_of(&[0.0, 0.3], rng),
        dropout_place: one_of(&[DropoutPlace::BeforeNorm, DropoutPlace::AfterActivation], rng),
        initial: one_of(&[Initial::GlorotNormal, Initial::GlorotUniform], rng),
    })
}

fn convolution(filters: usize, rng: &mut Rng) -> Layer {
    let kernel = one_of(&[1, 3, 3, 3, 5], rng);
    Layer::Convolution(Convolution {
        activation: activation(rng),
        dropout: one_of(&[0.0, 0.3], rng),
        lines: (kernel == 3 && filters >= 4 && rng.below(4) == 0).then_some(Lines { frozen: false }),
        ..Convolution::new(filters, kernel, norm(rng))
    })
}

fn several(most: u32, rng: &mut Rng, mut layer: impl FnMut(&mut Rng) -> Layer) -> Vec<Layer> {
    (0..rng.below(most + 1)).map(|_| layer(rng)).collect()
}

/// Layers over planes, of which the last may be dense.
fn board(channels: usize, rng: &mut Rng) -> Vec<Layer> {
    let mut layers = Vec::new();
    let mut filters = channels;
    for _ in 0..rng.below(3) {
        filters = one_of(&[3, 8, 16, 24, 64], rng);
        layers.push(convolution(filters, rng));
    }
    if rng.below(2) == 0 {
        layers.push(Layer::Residual(Residual {
            blocks: 1 + rng.below(2) as usize,
            filters,
            kernel: one_of(&[1, 3, 3, 5], rng),
            norm: norm(rng),
            activation: activation(rng),
            dropout: 0.2,
            initial: Initial::GlorotUniform,
        }));
    }
    if rng.below(4) == 0 {
        layers.push(dense(rng));
    }
    layers
}

fn is_flat(layers: &[Layer]) -> bool {
    layers.iter().any(|layer| matches!(layer, Layer::Dense(_)))
}

pub(crate) fn description(ports: &Ports, rng: &mut Rng) -> Description {
    let has_planes = ports.channels > 0;
    let board = if has_planes { board(ports.channels, rng) } else { Vec::new() };
    let vector = if ports.vector > 0 { several(2, rng, dense) } else { Vec::new() };
    let action_input = rng.below(4) == 0;
    let common = several(2, rng, dense);
    let has_field_heads = has_planes && ports.vector == 0 && !action_input && !is_flat(&board) && common.is_empty();
    let head = |rng: &mut Rng| {
        let mut layers = Vec::new();
        if has_field_heads && rng.below(2) == 0 {
            layers.push(convolution(6, rng));
        }
        layers.extend(several(2, rng, dense));
        layers
    };
    let value = ValueHead {
        layers: head(rng),
        outputs: if action_input { Values::Viewer } else { one_of(&[Values::Viewer, Values::Players], rng) },
        activation: activation(rng),
        ..ValueHead::default()
    };
    let last = LastLayer { norm: norm(rng), activation: activation(rng), initial: Initial::GlorotNormal };
    let policy = (!action_input && rng.below(4) > 0).then(|| PolicyHead { layers: head(rng), last });
    let value = (policy.is_none() || rng.below(4) > 0).then_some(value);
    Description { board, vector, common, action_input, policy, value }
}

pub(crate) fn ports(rng: &mut Rng) -> Ports {
    let has_planes = rng.below(4) > 0;
    let channels = if has_planes { 1 + rng.below(9) as usize } else { 0 };
    let mut side = || if has_planes { 1 + rng.below(9) as usize } else { 0 };
    let (rows, columns) = (side(), side().max(if has_planes { 2 } else { 0 }));
    let vector = if !has_planes || rng.below(2) == 0 { 1 + rng.below(40) as usize } else { 0 };
    Ports { channels, rows, columns, vector, policy: 1 + rng.below(50) as usize, players: 3 }
}

/// With parameters as they might be after training.
pub(crate) fn model(description: Description, ports: Ports, rng: &mut Rng) -> Model {
    let graph = Graph::new(&description, ports).unwrap_or_else(|error| panic!("{error}: {description:?}"));
    let mut parameters = Parameters::initial(&graph, rng);
    for (info, values) in graph.parameters.iter().zip(&mut parameters.0) {
        for value in values {
            match info.role {
                Role::Bias | Role::Mean => *value = 0.3 * rng.normal() as f32,
                Role::Scale | Role::Variance => *value = 0.5 + rng.unit() as f32,
                Role::Weight { .. } => {}
            }
        }
    }
    let header = Header {
        game: "none".to_string(),
        rules: String::new(),
        version: 1,
        encoder: "none".to_string(),
        open: false,
        ports,
        description,
        training: Training::default(),
    };
    Model { header, graph, parameters }
}

pub(crate) fn random_model(rng: &mut Rng) -> Model {
    let ports = ports(rng);
    let description = description(&ports, rng);
    model(description, ports, rng)
}

/// Mostly zeros and ones.
pub(crate) fn random_input(length: usize, rng: &mut Rng) -> Vec<f32> {
    let mut value = || match rng.below(4) {
        0 => 1.0,
        1 => rng.normal() as f32,
        _ => 0.0,
    };
    (0..length).map(|_| value()).collect()
}

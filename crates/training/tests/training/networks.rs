//! Small networks that have everything a network can have.

use meeple_core::Rng;
use meeple_network::description::{
    Activation, Convolution, Dense, Description, DropoutPlace, Initial, LastLayer, Layer, Lines, PolicyHead, Residual,
    ValueHead, Values,
};
use meeple_network::preset::{ActionValue, CardFieldNet, DenseStack, FieldNet, Stack, Star};
use meeple_network::{Graph, Header, Model, Parameters, Ports, Preset, Training};

pub(crate) struct Network {
    pub(crate) name: String,
    pub(crate) model: Model,
}

impl Network {
    /// With parameters that are all different, as in the middle of training.
    pub(crate) fn new(name: &str, description: Description, ports: Ports, rng: &mut Rng) -> Network {
        let graph = Graph::new(&description, ports).expect(name);
        let mut parameters = Parameters::initial(&graph, rng);
        for (info, values) in graph.parameters.iter().zip(&mut parameters.0) {
            if info.shape.len() == 1 {
                values.iter_mut().for_each(|value| *value += rng.unit() as f32 - 0.5);
            }
        }
        let header = Header {
            game: name.to_string(),
            rules: String::new(),
            version: 1,
            encoder: String::new(),
            open: false,
            ports,
            description,
            training: Training::default(),
        };
        Network { name: name.to_string(), model: Model::new(header, parameters).expect(name) }
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.model.graph
    }
}

const BOARD: Ports = Ports { channels: 3, rows: 3, columns: 4, vector: 0, policy: 5, players: 3 };
const VECTOR: Ports = Ports { channels: 0, rows: 0, columns: 0, vector: 7, policy: 5, players: 2 };
const BOTH: Ports = Ports { vector: 7, ..BOARD };

pub(crate) fn presets(rng: &mut Rng) -> Vec<Network> {
    let lines = Some(Lines { frozen: true });
    let field = FieldNet { filters: 5, blocks: 2, policy_filters: 3, value_filters: 2, lines, ..FieldNet::default() };
    let cards = CardFieldNet {
        filters: 6,
        blocks: 1,
        board_neurons: 3,
        cards_neurons: 8,
        common_neurons: 9,
        policy_neurons: 5,
        value_neurons: 4,
        values: Values::Players,
        ..CardFieldNet::default()
    };
    let stack = Stack { filters: 9, layers: 2, neurons: 11, policy: true, ..Stack::default() };
    let star = Star { filters: 8, blocks: 1, neurons: 10, ..Star::default() };
    let dense = DenseStack { neurons: 16, activation: Activation::Tanh, dropout: 0.25, ..DenseStack::default() };
    let all = [
        (Preset::Fieldnet(field), BOARD),
        (Preset::Cardfieldnet(cards), BOTH),
        (Preset::Convolution(stack), BOARD),
        (Preset::Star(star), BOARD),
        (Preset::Dense(dense), BOTH),
        (Preset::ActionValue(ActionValue { neurons: 12, ..ActionValue::default() }), VECTOR),
    ];
    let network =
        |(preset, ports): (Preset, Ports)| Network::new(&format!("{preset:?}"), preset.description(), ports, rng);
    all.into_iter().map(network).collect()
}

/// With any of these activations.
pub(crate) fn random(number: u64, activations: &[Activation]) -> Network {
    let rng = &mut Rng::stream(7, number);
    let ports = Ports { rows: 1 + rng.below(5) as usize, ..*rng.choose(&[BOARD, VECTOR, BOTH]) };
    let board = if ports.channels > 0 { board(rng, activations) } else { Vec::new() };
    let is_flat = board.iter().any(|layer| matches!(layer, Layer::Dense(_)));
    let with_policy = rng.below(4) > 0;
    let common =
        if ports.vector == 0 && !is_flat && rng.below(2) == 0 { Vec::new() } else { dense(rng, 2, activations) };
    let description = Description {
        board,
        vector: if ports.vector > 0 { dense(rng, 2, activations) } else { Vec::new() },
        common,
        action_input: !with_policy && rng.below(2) == 0,
        policy: with_policy.then(|| PolicyHead {
            layers: dense(rng, 1, activations),
            last: LastLayer { norm: norm(rng), activation: *rng.choose(activations), initial: Initial::GlorotNormal },
        }),
        value: (!with_policy || rng.below(3) > 0).then(|| ValueHead {
            layers: dense(rng, 1, activations),
            outputs: if with_policy && rng.below(2) == 0 { Values::Players } else { Values::Viewer },
            activation: *rng.choose(activations),
            ..ValueHead::default()
        }),
    };
    Network::new(&format!("random network {number}: {description:?}"), description, ports, rng)
}

fn board(rng: &mut Rng, activations: &[Activation]) -> Vec<Layer> {
    let mut layers = Vec::new();
    let filters = 4 + rng.below(9) as usize;
    for _ in 0..rng.below(3) {
        layers.push(Layer::Convolution(Convolution {
            activation: *rng.choose(activations),
            dropout: dropout(rng),
            ..Convolution::new(filters, *rng.choose(&[1, 3, 3, 5]), norm(rng))
        }));
    }
    if !layers.is_empty() && rng.below(2) == 0 {
        layers.push(Layer::Residual(Residual {
            blocks: 1,
            filters,
            kernel: 3,
            norm: norm(rng),
            activation: *rng.choose(activations),
            dropout: dropout(rng),
            initial: Initial::GlorotUniform,
        }));
    }
    if rng.below(3) == 0 {
        layers.extend(dense(rng, 1, activations));
    }
    layers
}

fn dense(rng: &mut Rng, most: u32, activations: &[Activation]) -> Vec<Layer> {
    let layer = |rng: &mut Rng| Dense {
        norm: norm(rng),
        dropout: dropout(rng),
        dropout_place: *rng.choose(&[DropoutPlace::BeforeNorm, DropoutPlace::AfterActivation]),
        ..Dense::new(3 + rng.below(10) as usize, *rng.choose(activations))
    };
    (0..rng.below(most + 1)).map(|_| Layer::Dense(layer(rng))).collect()
}

fn norm(rng: &mut Rng) -> Option<f32> {
    *rng.choose(&[None, Some(0.3)])
}

fn dropout(rng: &mut Rng) -> f32 {
    *rng.choose(&[0.0, 0.3])
}

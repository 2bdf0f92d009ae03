//! A description laid out for an input: single operations in the order in which they are carried
//! out, and the parameters they use. Inference, training and export all walk this list.

use std::fmt;

use meeple_core::{Encoder, Game, Shape};
use serde::{Deserialize, Serialize};

use crate::description::{
    Activation, Convolution, Dense, Description, DropoutPlace, Initial, LastLayer, Layer, Residual, ValueHead, Values,
};
use crate::parameters::{ParameterInfo, Role};

/// What an encoder and a game give a network to work with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ports {
    pub channels: usize,
    pub rows: usize,
    pub columns: usize,
    pub vector: usize,
    /// Policy indices.
    pub policy: usize,
    pub players: usize,
}

impl Ports {
    pub fn new(shape: Shape, policy: usize, players: usize) -> Ports {
        let Shape { channels, rows, columns, vector } = shape;
        Ports { channels, rows, columns, vector, policy, players }
    }

    /// What an encoder writes and wants.
    pub fn of<G: Game>(encoder: &dyn Encoder<G>, players: usize) -> Ports {
        Ports::new(encoder.shape(), encoder.policy_size() + encoder.detail_size(), players)
    }

    pub fn shape(&self) -> Shape {
        Shape { channels: self.channels, rows: self.rows, columns: self.columns, vector: self.vector }
    }
}

/// The operations of a network, each after those whose results it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    pub ports: Ports,
    pub nodes: Vec<Node>,
    pub parameters: Vec<ParameterInfo>,
    /// The node with the logits.
    pub policy: Option<usize>,
    /// The node with the values.
    pub value: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub operation: Operation,
    /// The nodes whose results it takes.
    pub inputs: Vec<usize>,
    /// Of its result.
    pub size: Size,
}

/// Planes over a board, channels last; a vector is one field with many channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub rows: usize,
    pub columns: usize,
    pub channels: usize,
}

impl Size {
    pub fn vector(channels: usize) -> Size {
        Size { rows: 1, columns: 1, channels }
    }

    pub fn fields(&self) -> usize {
        self.rows * self.columns
    }

    pub fn count(&self) -> usize {
        self.fields() * self.channels
    }
}

/// Numbers of parameters refer to [`Graph::parameters`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    /// The planes of the input.
    Planes,
    /// The vector of the input.
    Vector,
    /// The number of an action, one-hot.
    Action,
    /// Weights are ordered by row and column of the kernel, input, output; there are as many rows
    /// and columns of zeros around the board as keep its size.
    Convolution {
        weight: usize,
        bias: Option<usize>,
        kernel: usize,
    },
    /// Takes the input as one vector. Weights are ordered by input, output.
    Dense {
        weight: usize,
        bias: Option<usize>,
    },
    /// Batch norm over all fields of a channel. `momentum` is the share of a new batch in the
    /// running mean and variance.
    Norm {
        scale: usize,
        offset: usize,
        mean: usize,
        variance: usize,
        momentum: f32,
    },
    Activation(Activation),
    /// Leaves out this share in training and makes up for it by scaling the others.
    Dropout(f32),
    /// The sum of two inputs of the same size.
    Add,
    /// All inputs one after the other, each as one vector.
    Join,
}

/// Added to variances before the root is taken.
pub const NORM_EPSILON: f32 = 1e-5;

/// A description that makes no network, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError(pub String);

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DescriptionError {}

fn refuse<T>(why: impl Into<String>) -> Result<T, DescriptionError> {
    Err(DescriptionError(why.into()))
}

/// What a network may have at most, so that a hostile file cannot ask for all memory.
const MOST_PARAMETERS: usize = 200_000_000;
/// Numbers in the results of all operations, for one position.
const MOST_RESULTS: usize = 1 << 24;
const WIDEST: usize = 65_536;
const MOST_LAYERS: usize = 256;

impl Graph {
    pub fn new(description: &Description, ports: Ports) -> Result<Graph, DescriptionError> {
        let mut builder = Builder::new(ports)?;
        let trunk = builder.trunk(description)?;
        let (mut policy, mut value) = (None, None);
        if let Some(head) = &description.policy {
            let hidden = builder.layers("policy", trunk, &head.layers)?;
            policy = Some(builder.last("policy.last", hidden, ports.policy, &head.last)?);
        }
        if let Some(head) = &description.value {
            let hidden = builder.layers("value", trunk, &head.layers)?;
            value = Some(builder.value("value.last", hidden, head)?);
        }
        if description.action_input
            && (policy.is_some() || description.value.as_ref().map(|v| v.outputs) != Some(Values::Viewer))
        {
            return refuse("a network with action_input has a value for the viewer, and nothing else");
        }
        if policy.is_none() && value.is_none() {
            return refuse("a network needs a policy head or a value head");
        }
        let Builder { nodes, parameters, .. } = builder;
        Ok(Graph { ports, nodes, parameters, policy, value })
    }

    pub fn has_action_input(&self) -> bool {
        self.nodes.iter().any(|node| node.operation == Operation::Action)
    }

    /// The number of values that the value head gives.
    pub fn values(&self) -> usize {
        self.value.map_or(0, |node| self.nodes[node].size.channels)
    }

    pub fn policy_size(&self) -> usize {
        self.policy.map_or(0, |node| self.nodes[node].size.channels)
    }
}

struct Builder {
    ports: Ports,
    nodes: Vec<Node>,
    parameters: Vec<ParameterInfo>,
    weights: usize,
    /// Numbers in all results so far.
    results: usize,
}

impl Builder {
    fn new(ports: Ports) -> Result<Builder, DescriptionError> {
        let Ports { channels, rows, columns, vector, policy, players } = ports;
        let sides = [channels, rows, columns, vector, policy];
        if sides.iter().any(|&side| side > WIDEST) || players == 0 || players > meeple_core::MAX_PLAYERS {
            return refuse("the sizes of input or policy are out of range");
        }
        if ports.shape().is_empty() || ports.shape().len() > 16 * WIDEST {
            return refuse("the input is empty or too large");
        }
        Ok(Builder { ports, nodes: Vec::new(), parameters: Vec::new(), weights: 0, results: 0 })
    }

    fn push(&mut self, operation: Operation, inputs: Vec<usize>, size: Size) -> Result<usize, DescriptionError> {
        self.results += size.count();
        if self.results > MOST_RESULTS {
            return refuse(format!("the layers of the network have more than {MOST_RESULTS} results for one position"));
        }
        self.nodes.push(Node { operation, inputs, size });
        Ok(self.nodes.len() - 1)
    }

    /// Everything below the heads.
    fn trunk(&mut self, description: &Description) -> Result<usize, DescriptionError> {
        let Ports { channels, rows, columns, vector, policy, .. } = self.ports;
        let mut parts = Vec::new();
        if channels * rows * columns > 0 {
            let planes = self.push(Operation::Planes, Vec::new(), Size { rows, columns, channels })?;
            parts.push(self.layers("board", planes, &description.board)?);
        } else if !description.board.is_empty() {
            return refuse("the network has layers for a board, but the encoder gives no planes");
        }
        if vector > 0 {
            let input = self.push(Operation::Vector, Vec::new(), Size::vector(vector))?;
            parts.push(self.layers("vector", input, &description.vector)?);
        } else if !description.vector.is_empty() {
            return refuse("the network has layers for a vector, but the encoder gives none");
        }
        if description.action_input {
            if policy == 0 {
                return refuse("a network with action_input needs a game with actions");
            }
            parts.push(self.push(Operation::Action, Vec::new(), Size::vector(policy))?);
        }
        let joined = match parts[..] {
            [single] => single,
            _ => {
                let count = parts.iter().map(|&part| self.nodes[part].size.count()).sum();
                self.push(Operation::Join, parts, Size::vector(count))?
            }
        };
        self.layers("common", joined, &description.common)
    }

    fn layers(&mut self, part: &str, mut from: usize, layers: &[Layer]) -> Result<usize, DescriptionError> {
        for (number, layer) in layers.iter().enumerate() {
            let name = format!("{part}.{number}");
            if self.nodes.len() > 16 * MOST_LAYERS {
                return refuse("the network has too many layers");
            }
            from = match layer {
                Layer::Convolution(convolution) => self.convolution(&name, from, convolution)?,
                Layer::Residual(residual) => self.residual(&name, from, residual)?,
                Layer::Dense(dense) => self.dense(&name, from, dense)?,
            };
        }
        Ok(from)
    }

    fn convolution(&mut self, name: &str, from: usize, layer: &Convolution) -> Result<usize, DescriptionError> {
        let made = self.convolve(name, from, layer)?;
        self.activate(made, layer.activation)
    }

    /// A convolution with dropout and norm, without its activation.
    fn convolve(&mut self, name: &str, from: usize, layer: &Convolution) -> Result<usize, DescriptionError> {
        let Size { rows, columns, channels } = self.nodes[from].size;
        let &Convolution { filters, kernel, norm, dropout, initial, lines, .. } = layer;
        if rows * columns == 1 {
            return refuse(format!("{name}: a convolution needs planes over a board"));
        }
        if kernel % 2 == 0 || kernel > 15 {
            return refuse(format!("{name}: kernel is {kernel}, not an odd number up to 15"));
        }
        if lines.is_some() && (kernel != 3 || filters < 4) {
            return refuse(format!("{name}: lines need a kernel of 3 and at least 4 filters"));
        }
        let role = Role::Weight {
            inputs: (kernel * kernel).saturating_mul(channels),
            outputs: (kernel * kernel).saturating_mul(filters),
            initial,
            lines: lines.is_some(),
            frozen: if lines.is_some_and(|lines| lines.frozen) { 4 } else { 0 },
        };
        let weight = self.parameter(format!("{name}.weight"), vec![kernel, kernel, channels, filters], role)?;
        let bias = self.bias(name, filters, norm)?;
        let size = Size { rows, columns, channels: filters };
        let made = self.push(Operation::Convolution { weight, bias, kernel }, vec![from], size)?;
        let made = self.drop_out(name, made, dropout)?;
        self.normalise(name, made, norm)
    }

    fn residual(&mut self, name: &str, mut from: usize, layer: &Residual) -> Result<usize, DescriptionError> {
        let &Residual { blocks, filters, kernel, norm, activation, dropout, initial } = layer;
        let channels = self.nodes[from].size.channels;
        if channels != filters {
            return refuse(format!("{name}: residual blocks of {filters} filters follow {channels} planes"));
        }
        if blocks > MOST_LAYERS {
            return refuse(format!("{name}: {blocks} residual blocks are too many"));
        }
        let single = Convolution { filters, kernel, norm, activation, dropout, initial, lines: None };
        for block in 0..blocks {
            let first = self.convolution(&format!("{name}.{block}.first"), from, &single)?;
            let second = self.convolve(&format!("{name}.{block}.second"), first, &single)?;
            let size = self.nodes[second].size;
            let sum = self.push(Operation::Add, vec![second, from], size)?;
            from = self.activate(sum, activation)?;
        }
        Ok(from)
    }

    fn dense(&mut self, name: &str, from: usize, layer: &Dense) -> Result<usize, DescriptionError> {
        let &Dense { size, norm, activation, dropout, dropout_place, initial } = layer;
        let mut made = self.multiply(name, from, size, norm, initial)?;
        if dropout_place == DropoutPlace::BeforeNorm {
            made = self.drop_out(name, made, dropout)?;
        }
        made = self.normalise(name, made, norm)?;
        made = self.activate(made, activation)?;
        if dropout_place == DropoutPlace::AfterActivation {
            made = self.drop_out(name, made, dropout)?;
        }
        Ok(made)
    }

    fn last(&mut self, name: &str, from: usize, size: usize, last: &LastLayer) -> Result<usize, DescriptionError> {
        let made = self.multiply(name, from, size, last.norm, last.initial)?;
        let made = self.normalise(name, made, last.norm)?;
        self.activate(made, last.activation)
    }

    fn value(&mut self, name: &str, from: usize, head: &ValueHead) -> Result<usize, DescriptionError> {
        let [low, high] = head.range;
        if !low.is_finite() || !high.is_finite() || low == high {
            return refuse("the range of the value head is empty");
        }
        let outputs = match head.outputs {
            Values::Viewer => 1,
            Values::Players => self.ports.players,
        };
        let made = self.multiply(name, from, outputs, None, head.initial)?;
        self.activate(made, head.activation)
    }

    fn multiply(
        &mut self,
        name: &str,
        from: usize,
        size: usize,
        norm: Option<f32>,
        initial: Initial,
    ) -> Result<usize, DescriptionError> {
        let inputs = self.nodes[from].size.count();
        let role = Role::Weight { inputs, outputs: size, initial, lines: false, frozen: 0 };
        let weight = self.parameter(format!("{name}.weight"), vec![inputs, size], role)?;
        let bias = self.bias(name, size, norm)?;
        self.push(Operation::Dense { weight, bias }, vec![from], Size::vector(size))
    }

    /// A norm would take a bias away again.
    fn bias(&mut self, name: &str, size: usize, norm: Option<f32>) -> Result<Option<usize>, DescriptionError> {
        match norm {
            Some(_) => Ok(None),
            None => self.parameter(format!("{name}.bias"), vec![size], Role::Bias).map(Some),
        }
    }

    fn normalise(&mut self, name: &str, from: usize, norm: Option<f32>) -> Result<usize, DescriptionError> {
        let Some(momentum) = norm else { return Ok(from) };
        if !(momentum > 0.0 && momentum <= 1.0) {
            return refuse(format!("{name}: norm is {momentum}, not above 0 and at most 1"));
        }
        let size = self.nodes[from].size;
        let mut parameter = |what: &str, role| self.parameter(format!("{name}.norm.{what}"), vec![size.channels], role);
        let scale = parameter("scale", Role::Scale)?;
        let offset = parameter("offset", Role::Bias)?;
        let mean = parameter("mean", Role::Mean)?;
        let variance = parameter("variance", Role::Variance)?;
        self.push(Operation::Norm { scale, offset, mean, variance, momentum }, vec![from], size)
    }

    fn activate(&mut self, from: usize, activation: Activation) -> Result<usize, DescriptionError> {
        if activation == Activation::Identity {
            return Ok(from);
        }
        let size = self.nodes[from].size;
        self.push(Operation::Activation(activation), vec![from], size)
    }

    fn drop_out(&mut self, name: &str, from: usize, rate: f32) -> Result<usize, DescriptionError> {
        if !(0.0..1.0).contains(&rate) {
            return refuse(format!("{name}: dropout is {rate}, not at least 0 and below 1"));
        }
        if rate == 0.0 {
            return Ok(from);
        }
        let size = self.nodes[from].size;
        self.push(Operation::Dropout(rate), vec![from], size)
    }

    fn parameter(&mut self, name: String, shape: Vec<usize>, role: Role) -> Result<usize, DescriptionError> {
        if shape.contains(&0) || shape.last().is_some_and(|&side| side > WIDEST) {
            return refuse(format!("{name}: a size is 0 or above {WIDEST}"));
        }
        let count = shape.iter().try_fold(1usize, |product, &side| product.checked_mul(side));
        self.weights = count.and_then(|count| self.weights.checked_add(count)).unwrap_or(usize::MAX);
        if self.weights > MOST_PARAMETERS {
            return refuse(format!("{name}: the network has more than {MOST_PARAMETERS} parameters"));
        }
        self.parameters.push(ParameterInfo { name, shape, role });
        Ok(self.parameters.len() - 1)
    }
}

//! A network made ready for inference: layers with their weights packed, norms folded into them, and
//! what follows a layer done with it.

use crate::description::Activation;
use crate::folded::affine;
use crate::graph::{Graph, Operation, Size};
use crate::kernels::{Aligned, Finish, Instructions, Packed, padded};
use crate::model::Model;
use crate::parameters::unless_negligible;

/// What is done for a batch, one after the other.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) instructions: Instructions,
    pub(super) steps: Vec<Step>,
    /// Floats for each sample.
    pub(super) buffers: Vec<usize>,
    pub(super) policy: Option<Output>,
    pub(super) value: Option<Output>,
}

/// Where an output lies, and how much of it is no padding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    pub(super) buffer: usize,
    pub(super) stride: usize,
    pub(super) count: usize,
}

#[derive(Debug)]
pub(super) enum Step {
    /// A convolution, or a multiplication if the board has one field.
    Layer(Layer),
    /// A multiplication of the raw input, of which most is 0.
    Rows(Rows),
    /// Copies parts of inputs and of other buffers into one row.
    Join { parts: Vec<Part>, to: usize },
}

#[derive(Debug)]
pub(super) struct Layer {
    pub(super) from: Place,
    pub(super) size: Size,
    pub(super) weights: Packed,
    /// Of a multiplication, the same weights with a row for each input: a sum of rows is the faster way for few samples.
    pub(super) rows: Option<Aligned>,
    pub(super) skip: Option<usize>,
    pub(super) activation: Activation,
    pub(super) to: usize,
}

/// Rows of the matrix belong to inputs.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) matrix: Aligned,
    pub(super) bias: Aligned,
    pub(super) activation: Activation,
    pub(super) to: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) from: Place,
    /// Copied floats: `fields` times `channels`, of which each field has `stride` where it lies.
    pub(super) fields: usize,
    pub(super) channels: usize,
    pub(super) stride: usize,
    /// In the row that is made.
    pub(super) offset: usize,
    pub(super) target_stride: usize,
}

/// Where values lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the input, from there on.
    Input(usize),
    Buffer(usize),
}

/// How the result of a node is stored.
#[derive(Clone, Debug)]
struct Stored {
    place: Place,
    /// Of one field.
    channels: usize,
    /// Where each of its values lies.
    positions: Vec<u32>,
    /// Floats for each sample.
    length: usize,
    /// The inputs that it is made of, if it is nothing else.
    raw: Option<Raw>,
}

#[derive(Clone, Copy, Debug)]
struct Raw {
    first: usize,
    count: usize,
}

/// How finished sums are stored by the kernels; other activations follow in a pass of their own.
pub(super) fn finish(activation: Activation) -> Finish {
    match activation {
        Activation::Relu => Finish::Relu,
        Activation::RandomisedRelu => Finish::Leaky(Activation::SLOPE),
        Activation::Identity | Activation::Selu | Activation::Tanh => Finish::None,
    }
}

impl Plan {
    pub(super) fn new(model: &Model, instructions: Instructions) -> Plan {
        let mut planner = Planner::new(model, instructions);
        for node in 0..model.graph.nodes.len() {
            planner.plan(node);
        }
        let output = |node: usize| {
            let Stored { place: Place::Buffer(buffer), length, .. } = planner.stored(node) else {
                unreachable!("a head ends in a layer")
            };
            Output { buffer: *buffer, stride: *length, count: model.graph.nodes[node].size.channels }
        };
        let (policy, value) = (model.graph.policy.map(output), model.graph.value.map(output));
        Plan { instructions, policy, value, steps: planner.steps, buffers: planner.buffers }
    }

    /// Whether the input of `length` floats goes as a whole into one first layer, of which the sums
    /// for a state can be shared by its actions.
    pub(super) fn begins_with_rows(&self, length: usize) -> bool {
        !self.steps.iter().any(|step| step.takes_part_of_input(length))
    }
}

impl Step {
    /// Whether it takes a part of the input of `length` floats other than all of it as rows.
    fn takes_part_of_input(&self, length: usize) -> bool {
        match self {
            Step::Layer(layer) => matches!(layer.from, Place::Input(_)),
            Step::Rows(rows) => rows.count != length,
            Step::Join { parts, .. } => parts.iter().any(|part| matches!(part.from, Place::Input(_))),
        }
    }
}

struct Planner<'a> {
    model: &'a Model,
    instructions: Instructions,
    steps: Vec<Step>,
    buffers: Vec<usize>,
    /// By node.
    stored: Vec<Option<Stored>>,
    /// The nodes that take the result of each node.
    consumers: Vec<Vec<usize>>,
}

/// What follows a layer and is done with it.
struct Following {
    norm: Option<Operation>,
    skip: Option<usize>,
    activation: Activation,
    /// The node with the result.
    last: usize,
}

impl<'a> Planner<'a> {
    fn new(model: &'a Model, instructions: Instructions) -> Planner<'a> {
        let nodes = &model.graph.nodes;
        let mut consumers = vec![Vec::new(); nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            node.inputs.iter().for_each(|&from| consumers[from].push(number));
        }
        Planner {
            model,
            instructions,
            steps: Vec::new(),
            buffers: Vec::new(),
            stored: vec![None; nodes.len()],
            consumers,
        }
    }

    fn graph(&self) -> &'a Graph {
        &self.model.graph
    }

    fn stored(&self, node: usize) -> &Stored {
        self.stored[node].as_ref().expect("nodes come after those they take")
    }

    fn plan(&mut self, number: usize) {
        if self.stored[number].is_some() {
            return; // done with the layer before it
        }
        let node = &self.graph().nodes[number];
        let vector = self.graph().ports.shape().len() - self.graph().ports.vector;
        match node.operation {
            Operation::Planes => self.stored[number] = Some(Stored::input(0, node.size)),
            Operation::Vector => self.stored[number] = Some(Stored::input(vector, node.size)),
            Operation::Action => {
                self.stored[number] = Some(Stored::input(self.graph().ports.shape().len(), node.size));
            }
            Operation::Convolution { weight, bias, kernel } => self.convolution(number, weight, bias, kernel),
            Operation::Dense { weight, bias } => self.dense(number, weight, bias),
            Operation::Join => self.join(number),
            // After training nothing is left out.
            Operation::Dropout(_) => self.stored[number] = Some(self.stored(node.inputs[0]).clone()),
            Operation::Norm { .. } | Operation::Activation(_) | Operation::Add => {
                unreachable!("norms, activations and sums follow a layer")
            }
        }
    }

    /// Looks along the nodes after a layer as long as they can be done with it.
    fn following(&self, layer: usize) -> Following {
        let mut following = Following { norm: None, skip: None, activation: Activation::Identity, last: layer };
        while let [next] = self.consumers[following.last][..] {
            let node = &self.graph().nodes[next];
            let is_plain = following.activation == Activation::Identity;
            match node.operation {
                Operation::Dropout(_) => {}
                Operation::Norm { .. } if is_plain && following.norm.is_none() && following.skip.is_none() => {
                    following.norm = Some(node.operation);
                }
                Operation::Add if is_plain && following.skip.is_none() => {
                    let other = node.inputs.iter().copied().find(|&input| input != following.last);
                    following.skip = Some(other.expect("a sum of two nodes"));
                }
                Operation::Activation(activation) if is_plain => following.activation = activation,
                _ => break,
            }
            following.last = next;
        }
        following
    }

    /// The factor and the offset of each output that a norm comes to, with the bias.
    fn affine(&self, outputs: usize, norm: Option<Operation>, bias: Option<usize>) -> (Vec<f32>, Vec<f32>) {
        let values = &self.model.parameters.0;
        let bias = bias.map_or(vec![0.0; outputs], |bias| values[bias].clone());
        let Some(Operation::Norm { scale, offset, mean, variance, .. }) = norm else {
            return (vec![1.0; outputs], bias);
        };
        affine([scale, offset, mean, variance].map(|part| &*values[part]), &bias)
    }

    fn buffer(&mut self, length: usize) -> usize {
        self.buffers.push(length);
        self.buffers.len() - 1
    }

    /// Notes the result of a layer for all nodes that were done with it.
    fn note(&mut self, layer: usize, last: usize, stored: Stored) {
        let mut node = layer;
        while node != last {
            self.stored[node] = Some(stored.clone());
            node = self.consumers[node][0];
        }
        self.stored[last] = Some(stored);
    }

    /// The buffer with a node's result, to which input is copied first.
    fn in_buffer(&mut self, node: usize) -> usize {
        if let Place::Buffer(buffer) = self.stored(node).place {
            return buffer;
        }
        let size = self.graph().nodes[node].size;
        let stored = Stored::buffer(self.buffers.len(), size);
        let to = self.buffer(stored.length);
        let part = self.part(node, 0, stored.channels);
        self.steps.push(Step::Join { parts: vec![part], to });
        self.stored[node] = Some(stored);
        to
    }

    fn part(&self, node: usize, offset: usize, target_stride: usize) -> Part {
        let Size { channels, .. } = self.graph().nodes[node].size;
        let fields = self.graph().nodes[node].size.fields();
        let stored = self.stored(node);
        Part { from: stored.place, fields, channels, stride: stored.channels, offset, target_stride }
    }

    fn convolution(&mut self, number: usize, weight: usize, bias: Option<usize>, kernel: usize) {
        let node = &self.graph().nodes[number];
        let channels = self.graph().nodes[node.inputs[0]].size.channels;
        let following = self.following(number);
        let skip = following.skip.map(|skip| self.in_buffer(skip));
        let from = self.stored(node.inputs[0]).clone();
        let filters = node.size.channels;
        let (factors, offsets) = self.affine(filters, following.norm, bias);
        let values = &self.model.parameters.0[weight];
        let mut weights = Packed::zeroed(self.instructions, kernel, from.channels, filters);
        weights.fill(|place, input, output| match input < channels && output < filters {
            true => unless_negligible(values[(place * channels + input) * filters + output] * factors[output]),
            false => 0.0,
        });
        weights.bias_mut()[..filters].copy_from_slice(&offsets);
        let stored = Stored::buffer(self.buffers.len(), node.size);
        let to = self.buffer(stored.length);
        let activation = following.activation;
        let from = from.place;
        self.steps.push(Step::Layer(Layer { from, size: node.size, weights, rows: None, skip, activation, to }));
        self.note(number, following.last, stored);
    }

    fn dense(&mut self, number: usize, weight: usize, bias: Option<usize>) {
        let node = &self.graph().nodes[number];
        let outputs = node.size.channels;
        let following = self.following(number);
        debug_assert!(following.skip.is_none(), "dense layers have no skips");
        let (factors, offsets) = self.affine(outputs, following.norm, bias);
        let values = &self.model.parameters.0[weight];
        let from = self.stored(node.inputs[0]).clone();
        let stored = Stored::buffer(self.buffers.len(), node.size);
        let to = self.buffer(stored.length);
        let activation = following.activation;
        let step = match from.raw {
            Some(raw) => {
                let matrix = rows(values, &factors, (0..values.len() / outputs).map(Some));
                let mut bias = Aligned::zeroed(padded(outputs));
                bias[..outputs].copy_from_slice(&offsets);
                let Raw { first, count } = raw;
                Step::Rows(Rows { first, count, matrix, bias, activation, to })
            }
            None => {
                let mut of_position = vec![None; from.length];
                for (input, &position) in from.positions.iter().enumerate() {
                    of_position[position as usize] = Some(input);
                }
                let mut weights = Packed::zeroed(self.instructions, 1, from.length, outputs);
                weights.fill(|_, position, output| match of_position[position] {
                    Some(input) if output < outputs => {
                        unless_negligible(values[input * outputs + output] * factors[output])
                    }
                    _ => 0.0,
                });
                weights.bias_mut()[..outputs].copy_from_slice(&offsets);
                let rows = rows(values, &factors, of_position.iter().copied());
                let size = Size::vector(outputs);
                let (from, rows) = (from.place, Some(rows));
                Step::Layer(Layer { from, size, weights, rows, skip: None, activation, to })
            }
        };
        self.steps.push(step);
        self.note(number, following.last, stored);
    }

    fn join(&mut self, number: usize) {
        let node = &self.graph().nodes[number];
        if let Some(stored) = self.joined_inputs(&node.inputs) {
            self.stored[number] = Some(stored);
            return;
        }
        let mut parts = Vec::new();
        let mut positions = Vec::new();
        let mut length = 0;
        for &input in &node.inputs {
            let size = self.graph().nodes[input].size;
            let stride = padded(size.channels);
            parts.push(self.part(input, length, stride));
            let first = length as u32;
            positions.extend((0..size.count()).map(|value| first + position(value, size.channels, stride)));
            length += size.fields() * stride;
        }
        let to = self.buffer(length);
        self.steps.push(Step::Join { parts, to });
        let stored = Stored { place: Place::Buffer(to), channels: length, positions, length, raw: None };
        self.stored[number] = Some(stored);
    }

    /// Parts of the input that lie one after the other need not be copied.
    fn joined_inputs(&self, nodes: &[usize]) -> Option<Stored> {
        let mut joined: Option<Raw> = None;
        for &node in nodes {
            let raw = self.stored(node).raw?;
            joined = Some(match joined {
                None => raw,
                Some(before) if raw.first == before.first + before.count => {
                    Raw { first: before.first, count: before.count + raw.count }
                }
                Some(_) => return None,
            });
        }
        let raw = joined?;
        let length = raw.count;
        Some(Stored { place: Place::Input(raw.first), channels: length, positions: Vec::new(), length, raw: Some(raw) })
    }
}

/// Weights by input and padded output, the rows in the order of these inputs; zeros where there is none.
fn rows(weights: &[f32], factors: &[f32], inputs: impl ExactSizeIterator<Item = Option<usize>>) -> Aligned {
    let outputs = factors.len();
    let width = padded(outputs);
    let mut matrix = Aligned::zeroed(inputs.len() * width);
    for (row, input) in matrix.chunks_exact_mut(width).zip(inputs) {
        let Some(input) = input else { continue };
        let weights = weights[input * outputs..][..outputs].iter().zip(factors);
        row.iter_mut().zip(weights).for_each(|(to, (weight, factor))| *to = unless_negligible(weight * factor));
    }
    matrix
}

/// Where a value lies if the channels of each field are padded.
fn position(value: usize, channels: usize, stride: usize) -> u32 {
    (value / channels * stride + value % channels) as u32
}

impl Stored {
    fn input(first: usize, size: Size) -> Stored {
        let length = size.count();
        Stored {
            place: Place::Input(first),
            channels: size.channels,
            positions: (0..length as u32).collect(),
            length,
            raw: Some(Raw { first, count: length }),
        }
    }

    fn buffer(number: usize, size: Size) -> Stored {
        let channels = padded(size.channels);
        Stored {
            place: Place::Buffer(number),
            channels,
            positions: (0..size.count()).map(|value| position(value, size.channels, channels)).collect(),
            length: size.fields() * channels,
            raw: None,
        }
    }
}

//! Where the results of a network's nodes are kept, and what its layers look like to the kernels.
//!
//! Every field of a result has room for a multiple of eight channels; what is beyond its own
//! channels is 0.

use meeple_network::kernels::{Boards, Instructions, Packed, padded};
use meeple_network::{Graph, Node, Operation, Size};

use crate::Batch;

#[derive(Debug)]
pub(super) struct Plan {
    pub graph: Graph,
    pub places: Vec<Place>,
    /// Floats of each buffer for one sample.
    pub buffers: Vec<usize>,
    /// Whether the loss depends on any parameter through the node.
    pub is_learnt: Vec<bool>,
    /// Of each node that is a convolution or a dense layer.
    pub layers: Vec<Option<Layer>>,
    /// The number of each norm among the norms.
    pub norms: Vec<Option<usize>>,
    pub instructions: Instructions,
}

/// Where the result of a node is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub source: Source,
    /// Floats from one sample to the next.
    pub stride: usize,
    /// Room for the channels of a field.
    pub room: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// In the inputs of the batch, from this place of a sample on.
    Batch(usize),
    Buffer(usize),
}

/// Weights as the kernels see them: a dense layer is a convolution with one field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    pub weight: usize,
    pub bias: Option<usize>,
    pub kernel: usize,
    /// Of one place of the kernel, as stored.
    pub inputs: usize,
    /// Room for the channels of a field of the input, and how many there are.
    pub room: usize,
    pub channels: usize,
    pub outputs: usize,
}

impl Layer {
    /// The input that the weights know, of one that is stored; none for what fills up the room.
    fn input(&self, stored: usize) -> Option<usize> {
        let (field, channel) = (stored / self.room, stored % self.room);
        (channel < self.channels).then_some(field * self.channels + channel)
    }

    /// Of one place of the kernel, without what fills up the room.
    fn true_inputs(&self) -> usize {
        self.inputs.div_ceil(self.room) * self.channels
    }

    /// Takes the gradient of the weights out of one with room.
    pub(super) fn unpack(&self, stored: &[f32], mut to: impl FnMut(usize, &[f32])) {
        let rows = stored.chunks_exact(padded(self.outputs));
        for (row, slopes) in rows.take(self.kernel * self.kernel * self.inputs).enumerate() {
            let (place, stored) = (row / self.inputs, row % self.inputs);
            if let Some(input) = self.input(stored) {
                to((place * self.true_inputs() + input) * self.outputs, &slopes[..self.outputs]);
            }
        }
    }

    pub(super) fn forwards(&self, instructions: Instructions) -> Packed {
        Packed::zeroed(instructions, self.kernel, self.inputs, self.outputs)
    }

    /// For the gradient of the input: from outputs to inputs.
    pub(super) fn backwards(&self, instructions: Instructions) -> Packed {
        Packed::zeroed(instructions, self.kernel, padded(self.outputs), self.inputs)
    }

    pub(super) fn fill_forwards(&self, packed: &mut Packed, weights: &[f32], bias: Option<&[f32]>) {
        let (of_place, outputs) = (self.true_inputs(), self.outputs);
        packed.fill(|place, input, output| match self.input(input) {
            Some(input) if output < outputs => weights[(place * of_place + input) * outputs + output],
            _ => 0.0,
        });
        if let Some(bias) = bias {
            packed.bias_mut()[..outputs].copy_from_slice(bias);
        }
    }

    pub(super) fn fill_backwards(&self, packed: &mut Packed, weights: &[f32]) {
        let (of_place, outputs) = (self.true_inputs(), self.outputs);
        let last = self.kernel * self.kernel - 1;
        packed.fill(|place, output, input| match (input < self.inputs).then(|| self.input(input)).flatten() {
            Some(input) if output < outputs => weights[((last - place) * of_place + input) * outputs + output],
            _ => 0.0,
        });
    }
}

impl Plan {
    pub(super) fn new(graph: &Graph, instructions: Instructions) -> Plan {
        let mut uses = vec![0; graph.nodes.len()];
        graph.nodes.iter().flat_map(|node| &node.inputs).for_each(|&from| uses[from] += 1);
        let mut plan = Plan {
            graph: graph.clone(),
            places: Vec::new(),
            buffers: Vec::new(),
            is_learnt: Vec::new(),
            layers: Vec::new(),
            norms: Vec::new(),
            instructions,
        };
        let mut norms = 0..;
        for node in &graph.nodes {
            let place = plan.place(node, &uses);
            plan.places.push(place);
            let has_parameters = matches!(
                node.operation,
                Operation::Convolution { .. } | Operation::Dense { .. } | Operation::Norm { .. }
            );
            plan.is_learnt.push(has_parameters || node.inputs.iter().any(|&from| plan.is_learnt[from]));
            plan.layers.push(plan.layer(node));
            let is_norm = matches!(node.operation, Operation::Norm { .. });
            plan.norms.push(if is_norm { norms.next() } else { None });
        }
        plan
    }

    pub(super) fn count_norms(&self) -> usize {
        self.norms.iter().flatten().count()
    }

    /// Activations, dropouts and sums take the place of their first input if nobody else needs it;
    /// an activation needs its own result to run backwards.
    fn place(&mut self, node: &Node, uses: &[usize]) -> Place {
        let ports = &self.graph.ports;
        let source = match node.operation {
            Operation::Planes => Source::Batch(0),
            Operation::Vector => Source::Batch(ports.shape().len() - ports.vector),
            _ => {
                let may_replace =
                    matches!(node.operation, Operation::Activation(_) | Operation::Dropout(_) | Operation::Add);
                let is_needed = |from: usize| {
                    uses[from] > 1 || matches!(self.graph.nodes[from].operation, Operation::Activation(_))
                };
                match node.inputs.first().map(|&from| (self.places[from].source, is_needed(from))) {
                    Some((source @ Source::Buffer(_), false)) if may_replace => source,
                    _ => {
                        self.buffers.push(stored(node.size));
                        Source::Buffer(self.buffers.len() - 1)
                    }
                }
            }
        };
        match source {
            Source::Batch(_) => Place { source, stride: ports.shape().len(), room: node.size.channels },
            Source::Buffer(_) => Place { source, stride: stored(node.size), room: padded(node.size.channels) },
        }
    }

    fn layer(&self, node: &Node) -> Option<Layer> {
        let (weight, bias, kernel) = match node.operation {
            Operation::Convolution { weight, bias, kernel } => (weight, bias, kernel),
            Operation::Dense { weight, bias } => (weight, bias, 1),
            _ => return None,
        };
        let (size, place) = (self.graph.nodes[node.inputs[0]].size, self.places[node.inputs[0]]);
        let is_dense = matches!(node.operation, Operation::Dense { .. });
        let inputs = match is_dense {
            true if size.fields() == 1 => size.channels,
            true => size.fields() * place.room,
            false => place.room,
        };
        Some(Layer {
            weight,
            bias,
            kernel,
            inputs,
            room: place.room,
            channels: size.channels,
            outputs: node.size.channels,
        })
    }

    /// Whether a layer sees the vector of the input, and its weights are as the kernels want rows of a matrix.
    pub(super) fn is_vector_layer(&self, number: usize, layer: &Layer) -> bool {
        let from = self.graph.nodes[number].inputs[0];
        matches!(self.graph.nodes[from].operation, Operation::Vector) && layer.outputs == padded(layer.outputs)
    }

    /// What a layer takes, of samples whose results are in `values`.
    pub(super) fn input<'a>(&self, number: usize, layer: &Layer, values: &'a [f32], count: usize) -> Boards<'a> {
        let from = self.graph.nodes[number].inputs[0];
        let (Size { rows, columns, .. }, stride) = (self.graph.nodes[from].size, self.places[from].stride);
        match self.graph.nodes[number].operation {
            Operation::Dense { .. } => Boards::rows(values, stride, count, layer.inputs),
            _ => Boards { values, stride, count, rows, columns, channels: layer.room },
        }
    }

    /// The inputs of samples from `first` on, from the place in each on where those of a node begin.
    pub(super) fn batch<'a>(&self, batch: &'a Batch, first: usize, offset: usize) -> &'a [f32] {
        &batch.inputs[first * self.graph.ports.shape().len() + offset..]
    }
}

/// Floats of one sample.
fn stored(size: Size) -> usize {
    size.fields() * padded(size.channels)
}

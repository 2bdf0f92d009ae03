//! The network as its graph says it, in plain loops: what the fast code is held to. Slow.

use crate::description::Activation;
use crate::graph::{Graph, NORM_EPSILON, Node, Operation};
use crate::model::Model;

/// The results of all nodes for one input. `action` is for networks with an action as input.
pub fn evaluate(model: &Model, input: &[f32], action: usize) -> Vec<Vec<f32>> {
    let Model { graph, parameters, .. } = model;
    let mut results: Vec<Vec<f32>> = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        let inputs: Vec<&[f32]> = node.inputs.iter().map(|&from| &results[from][..]).collect();
        let result = operate(graph, node, &parameters.0, &inputs, (input, action));
        debug_assert_eq!(result.len(), node.size.count());
        results.push(result);
    }
    results
}

fn operate(
    graph: &Graph,
    node: &Node,
    values: &[Vec<f32>],
    inputs: &[&[f32]],
    (input, action): (&[f32], usize),
) -> Vec<f32> {
    let planes = graph.ports.shape().len() - graph.ports.vector;
    match node.operation {
        Operation::Planes => input[..planes].to_vec(),
        Operation::Vector => input[planes..].to_vec(),
        Operation::Action => (0..node.size.channels).map(|index| f32::from(u8::from(index == action))).collect(),
        Operation::Convolution { weight, bias, kernel } => {
            let channels = graph.nodes[node.inputs[0]].size.channels;
            convolve(node, inputs[0], channels, kernel, &values[weight], bias.map(|bias| &values[bias][..]))
        }
        Operation::Dense { weight, bias } => {
            let outputs = node.size.channels;
            let mut sums = bias.map_or(vec![0.0; outputs], |bias| values[bias].clone());
            for (value, row) in inputs[0].iter().zip(values[weight].chunks(outputs)) {
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += value * weight);
            }
            sums
        }
        Operation::Norm { scale, offset, mean, variance, .. } => {
            let norm = |(place, &value): (usize, &f32)| {
                let channel = place % node.size.channels;
                let deviation = (values[variance][channel] + NORM_EPSILON).sqrt();
                (value - values[mean][channel]) / deviation * values[scale][channel] + values[offset][channel]
            };
            inputs[0].iter().enumerate().map(norm).collect()
        }
        Operation::Activation(activation) => inputs[0].iter().map(|&value| activate(activation, value)).collect(),
        Operation::Dropout(_) => inputs[0].to_vec(),
        Operation::Add => inputs[0].iter().zip(inputs[1]).map(|(a, b)| a + b).collect(),
        Operation::Join => inputs.concat(),
    }
}

fn convolve(
    node: &Node,
    input: &[f32],
    channels: usize,
    kernel: usize,
    weights: &[f32],
    bias: Option<&[f32]>,
) -> Vec<f32> {
    let (rows, columns, filters) = (node.size.rows, node.size.columns, node.size.channels);
    let mut result = Vec::with_capacity(node.size.count());
    for field in 0..rows * columns {
        let mut sums = bias.map_or(vec![0.0; filters], <[f32]>::to_vec);
        for place in 0..kernel * kernel {
            let row = field / columns + place / kernel;
            let column = field % columns + place % kernel;
            let margin = kernel / 2;
            if row < margin || column < margin || row - margin >= rows || column - margin >= columns {
                continue;
            }
            let from = ((row - margin) * columns + column - margin) * channels;
            for channel in 0..channels {
                let weights = &weights[(place * channels + channel) * filters..][..filters];
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += input[from + channel] * weight);
            }
        }
        result.extend(sums);
    }
    result
}

/// After training.
pub fn activate(activation: Activation, value: f32) -> f32 {
    match activation {
        Activation::Identity => value,
        Activation::Relu => value.max(0.0),
        Activation::RandomisedRelu if value < 0.0 => value * Activation::SLOPE,
        Activation::RandomisedRelu => value,
        Activation::Selu if value < 0.0 => Activation::SELU_SCALE * Activation::SELU_ALPHA * (libm::expf(value) - 1.0),
        Activation::Selu => Activation::SELU_SCALE * value,
        Activation::Tanh => libm::tanhf(value),
    }
}

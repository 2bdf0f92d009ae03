//! Runs networks on burn, which differentiates by itself. What does not depend on how gradients
//! come about is measured against it.
//!
//! Planes are channels first here, as burn wants them.

use burn_tensor::module::{batch_norm, batch_norm_train, conv2d};
use burn_tensor::ops::ConvOptions;
use burn_tensor::{Device, Tensor, TensorData, activation};
use meeple_network::description::Activation;
use meeple_network::{Graph, NORM_EPSILON, Node, Operation, Outputs, Parameters, Size};

use crate::{Backend, Batch, Gradients, Noise};

#[derive(Debug)]
pub struct BurnBackend {
    graph: Graph,
    device: Device,
}

impl BurnBackend {
    pub fn cpu(graph: &Graph) -> BurnBackend {
        BurnBackend::on(graph, Device::flex())
    }

    #[cfg(feature = "gpu")]
    pub fn wgpu(graph: &Graph) -> BurnBackend {
        BurnBackend::on(graph, Device::wgpu(burn_tensor::DeviceKind::DefaultDevice))
    }

    #[cfg(feature = "cuda")]
    pub fn cuda(graph: &Graph) -> BurnBackend {
        BurnBackend::on(graph, Device::cuda(0))
    }

    fn on(graph: &Graph, device: Device) -> BurnBackend {
        BurnBackend { graph: graph.clone(), device }
    }
}

impl Backend for BurnBackend {
    fn outputs(&mut self, parameters: &Parameters, batch: &Batch) -> Outputs {
        Pass::new(&self.graph, &self.device, parameters, batch, None).outputs()
    }

    fn gradients(
        &mut self,
        parameters: &Parameters,
        batch: &Batch,
        noise: &Noise,
        slopes: &mut dyn FnMut(&Outputs) -> Outputs,
        gradients: &mut Gradients,
    ) {
        let graph = &self.graph;
        let device = self.device.clone().autodiff();
        let pass = Pass::new(graph, &device, parameters, batch, Some(noise));
        let slopes = slopes(&pass.outputs());
        // A sum whose gradients are those of the loss.
        let heads = [(graph.policy, slopes.policy), (graph.value, slopes.values)];
        let sums = heads.into_iter().filter_map(|(head, slopes)| {
            let output = pass.values[head?].clone().flat();
            let slopes = Tensor::from_data(TensorData::new(slopes, output.shape()), &device);
            Some((output * slopes).sum())
        });
        let sum = sums.reduce(|a, b| a + b).expect("a network has a head");
        let mut found = sum.backward();
        for (number, leaf) in pass.leaves.iter().enumerate() {
            // Means and variances have none, nor does what no head depends on.
            match leaf.grad_remove(&mut found) {
                Some(gradient) => gradients.0[number] = numbers(gradient),
                None => gradients.0[number].fill(0.0),
            }
        }
        for (number, statistic) in pass.statistics {
            gradients.0[number] = numbers(statistic);
        }
    }
}

fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_into_vec().expect("floats")
}

/// The result of a node for all samples.
#[derive(Clone)]
enum Value {
    Planes(Tensor<4>),
    Vector(Tensor<2>),
}

impl Value {
    /// As one vector for each sample, channels last.
    fn flat(self) -> Tensor<2> {
        match self {
            Value::Planes(planes) => planes.permute([0, 2, 3, 1]).flatten(1, 3),
            Value::Vector(vector) => vector,
        }
    }

    fn planes(self) -> Tensor<4> {
        match self {
            Value::Planes(planes) => planes,
            Value::Vector(_) => unreachable!("a convolution is over planes"),
        }
    }
}

/// The network run forwards on a batch.
struct Pass<'a> {
    graph: &'a Graph,
    device: &'a Device,
    batch: &'a Batch,
    /// None after training.
    noise: Option<&'a Noise>,
    /// All parameters, flat.
    leaves: Vec<Tensor<1>>,
    /// The results of the nodes so far.
    values: Vec<Value>,
    /// Means and variances of the batch, by the numbers of their parameters.
    statistics: Vec<(usize, Tensor<1>)>,
}

impl<'a> Pass<'a> {
    fn new(
        graph: &'a Graph,
        device: &'a Device,
        parameters: &Parameters,
        batch: &'a Batch,
        noise: Option<&'a Noise>,
    ) -> Pass<'a> {
        let leaf = |values: &Vec<f32>| {
            let leaf = Tensor::from_data(TensorData::new(values.clone(), [values.len()]), device);
            if noise.is_some() { leaf.require_grad() } else { leaf }
        };
        let leaves = parameters.0.iter().map(leaf).collect();
        let mut pass = Pass { graph, device, batch, noise, leaves, values: Vec::new(), statistics: Vec::new() };
        for (number, node) in graph.nodes.iter().enumerate() {
            let value = pass.operate(number, node);
            pass.values.push(value);
        }
        pass
    }

    fn outputs(&self) -> Outputs {
        let read = |head: Option<usize>| head.map_or(Vec::new(), |node| numbers(self.values[node].clone().flat()));
        Outputs { policy: read(self.graph.policy), values: read(self.graph.value) }
    }

    fn operate(&mut self, number: usize, node: &Node) -> Value {
        let count = self.batch.count;
        let input = |place: usize| self.values[node.inputs[place]].clone();
        match node.operation {
            Operation::Planes => Value::Planes(self.planes(self.input(0..node.size.count()), node.size)),
            Operation::Vector => {
                let length = self.graph.ports.shape().len();
                Value::Vector(self.vector(self.input(length - node.size.channels..length), node.size.channels))
            }
            Operation::Action => {
                let mut one_hot = vec![0.0; count * node.size.channels];
                let rows = one_hot.chunks_exact_mut(node.size.channels);
                rows.zip(&self.batch.actions).for_each(|(row, &action)| row[action as usize] = 1.0);
                Value::Vector(self.vector(one_hot, node.size.channels))
            }
            Operation::Convolution { weight, bias, kernel } => {
                let channels = self.graph.nodes[node.inputs[0]].size.channels;
                let weight = self.leaves[weight].clone().reshape([kernel, kernel, channels, node.size.channels]);
                let weight = weight.permute([3, 2, 0, 1]);
                let bias = bias.map(|bias| self.leaves[bias].clone());
                let options = ConvOptions::new([1, 1], [kernel / 2, kernel / 2], [1, 1], 1);
                Value::Planes(conv2d(input(0).planes(), weight, bias, options))
            }
            Operation::Dense { weight, bias } => {
                let input = input(0).flat();
                let weight = self.leaves[weight].clone().reshape([input.dims()[1], node.size.channels]);
                let result = input.matmul(weight);
                Value::Vector(match bias {
                    Some(bias) => result + self.leaves[bias].clone().reshape([1, node.size.channels]),
                    None => result,
                })
            }
            Operation::Norm { .. } => match input(0) {
                Value::Planes(planes) => Value::Planes(self.normalise(node, planes)),
                Value::Vector(vector) => Value::Vector(self.normalise(node, vector)),
            },
            Operation::Activation(activation) => {
                let slopes = self.factors(number, node.size);
                match (input(0), slopes) {
                    (Value::Planes(x), Some(Value::Planes(slopes))) => {
                        Value::Planes(activate(activation, x, Some(slopes)))
                    }
                    (Value::Vector(x), Some(Value::Vector(slopes))) => {
                        Value::Vector(activate(activation, x, Some(slopes)))
                    }
                    (Value::Planes(x), _) => Value::Planes(activate(activation, x, None)),
                    (Value::Vector(x), _) => Value::Vector(activate(activation, x, None)),
                }
            }
            Operation::Dropout(_) => match (input(0), self.factors(number, node.size)) {
                (Value::Planes(x), Some(Value::Planes(factors))) => Value::Planes(x * factors),
                (Value::Vector(x), Some(Value::Vector(factors))) => Value::Vector(x * factors),
                (x, _) => x,
            },
            Operation::Add => match (input(0), input(1)) {
                (Value::Planes(a), Value::Planes(b)) => Value::Planes(a + b),
                (a, b) => Value::Vector(a.flat() + b.flat()),
            },
            Operation::Join => {
                let parts = node.inputs.iter().map(|&from| self.values[from].clone().flat());
                Value::Vector(Tensor::cat(parts.collect(), 1))
            }
        }
    }

    /// A part of the input of each sample.
    fn input(&self, part: std::ops::Range<usize>) -> Vec<f32> {
        let samples = self.batch.inputs.chunks_exact(self.graph.ports.shape().len());
        samples.flat_map(|sample| &sample[part.clone()]).copied().collect()
    }

    /// The noise of a node, if it has any.
    fn factors(&self, number: usize, size: Size) -> Option<Value> {
        let factors = &self.noise?.0[number];
        match factors.is_empty() {
            true => None,
            false if size.fields() == 1 => Some(Value::Vector(self.vector(factors.clone(), size.channels))),
            false => Some(Value::Planes(self.planes(factors.clone(), size))),
        }
    }

    fn vector(&self, values: Vec<f32>, channels: usize) -> Tensor<2> {
        Tensor::from_data(TensorData::new(values, [self.batch.count, channels]), self.device)
    }

    /// Of channels-last numbers.
    fn planes(&self, values: Vec<f32>, size: Size) -> Tensor<4> {
        let shape = [self.batch.count, size.rows, size.columns, size.channels];
        Tensor::from_data(TensorData::new(values, shape), self.device).permute([0, 3, 1, 2])
    }

    fn normalise<const D: usize>(&mut self, node: &Node, x: Tensor<D>) -> Tensor<D> {
        let Operation::Norm { scale, offset, mean, variance, .. } = node.operation else { unreachable!("a norm") };
        let leaf = |number: usize| self.leaves[number].clone();
        let epsilon = f64::from(NORM_EPSILON);
        if self.noise.is_none() {
            return batch_norm(x, leaf(scale), leaf(offset), leaf(mean), leaf(variance), epsilon);
        }
        let result = batch_norm_train(x, leaf(scale), leaf(offset), epsilon);
        let values = self.batch.count * node.size.fields();
        let unbiased = values as f64 / (values - 1).max(1) as f64;
        self.statistics.push((mean, result.mean));
        self.statistics.push((variance, result.variance * unbiased));
        result.output
    }
}

/// `slopes` are those of a randomised ReLU in training.
fn activate<const D: usize>(activation: Activation, x: Tensor<D>, slopes: Option<Tensor<D>>) -> Tensor<D> {
    match (activation, slopes) {
        (Activation::Identity, _) => x,
        (Activation::Relu, _) => activation::relu(x),
        (Activation::RandomisedRelu, Some(slopes)) => activation::relu(x.clone()) - activation::relu(-x) * slopes,
        (Activation::RandomisedRelu, None) => activation::leaky_relu(x, f64::from(Activation::SLOPE)),
        (Activation::Selu, _) => {
            let negative = (x.clone().clamp_max(0.0).exp() - 1.0) * Activation::SELU_ALPHA;
            (activation::relu(x) + negative) * Activation::SELU_SCALE
        }
        (Activation::Tanh, _) => activation::tanh(x),
    }
}

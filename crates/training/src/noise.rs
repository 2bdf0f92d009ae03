//! The random numbers of one step, drawn beforehand so that every backend uses the same.

use meeple_core::Rng;
use meeple_network::description::Activation;
use meeple_network::{Graph, Operation};

/// For every node of a graph the factors of its samples and elements, channels last; empty for
/// nodes without randomness. Of a dropout, 0 or what makes up for the zeros; of a randomised ReLU,
/// the slopes for negative inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Noise(pub Vec<Vec<f32>>);

impl Noise {
    pub fn draw(graph: &Graph, count: usize, rng: &mut Rng) -> Noise {
        let mut noise = Noise::default();
        noise.redraw(graph, count, rng);
        noise
    }

    /// What all draws are in the mean: a network that learns as it plays.
    pub fn set_to_mean(&mut self, graph: &Graph, count: usize) {
        self.0.resize(graph.nodes.len(), Vec::new());
        for (node, factors) in graph.nodes.iter().zip(&mut self.0) {
            factors.clear();
            let numbers = count * node.size.count();
            match node.operation {
                Operation::Dropout(_) => factors.resize(numbers, 1.0),
                Operation::Activation(Activation::RandomisedRelu) => factors.resize(numbers, Activation::SLOPE),
                _ => {}
            }
        }
    }

    /// As [`Noise::draw`], in the same memory.
    pub fn redraw(&mut self, graph: &Graph, count: usize, rng: &mut Rng) {
        self.0.resize(graph.nodes.len(), Vec::new());
        for (node, factors) in graph.nodes.iter().zip(&mut self.0) {
            let numbers = count * node.size.count();
            match node.operation {
                Operation::Dropout(rate) => {
                    let kept = 1.0 / (1.0 - rate);
                    fill(factors, numbers, rng, |unit| if unit < rate { 0.0 } else { kept });
                }
                Operation::Activation(Activation::RandomisedRelu) => {
                    let [low, high] = Activation::SLOPES;
                    fill(factors, numbers, rng, |unit| low + unit * (high - low));
                }
                _ => factors.clear(),
            }
        }
    }
}

/// Numbers made of others that are uniform in [0, 1), two of 24 bits from one draw.
fn fill(factors: &mut Vec<f32>, count: usize, rng: &mut Rng, make: impl Fn(f32) -> f32) {
    factors.resize(count, 0.0);
    let unit = |bits: u64| (bits as u32 >> 8) as f32 * (1.0 / (1 << 24) as f32);
    for pair in factors.chunks_mut(2) {
        let bits = rng.next_u64();
        for (factor, bits) in pair.iter_mut().zip([bits >> 32, bits]) {
            *factor = make(unit(bits));
        }
    }
}

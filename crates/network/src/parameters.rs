//! The numbers that a network has learnt: what each belongs to, and how it begins.

use meeple_core::Rng;

use crate::description::Initial;
use crate::graph::Graph;

#[derive(Clone, Debug, PartialEq)]
pub struct ParameterInfo {
    pub name: String,
    pub shape: Vec<usize>,
    pub role: Role,
}

impl ParameterInfo {
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether training changes it by its gradient; means and variances follow the batches instead.
    pub fn is_learnt(&self) -> bool {
        !matches!(self.role, Role::Mean | Role::Variance)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role {
    /// Outputs are the last side of the shape; the first `frozen` of them never change.
    Weight {
        inputs: usize,
        outputs: usize,
        initial: Initial,
        lines: bool,
        frozen: usize,
    },
    Bias,
    Scale,
    Mean,
    Variance,
}

/// Kernels of thesis 000, equation 7.1, by row and column.
pub const LINES: [[[f32; 3]; 3]; 4] = [
    [[-1.0, 2.0, -1.0], [-1.0, 2.0, -1.0], [-1.0, 2.0, -1.0]],
    [[-1.0, -1.0, -1.0], [2.0, 2.0, 2.0], [-1.0, -1.0, -1.0]],
    [[-1.0, -1.0, 2.0], [-1.0, 2.0, -1.0], [2.0, -1.0, -1.0]],
    [[2.0, -1.0, -1.0], [-1.0, 2.0, -1.0], [-1.0, -1.0, 2.0]],
];

/// What is closer to 0 than this counts as 0. Weights and moments that nothing holds on to shrink without end, and
/// processors take a hundred times as long for the smallest numbers that there are.
const NEGLIGIBLE: f32 = 1e-20;

/// The value, or 0 in the place of one that is as good as 0.
#[inline]
pub fn unless_negligible(value: f32) -> f32 {
    if value.abs() < NEGLIGIBLE { 0.0 } else { value }
}

/// Values in the order of [`Graph::parameters`].
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters(pub Vec<Vec<f32>>);

impl Parameters {
    /// As training begins.
    pub fn initial(graph: &Graph, rng: &mut Rng) -> Parameters {
        Parameters(graph.parameters.iter().map(|info| initial_values(info, rng)).collect())
    }

    pub fn count(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The share of all weights that have shrunk to nothing, and with them what the network can tell apart.
    pub fn lost_weights(&self, graph: &Graph) -> f64 {
        let weights = graph.parameters.iter().zip(&self.0).filter(|(info, _)| matches!(info.role, Role::Weight { .. }));
        let (mut lost, mut all) = (0, 0);
        for weight in weights.flat_map(|(_, values)| values) {
            lost += usize::from(weight.abs() < 1e-6);
            all += 1;
        }
        lost as f64 / all.max(1) as f64
    }

    /// The first parameter with a number that is infinite or none.
    pub fn first_broken<'a>(&self, graph: &'a Graph) -> Option<&'a str> {
        let lowest = |info: &ParameterInfo| if info.role == Role::Variance { 0.0 } else { f32::MIN };
        let broken = |(info, values): &(&'a ParameterInfo, &Vec<f32>)| {
            values.iter().any(|value| !value.is_finite() || *value < lowest(info))
        };
        graph.parameters.iter().zip(&self.0).find(broken).map(|(info, _)| &*info.name)
    }
}

fn initial_values(info: &ParameterInfo, rng: &mut Rng) -> Vec<f32> {
    match info.role {
        Role::Bias | Role::Mean => vec![0.0; info.count()],
        Role::Scale | Role::Variance => vec![1.0; info.count()],
        Role::Weight { inputs, outputs, initial, lines, .. } => {
            let spread = 2.0 / (inputs + outputs) as f64;
            let mut values: Vec<f32> = match initial {
                Initial::GlorotUniform => {
                    let bound = (3.0 * spread).sqrt();
                    (0..info.count()).map(|_| ((2.0 * rng.unit() - 1.0) * bound) as f32).collect()
                }
                Initial::GlorotNormal => (0..info.count()).map(|_| (rng.normal() * spread.sqrt()) as f32).collect(),
            };
            if lines {
                set_lines(&info.shape, &mut values);
            }
            values
        }
    }
}

/// Puts the kernels in the place of the first filters.
fn set_lines(shape: &[usize], values: &mut [f32]) {
    let (channels, filters) = (shape[2], shape[3]);
    for (filter, kernel) in LINES.iter().enumerate() {
        for (place, weight) in kernel.as_flattened().iter().enumerate() {
            for channel in 0..channels {
                values[(place * channels + channel) * filters + filter] = *weight;
            }
        }
    }
}

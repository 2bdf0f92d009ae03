//! How the loss changes with every parameter.

use meeple_network::{Graph, Role};

/// In the order of [`Graph::parameters`]. Running means and variances have none: in their place
/// stand the mean of the batch and its unbiased variance, since they are to say what to expect of
/// all positions, not only of these.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradients(pub Vec<Vec<f32>>);

impl Gradients {
    pub fn zeros(graph: &Graph) -> Gradients {
        Gradients(graph.parameters.iter().map(|info| vec![0.0; info.count()]).collect())
    }

    /// Takes away those of filters that never change.
    pub fn freeze(&mut self, graph: &Graph) {
        for (info, values) in graph.parameters.iter().zip(&mut self.0) {
            if let Role::Weight { frozen: frozen @ 1.., .. } = info.role {
                let outputs = info.shape.last().copied().unwrap_or(1);
                values.chunks_exact_mut(outputs).for_each(|row| row[..frozen].fill(0.0));
            }
        }
    }

    /// The root of the sum of all squares.
    pub fn norm(&self, graph: &Graph) -> f32 {
        let learnt = graph.parameters.iter().zip(&self.0).filter(|(info, _)| info.is_learnt());
        learnt.map(|(_, values)| sum_of_squares(values)).sum::<f64>().sqrt() as f32
    }

    /// Multiplies all by the same number.
    pub fn scale(&mut self, graph: &Graph, factor: f32) {
        let learnt = graph.parameters.iter().zip(&mut self.0).filter(|(info, _)| info.is_learnt());
        learnt.for_each(|(_, values)| values.iter_mut().for_each(|value| *value *= factor));
    }
}

/// Summed in short runs of eight sums each, which are exact enough and fast.
pub(crate) fn sum_of_squares(values: &[f32]) -> f64 {
    let of_run = |run: &[f32]| {
        let (eights, rest) = run.as_chunks::<8>();
        let mut sums = [0.0f32; 8];
        for eight in eights {
            sums.iter_mut().zip(eight).for_each(|(sum, value)| *sum += value * value);
        }
        sums.iter().map(|&sum| f64::from(sum)).sum::<f64>()
            + rest.iter().map(|&value| f64::from(value) * f64::from(value)).sum::<f64>()
    };
    values.chunks(1024).map(of_run).sum()
}

//! Networks without batch norm that say the same as those with it.

use crate::description::{Convolution, Dense, Description, LastLayer, Layer, PolicyHead, Residual, ValueHead};
use crate::graph::{DescriptionError, Graph, NORM_EPSILON};
use crate::model::{Header, Model};
use crate::parameters::Parameters;

/// The factor and the offset of each output that a norm comes to, after a bias.
pub(crate) fn affine([scale, offset, mean, variance]: [&[f32]; 4], bias: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let factors: Vec<f32> =
        scale.iter().zip(variance).map(|(scale, variance)| scale / (variance + NORM_EPSILON).sqrt()).collect();
    let offset = |output: usize| (bias[output] - mean[output]) * factors[output] + offset[output];
    let offsets = (0..factors.len()).map(offset).collect();
    (factors, offsets)
}

impl Description {
    pub fn has_norms(&self) -> bool {
        *self != self.without_norms()
    }

    pub fn without_norms(&self) -> Description {
        let policy = |head: &PolicyHead| PolicyHead {
            layers: plain(&head.layers),
            last: LastLayer { norm: None, ..head.last.clone() },
        };
        Description {
            board: plain(&self.board),
            vector: plain(&self.vector),
            common: plain(&self.common),
            action_input: self.action_input,
            policy: self.policy.as_ref().map(policy),
            value: self.value.as_ref().map(|head| ValueHead { layers: plain(&head.layers), ..head.clone() }),
        }
    }
}

fn plain(layers: &[Layer]) -> Vec<Layer> {
    let plain = |layer: &Layer| match layer.clone() {
        Layer::Convolution(layer) => Layer::Convolution(Convolution { norm: None, ..layer }),
        Layer::Residual(layer) => Layer::Residual(Residual { norm: None, ..layer }),
        Layer::Dense(layer) => Layer::Dense(Dense { norm: None, ..layer }),
    };
    layers.iter().map(plain).collect()
}

impl Model {
    /// The network with each batch norm taken into the weights and biases of the layer before it.
    pub fn without_norms(&self) -> Result<Model, DescriptionError> {
        let header = Header { description: self.header.description.without_norms(), ..self.header.clone() };
        let graph = Graph::new(&header.description, header.ports)?;
        let folded = |name: &str| {
            let (layer, part) = name.rsplit_once('.')?;
            let norm = |part: &str| self.parameter(&format!("{layer}.norm.{part}")).map(Vec::as_slice);
            let Some(scale) = norm("scale") else { return self.parameter(name).cloned() };
            let norm = [scale, norm("offset")?, norm("mean")?, norm("variance")?];
            let (factors, offsets) = affine(norm, &vec![0.0; scale.len()]);
            Some(match part {
                "bias" => offsets,
                // Outputs lie side by side.
                _ => self.parameter(name)?.iter().zip(factors.iter().cycle()).map(|(one, by)| one * by).collect(),
            })
        };
        let parameters = graph.parameters.iter().map(|info| {
            folded(&info.name).unwrap_or_else(|| unreachable!("a network without norms has no more than {}", info.name))
        });
        Ok(Model { parameters: Parameters(parameters.collect()), graph, header })
    }

    fn parameter(&self, name: &str) -> Option<&Vec<f32>> {
        let place = self.graph.parameters.iter().position(|info| info.name == name)?;
        Some(&self.parameters.0[place])
    }
}

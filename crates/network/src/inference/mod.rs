//! Runs a network on batches of inputs.

use std::sync::Arc;

use crate::model::Model;
use crate::reference;

/// What a network says about a batch of inputs, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// Logits for all policy indices.
    pub policy: Vec<f32>,
    /// As many as the value head has.
    pub values: Vec<f32>,
}

/// A network made ready, with buffers of its own: one for each thread.
#[derive(Debug)]
pub struct Runner {
    model: Arc<Model>,
}

impl Runner {
    pub fn new(model: &Arc<Model>) -> Runner {
        Runner { model: model.clone() }
    }

    /// Evaluates `count` inputs, one after the other in `inputs`, each as its encoder wrote it.
    pub fn run(&mut self, inputs: &[f32], count: usize, outputs: &mut Outputs) {
        outputs.policy.clear();
        outputs.values.clear();
        let length = self.model.graph.ports.shape().len();
        for input in inputs.chunks_exact(length).take(count) {
            let results = reference::evaluate(&self.model, input, 0);
            let graph = &self.model.graph;
            outputs.policy.extend(graph.policy.iter().flat_map(|&node| &results[node]));
            outputs.values.extend(graph.value.iter().flat_map(|&node| &results[node]));
        }
    }
}

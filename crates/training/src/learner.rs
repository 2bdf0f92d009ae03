//! A network that learns, step by step.

use std::collections::HashMap;
use std::fmt;

use meeple_core::Rng;
use meeple_network::{Graph, ParameterInfo, Parameters};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use crate::loss;
use crate::{Backend, Batch, Gradients, LossSettings, Losses, Method, Noise, Optimiser, OptimiserSettings};

/// Steps from the same seed with the same batches give the same parameters, on the same backend
/// with the same number of threads.
#[derive(Debug)]
pub struct Learner {
    graph: Graph,
    parameters: Parameters,
    optimiser: Optimiser,
    backend: Box<dyn Backend>,
    /// The noise of step k is that of stream k.
    seed: u64,
    noise: Noise,
    gradients: Gradients,
    /// Where the next parameters are made.
    next: Parameters,
}

/// Why a step was not taken. The parameters are as before it; so is the optimiser, but for having
/// seen the gradient of a step that would have broken a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum StepError {
    /// The batch has numbers that are infinite or none.
    Batch { step: u64 },
    /// The loss is infinite or no number; so is, if there is a name, the gradient of this parameter.
    Loss { step: u64, parameter: Option<String>, losses: Losses },
    /// This parameter would have become infinite or no number.
    Parameter { step: u64, parameter: String },
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::Batch { step } => {
                write!(f, "step {step}: the batch has numbers that are infinite or none")
            }
            StepError::Loss { step, parameter: Some(name), losses } => {
                write!(
                    f,
                    "step {step}: the gradient of {name} is too large or no number (the loss is {})",
                    losses.total
                )
            }
            StepError::Loss { step, parameter: None, losses } => {
                write!(
                    f,
                    "step {step}: the loss is {}, its gradients have the norm {}",
                    losses.total, losses.gradient_norm
                )
            }
            StepError::Parameter { step, parameter } => {
                write!(f, "step {step}: {parameter} would become infinite or no number; is the learning rate too high?")
            }
        }
    }
}

impl std::error::Error for StepError {}

impl Learner {
    pub fn new(
        graph: &Graph,
        parameters: Parameters,
        settings: OptimiserSettings,
        backend: Box<dyn Backend>,
        seed: u64,
    ) -> Learner {
        Learner {
            graph: graph.clone(),
            optimiser: Optimiser::new(graph, settings),
            next: parameters.clone(),
            parameters,
            backend,
            seed,
            noise: Noise::default(),
            gradients: Gradients::zeros(graph),
        }
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Steps that were taken.
    pub fn steps(&self) -> u64 {
        self.optimiser.steps
    }

    /// Learns from a batch; its loss is that before the step.
    pub fn step(&mut self, batch: &Batch, settings: &LossSettings, learning_rate: f32) -> Result<Losses, StepError> {
        batch.check(&self.graph);
        let step = self.optimiser.steps + 1;
        if !batch.is_finite() {
            return Err(StepError::Batch { step });
        }
        match batch.judged.is_empty() {
            true => self.noise.redraw(&self.graph, batch.count, &mut Rng::stream(self.seed, step)),
            // What is compared with what the policy said must say the same as long as nothing is learnt.
            false => self.noise.set_to_mean(&self.graph, batch.count),
        }
        let Learner { graph, parameters, gradients, .. } = self;
        let losses = loss::gradients(&mut *self.backend, graph, parameters, batch, settings, &self.noise, gradients);
        // A gradient whose square is no number would stay in the optimiser for good.
        if !losses.total.is_finite() || !(losses.gradient_norm * losses.gradient_norm).is_finite() {
            let is_broken = |values: &Vec<f32>| values.iter().any(|value| !(value * value).is_finite());
            let broken = gradients.0.iter().position(is_broken);
            let parameter = broken.map(|number| graph.parameters[number].name.clone());
            return Err(StepError::Loss { step, parameter, losses });
        }
        self.optimiser.step(graph, parameters, gradients, losses.gradient_norm, learning_rate, &mut self.next);
        if let Some(name) = self.next.first_broken(graph) {
            self.optimiser.steps -= 1;
            return Err(StepError::Parameter { step, parameter: name.to_string() });
        }
        std::mem::swap(parameters, &mut self.next);
        Ok(losses)
    }

    /// The loss of a batch that is not learnt from.
    pub fn losses(&mut self, batch: &Batch, settings: &LossSettings) -> Losses {
        batch.check(&self.graph);
        loss::losses(&mut *self.backend, &self.graph, &self.parameters, batch, settings)
    }

    /// All that a run needs to go on exactly, as a file of the safetensors format.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Learner { graph, parameters, optimiser, seed, .. } = self;
        let header = StateHeader { steps: optimiser.steps, seed: *seed, method: optimiser.settings.method };
        let header = serde_json::to_string(&header).expect("a header is plain data");
        let sets = [&parameters.0, &optimiser.first, &optimiser.second];
        let bytes = sets.map(|set| set.iter().map(|values| to_bytes(values)).collect::<Vec<_>>());
        let views = SETS.iter().zip(&bytes).flat_map(|(set, bytes)| {
            graph.parameters.iter().zip(bytes).map(move |(info, bytes)| {
                let view =
                    TensorView::new(Dtype::F32, info.shape.clone(), bytes).expect("as many numbers as the shape says");
                (format!("{set}.{}", info.name), view)
            })
        });
        safetensors::serialize(views, Some(HashMap::from([(HEADER.to_string(), header)]))).expect("plain tensors")
    }

    /// Goes on from where [`Learner::to_bytes`] was called: with its parameters, optimiser and
    /// noise. The reason, if the bytes are not those of a learner of this network and method.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
        let header = metadata.metadata().as_ref().and_then(|entries| entries.get(HEADER));
        let header = header.ok_or("it has no header of a Meeple learner")?;
        let header: StateHeader = serde_json::from_str(header).map_err(|error| format!("its header: {error}"))?;
        let method = self.optimiser.settings.method;
        if std::mem::discriminant(&header.method) != std::mem::discriminant(&method) {
            return Err(format!("it was trained with {:?}, not with {method:?}", header.method));
        }
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
        let [parameters, first, second] = SETS.map(|set| read(&self.graph, &tensors, set));
        let (parameters, first, second) = (parameters?, first?, second?);
        self.parameters = Parameters(parameters);
        (self.optimiser.first, self.optimiser.second) = (first, second);
        self.optimiser.steps = header.steps;
        self.seed = header.seed;
        Ok(())
    }
}

/// The key of the header in the file.
const HEADER: &str = "meeple-learner";
/// What there is for every parameter.
const SETS: [&str; 3] = ["parameter", "first", "second"];

#[derive(Serialize, Deserialize)]
struct StateHeader {
    steps: u64,
    seed: u64,
    method: Method,
}

fn to_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn read(graph: &Graph, tensors: &SafeTensors<'_>, set: &str) -> Result<Vec<Vec<f32>>, String> {
    let one = |info: &ParameterInfo| {
        let name = format!("{set}.{}", info.name);
        let tensor = tensors.tensor(&name).map_err(|_| format!("{name} is missing"))?;
        if tensor.dtype() != Dtype::F32 || tensor.shape() != info.shape {
            return Err(format!("{name} has another type or shape than in the network"));
        }
        let values: Vec<f32> = tensor.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        match values.iter().all(|value| value.is_finite()) {
            true => Ok(values),
            false => Err(format!("{name} has numbers that are infinite or none")),
        }
    };
    graph.parameters.iter().map(one).collect()
}

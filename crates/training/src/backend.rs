//! What runs a network forwards and backwards.

use std::fmt;

use meeple_network::{Graph, Outputs, Parameters};
use serde::{Deserialize, Serialize};

#[cfg(feature = "burn")]
use crate::BurnBackend;
use crate::{Batch, Gradients, Noise, OwnBackend};

pub trait Backend: fmt::Debug + Send {
    /// What the network says after training: with its running means and variances, without noise.
    fn outputs(&mut self, parameters: &Parameters, batch: &Batch) -> Outputs;

    /// Runs the batch forwards as in training, asks `slopes` how the loss changes with each output,
    /// and runs backwards to say in `gradients` how it changes with each parameter. A norm uses the
    /// mean and the biased variance of the batch.
    fn gradients(
        &mut self,
        parameters: &Parameters,
        batch: &Batch,
        noise: &Noise,
        slopes: &mut dyn FnMut(&Outputs) -> Outputs,
        gradients: &mut Gradients,
    );
}

/// The backends by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BackendKind {
    /// Our kernels on the CPU.
    #[default]
    Own,
    /// burn on the CPU.
    Burn,
    /// burn on a graphics card, through wgpu.
    Wgpu,
    /// burn on a graphics card of NVIDIA.
    Cuda,
}

impl BackendKind {
    pub const ALL: [(&str, BackendKind); 4] = [
        ("own", BackendKind::Own),
        ("burn", BackendKind::Burn),
        ("wgpu", BackendKind::Wgpu),
        ("cuda", BackendKind::Cuda),
    ];

    /// `threads` is for [`BackendKind::Own`]; burn uses as many as `RAYON_NUM_THREADS` says. An
    /// error if this program was built without the backend.
    pub fn open(self, graph: &Graph, threads: usize) -> Result<Box<dyn Backend>, String> {
        match self {
            BackendKind::Own => Ok(Box::new(OwnBackend::new(graph, threads))),
            #[cfg(feature = "burn")]
            BackendKind::Burn => Ok(Box::new(BurnBackend::cpu(graph))),
            #[cfg(feature = "gpu")]
            BackendKind::Wgpu => Ok(Box::new(BurnBackend::wgpu(graph))),
            #[cfg(feature = "cuda")]
            BackendKind::Cuda => Ok(Box::new(BurnBackend::cuda(graph))),
            #[allow(unreachable_patterns)]
            missing => {
                let feature = match missing {
                    BackendKind::Wgpu => "gpu",
                    BackendKind::Cuda => "cuda",
                    BackendKind::Own | BackendKind::Burn => "burn",
                };
                Err(format!("this program was built without the feature `{feature}`, which training there needs"))
            }
        }
    }
}

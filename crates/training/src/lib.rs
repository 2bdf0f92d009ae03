//! Trains networks. A [`Learner`] takes a [`Batch`] at a time: a [`Backend`] runs the network
//! forwards and backwards, [`loss`] says what is wrong with its outputs, an [`Optimiser`] changes
//! the parameters.
//!
//! All randomness of a step is drawn beforehand as [`Noise`], so that every backend computes the
//! same: [`OwnBackend`] on the kernels of `meeple-network`, and with the feature `burn` another on burn,
//! which also runs on graphics cards and which the first is held to.

mod backend;
mod batch;
#[cfg(feature = "burn")]
mod burn;
mod gradients;
mod learner;
pub mod loss;
mod noise;
mod optimiser;
mod own;
pub mod run;

pub use backend::{Backend, BackendKind};
pub use batch::{Batch, Judged};
#[cfg(feature = "burn")]
pub use burn::BurnBackend;
pub use gradients::Gradients;
pub use learner::{Learner, StepError};
pub use loss::{LossSettings, Losses};
pub use noise::Noise;
pub use optimiser::{Method, Optimiser, OptimiserSettings};
pub use own::OwnBackend;

//! Networks that play games: what they are made of, fast inference on the CPU, and weights files.
//!
//! A [`Description`] says what a network is made of; laid out for the input of an encoder it is a
//! [`Graph`]; with its numbers it is a [`Model`], which can be saved, loaded and run. A
//! [`NetworkEvaluator`] values positions for a search, a [`NetworkAgent`] plays without one, and
//! [`selfplay`] makes the [`samples`] that networks are trained with.

mod agent;
pub mod description;
mod evaluator;
mod folded;
mod graph;
mod inference;
pub mod kernels;
mod model;
mod onnx;
mod parameters;
pub mod preset;
pub mod reference;
pub mod samples;
pub mod selfplay;

pub use agent::{CheatingNetworkAgent, NetworkAgent};
pub use description::Description;
pub use evaluator::{NetworkEvaluator, interleave};
pub use graph::{DescriptionError, Graph, NORM_EPSILON, Node, Operation, Ports, Size};
pub use inference::{Compiled, Outputs, Runner};
pub use model::{Header, Model, ModelError, Training};
pub use onnx::to_onnx;
pub use parameters::{LINES, ParameterInfo, Parameters, Role, unless_negligible};
pub use preset::Preset;
pub use samples::Sample;

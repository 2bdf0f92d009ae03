//! Networks of every description: inference, gradients of weights, weights files.

mod common;
mod inference;
mod kernels;
mod model;

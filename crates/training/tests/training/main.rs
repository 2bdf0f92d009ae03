//! Backends against each other and against differences of the loss; optimisers and learners on
//! small problems. One program, since burn takes long to link.

mod gradients;
mod learning;
mod networks;

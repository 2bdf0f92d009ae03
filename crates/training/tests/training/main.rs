//! Backends against each other and against differences of the loss; optimisers and learners on
//! small problems; whole runs. One program, since burn takes long to link.

mod gradients;
mod learning;
mod networks;
mod runs;

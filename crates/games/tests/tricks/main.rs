//! Sueca and Bisca, and what trick-taking games have in common.

mod bisca;
mod bisca_rules;
mod encoders;
mod margins;
mod notation;
mod reference;
mod sueca;
mod sueca_belief;
mod sueca_rules;

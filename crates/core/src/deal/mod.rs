//! Dealing hidden cards to hands that may not take all of them: every consistent deal equally
//! likely ([`Deal`]) or weighted by beliefs ([`WeightedDeal`]). [`thesis`] holds two older samplers.

mod build;
mod exact;
mod plan;
mod sets;
mod table;
pub mod thesis;
mod weight;
mod weighted;

pub use exact::Deal;
pub use weighted::WeightedDeal;

/// The largest number of hands, a stock counted as one.
pub const MAX_HOLDERS: usize = 6;

/// No way of dealing fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Impossible;

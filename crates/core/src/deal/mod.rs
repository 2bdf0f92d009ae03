//! Dealing hidden cards to hands that may not take all of them: every consistent deal equally
//! likely ([`Deal`]) or weighted by beliefs.

mod exact;
mod table;
mod weight;

pub use exact::Deal;

/// The largest number of hands, a stock counted as one.
pub const MAX_HOLDERS: usize = 6;

/// No way of dealing fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Impossible;

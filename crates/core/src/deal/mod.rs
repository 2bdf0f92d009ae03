//! Dealing hidden cards to hands that may not take all of them: every consistent deal equally likely.

mod exact;

pub use exact::{Deal, Impossible};

/// The largest number of hands, a stock counted as one.
pub const MAX_HOLDERS: usize = 6;

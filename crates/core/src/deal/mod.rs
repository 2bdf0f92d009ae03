//! Dealing hidden cards to hands that may not take all of them: every consistent deal equally likely.

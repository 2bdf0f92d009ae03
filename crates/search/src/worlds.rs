//! Where a search takes its worlds from.

use std::sync::Arc;

use meeple_core::{Belief, Game, Worlds};

/// The worlds that a view allows: as likely as a belief has them, or all equally likely.
pub(crate) fn worlds<G: Game>(
    game: &G,
    view: &G::View,
    belief: Option<&Arc<dyn Belief<G>>>,
) -> Box<dyn Worlds<State = G::State>> {
    match belief {
        Some(belief) => belief.worlds(game, view),
        None => Box::new(game.worlds(view)),
    }
}

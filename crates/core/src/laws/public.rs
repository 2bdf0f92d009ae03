//! The law of what is public: the text of such an action tells nobody more than the view after it.

use super::play::viewers;
use super::{Checked, require};
use crate::playout::actions_or_outcomes;
use crate::{Game, Information, Rng, Turn, Worlds};

/// Other actions to look at for each viewer.
const ALTERNATIVES: usize = 8;

/// Whether a public action could be taken for another one. If a viewer thinks a world possible in
/// which something with another text leads to the same view, then the text rules out what came of
/// it there, unless the action leads to just that as well (the two parts of a move in another order).
pub(super) fn check_public<G: Game>(game: &G, state: &G::State, action: G::Action, rng: &mut Rng) -> Checked {
    if game.info().information == Information::Perfect || !game.is_public(state, action) {
        return Ok(());
    }
    let text = game.action_text(state, action);
    let after = applied(game, state, action);
    let mut world = state.clone();
    for viewer in viewers(game.info().players) {
        // Worlds are promised only where a player is to move; chance knows the truth.
        if game.turn(state) != Turn::Chance {
            game.worlds(&game.view(state, viewer)).sample_into(&mut world, rng);
        }
        let view = game.view(&after, viewer);
        let mut others = actions_or_outcomes(game, &world);
        let same = others.iter().copied().find(|&other| game.action_text(&world, other) == text);
        others.retain(|&other| Some(other) != same);
        rng.shuffle(&mut others);
        for other in others.into_iter().take(ALTERNATIVES) {
            let other_after = applied(game, &world, other);
            let told_apart = game.view(&other_after, viewer) != view
                || other_after == after
                || same.is_some_and(|same| applied(game, &world, same) == other_after);
            require(told_apart, "what is public is in the view", || {
                let other = game.action_text(&world, other);
                format!("{viewer:?} cannot tell `{text}` in {state:?} from `{other}` in {world:?}")
            })?;
        }
    }
    Ok(())
}

fn applied<G: Game>(game: &G, state: &G::State, action: G::Action) -> G::State {
    let mut after = state.clone();
    game.apply(&mut after, action);
    after
}

//! Laws of views: what is hidden stays hidden, and what is shown is enough.

use super::play::viewers;
use super::{Checked, LawReport, Laws, require, scene};
use crate::agent::Budget;
use crate::{Agent, Game, Information, Player, Rng, Tensor, Turn, Worlds};

/// Scenes of worlds are compared at one of so many decisions.
const SCENES_EVERY: u64 = 4;

/// Views, scenes, keys, worlds and encodings of every viewer at a decision.
pub(super) fn check_views<G: Game>(
    game: &G,
    state: &G::State,
    mover: Player,
    laws: &Laws,
    rng: &mut Rng,
    report: &mut LawReport,
) -> Checked {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let mover_view = game.view(state, Some(mover));
    let mut from_view = Vec::new();
    game.view_actions(&mover_view, &mut from_view);
    require(legal == from_view, "the view gives the legal actions", || format!("{legal:?} and {from_view:?}"))?;

    let mut world = game.initial_state();
    for viewer in viewers(game.info().players) {
        let view = game.view(state, viewer);
        let key = game.view_key(state, viewer);
        require(!game.render(&view).is_empty(), "a view can be drawn", || format!("{viewer:?}"))?;
        let worlds = game.worlds(&view);
        require(worlds.count() >= 1.0, "the truth is a possible world", || format!("{viewer:?}"))?;
        // Pictures are slow: with perfect information one is enough.
        let hidden = game.info().information == Information::Hidden;
        let scene = if hidden || viewer == Some(mover) { scene::draw(game, &view)? } else { None };
        if let (Some(scene), true) = (&scene, viewer == Some(mover)) {
            scene::check_picks(game, &mover_view, scene, &legal)?;
        }
        for number in 0..laws.worlds {
            worlds.sample_into(&mut world, rng);
            report.worlds += 1;
            let known = game.info().information == Information::Hidden || world == *state;
            require(known, "perfect information allows one world", || format!("{viewer:?}: {world:?} for {state:?}"))?;
            let same = game.view(&world, viewer) == view;
            require(same, "a sampled world keeps the view", || format!("{viewer:?}: {world:?} for {state:?}"))?;
            let same = game.view_key(&world, viewer) == key;
            require(same, "equal views have equal keys", || format!("{viewer:?}: {world:?} for {state:?}"))?;
            let same = game.view(&world, None) == game.view(state, None);
            require(same, "a seat knows all that is public", || format!("{viewer:?}: {world:?} for {state:?}"))?;
            if hidden && number == 0 && report.decisions.is_multiple_of(SCENES_EVERY) {
                let same = scene::draw(game, &game.view(&world, viewer))? == scene;
                require(same, "nothing hidden is drawn", || format!("{viewer:?}: {world:?} for {state:?}"))?;
            }
            let same = game.turn(&world) == game.turn(state);
            require(same, "a sampled world keeps the turn", || format!("{viewer:?}: {world:?} for {state:?}"))?;
            if viewer == Some(mover) {
                game.legal_actions(&world, &mut from_view);
                require(legal == from_view, "a sampled world keeps the legal actions", || {
                    format!("{legal:?} and {from_view:?}")
                })?;
                check_encoders(game, &mover_view, &game.view(&world, viewer), &legal, report)?;
            }
        }
    }
    Ok(())
}

/// Plays random games and checks that an agent decides the same in all worlds of a view; panics if
/// not. `make` makes the agent anew for every decision.
pub fn assert_fair<G: Game>(game: &G, make: impl Fn() -> Box<dyn Agent<G>>, games: u32) {
    let mut world = game.initial_state();
    for number in 0..games {
        let mut rng = Rng::stream(9, u64::from(number));
        let mut state = game.initial_state();
        loop {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => game.play_chance(&mut state, &mut rng),
                Turn::Player(mover) => {
                    let view = game.view(&state, Some(mover));
                    game.worlds(&view).sample_into(&mut world, &mut rng);
                    let decide = |state: &G::State| {
                        let view = game.view(state, Some(mover));
                        make().decide(game, &view, &Budget::NONE, &mut rng.clone()).action
                    };
                    let action = decide(&state);
                    assert_eq!(action, decide(&world), "{}: {state:?} and {world:?}", game.info().name);
                    game.apply(&mut state, action);
                }
            }
        }
    }
}

/// Encodings of a decision, and those of a world that looks the same.
fn check_encoders<G: Game>(
    game: &G,
    view: &G::View,
    world_view: &G::View,
    legal: &[G::Action],
    report: &mut LawReport,
) -> Checked {
    for encoder in game.encoders() {
        let encode = |view: &G::View| {
            let mut values = vec![0.0; encoder.shape().len()];
            encoder.encode(game, view, &mut Tensor::zeroed(encoder.shape(), &mut values));
            values
        };
        let values = encode(view);
        report.encodings += 1;
        require(values.iter().all(|value| value.is_finite()), "encodings are finite", || encoder.name().to_string())?;
        require(values == encode(world_view), "nothing hidden is encoded", || encoder.name().to_string())?;
        for &action in legal {
            let index = encoder.policy_index(game, view, action);
            require(index < encoder.policy_size(), "policy indices are in range", || {
                format!("{}: {action:?} has {index} of {}", encoder.name(), encoder.policy_size())
            })?;
            let detail = encoder.policy_detail(game, view, action);
            require(detail < encoder.detail_size().max(1), "policy details are in range", || {
                format!("{}: {action:?} has {detail} of {}", encoder.name(), encoder.detail_size())
            })?;
        }
    }
    Ok(())
}

/// Notations of a state and of all its views parse back.
pub(super) fn check_notation<G: Game>(game: &G, state: &G::State, report: &mut LawReport) -> Checked {
    let Some(notation) = game.notation() else { return Ok(()) };
    let text = notation.state_text(state);
    report.notations += 1;
    require(!text.contains('\n') && text.trim() == text, "a notation is one clean line", || text.clone())?;
    let parsed = notation.parse_state(&text);
    require(parsed.as_ref() == Ok(state), "a state's notation parses back", || {
        format!("{text}: {parsed:?} for {state:?}")
    })?;
    for viewer in viewers(game.info().players) {
        let view = game.view(state, viewer);
        let text = notation.view_text(&view);
        let parsed = notation.parse_view(&text);
        require(parsed.as_ref() == Ok(&view), "a view's notation parses back", || {
            format!("{viewer:?}: {text}: {parsed:?} for {view:?}")
        })?;
    }
    Ok(())
}

/// Symmetries keep turn, legal actions, views and results.
pub(super) fn check_symmetries<G: Game>(game: &G, state: &G::State, report: &mut LawReport) -> Checked {
    let Some(symmetries) = game.symmetries() else { return Ok(()) };
    let (mut legal, mut mirrored) = (Vec::new(), Vec::new());
    game.legal_actions(state, &mut legal);
    for symmetry in 0..symmetries.count() {
        report.symmetries += 1;
        let image = symmetries.state(symmetry, state);
        require(symmetry != 0 || image == *state, "symmetry 0 changes nothing", || format!("{image:?}"))?;
        require(game.turn(&image) == game.turn(state), "a symmetry keeps the turn", || format!("{image:?}"))?;
        game.legal_actions(&image, &mut mirrored);
        let expected: Vec<G::Action> = legal.iter().map(|&a| symmetries.action(symmetry, state, a)).collect();
        let same = mirrored.len() == expected.len() && expected.iter().all(|action| mirrored.contains(action));
        require(same, "a symmetry keeps the legal actions", || format!("{symmetry}: {mirrored:?} and {expected:?}"))?;
        for viewer in viewers(game.info().players) {
            let there = game.view(&image, viewer);
            let here = symmetries.view(symmetry, &game.view(state, viewer));
            require(here == there, "a symmetry maps views to views", || format!("{symmetry}: {here:?} and {there:?}"))?;
        }
        for (&action, &image_action) in legal.iter().zip(&expected) {
            let mut after = state.clone();
            game.apply(&mut after, action);
            let mut image_after = image.clone();
            game.apply(&mut image_after, image_action);
            let same = symmetries.state(symmetry, &after) == image_after;
            require(same, "a symmetry commutes with actions", || format!("{symmetry}: {action:?}"))?;
            let same = game.turn(&after) == game.turn(&image_after);
            require(same, "a symmetry keeps the turn", || format!("{symmetry}: {after:?}"))?;
            let same = game.turn(&after) != Turn::Over || game.payoffs(&after) == game.payoffs(&image_after);
            require(same, "a symmetry keeps the payoffs", || format!("{symmetry}: {after:?}"))?;
        }
    }
    Ok(())
}

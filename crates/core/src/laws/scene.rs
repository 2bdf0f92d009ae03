//! Laws of scenes: what is drawn fits the table, shows nothing hidden, and can be clicked. Games
//! without scenery keep them all.

use std::collections::{HashMap, HashSet};

use super::{Checked, Violation, require};
use crate::Game;
use crate::scene::{Area, Card, Plan, Scene, Site};

/// Rounding moves nothing further than this, in fields.
const TOLERANCE: f32 = 1e-3;

/// What a viewer sees, checked; none without scenery.
pub(super) fn draw<G: Game>(game: &G, view: &G::View) -> Result<Option<Scene>, Violation> {
    let scene = game.scenery().map(|scenery| scenery.scene(game, view));
    scene.iter().try_for_each(|scene| check_scene(game, scene))?;
    Ok(scene)
}

fn check_scene<G: Game>(game: &G, scene: &Scene) -> Checked {
    let players = game.info().players;
    require(scene.seats.len() == players, "a scene has every seat", || format!("{} of {players}", scene.seats.len()))?;
    if let Some(board) = &scene.board {
        check_board(board, players)?;
    }
    check_areas(&scene.areas, players)?;
    let sites: HashSet<&str> = sites(scene).iter().map(|site| &*site.pick).collect();
    let both = cards(scene).find(|card| sites.contains(&*card.pick));
    require(both.is_none(), "no card is picked by the name of a site", || format!("{both:?}"))
}

fn check_board(board: &Plan, players: usize) -> Checked {
    let Plan { width, height, .. } = *board;
    let finite = width.is_finite() && height.is_finite() && width > 0.0 && height > 0.0;
    require(finite, "a board has a size", || format!("{width} x {height}"))?;
    let inside = |x: f32, y: f32, around: f32| {
        let within = |value: f32, most: f32| value >= around - TOLERANCE && value <= most - around + TOLERANCE;
        within(x, width) && within(y, height) // never true if one is not a number
    };
    for line in &board.lines {
        let [x, y, to_x, to_y] = *line;
        require(inside(x, y, 0.0) && inside(to_x, to_y, 0.0), "lines lie on the board", || format!("{line:?}"))?;
    }
    for label in &board.labels {
        require(inside(label.x, label.y, 0.0), "labels lie on the board", || format!("{label:?}"))?;
    }
    let mut picks = HashSet::new();
    for site in &board.sites {
        let lies = site.size > 0.0 && inside(site.x, site.y, site.size / 2.0);
        require(lies, "sites lie on the board", || format!("{site:?} on {width} x {height}"))?;
        let distinct = !site.pick.is_empty() && picks.insert(&site.pick);
        require(distinct, "sites have distinct picks", || format!("{site:?}"))?;
        let fits = site.pieces.iter().all(|piece| piece.seat < players && piece.count > 0);
        require(fits, "pieces belong to seats", || format!("{site:?}"))?;
    }
    Ok(())
}

fn check_areas(areas: &[Area], players: usize) -> Checked {
    let mut names = HashSet::new();
    for area in areas {
        let named = !area.name.is_empty() && names.insert(&area.name);
        require(named, "areas have distinct names", || area.name.clone())?;
        let owned = area.seat.is_none_or(|seat| seat < players);
        let played = area.cards.iter().all(|card| card.from.is_none_or(|seat| seat < players));
        require(owned && played, "cards belong to seats", || format!("{area:?}"))?;
        let secret = area.cards.iter().all(|card| card.face.is_some() || card.pick.is_empty());
        require(secret, "cards that lie face down have no pick", || format!("{area:?}"))?;
    }
    Ok(())
}

/// Whatever the viewer, who is to move, can do, can be clicked in the scene of his view.
pub(super) fn check_picks<G: Game>(game: &G, view: &G::View, scene: &Scene, legal: &[G::Action]) -> Checked {
    let Some(scenery) = game.scenery() else { return Ok(()) };
    let mut things: HashMap<&str, usize> = HashMap::new();
    let picks = sites(scene).iter().map(|site| &site.pick).chain(cards(scene).map(|card| &card.pick));
    picks.filter(|pick| !pick.is_empty()).for_each(|pick| *things.entry(pick).or_default() += 1);
    for &action in legal {
        let picks = scenery.picks(game, view, action);
        for pick in &picks {
            let wanted = picks.iter().filter(|other| *other == pick).count();
            let there = things.get(&**pick).copied().unwrap_or(0);
            require(wanted <= there, "picks are there to be clicked", || {
                format!("{action:?} needs `{pick}` {wanted} times, there are {there}")
            })?;
        }
    }
    Ok(())
}

fn sites(scene: &Scene) -> &[Site] {
    scene.board.as_ref().map_or(&[], |board| &board.sites)
}

fn cards(scene: &Scene) -> impl Iterator<Item = &Card> {
    scene.areas.iter().flat_map(|area| &area.cards)
}

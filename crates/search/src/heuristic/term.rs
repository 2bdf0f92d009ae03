//! The terms by name (thesis 001, section 3.2.1). Each gives a player a number; higher is better
//! for him if its weight is positive.

use meeple_core::{Board, Game, Geometry, Player};

/// One number for each player. What only moves or threats tell costs more than what the pieces do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// The worth of the own pieces, on the board and in hand.
    Material,
    /// The sum of what the own pieces show.
    Components,
    /// Proximity of the own pieces to a part of the board, each from 0 (as far as can be) to 1.
    Centre,
    Corners,
    Sides,
    /// To one of [`Geometry::regions`].
    Region(usize),
    /// To where the player wants to go.
    OwnRegion,
    /// Own pieces where the player wants to go.
    OwnRegionCount,
    /// Own pieces on the further sites that matter to the player.
    SiteMapCount,
    /// Over all lines without a piece of another player, the square of the share that is filled.
    Lines,
    /// Points so far.
    Score,
    /// The number of moves of the player whose turn it is.
    Mobility,
    /// The number of moves that each player would have at his turn.
    MobilityAdvanced,
    /// The share of the board that the player whose turn it is can move to.
    Influence,
    /// The share of the board that each player could move to at his turn.
    InfluenceAdvanced,
    /// The worth of the own pieces that opponents could capture at their turn.
    Threatened,
    /// The same, once for each move that captures the piece.
    ThreatenedMultiple,
    /// The worth of the own pieces that no opponent could capture.
    Unthreatened,
    /// 1 for the player whose turn it is.
    Mover,
    /// 1 for one seat.
    Intercept(Player),
}

impl Term {
    /// Every term that a board game has, by name.
    pub fn of_board<G: Game>(game: &G, board: &dyn Board<G>) -> Vec<(String, Term)> {
        let state = game.initial_state();
        let mut terms = of_geometry(&board.geometry());
        terms.extend(board.component_values(&state, 0).map(|_| ("components".into(), Term::Components)));
        terms.extend(board.score(&state, 0).map(|_| ("score".into(), Term::Score)));
        terms.extend((0..game.info().players).map(|seat| (format!("intercept({seat})"), Term::Intercept(seat))));
        terms
    }
}

fn of_geometry(geometry: &Geometry) -> Vec<(String, Term)> {
    let everywhere = [
        ("material", Term::Material),
        ("centre", Term::Centre),
        ("corners", Term::Corners),
        ("sides", Term::Sides),
        ("mobility", Term::Mobility),
        ("mobility_advanced", Term::MobilityAdvanced),
        ("influence", Term::Influence),
        ("influence_advanced", Term::InfluenceAdvanced),
        ("threatened", Term::Threatened),
        ("threatened_multiple", Term::ThreatenedMultiple),
        ("unthreatened", Term::Unthreatened),
        ("mover", Term::Mover),
    ];
    let somewhere = [
        ("own_region", Term::OwnRegion, geometry.own_regions.is_empty()),
        ("own_region_count", Term::OwnRegionCount, geometry.own_regions.is_empty()),
        ("site_map_count", Term::SiteMapCount, geometry.site_map.is_empty()),
        ("lines", Term::Lines, geometry.lines.is_empty()),
    ];
    let named = |&(name, term): &(&str, Term)| (name.to_string(), term);
    let mut terms: Vec<(String, Term)> = everywhere.iter().map(named).collect();
    terms.extend(somewhere.iter().filter(|(.., missing)| !missing).map(|&(name, term, _)| (name.to_string(), term)));
    let regions = geometry.regions.iter().enumerate();
    terms.extend(regions.map(|(number, (name, _))| (format!("region({name})"), Term::Region(number))));
    terms
}

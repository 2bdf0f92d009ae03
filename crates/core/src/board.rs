//! What a board game tells the general terms of heuristics (thesis 001, section 3.2.1): where its
//! sites lie, where the pieces stand, where they could move.

use crate::{Game, Geometry, Player, Sites};

/// A game of pieces on sites. To offer it, a game describes its [`Geometry`] once and tells of a
/// position the sites of every player's pieces and of his moves.
pub trait Board<G: Game>: Send + Sync {
    /// What no move changes.
    fn geometry(&self) -> Geometry;

    /// Where a player has pieces of a kind, numbered as in [`Geometry::kinds`].
    fn pieces(&self, state: &G::State, player: Player, kind: usize) -> Sites;

    /// Notes the target of every move that the player has, or would have if it were his turn. A
    /// pass is no move.
    fn moves(&self, state: &G::State, player: Player, reach: &mut Reach);

    /// The worth of the pieces that are not on the board but may come there.
    fn material_in_hand(&self, state: &G::State, player: Player) -> f32 {
        let _ = (state, player);
        0.0
    }

    /// The sum of the numbers that the player's pieces show, such as the height of a stack. `None`
    /// where pieces show none.
    fn component_values(&self, state: &G::State, player: Player) -> Option<f32> {
        let _ = (state, player);
        None
    }

    /// The player's points so far. `None` where no points are counted.
    fn score(&self, state: &G::State, player: Player) -> Option<f32> {
        let _ = (state, player);
        None
    }

    /// Sets of weights that proved good in this game, the best one first.
    fn weights(&self) -> Vec<Weights> {
        Vec::new()
    }
}

/// Terms by their names with what they count, under a name of its own.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    pub name: &'static str,
    /// A sum of 1 / slope is worth tanh(1).
    pub slope: f32,
    pub terms: &'static [(&'static str, f32)],
}

/// Gathers the moves of one player.
#[derive(Clone, Debug)]
pub struct Reach {
    moves: u32,
    targets: Sites,
    /// How many moves lead to each site, where somebody wants to know.
    hits: Option<[u8; Sites::CAPACITY]>,
}

impl Reach {
    /// Without any moves. Only if `with_hits` it can tell how many lead to a site.
    pub fn new(with_hits: bool) -> Reach {
        Reach { moves: 0, targets: Sites::default(), hits: with_hits.then_some([0; Sites::CAPACITY]) }
    }

    /// One move.
    #[inline]
    pub fn add(&mut self, to: usize) {
        self.moves += 1;
        self.targets.insert(to);
        if let Some(hits) = &mut self.hits {
            hits[to] += 1;
        }
    }

    /// One move to each of these sites.
    #[inline]
    pub fn add_all(&mut self, to: Sites) {
        self.moves += to.count();
        self.targets = self.targets.union(to);
        if let Some(hits) = &mut self.hits {
            to.iter().for_each(|site| hits[site] += 1);
        }
    }

    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// Where at least one move leads.
    pub fn targets(&self) -> Sites {
        self.targets
    }

    /// How many moves lead to the site.
    pub fn hits(&self, site: usize) -> u32 {
        self.hits.as_ref().map_or(0, |hits| hits[site].into())
    }
}

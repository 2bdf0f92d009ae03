//! Terms that ask only where pieces stand. For each player and kind they melt into one table with
//! a number for each site, so that many of them cost no more than one.

use meeple_core::{Geometry, Player, Sites};

use super::Term;

#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// Of the first player's kinds, then the second's.
    tables: Vec<Table>,
    kinds: usize,
}

#[derive(Clone, Debug)]
enum Table {
    /// The same number everywhere.
    Uniform(f32),
    Sites(Box<[f32; Sites::CAPACITY]>),
}

impl Pieces {
    pub(super) fn new(geometry: &Geometry, terms: &[(Term, f32)], players: usize) -> Pieces {
        let kinds = geometry.kinds.len();
        let table = |player, kind: usize| {
            let mut table = Box::new([0.0; Sites::CAPACITY]);
            for &(term, weight) in terms {
                add(term, weight, geometry, player, geometry.kinds[kind], &mut table);
            }
            Table::new(table, geometry.playable)
        };
        let tables = (0..players).flat_map(|player| (0..kinds).map(move |kind| table(player, kind))).collect();
        Pieces { tables, kinds }
    }

    pub(super) fn kinds(&self) -> usize {
        self.kinds
    }

    /// The sum over all terms for pieces of a kind on these sites.
    #[inline]
    pub(super) fn value(&self, player: Player, kind: usize, sites: Sites) -> f32 {
        match &self.tables[player * self.kinds + kind] {
            Table::Uniform(each) => each * sites.count() as f32,
            Table::Sites(table) => sites.iter().map(|site| table[site]).sum(),
        }
    }
}

impl Table {
    fn new(table: Box<[f32; Sites::CAPACITY]>, playable: Sites) -> Table {
        let first = playable.iter().next().map_or(0.0, |site| table[site]);
        let uniform = playable.iter().all(|site| table[site] == first);
        if uniform { Table::Uniform(first) } else { Table::Sites(table) }
    }
}

/// What a piece adds to its player's sum on each site, if the term is one of this kind.
fn add(term: Term, weight: f32, geometry: &Geometry, player: Player, worth: f32, table: &mut [f32; Sites::CAPACITY]) {
    let proximity = match term {
        // Unthreatened is what is not threatened, which is taken off where threats are known.
        Term::Material | Term::Unthreatened => vec![worth; Sites::CAPACITY],
        Term::Centre => proximity(geometry, geometry.centre),
        Term::Corners => proximity(geometry, geometry.corners),
        Term::Sides => proximity(geometry, geometry.sides),
        Term::Region(number) => proximity(geometry, geometry.regions[number].1[player]),
        Term::OwnRegion => proximity(geometry, geometry.own_regions[player]),
        Term::OwnRegionCount => presence(geometry.own_regions[player]),
        Term::SiteMapCount => presence(geometry.site_map[player]),
        _ => return,
    };
    for (sum, proximity) in table.iter_mut().zip(proximity) {
        *sum += weight * proximity;
    }
}

/// 1 on the goals, 0 where the way to them is longest, evenly in between.
fn proximity(geometry: &Geometry, goals: Sites) -> Vec<f32> {
    let distances = geometry.distances(goals);
    let longest = distances.iter().flatten().copied().max().unwrap_or(0).max(1) as f32;
    distances.into_iter().map(|distance| distance.map_or(0.0, |distance| 1.0 - distance as f32 / longest)).collect()
}

fn presence(sites: Sites) -> Vec<f32> {
    (0..Sites::CAPACITY).map(|site| f32::from(u8::from(sites.contains(site)))).collect()
}

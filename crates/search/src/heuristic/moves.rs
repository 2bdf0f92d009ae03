//! Terms that ask where players could move: mobility, influence and threats.

use meeple_core::{Board, Game, Geometry, MAX_PLAYERS, Player, Reach, Sites, Team};

use super::Term;

/// Weights; 0 for what is not asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    /// For each move, and for each site in reach, of the player whose turn it is.
    mobility: f32,
    influence: f32,
    /// The same of every player.
    mobility_advanced: f32,
    influence_advanced: f32,
    /// For the worth of each own piece that can be captured, and for each move that captures it.
    threatened: f32,
    threatened_multiple: f32,
    /// The worth of a piece of each kind.
    kinds: Vec<f32>,
}

impl Moves {
    /// `None` if none of the terms needs moves.
    pub(super) fn new(geometry: &Geometry, terms: &[(Term, f32)]) -> Option<Moves> {
        let mut moves = Moves { kinds: geometry.kinds.clone(), ..Moves::default() };
        let site = 1.0 / geometry.playable.count() as f32;
        let mut needed = false;
        for &(term, weight) in terms {
            let (sum, change) = match term {
                Term::Mobility => (&mut moves.mobility, weight),
                Term::MobilityAdvanced => (&mut moves.mobility_advanced, weight),
                Term::Influence => (&mut moves.influence, weight * site),
                Term::InfluenceAdvanced => (&mut moves.influence_advanced, weight * site),
                Term::Threatened => (&mut moves.threatened, weight),
                Term::ThreatenedMultiple => (&mut moves.threatened_multiple, weight),
                // The tables of the pieces count all of them as unthreatened.
                Term::Unthreatened => (&mut moves.threatened, -weight),
                _ => continue,
            };
            *sum += change;
            needed = true;
        }
        needed.then_some(moves)
    }

    /// Adds each player's part to his total.
    pub(super) fn add<G: Game>(
        &self,
        board: &dyn Board<G>,
        state: &G::State,
        mover: Option<Player>,
        teams: &[Team],
        totals: &mut [f32; MAX_PLAYERS],
    ) {
        let threats = self.threatened != 0.0 || self.threatened_multiple != 0.0;
        let everybody = threats || self.mobility_advanced != 0.0 || self.influence_advanced != 0.0;
        let mut in_danger = [Sites::default(); MAX_PLAYERS];
        for player in (0..teams.len()).filter(|&player| everybody || mover == Some(player)) {
            let mut reach = Reach::new(self.threatened_multiple != 0.0);
            board.moves(state, player, &mut reach);
            totals[player] += self.freedom(&reach, mover == Some(player));
            for victim in (0..teams.len()).filter(|&victim| threats && teams[victim] != teams[player]) {
                in_danger[victim] = in_danger[victim].union(reach.targets());
                totals[victim] += self.attacks(board, state, victim, &reach);
            }
        }
        for victim in 0..teams.len() {
            totals[victim] += self.losses(board, state, victim, in_danger[victim]);
        }
    }

    #[inline]
    fn freedom(&self, reach: &Reach, is_mover: bool) -> f32 {
        let (moves, sites) = (reach.moves() as f32, reach.targets().count() as f32);
        let everybody = self.mobility_advanced * moves + self.influence_advanced * sites;
        if is_mover { everybody + self.mobility * moves + self.influence * sites } else { everybody }
    }

    /// Every move that would capture one of the victim's pieces.
    #[inline]
    fn attacks<G: Game>(&self, board: &dyn Board<G>, state: &G::State, victim: Player, reach: &Reach) -> f32 {
        if self.threatened_multiple == 0.0 {
            return 0.0;
        }
        let mut sum = 0.0;
        for (kind, worth) in self.kinds.iter().enumerate() {
            let pieces = board.pieces(state, victim, kind).intersection(reach.targets());
            sum += worth * pieces.iter().map(|site| reach.hits(site)).sum::<u32>() as f32;
        }
        self.threatened_multiple * sum
    }

    /// Every piece of the victim on a site in danger.
    #[inline]
    fn losses<G: Game>(&self, board: &dyn Board<G>, state: &G::State, victim: Player, in_danger: Sites) -> f32 {
        if self.threatened == 0.0 {
            return 0.0;
        }
        let mut sum = 0.0;
        for (kind, worth) in self.kinds.iter().enumerate() {
            sum += worth * board.pieces(state, victim, kind).intersection(in_danger).count() as f32;
        }
        self.threatened * sum
    }
}

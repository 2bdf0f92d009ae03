//! Heuristics made of general terms with weights (thesis 001, section 3.2.1), for every game that
//! describes its board.
//!
//! Each term gives each player a number. The weighted sum of a player minus that of his opponents,
//! scaled by a slope and tanh, is the payoff that he may expect. What is not asked for costs
//! nothing: terms of pieces become one table, and moves are looked for only if a term needs them.

mod lines;
mod moves;
mod pieces;
mod term;
#[cfg(test)]
mod tests;

use meeple_core::{Board, Game, Geometry, Heuristic, MAX_PLAYERS, Player, Sites, Team, Turn};

use lines::Lines;
use moves::Moves;
use pieces::Pieces;
pub use term::Term;

/// A guess stays short of a certain win or loss.
const MOST: f32 = 0.999;

/// How the sums of several opponents become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opponents {
    #[default]
    Mean,
    /// The one with the highest sum.
    Best,
}

/// Which terms count how much.
#[derive(Clone, Debug)]
pub struct TermSettings {
    /// Among those of [`Term::of_board`]; one that is named twice counts twice.
    pub terms: Vec<(Term, f32)>,
    /// A lead of 1 / slope is worth tanh(1).
    pub slope: f32,
    pub opponents: Opponents,
}

/// A weighted sum of terms.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Of each player.
    teams: Vec<Team>,
    opponents: Opponents,
    slope: f32,
    pieces: Pieces,
    lines: Option<Lines>,
    moves: Option<Moves>,
    /// Weights of what the board itself tells; 0 for what is not asked for.
    in_hand: f32,
    components: f32,
    score: f32,
    mover: f32,
    /// What each player has in any case.
    intercepts: [f32; MAX_PLAYERS],
}

impl Terms {
    /// For this game only.
    pub fn new<G: Game>(game: &G, board: &dyn Board<G>, settings: &TermSettings) -> Terms {
        let teams = (0..game.info().players).map(|player| game.team(player)).collect();
        Terms::on(&board.geometry(), teams, settings)
    }

    fn on(geometry: &Geometry, teams: Vec<Team>, settings: &TermSettings) -> Terms {
        let terms = &settings.terms;
        let weight = |wanted: Term| terms.iter().filter(|&&(term, _)| term == wanted).map(|(_, weight)| weight).sum();
        let lines: f32 = weight(Term::Lines);
        Terms {
            opponents: settings.opponents,
            slope: settings.slope,
            pieces: Pieces::new(geometry, terms, teams.len()),
            lines: (lines != 0.0).then(|| Lines::new(&geometry.lines, lines)),
            moves: Moves::new(geometry, terms),
            in_hand: weight(Term::Material),
            components: weight(Term::Components),
            score: weight(Term::Score),
            mover: weight(Term::Mover),
            intercepts: std::array::from_fn(|player| weight(Term::Intercept(player))),
            teams,
        }
    }

    /// The weighted sum of each player.
    fn totals<G: Game>(&self, game: &G, board: &dyn Board<G>, state: &G::State) -> [f32; MAX_PLAYERS] {
        let mut totals = self.intercepts;
        let mut occupied = [Sites::default(); MAX_PLAYERS];
        for player in 0..self.teams.len() {
            for kind in 0..self.pieces.kinds() {
                let sites = board.pieces(state, player, kind);
                occupied[player] = occupied[player].union(sites);
                totals[player] += self.pieces.value(player, kind, sites);
            }
            totals[player] += self.told_by(board, state, player);
        }
        if let Some(lines) = &self.lines {
            self.add_lines(lines, &occupied, &mut totals);
        }
        if self.moves.is_some() || self.mover != 0.0 {
            let mover = if let Turn::Player(player) = game.turn(state) { Some(player) } else { None };
            mover.iter().for_each(|&mover| totals[mover] += self.mover);
            self.moves.iter().for_each(|moves| moves.add(board, state, mover, &self.teams, &mut totals));
        }
        totals
    }

    #[inline]
    fn told_by<G: Game>(&self, board: &dyn Board<G>, state: &G::State, player: Player) -> f32 {
        let mut sum = 0.0;
        if self.in_hand != 0.0 {
            sum += self.in_hand * board.material_in_hand(state, player);
        }
        if self.components != 0.0 {
            sum += self.components * board.component_values(state, player).unwrap_or(0.0);
        }
        if self.score != 0.0 {
            sum += self.score * board.score(state, player).unwrap_or(0.0);
        }
        sum
    }

    fn add_lines(&self, lines: &Lines, occupied: &[Sites; MAX_PLAYERS], totals: &mut [f32; MAX_PLAYERS]) {
        for player in 0..self.teams.len() {
            let others = (0..self.teams.len()).filter(|&other| other != player);
            let others = others.fold(Sites::default(), |all, other| all.union(occupied[other]));
            totals[player] += lines.value(occupied[player], others);
        }
    }

    /// How far a player's team is ahead of the others, each with the mean of its members' sums.
    fn lead(&self, totals: &[f32; MAX_PLAYERS], player: Player) -> f32 {
        if self.teams[..] == [0, 1] {
            return totals[player] - totals[1 - player];
        }
        let mean = |team: Team| {
            let members = || (0..self.teams.len()).filter(|&member| self.teams[member] == team);
            members().map(|member| totals[member]).sum::<f32>() / members().count() as f32
        };
        let own = self.teams[player];
        let others = (0..self.teams.iter().max().map_or(0, |&last| last + 1)).filter(|&team| team != own);
        let against = match (others.clone().count(), self.opponents) {
            (0, _) => 0.0,
            (count, Opponents::Mean) => others.map(mean).sum::<f32>() / count as f32,
            (_, Opponents::Best) => others.map(mean).fold(f32::NEG_INFINITY, f32::max),
        };
        mean(own) - against
    }
}

impl<G: Game> Heuristic<G> for Terms {
    fn value(&self, game: &G, state: &G::State, player: Player) -> f32 {
        let board = game.board().expect("terms are made for a game with a board");
        let totals = self.totals(game, board, state);
        libm::tanhf(self.slope * self.lead(&totals, player)).clamp(-MOST, MOST)
    }
}

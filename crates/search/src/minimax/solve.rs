//! The value of a position under best play, where it can be searched to the end.

use meeple_core::agent::Budget;
use meeple_core::{Game, Payoffs, Turn};

use super::alphabeta::AlphaBeta;
use super::meter::Meter;
use super::ply::{History, Ply};
use super::score::DEEPEST;
use super::sides::Sides;
use super::table::Table;
use super::{deepen, is_two_sided};

/// Bytes of the table for each position that may be searched, and the most in all.
const BYTES_PER_NODE: u64 = 4;
const MOST_BYTES: u64 = 64 << 20;

/// The payoffs under best play; `None` if that would take more than so many positions, or if the
/// game is not one between two opposite sides without chance.
pub fn solve<G: Game>(game: &G, state: &G::State, nodes: u64) -> Option<Payoffs> {
    if game.turn(state) == Turn::Over {
        return Some(game.payoffs(state));
    }
    let info = game.info();
    if info.chance || !is_two_sided(&info) {
        return None;
    }
    let mut table = Table::new(nodes.saturating_mul(BYTES_PER_NODE).min(MOST_BYTES) as usize);
    let mut plies = vec![Ply::new(game, 0)];
    plies[0].state.clone_from(state);
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let mut search = AlphaBeta {
        game,
        heuristic: None,
        sides: Sides::new(game, 0),
        table: &mut table,
        history: &mut History::new(),
        meter: &mut Meter::start(&Budget { nodes: Some(nodes), ..Budget::NONE }),
    };
    let root = deepen(game, &mut search, &mut plies, &actions, DEEPEST);
    root.is_proven().then(|| root.actions[0].look?.payoffs)?
}

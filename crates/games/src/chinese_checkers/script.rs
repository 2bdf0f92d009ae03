//! The two simple players of thesis 004, sections 5.2 and 5.3, for every board.

use meeple_core::game::Named;
use meeple_core::{Game, Rng, Script};

use super::board::Board;
use super::moves::{Move, Seat};

/// A game whose moves lead towards a target or away from it.
pub(super) trait Race: Game<Action = Move> {
    /// The rows by which an action brings a piece of the player to move towards the target.
    fn progress(&self, view: &Self::View, action: Move) -> i8;
}

/// The best player first.
pub(super) fn all<G: Race>() -> Vec<Named<dyn Script<G>>> {
    vec![("greedy", Box::new(Greedy)), ("initialise", Box::new(Initialise))]
}

/// The rows that a move climbs when the seat's home is turned to the south; none for a pass.
pub(super) fn rows_up(board: &Board, seat: &Seat, action: Move) -> i8 {
    if action == Move::PASS {
        return 0;
    }
    let row = |field| board.point(field).turned(seat.turns).row;
    row(action.from) - row(action.to)
}

/// Always one of the moves with the most progress, each with the same probability (thesis 004,
/// equations 5.2.54 and 5.2.55).
struct Greedy;

impl<G: Race> Script<G> for Greedy {
    fn choose(&self, game: &G, view: &G::View, rng: &mut Rng) -> Move {
        let mut actions = Vec::new();
        game.view_actions(view, &mut actions);
        let most = actions.iter().map(|&action| game.progress(view, action)).max();
        actions.retain(|&action| Some(game.progress(view, action)) == most);
        *rng.choose(&actions)
    }
}

/// Random moves, forward twice as likely as sideways and sideways twice as likely as backward
/// (thesis 004, equations 5.3.56 and 5.3.57).
struct Initialise;

impl<G: Race> Script<G> for Initialise {
    fn choose(&self, game: &G, view: &G::View, rng: &mut Rng) -> Move {
        let mut actions = Vec::new();
        game.view_actions(view, &mut actions);
        let weight = |action: Move| match game.progress(view, action).signum() {
            -1 => 1,
            0 => 2,
            _ => 4,
        };
        let mut left = rng.below(actions.iter().map(|&action| weight(action)).sum());
        for &action in &actions {
            if left < weight(action) {
                return action;
            }
            left -= weight(action);
        }
        unreachable!("the weights add up to their sum")
    }
}

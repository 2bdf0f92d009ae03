//! The truth about a game of Keezen, and what a seat knows of it.

use meeple_core::{Player, Turn};

use super::board::Board;
use super::holdings::{Holdings, SEATS};
use super::ranks::Cards;

/// Three rounds are dealt from one stock.
pub(super) const LATER: usize = 2;

/// Values of [`Table::turn`] beyond the seats.
pub(super) const CHANCE: u8 = 4;
pub(super) const OVER: u8 = 5;

/// The dealer before one is chosen.
pub(super) const NOBODY: u8 = 4;

/// All that is public, except the sizes of the hands and the cards that were played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Table {
    pub(super) board: Board,
    /// Moves since the beginning, throws included.
    pub(super) moves: u16,
    pub(super) dealer: u8,
    /// Rounds since the shuffle.
    pub(super) round: u8,
    /// Cards that have come since the shuffle.
    pub(super) dealt: u8,
    /// A seat, [`CHANCE`] or [`OVER`].
    pub(super) turn: u8,
}

impl Table {
    #[inline]
    pub(super) fn turn(&self) -> Turn {
        match self.turn {
            CHANCE => Turn::Chance,
            OVER => Turn::Over,
            seat => Turn::Player(usize::from(seat)),
        }
    }

    /// The colour that a seat plays: its own, or the teammate's once its own is finished.
    #[inline]
    pub(super) fn colour(&self, seat: Player) -> usize {
        if self.board.finished(seat) { seat ^ 2 } else { seat }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) table: Table,
    pub(super) holdings: Holdings<LATER>,
}

/// What a seat knows: the table, its own hand, how many cards the others have, and what was
/// played or thrown since the shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub(super) viewer: Option<Player>,
    pub(super) table: Table,
    pub(super) hand: Cards,
    pub(super) counts: [u8; SEATS],
    pub(super) played: Cards,
}

//! The truth about a game of a relative, and what a seat knows of it.

use meeple_core::{Player, Turn};

use crate::keezen::board::Board;
use crate::keezen::holdings::{Holdings, SEATS};
use crate::keezen::ranks::Cards;

/// Dog deals five rounds from one stock.
pub(super) const LATER: usize = 4;

/// No card.
pub(super) const NONE: u8 = 255;

/// The dealer before one is chosen.
pub(super) const NOBODY: u8 = 4;

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    /// Chance chooses the first dealer, deals or draws.
    Chance,
    /// Each seat gives a card to its partner.
    Give,
    Play,
    Over,
}

/// All that is public, except the sizes of the hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Table {
    pub(super) board: Board,
    /// Cards played or thrown since the shuffle.
    pub(super) played: Cards,
    /// Decisions since the beginning.
    pub(super) moves: u16,
    pub(super) phase: Phase,
    /// Who acts next, or draws next.
    pub(super) seat: u8,
    pub(super) dealer: u8,
    /// Rounds since the shuffle.
    pub(super) round: u8,
    /// Cards dealt since the shuffle.
    pub(super) dealt: u8,
    /// Sorry!: the rank that was drawn and is to be played, else [`NONE`].
    pub(super) drawn: u8,
    pub(super) seven: Seven,
}

/// A seven that is being played part by part; nothing left if there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Seven {
    pub(super) left: u8,
    /// The rank that was played for it: a seven or a joker.
    pub(super) card: u8,
    /// Sorry!: where the marble of the first part stands; it does not move again.
    pub(super) place: u8,
}

impl Table {
    pub(super) fn turn(&self) -> Turn {
        match self.phase {
            Phase::Chance => Turn::Chance,
            Phase::Give | Phase::Play => Turn::Player(self.seat.into()),
            Phase::Over => Turn::Over,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) table: Table,
    pub(super) holdings: Holdings<LATER>,
    pub(super) gifts: Gifts,
}

/// The exchange of Dog. The giver and, once all have given, the receiver know a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Gifts {
    /// The rank that each seat gave in this round, [`NONE`] if it has not.
    pub(super) given: [u8; SEATS],
    /// What each seat played or threw since the exchange.
    pub(super) played: [Cards; SEATS],
}

impl Gifts {
    pub(super) const NONE: Gifts = Gifts { given: [NONE; SEATS], played: [Cards::NONE; SEATS] };
}

/// What a seat knows: the table, its own hand, how many cards the others have, and of the gifts
/// those from and to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub(super) viewer: Option<Player>,
    pub(super) table: Table,
    pub(super) hand: Cards,
    pub(super) counts: [u8; SEATS],
    /// Known ranks as they are; [`UNKNOWN`] for a gift that the viewer did not see.
    pub(super) gifts: Gifts,
}

/// A gift that was made, but the viewer does not know which card.
pub(super) const UNKNOWN: u8 = 254;

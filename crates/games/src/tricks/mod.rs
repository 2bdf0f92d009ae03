//! What Sueca and Bisca share: the pack with its card points, tricks with a trump suit, and the
//! table that everybody sees. Seats 0 and 2 are one team, 1 and 3 the other.

pub(crate) mod complexity;
pub(crate) mod features;
pub(crate) mod hidden;
pub(crate) mod margins;
pub(crate) mod notation;
mod pack;
pub(crate) mod picture;
pub(crate) mod scene;
pub(crate) mod suits;
mod table;

use meeple_core::{MAX_PLAYERS, Outcome, Payoffs, Player, Team};

pub use pack::Pack;
pub use table::{Table, Trick};

use crate::cards::Card;

/// The largest number of seats at the table.
pub const SEATS: usize = 4;

/// Stands where no card lies, and for the trump before it is known.
pub const NO_CARD: Card = Card(u8::MAX);

/// What a seat, or a spectator, sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View<Public> {
    pub viewer: Option<Player>,
    /// Empty for a spectator.
    pub hand: u64,
    pub public: Public,
}

/// Partners sit opposite; with two players each is a team.
#[inline]
pub fn team(player: Player) -> Team {
    player & 1
}

/// +1 for the team with more, -1 for the other, 0 if both have as much.
#[inline]
pub(crate) fn payoffs(seats: usize, teams: [u8; 2]) -> Payoffs {
    let first = match teams[0].cmp(&teams[1]) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.0,
        std::cmp::Ordering::Less => -1.0,
    };
    let mut payoffs = [0.0; MAX_PLAYERS];
    for seat in 0..seats {
        payoffs[seat] = if team(seat) == 0 { first } else { -first };
    }
    payoffs
}

/// The same with the teams' scores beside every seat.
pub(crate) fn outcome(seats: usize, teams: [u8; 2], reason: &'static str) -> Outcome {
    let mut scores = [0.0; MAX_PLAYERS];
    for seat in 0..seats {
        scores[seat] = f32::from(teams[team(seat)]);
    }
    Outcome { payoffs: payoffs(seats, teams), scores, reason }
}

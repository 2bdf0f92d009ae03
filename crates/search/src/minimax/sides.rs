//! The two sides of a search: those who want the value high, and the others.

use meeple_core::{Game, MAX_PLAYERS, PayoffSum, Payoffs, Player};

/// One side is the team of a player, whose payoff is the value; the other side is everybody else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// Whose payoff counts.
    pub(super) player: Player,
    own: [bool; MAX_PLAYERS],
    players: usize,
    /// The sum of all payoffs, if that makes the payoffs of both sides follow from one.
    sum: Option<f32>,
}

impl Sides {
    pub(super) fn new<G: Game>(game: &G, player: Player) -> Sides {
        let info = game.info();
        let mut own = [false; MAX_PLAYERS];
        for seat in 0..info.players {
            own[seat] = game.team(seat) == game.team(player);
        }
        let sum = match info.payoff_sum {
            PayoffSum::Constant(sum) if info.teams == 2 => Some(sum),
            _ => None,
        };
        Sides { player, own, players: info.players, sum }
    }

    /// Whether a seat wants the value high.
    #[inline]
    pub(super) fn own(&self, player: Player) -> bool {
        self.own[player]
    }

    /// What a value means for every seat, where it says so.
    pub(super) fn payoffs(&self, value: f32) -> Option<Payoffs> {
        let sum = self.sum?;
        let own = self.own[..self.players].iter().filter(|&&own| own).count() as f32;
        let other = (sum - own * value) / (self.players as f32 - own);
        let mut payoffs = [0.0; MAX_PLAYERS];
        for seat in 0..self.players {
            payoffs[seat] = if self.own[seat] { value } else { other };
        }
        Some(payoffs)
    }
}

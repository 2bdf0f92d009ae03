//! Where every player is in his own tree.

use meeple_core::{Game, MAX_PLAYERS, Player};

use crate::edges::edge_key;

/// What a player sees of the actions of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Observation {
    /// What everybody sees. The tree of a player is the same for all cards that he may hold, so that
    /// worlds learn from each other.
    #[default]
    Public,
    /// The whole view after the action, own cards included: exact, and only of use where views
    /// are few, because hardly any world with other cards meets the same node again.
    View,
}

/// A node in the tree of every player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nodes {
    by_player: [u64; MAX_PLAYERS],
    players: usize,
}

impl Nodes {
    /// Before the decision.
    pub(super) fn at_root<G: Game>(game: &G) -> Nodes {
        let by_player = std::array::from_fn(|player| edge_key(0, player as u64));
        Nodes { by_player, players: game.info().players }
    }

    #[inline]
    pub(super) fn of(&self, player: Player) -> u64 {
        self.by_player[player]
    }

    /// After an action that led to `state`.
    #[inline]
    pub(super) fn follow<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        mover: Player,
        code: u32,
        observation: Observation,
    ) {
        let public = match observation {
            Observation::Public => game.view_key(state, None),
            Observation::View => 0,
        };
        for (observer, node) in self.by_player[..self.players].iter_mut().enumerate() {
            let seen = match observation {
                _ if observer == mover => u64::from(code),
                Observation::Public => public,
                Observation::View => game.view_key(state, Some(observer)),
            };
            *node = edge_key(*node, seen);
        }
    }
}

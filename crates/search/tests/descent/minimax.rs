//! The plain truth to compare with.

use std::collections::HashMap;

use meeple_core::{Game, Player, Turn};

/// For the first team, by reading everything.
pub(crate) struct Minimax<G: Game> {
    known: HashMap<(G::State, u32), f32>,
    /// What an end at a ply is worth to the first team.
    end: fn(&G, &G::State, u32) -> f32,
    /// Whether the ply matters.
    by_ply: bool,
}

impl<G: Game> Minimax<G> {
    pub(crate) fn of_payoffs() -> Minimax<G> {
        Minimax { known: HashMap::new(), end: |game, state, _| game.payoffs(state)[0], by_ply: false }
    }

    pub(crate) fn of(by_ply: bool, end: fn(&G, &G::State, u32) -> f32) -> Minimax<G> {
        Minimax { known: HashMap::new(), end, by_ply }
    }

    pub(crate) fn value(&mut self, game: &G, state: &G::State, ply: u32) -> f32 {
        let Turn::Player(player) = game.turn(state) else { return (self.end)(game, state, ply) };
        let ply = if self.by_ply { ply } else { 0 };
        if let Some(&value) = self.known.get(&(state.clone(), ply)) {
            return value;
        }
        let values = successors(game, state).into_iter().map(|(_, next)| self.value(game, &next, ply + 1));
        let value = match game.team(player) {
            0 => values.fold(f32::NEG_INFINITY, f32::max),
            _ => values.fold(f32::INFINITY, f32::min),
        };
        self.known.insert((state.clone(), ply), value);
        value
    }
}

pub(crate) fn successors<G: Game>(game: &G, state: &G::State) -> Vec<(G::Action, G::State)> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let after = |action| {
        let mut next = state.clone();
        game.apply(&mut next, action);
        (action, next)
    };
    actions.into_iter().map(after).collect()
}

/// Whether a player can force a win within so many plies, whoever is to move.
pub(crate) fn forces<G: Game>(game: &G, state: &G::State, player: Player, plies: u32) -> bool {
    let next = || successors(game, state).into_iter().map(|(_, next)| forces(game, &next, player, plies - 1));
    match game.turn(state) {
        Turn::Over => game.payoffs(state)[player] == 1.0,
        _ if plies == 0 => false,
        Turn::Player(mover) if mover == player => next().any(|forces| forces),
        _ => next().all(|forces| forces),
    }
}

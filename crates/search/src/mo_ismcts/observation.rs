//! Where every player is in his own tree.

use meeple_core::{Game, MAX_PLAYERS, Player};

use crate::edges::{edge_key, node_after, root_key};

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
        let by_player = std::array::from_fn(root_key);
        Nodes { by_player, players: game.info().players }
    }

    #[inline]
    pub(super) fn of(&self, player: Player) -> u64 {
        self.by_player[player]
    }

    /// After an action, and what chance did after it, that led to `state`.
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
                Observation::Public => public,
                Observation::View => game.view_key(state, Some(observer)),
            };
            // The mover knows what he did, also where others do not see it.
            let node_of_action = if observer == mover { edge_key(*node, code) } else { *node };
            *node = node_after(node_of_action, seen);
        }
    }
}

#[cfg(test)]
mod tests {
    use meeple_core::{Game, Rng, Turn, Worlds};
    use meeple_games::{Hearts, HeartsRules};

    use super::*;

    /// An action after which `observer` sees the same as in `seen`, chosen at random.
    fn same_to_observer(game: &Hearts, state: &State, seen: &View, observer: Player, rng: &mut Rng) -> Option<Action> {
        let mut actions = Vec::new();
        game.legal_actions(state, &mut actions);
        rng.shuffle(&mut actions);
        actions.into_iter().find(|&action| game.view(&after(game, state, action), Some(observer)) == *seen)
    }

    type State = <Hearts as Game>::State;
    type View = <Hearts as Game>::View;
    type Action = <Hearts as Game>::Action;

    fn after(game: &Hearts, state: &State, action: Action) -> State {
        let mut next = state.clone();
        game.apply(&mut next, action);
        next
    }

    /// Plays on in two worlds in which an observer sees the same, as long as there is an action for
    /// that, and returns how many actions were hidden from him.
    fn follow_both(game: &Hearts, observation: Observation, observer: Player, rng: &mut Rng) -> u32 {
        let mut deal = game.initial_state();
        game.play_chance(&mut deal, rng);
        let worlds = game.worlds(&game.view(&deal, Some(observer)));
        let (mut first, mut second) = (deal.clone(), deal);
        worlds.sample_into(&mut first, rng);
        worlds.sample_into(&mut second, rng);
        let (mut one, mut two) = (Nodes::at_root(game), Nodes::at_root(game));
        let mut hidden = 0;
        while let Turn::Player(mover) = game.turn(&first) {
            let action = game.random_action(&first, &mut Vec::new(), rng);
            first = after(game, &first, action);
            let same =
                |action| game.view(&after(game, &second, action), Some(observer)) == game.view(&first, Some(observer));
            let other = match mover == observer {
                true => Some(action).filter(|&action| same(action)),
                false => same_to_observer(game, &second, &game.view(&first, Some(observer)), observer, rng),
            };
            let Some(other) = other else { break };
            second = after(game, &second, other);
            one.follow(game, &first, mover, game.action_code(action), observation);
            two.follow(game, &second, mover, game.action_code(other), observation);
            assert_eq!(one.of(observer), two.of(observer), "{first:?} and {second:?}");
            if action != other {
                assert_ne!(one.of(mover), two.of(mover), "the mover knows what he did");
                hidden += 1;
            }
        }
        hidden
    }

    #[test]
    fn nobody_tells_apart_what_he_cannot_see() {
        let game = Hearts::new(HeartsRules { passing: true, ..HeartsRules::default() });
        let mut rng = Rng::from_seed(1);
        for observation in [Observation::Public, Observation::View] {
            let hidden: u32 = (0..40).map(|deal| follow_both(&game, observation, deal % 4, &mut rng)).sum();
            assert!(hidden > 40, "{hidden} hidden actions");
        }
    }

    /// Where everybody sees everything, the actions of others lead to different nodes.
    #[test]
    fn public_actions_are_told_apart() {
        let game = Hearts::default();
        let mut state = game.initial_state();
        let mut rng = Rng::from_seed(2);
        game.play_chance(&mut state, &mut rng);
        let mut actions = Vec::new();
        while actions.len() < 2 {
            let action = game.random_action(&state, &mut actions, &mut rng);
            game.apply(&mut state, action);
            game.legal_actions(&state, &mut actions);
        }
        let Turn::Player(mover) = game.turn(&state) else { panic!("nobody is to move") };
        for observer in 0..4 {
            let node = |action| {
                let mut nodes = Nodes::at_root(&game);
                nodes.follow(
                    &game,
                    &after(&game, &state, action),
                    mover,
                    game.action_code(action),
                    Observation::Public,
                );
                nodes.of(observer)
            };
            assert_ne!(node(actions[0]), node(actions[1]));
        }
    }
}

//! The actions that a search chooses among: those of the game, or groups of them.

use meeple_core::{ActionGroups, Game, Rng};

use super::search::{Scratch, Search};

impl<G: Game> Search<G> {
    #[inline]
    pub(super) fn groups<'a>(&self, game: &'a G) -> Option<&'a dyn ActionGroups<G>> {
        self.settings.group_rule.map(|_| groups_of(game))
    }

    /// The legal actions of the state, or the first one of each group.
    #[inline]
    pub(super) fn list_actions(&mut self, game: &G) {
        let Scratch { state, actions, codes, .. } = &mut self.scratch;
        game.legal_actions(state, actions);
        if self.settings.group_rule.is_some() {
            let groups = groups_of(game);
            codes.clear();
            actions.retain(|&action| {
                let code = groups.group(game, action);
                let new = !codes.contains(&code);
                if new {
                    codes.push(code);
                }
                new
            });
        }
    }

    /// The action that is played where this one stands for its group.
    pub(super) fn member(&mut self, game: &G, action: G::Action, rng: &mut Rng) -> G::Action {
        let Some(rule) = self.settings.group_rule else { return action };
        let groups = groups_of(game);
        let Scratch { state, members, .. } = &mut self.scratch;
        game.legal_actions(state, members);
        let group = groups.group(game, action);
        members.retain(|&member| groups.group(game, member) == group);
        groups.choose(game, rule, members, rng)
    }
}

fn groups_of<G: Game>(game: &G) -> &dyn ActionGroups<G> {
    game.action_groups().expect("a search among groups is only made for games with groups")
}

/// The number of an action, or of its group.
#[inline]
pub(super) fn code<G: Game>(game: &G, groups: Option<&dyn ActionGroups<G>>, action: G::Action) -> u32 {
    match groups {
        None => game.action_code(action),
        Some(groups) => groups.group(game, action),
    }
}

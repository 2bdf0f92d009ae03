//! Coarser looks at the game: plays by the field they reach, and keys of parts of a view (thesis
//! 000, section 6.4).

use meeple_core::rng::mix;
use meeple_core::{ActionGroups, Player, Rng};

use super::cards::{Cards, HAND};
use super::state::State;
use super::{Just4Fun, Layout};

/// The names of the coarse keys, by number.
pub(super) const COARSE_KEYS: &[&str] = &["board+hand+used", "board+hand", "board"];

impl Just4Fun {
    /// The stones on the board, then one's own hand, then the used cards that everybody saw.
    pub(super) fn coarse_key_of(&self, number: usize, state: &State, viewer: Player) -> u64 {
        let board = self.board_key(state);
        if number == 2 {
            return board;
        }
        let hand = state.hands[viewer].values().fold(0, |code, value| code << 5 | u64::from(value));
        let board_and_hand = mix(board ^ mix(hand + 1));
        match number {
            1 => board_and_hand,
            _ => mix(board_and_hand ^ mix(state.pile.bits())),
        }
    }

    fn board_key(&self, state: &State) -> u64 {
        let words = state.stones.words();
        let add = |key: u64, word: u64| mix(key.wrapping_add(1) ^ word);
        let key = words[..self.rules.players].as_flattened().iter().fold(0, |key, &word| add(key, word));
        match self.rules.board {
            Layout::Random => state.squares.iter().fold(key, |key, &square| add(key, u64::from(square))),
            _ => key,
        }
    }
}

/// A group is the field that the stone goes to.
impl ActionGroups<Just4Fun> for Just4Fun {
    fn name(&self) -> &'static str {
        "fields"
    }

    fn group(&self, _: &Just4Fun, action: Cards) -> u32 {
        u32::from(action.sum())
    }

    /// Any cards (thesis 000, section 6.4); the fewest or the most, any of equals; those whose
    /// highest card is the lowest, then the second highest.
    fn rules(&self) -> &'static [&'static str] {
        &["uniform", "fewest", "most", "lowest"]
    }

    fn choose(&self, _: &Just4Fun, rule: usize, actions: &[Cards], rng: &mut Rng) -> Cards {
        let cost = |cards: &Cards| match rule {
            0 => 0,
            1 => cards.values().count(),
            2 => HAND - cards.values().count(),
            _ => cards.values().fold(0, |code, value| code >> 5 | usize::from(value) << 15),
        };
        let lowest = actions.iter().map(cost).min();
        let best = || actions.iter().filter(|cards| Some(cost(cards)) == lowest);
        let chosen = rng.below(best().count() as u32) as usize;
        *best().nth(chosen).expect("a group has an action")
    }
}

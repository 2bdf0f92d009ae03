//! The suits that are not trump may be exchanged.

use meeple_core::Symmetries;

use super::{Public, State, Sueca, View};
use crate::cards::Card;
use crate::tricks::suits::{self, SuitMap};

impl Symmetries<Sueca> for Sueca {
    fn count(&self) -> usize {
        suits::count(self.pack.suits)
    }

    fn state(&self, symmetry: usize, state: &State) -> State {
        let map = self.suit_map(symmetry, &state.public);
        State { hands: state.hands.map(|hand| map.set(hand)), public: image(&map, &state.public) }
    }

    fn view(&self, symmetry: usize, view: &View) -> View {
        let map = self.suit_map(symmetry, &view.public);
        View { hand: map.set(view.hand), public: image(&map, &view.public), ..*view }
    }

    fn action(&self, symmetry: usize, state: &State, action: Card) -> Card {
        self.suit_map(symmetry, &state.public).card(action)
    }
}

impl Sueca {
    fn suit_map(&self, symmetry: usize, public: &Public) -> SuitMap {
        SuitMap::new(symmetry, public.table.trump, self.pack.suits)
    }
}

fn image(map: &SuitMap, public: &Public) -> Public {
    Public { table: map.table(&public.table), ..*public }
}

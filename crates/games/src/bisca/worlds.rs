//! The hands and orders of the stock that a seat cannot rule out.

use meeple_core::bits::elements;
use meeple_core::deal::{Impossible, MAX_HOLDERS};
use meeple_core::{Rng, Worlds};

use super::{Bisca, MOST_STOCK, SEATS, State, View};
use crate::cards::Card;
use crate::tricks::NO_CARD;
use crate::tricks::hidden::{Hidden, Holders, STOCK, Sight, UNDEALT};

/// Hands that fit the sizes, the suits that seats are out of, and the turned-up card; the hidden
/// stock in any order.
#[derive(Clone, Debug)]
pub struct BiscaWorlds {
    /// With empty hands and, of the stock, the turned-up card alone.
    public: State,
    hidden: Hidden,
    /// The hidden cards of the stock lie at these places.
    stock_from: usize,
    stock_to: usize,
}

impl BiscaWorlds {
    pub(super) fn prepare(game: &Bisca, view: &View) -> Result<BiscaWorlds, Impossible> {
        let public = &view.public;
        let mut counts = [0; MAX_HOLDERS];
        for seat in 0..game.rules.players {
            counts[seat] = game.hand_count(public, seat);
        }
        let stock_left = game.stock_left(public);
        counts[STOCK] = stock_left as u32;
        counts[UNDEALT] = game.pack.size() as u32 - u32::from(public.dealt);
        let sight = Sight { table: &public.table, viewer: view.viewer, hand: view.hand, counts };
        let hidden = Hidden::prepare(&game.pack, &sight)?;

        let mut template = State { hands: [0; SEATS], stock: [NO_CARD; MOST_STOCK], public: *public };
        let stock_from = game.drawn(public);
        let mut stock_to = stock_from + stock_left;
        if public.table.trump != NO_CARD && stock_left > 0 {
            stock_to -= 1;
            template.stock[stock_to] = public.table.trump;
        }
        Ok(BiscaWorlds { public: template, hidden, stock_from, stock_to })
    }

    /// Writes hands and the hidden part of the stock, in the order of the pack.
    fn place(&self, holders: &Holders, state: &mut State) {
        *state = self.public;
        state.hands.copy_from_slice(&holders[..SEATS]);
        let stock = &mut state.stock[self.stock_from..self.stock_to];
        let known = if self.public.public.table.trump == NO_CARD { 0 } else { self.public.public.table.trump.bit() };
        for (place, bit) in stock.iter_mut().zip(elements(holders[STOCK] & !known)) {
            *place = Card(bit as u8);
        }
    }
}

impl Worlds for BiscaWorlds {
    type State = State;

    fn sample_into(&self, state: &mut State, rng: &mut Rng) {
        self.place(&self.hidden.sample(rng), state);
        rng.shuffle(&mut state.stock[self.stock_from..self.stock_to]);
    }

    fn count(&self) -> f64 {
        (1..=self.stock_to - self.stock_from).fold(self.hidden.count() as f64, |worlds, cards| worlds * cards as f64)
    }

    fn enumerate(&self, limit: usize) -> Option<Vec<(State, u64)>> {
        if self.count() > limit as f64 {
            return None;
        }
        let mut worlds = Vec::new();
        let mut state = self.public;
        for holders in self.hidden.enumerate(limit)? {
            self.place(&holders, &mut state);
            self.orders(&mut state, self.stock_from, &mut worlds);
        }
        Some(worlds)
    }
}

impl BiscaWorlds {
    /// Every order of the hidden stock from a place on.
    fn orders(&self, state: &mut State, from: usize, worlds: &mut Vec<(State, u64)>) {
        if from >= self.stock_to {
            return worlds.push((*state, 1));
        }
        for place in from..self.stock_to {
            state.stock.swap(from, place);
            self.orders(state, from + 1, worlds);
            state.stock.swap(from, place);
        }
    }
}

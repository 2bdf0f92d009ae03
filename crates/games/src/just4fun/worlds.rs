//! The states that a view allows.
//!
//! Cards drawn since the last reshuffle may be any that the viewer has not seen; cards kept
//! through a reshuffle are among those that the other hands then held together. The player to move
//! has something to play, or would have redrawn: worlds in which he has not are rejected. All that
//! remain are equally likely.
//!
//! A play does not say which of several equal cards is taken; the rules take the oldest, but a
//! viewer concludes nothing from that, as if the player could have taken any. So a hand that has
//! played a newer card may still hold an equal older one, if the viewer cannot tell the kept cards
//! of two hands apart. The two players of a game for two always can; in random games of three and
//! four players such a card is about in 1 % and 4 % of all decisions.

use std::collections::HashMap;

use meeple_core::bits::random_bit;
use meeple_core::{Rng, Worlds};

use super::Just4Fun;
use super::board::SEATS;
use super::cards::{DECK, FRESH, HAND, HIGHEST_CARD, Hand, Multiset};
use super::hidden::HiddenPlays;
use super::state::State;
use super::view::View;

/// The worlds of a view, prepared for sampling.
#[derive(Clone, Debug)]
pub struct Just4FunWorlds {
    shown: State,
    /// Cards that the viewer has not seen since the last reshuffle.
    unseen: Multiset,
    kept: [Multiset; FRESH as usize],
    /// The slots of hidden cards: player, slot, age.
    slots: Vec<(usize, usize, u8)>,
    /// What the hidden hand of the player to move must be able to reach.
    open: Option<u64>,
    plays: Option<HiddenPlays>,
}

impl Just4FunWorlds {
    pub(super) fn prepare(game: &Just4Fun, view: &View) -> Just4FunWorlds {
        let shown = view.shown;
        let unseen = unseen(game, view).expect("a view shows no more cards than there are");
        let mut slots = Vec::new();
        for player in (0..game.rules().players).filter(|&player| view.viewer() != Some(player)) {
            for slot in 0..HAND {
                let card = shown.hands[player].slot(slot);
                if card != 0 {
                    slots.push((player, slot, card & 7));
                }
            }
        }
        let open = (view.viewer() != Some(shown.mover())).then(|| shown.open_values(shown.mover()));
        let plays = (shown.discards > 0).then(|| HiddenPlays::prepare(&shown, view.viewer(), unseen));
        Just4FunWorlds { shown, unseen, kept: view.kept, slots, open, plays }
    }

    /// Whether the player to move could decide.
    fn is_possible(&self, state: &State) -> bool {
        self.open.is_none_or(|open| state.hands[state.mover()].playable(open) != 0)
    }

    /// All ways to fill the slots and the stock from here on, each with its weight.
    fn list(&self, slot: usize, world: Partial, found: &mut Found) {
        if found.worlds.len() > found.limit {
            return;
        }
        if let Some(&(player, position, age)) = self.slots.get(slot) {
            let source = if age == FRESH { world.unseen } else { world.kept[usize::from(age)] };
            for value in (1..=HIGHEST_CARD).filter(|&value| source.count(value) > 0) {
                let mut next = world.clone();
                next.weight = next.weight.saturating_mul(u64::from(source.count(value)));
                if age == FRESH {
                    next.unseen.remove(value)
                } else {
                    next.kept[usize::from(age)].remove(value)
                }
                next.state.hands[player].set(position, value, age);
                self.list(slot + 1, next, found);
            }
            return;
        }
        let mut world = world;
        world.state.hands.iter_mut().for_each(Hand::sort);
        if self.is_possible(&world.state) {
            list_stock(world, found);
        }
    }
}

/// A world in the making.
#[derive(Clone)]
struct Partial {
    state: State,
    unseen: Multiset,
    kept: [Multiset; FRESH as usize],
    weight: u64,
}

struct Found {
    worlds: HashMap<State, u64>,
    limit: usize,
}

fn list_stock(world: Partial, found: &mut Found) {
    if world.unseen.is_empty() {
        *found.worlds.entry(world.state).or_default() += world.weight;
        return;
    }
    for value in (1..=HIGHEST_CARD).filter(|&value| world.unseen.count(value) > 0) {
        if found.worlds.len() > found.limit {
            return;
        }
        let mut next = world.clone();
        next.weight = next.weight.saturating_mul(u64::from(world.unseen.count(value)));
        next.state.cards[world.unseen.len() - 1] = value;
        next.unseen.remove(value);
        list_stock(next, found);
    }
}

/// The cards that may be in the stock, fresh in other hands or among hidden plays; or a value of
/// which the view shows more than there are.
pub(super) fn unseen(game: &Just4Fun, view: &View) -> Result<Multiset, u8> {
    let shown = &view.shown;
    let mut unseen = game.rules().deck.without(shown.pile.values())?;
    for kept in view.kept {
        unseen = unseen.without(kept.values())?;
    }
    if let Some(viewer) = view.viewer() {
        unseen = unseen.without(shown.hands[viewer].values())?;
        for (_, cards) in shown.hidden_plays().filter(|&(player, _)| player == viewer) {
            unseen = unseen.without(cards.values())?;
        }
    }
    Ok(unseen)
}

impl Worlds for Just4FunWorlds {
    type State = State;

    fn sample_into(&self, state: &mut State, rng: &mut Rng) {
        loop {
            *state = self.shown;
            let mut unseen = self.unseen;
            if let Some(plays) = &self.plays {
                plays.sample_into(state, &mut unseen, rng);
            }
            let mut cards = [0; DECK];
            let mut len = 0;
            for value in unseen.values() {
                cards[len] = value;
                len += 1;
            }
            let mut kept = self.kept;
            for &(player, slot, age) in &self.slots {
                let value = if age == FRESH {
                    let drawn = rng.below(len as u32) as usize;
                    len -= 1;
                    cards.swap(drawn, len);
                    cards[len]
                } else {
                    let source = &mut kept[usize::from(age)];
                    let value = Multiset::value_of_bit(random_bit(source.bits(), rng));
                    source.remove(value);
                    value
                };
                state.hands[player].set(slot, value, age);
            }
            state.hands.iter_mut().for_each(Hand::sort);
            if self.is_possible(state) {
                debug_assert_eq!(len, usize::from(state.stock));
                rng.shuffle(&mut cards[..len]);
                state.cards[..len].copy_from_slice(&cards[..len]);
                return;
            }
        }
    }

    fn count(&self) -> f64 {
        let mut count = 1.0;
        let mut cards = self.unseen.len();
        if let Some(plays) = &self.plays {
            count = plays.most_ways(&mut cards);
        }
        // Ways to fill the fresh slots hand by hand, then the order of the stock.
        for age in 0..=FRESH {
            let mut left = if age == FRESH { cards } else { self.kept[usize::from(age)].len() };
            for player in 0..SEATS {
                let size = self.slots.iter().filter(|&&(owner, _, of)| owner == player && of == age).count();
                for taken in 0..size {
                    count *= (left - taken) as f64 / (taken + 1) as f64;
                }
                left -= size;
            }
            if age == FRESH {
                (2..=left).for_each(|cards| count *= cards as f64);
            }
        }
        count
    }

    fn enumerate(&self, limit: usize) -> Option<Vec<(State, u64)>> {
        let mut found = Found { worlds: HashMap::new(), limit };
        let start = Partial { state: self.shown, unseen: self.unseen, kept: self.kept, weight: 1 };
        match &self.plays {
            None => self.list(0, start, &mut found),
            Some(plays) => plays.for_each(self.unseen, &mut |plays, unseen, weight| {
                let mut world = Partial { unseen, weight, ..start.clone() };
                HiddenPlays::write(&mut world.state, plays);
                self.list(0, world, &mut found);
                found.worlds.len() <= limit
            }),
        }
        (found.worlds.len() <= limit).then(|| found.worlds.into_iter().collect())
    }
}

//! The states that a view of a relative allows: the unseen cards in all ways, and the gifts of Dog
//! that the viewer did not see. A gift can be any card of the hand it was given from or, after the
//! exchange, of the hand it came to, cards played since included.

use meeple_core::{Player, Rng, Worlds};

use super::Relative;
use super::state::{Gifts, LATER, NONE, Phase, State, Table, UNKNOWN, View};
use crate::keezen::holdings::{Hidden, Holdings, SEATS, hand_sizes};
use crate::keezen::ranks::Cards;

/// The prepared worlds of a view.
#[derive(Clone, Debug)]
pub struct RelativeWorlds {
    table: Table,
    hidden: Hidden<LATER>,
    gifts: Gifts,
    /// For each gift that the viewer did not see the number of cards it can be.
    choices: f64,
}

impl RelativeWorlds {
    pub(super) fn new(game: &Relative, view: &View) -> RelativeWorlds {
        let giving = view.table.phase == Phase::Give;
        let mut known = Holdings::EMPTY;
        let mut need = view.counts;
        let mut unseen = game.setup.deck.minus(view.table.played).minus(view.hand);
        if let Some(viewer) = view.viewer {
            known.hands[viewer] = view.hand;
            need[viewer] = 0;
        }
        if let Some((partner, gift)) = unplayed_gift(view) {
            unseen.remove(gift);
            if !giving {
                known.hands[partner].add(gift);
                need[partner] -= 1;
            }
        }
        let mut choices = 1.0;
        for seat in (0..SEATS).filter(|&seat| view.gifts.given[seat] == UNKNOWN) {
            need[seat] += u8::from(giving);
            let received = view.counts[seat ^ 2] + view.gifts.played[seat ^ 2].count() as u8;
            choices *= f64::from(if giving { need[seat] } else { received });
        }
        let sizes =
            |later| hand_sizes(usize::from(view.table.round) + 1 + later, &game.setup.deal, view.table.dealt.into());
        let hidden = Hidden::new(known, unseen, need, std::array::from_fn(sizes));
        RelativeWorlds { table: view.table, hidden, gifts: view.gifts, choices }
    }

    /// The cards among which the gift of a seat is.
    fn candidates(&self, holdings: &Holdings<LATER>, seat: usize) -> Cards {
        if self.table.phase == Phase::Give {
            holdings.hands[seat]
        } else {
            holdings.hands[seat ^ 2].plus(self.gifts.played[seat ^ 2])
        }
    }

    /// Decides on a gift that was not seen.
    fn give(&self, state: &mut State, seat: usize, rank: usize) {
        state.gifts.given[seat] = rank as u8;
        if self.table.phase == Phase::Give {
            state.holdings.hands[seat].remove(rank);
        }
    }

    fn unknown_gifts(&self) -> impl Iterator<Item = usize> {
        let given = self.gifts.given;
        (0..SEATS).filter(move |&seat| given[seat] == UNKNOWN)
    }
}

impl Worlds for RelativeWorlds {
    type State = State;

    fn sample_into(&self, state: &mut State, rng: &mut Rng) {
        state.table = self.table;
        state.gifts = self.gifts;
        self.hidden.sample(&mut state.holdings, rng);
        for seat in self.unknown_gifts() {
            let candidates = self.candidates(&state.holdings, seat);
            let chosen = rng.below(candidates.count()) as usize;
            let rank = candidates.each().nth(chosen).expect("there are that many cards");
            self.give(state, seat, rank);
        }
    }

    fn count(&self) -> f64 {
        self.hidden.count() * self.choices
    }

    fn enumerate(&self, limit: usize) -> Option<Vec<(State, u64)>> {
        let listed = self.hidden.enumerate(limit)?;
        let state = |holdings| State { table: self.table, holdings, gifts: self.gifts };
        let mut worlds: Vec<(State, u64)> =
            listed.into_iter().map(|(holdings, weight)| (state(holdings), weight)).collect();
        for seat in self.unknown_gifts() {
            let mut next = Vec::new();
            for (world, weight) in &worlds {
                let candidates = self.candidates(&world.holdings, seat);
                for rank in candidates.ranks() {
                    let mut world = *world;
                    self.give(&mut world, seat, rank);
                    next.push((world, weight.saturating_mul(candidates.count_of(rank).into())));
                }
            }
            worlds = next;
        }
        (worlds.len() <= limit).then_some(worlds)
    }
}

/// The partner and the card that the viewer gave him, unless it may have been played since.
pub(super) fn unplayed_gift(view: &View) -> Option<(Player, usize)> {
    let viewer = view.viewer?;
    let gift = view.gifts.given[viewer];
    let open = gift < UNKNOWN && !view.gifts.played[viewer ^ 2].has(gift.into());
    open.then_some((viewer ^ 2, gift.into()))
}

pub(super) fn view(state: &State, viewer: Option<Player>) -> View {
    let mut gifts = state.gifts;
    for seat in (0..SEATS).filter(|&seat| state.gifts.given[seat] != NONE) {
        let received = state.table.phase != Phase::Give && viewer == Some(seat ^ 2);
        if viewer != Some(seat) && !received {
            gifts.given[seat] = UNKNOWN;
        }
    }
    View {
        viewer,
        table: state.table,
        hand: viewer.map_or(Cards::NONE, |seat| state.holdings.hands[seat]),
        counts: state.holdings.counts(),
        gifts,
    }
}

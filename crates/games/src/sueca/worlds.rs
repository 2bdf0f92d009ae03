//! The deals that a seat cannot rule out.

use meeple_core::deal::{Impossible, MAX_HOLDERS};
use meeple_core::{Rng, Worlds};

use super::{SEATS, State, Sueca, View};
use crate::tricks::NO_CARD;
use crate::tricks::hidden::{Hidden, Holders, Sight, UNDEALT, Unseen};

/// Hands that fit the sizes, the suits that seats are out of, and the turned-up card; where weak
/// hands are dealt again, none of them was weak.
#[derive(Clone, Debug)]
pub struct SuecaWorlds {
    /// With empty hands.
    public: State,
    hidden: Hidden,
    /// The game, where deals have to be rejected.
    redealing: Option<Sueca>,
}

impl SuecaWorlds {
    pub(super) fn prepare(game: &Sueca, view: &View) -> Result<SuecaWorlds, Impossible> {
        let public = &view.public;
        let mut counts = [0; MAX_HOLDERS];
        for seat in 0..SEATS {
            counts[seat] = game.hand_count(public, seat);
        }
        counts[UNDEALT] = game.pack.size() as u32 - u32::from(public.dealt);
        let sight = Sight { table: &public.table, viewer: view.viewer, hand: view.hand, counts };
        let hidden = Hidden::prepare(&game.pack, &sight)?;
        let rejecting = game.rules.redeal_weak_hands && public.table.trump != NO_CARD;
        let redealing = rejecting.then(|| game.clone());
        Ok(SuecaWorlds { public: State { hands: [0; SEATS], public: *public }, hidden, redealing })
    }

    /// Tries so many samples: whether any world is left after the rejection of weak hands.
    pub(super) fn is_possible(&self, tries: u32) -> bool {
        let mut rng = Rng::from_seed(0);
        (0..tries).any(|_| self.is_played(&self.state(&self.hidden.sample(&mut rng))))
    }

    pub(super) fn unseen(&self) -> &Unseen {
        self.hidden.unseen()
    }

    pub(super) fn state(&self, holders: &Holders) -> State {
        let mut state = self.public;
        state.hands.copy_from_slice(&holders[..SEATS]);
        state
    }

    /// Whether the hands as they were dealt would have been played.
    pub(super) fn is_played(&self, world: &State) -> bool {
        let Some(game) = &self.redealing else { return true };
        let mut dealt = world.hands;
        for seat in 0..SEATS {
            dealt[seat] |= world.public.table.played[seat];
        }
        !game.is_dealt_again(&dealt, &world.public)
    }
}

impl Worlds for SuecaWorlds {
    type State = State;

    fn sample_into(&self, state: &mut State, rng: &mut Rng) {
        state.public = self.public.public;
        loop {
            let holders = self.hidden.sample(rng);
            state.hands.copy_from_slice(&holders[..SEATS]);
            if self.is_played(state) {
                return;
            }
        }
    }

    fn count(&self) -> f64 {
        self.hidden.count() as f64
    }

    fn enumerate(&self, limit: usize) -> Option<Vec<(State, u64)>> {
        // Where some are rejected, more have to be looked at than are wanted.
        let looked_at = if self.redealing.is_some() { limit.saturating_mul(100).saturating_add(10_000) } else { limit };
        let all = self.hidden.enumerate(looked_at)?;
        let worlds: Vec<(State, u64)> =
            all.iter().map(|holders| (self.state(holders), 1)).filter(|(world, _)| self.is_played(world)).collect();
        (worlds.len() <= limit).then_some(worlds)
    }
}

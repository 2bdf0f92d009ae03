//! What a seat knows, and its key.
//!
//! Whoever remembers the used cards knows at a reshuffle which cards the other hands hold
//! together, two players even the other's hand. How many cards of a hand were kept through how
//! many reshuffles is public (one sees which card is taken out), so those cards stay known until
//! they are played.
//!
//! A view forgets in two places, which adds worlds but no false ones: after seven reshuffles ages
//! are not told apart (random games of four players have 3.6 on average), and with hidden discards a
//! reshuffle makes everybody forget the plays before it, their own as well.

use meeple_core::Player;
use meeple_core::rng::mix;

use super::board::SEATS;
use super::cards::{Cards, FRESH, HAND, Hand, Multiset};
use super::state::{PILE, Phase, State};
use super::{Just4Fun, Layout};

/// All that one player, or a spectator, knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub(super) viewer: Option<u8>,
    /// The state without what is hidden: cards of other hands are unknown, the stock is a number,
    /// the others' hidden plays are only sums (see [`veil`]).
    pub(super) shown: State,
    /// The cards that the other hands hold together, by age, if kept through a reshuffle.
    pub(super) kept: [Multiset; FRESH as usize],
    /// Cards that still have to be dealt or put in order.
    pub(super) unordered: u8,
}

impl View {
    pub fn viewer(&self) -> Option<Player> {
        self.viewer.map(usize::from)
    }
}

/// A stand-in with the same number of cards and the same sum, all cards as equal as possible.
pub(super) fn veil(cards: Cards) -> Cards {
    veil_of(cards.values().count() as u8, cards.sum())
}

/// See [`veil`].
pub(super) fn veil_of(count: u8, sum: u8) -> Cards {
    let mut values = [0; HAND];
    for i in 0..count {
        values[usize::from(i)] = sum / count + u8::from(i < sum % count);
    }
    Cards::new(&values)
}

impl Just4Fun {
    pub(super) fn view_of(&self, state: &State, viewer: Option<Player>) -> View {
        let mut shown = *state;
        let mut kept = [Multiset::default(); FRESH as usize];
        shown.cards = [0; PILE];
        for player in (0..self.rules.players).filter(|&player| viewer != Some(player)) {
            for (value, age) in state.hands[player].cards().filter(|&(_, age)| age < FRESH) {
                kept[usize::from(age)].add(value);
            }
            shown.hands[player] = shown.hands[player].hidden();
        }
        if state.discards > 0 {
            shown.discards = 0;
            for (player, cards) in state.hidden_plays() {
                shown.push_hidden_play(player, if viewer == Some(player) { cards } else { veil(cards) });
            }
        }
        let mut unordered = 0;
        if matches!(state.phase, Phase::Board | Phase::Deal | Phase::Shuffle) {
            unordered = state.pile.len() as u8;
            shown.pile = Multiset::default();
        }
        View { viewer: viewer.map(|viewer| viewer as u8), shown, kept, unordered }
    }

    /// Mixes what views are made of, without making one. What follows from the stones is left out.
    pub(super) fn key_of(&self, state: &State, viewer: Option<Player>) -> u64 {
        let shuffling = matches!(state.phase, Phase::Board | Phase::Deal | Phase::Shuffle);
        let pile = if shuffling { u64::from(state.pile.bits().count_ones()) } else { state.pile.bits() };
        let turn = u64::from(state.mover)
            | (state.phase as u64) << 8
            | u64::from(state.stock) << 16
            | u64::from(state.redraws) << 24
            | u64::from(state.discards) << 32
            | (viewer.map_or(SEATS, |viewer| viewer) as u64) << 40;
        let own = viewer.map_or(0, |viewer| state.hands[viewer].bits());
        let mut key = fold(pile ^ 0x9e37_79b9_7f4a_7c15, turn ^ u64::from(own) << 20 ^ 0xd1b5_4a32_d192_ed03);
        for (player, &[a, b, c]) in state.stones.words()[..self.rules.players].iter().enumerate() {
            key ^= fold(a ^ KEYS[2 * player], b ^ key).wrapping_add(fold(c ^ KEYS[2 * player + 1], key));
        }
        key ^= self.others_key(&state.hands, viewer);
        if self.rules.board == Layout::Random {
            for word in state.squares.chunks_exact(4) {
                key =
                    fold(key ^ KEYS[0], u64::from(u32::from_le_bytes([word[0], word[1], word[2], word[3]])) ^ KEYS[1]);
            }
        }
        if state.discards > 0 {
            for (player, cards) in state.hidden_plays() {
                let cards = if viewer == Some(player) { cards } else { veil(cards) };
                key = fold(key ^ KEYS[2], u64::from(cards.code()) << 8 ^ player as u64 ^ KEYS[3]);
            }
        }
        mix(key)
    }

    /// The ages of the others' cards hand by hand, the kept values of all hands together.
    #[inline]
    fn others_key(&self, hands: &[Hand; SEATS], viewer: Option<Player>) -> u64 {
        let mut key = 0u64;
        for player in (0..self.rules.players).filter(|&player| viewer != Some(player)) {
            let hand = hands[player].bits();
            const AGES: u32 = 0x0707_0707;
            if hand & AGES == AGES {
                continue;
            }
            for (value, age) in hands[player].cards() {
                key = key.wrapping_add(mix(u64::from(age) << 3 | (player as u64 + 1)));
                if age < FRESH {
                    key = key.wrapping_add(mix(0xa000 | u64::from(value) << 3 | u64::from(age)));
                }
            }
        }
        key
    }
}

/// Odd numbers without a pattern.
const KEYS: [u64; 8] = [
    0xa076_1d64_78bd_642f,
    0xe703_7ed1_a0b4_28db,
    0x8ebc_6af0_9c88_c6e3,
    0x5899_65cc_7537_4cc3,
    0x1d8e_4e27_c47d_124f,
    0xeb44_acca_b455_d165,
    0x2d35_8dcc_aa6c_78a5,
    0x8bb8_4b93_962e_acc9,
];

/// Both halves of the product.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

//! The states that a view allows. What others played tells nothing about what they still hold:
//! a move was open to every hand with its card, and a throw showed all cards. So every way to
//! hand out the unseen cards is possible.

use meeple_core::{Player, Rng, Worlds};

use super::Keezen;
use super::holdings::{Hidden, Holdings, SEATS, hand_sizes};
use super::state::{LATER, State, Table, View};

/// The prepared worlds of a view.
#[derive(Clone, Debug)]
pub struct KeezenWorlds {
    table: Table,
    hidden: Hidden<LATER>,
}

impl KeezenWorlds {
    pub(super) fn new(game: &Keezen, view: &View) -> KeezenWorlds {
        let mut known = Holdings::EMPTY;
        let mut need_now = view.counts;
        if let Some(viewer) = view.viewer {
            known.hands[viewer] = view.hand;
            need_now[viewer] = 0;
        }
        let unseen = game.setup.deck.minus(view.hand).minus(view.played);
        let hidden = Hidden::new(known, unseen, need_now, later_sizes(game, &view.table));
        KeezenWorlds { table: view.table, hidden }
    }
}

impl Worlds for KeezenWorlds {
    type State = State;

    #[inline]
    fn sample_into(&self, state: &mut State, rng: &mut Rng) {
        state.table = self.table;
        self.hidden.sample(&mut state.holdings, rng);
    }

    fn count(&self) -> f64 {
        self.hidden.count()
    }

    fn enumerate(&self, limit: usize) -> Option<Vec<(State, u64)>> {
        let listed = self.hidden.enumerate(limit)?;
        Some(listed.into_iter().map(|(holdings, weight)| (State { table: self.table, holdings }, weight)).collect())
    }
}

/// The sizes of the hands of later rounds.
fn later_sizes(game: &Keezen, table: &Table) -> [[u8; SEATS]; LATER] {
    std::array::from_fn(|later| hand_sizes(usize::from(table.round) + 1 + later, &game.setup.deal, table.dealt.into()))
}

/// The number of cards in other hands and in the stock.
pub(super) fn hidden_cards(game: &Keezen, view: &View) -> u32 {
    let sizes = later_sizes(game, &view.table);
    let all: u32 = view.counts.iter().chain(sizes.iter().flatten()).map(|&size| u32::from(size)).sum();
    all - view.hand.count()
}

pub(super) fn view(game: &Keezen, state: &State, viewer: Option<Player>) -> View {
    View {
        viewer,
        table: state.table,
        hand: viewer.map_or_else(Default::default, |seat| state.holdings.hands[seat]),
        counts: state.holdings.counts(),
        played: game.played(state),
    }
}

/// A word that tells almost all views apart, without building them.
#[inline]
pub(super) fn key(game: &Keezen, state: &State, viewer: Option<Player>) -> u64 {
    use meeple_core::rng::mix;
    let table = &state.table;
    let marbles: [u8; 16] = std::array::from_fn(|i| table.board.0[i / SEATS][i % SEATS]);
    let (first, second) = marbles.split_at(8);
    let word = |bytes: &[u8]| bytes.iter().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
    let hand = viewer.map_or(0, |seat| state.holdings.hands[seat].word());
    let seat = viewer.map_or(SEATS as u64, |seat| seat as u64);
    let small = [seat, table.dealer.into(), table.round.into(), table.dealt.into(), table.turn.into()];
    let counts = state.holdings.counts().iter().fold(0, |word, &count| word << 4 | u64::from(count));
    let numbers = small.iter().fold(counts, |word, &number| word << 6 | number) << 16 | u64::from(table.moves);
    [word(second), hand, game.played(state).word(), numbers].iter().fold(mix(word(first)), |key, &part| mix(key ^ part))
}

/// Hands out all cards that are still in the stock.
pub(super) fn deal_rest(game: &Keezen, state: &mut State, rng: &mut Rng) {
    let mut cards = [0u8; 52];
    let mut count = 0;
    for rank in game.setup.deck.minus(state.holdings.all()).each() {
        cards[count] = rank as u8;
        count += 1;
    }
    let mut left = count;
    while left > 0 {
        let drawn = rng.below(left as u32) as usize;
        game.deal_card(state, cards[drawn].into());
        left -= 1;
        cards[drawn] = cards[left];
    }
}

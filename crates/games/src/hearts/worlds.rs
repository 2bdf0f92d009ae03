//! The deals and passes that a view allows.
//!
//! A hand before and one after the passing tell each other once the passes are known, so every
//! deal with its passes is one choice of hands after the passing and of the cards in each that
//! were passed, and the other way round. The play depends only on the hands after the passing.
//! Hence the hands can be drawn first, and then a pass that the viewer did not see is any subset
//! of the receiver's hand, cards since played included.

use meeple_core::combinatorics::choose;
use meeple_core::deal::{Deal, Impossible, MAX_HOLDERS};
use meeple_core::{Rng, Worlds};

use super::Hearts;
use super::dealing::{random_subset, subsets};
use super::knowledge::Knowledge;
use super::state::{Phase, SEATS, State, Table, View};

/// The states that a view allows.
#[derive(Clone, Debug)]
pub struct HeartsWorlds {
    table: Table,
    /// Hidden cards to the four players and, in the middle of a deal, to the stock.
    deal: Deal,
    holders: usize,
    known: [u64; SEATS],
    played: [u64; SEATS],
    /// The passes that the viewer knows.
    passed: [u64; SEATS],
    /// Who passed unseen, with the seat whose hand the cards are in now.
    unseen: [Option<u8>; SEATS],
    pass_size: u32,
    /// Ways to choose one unseen pass.
    passes: f64,
}

impl HeartsWorlds {
    pub(super) fn prepare(game: &Hearts, view: &View) -> Result<HeartsWorlds, Impossible> {
        let knowledge = Knowledge::of(game, view).ok_or(Impossible)?;
        let stock = u32::from(game.cards - view.table.dealt);
        let holders = SEATS + usize::from(stock > 0);
        let mut need = [0; SEATS + 1];
        need[..SEATS].copy_from_slice(&knowledge.hidden);
        need[SEATS] = stock;
        let mut allowed = [0; SEATS + 1];
        allowed[..SEATS].copy_from_slice(&knowledge.allowed);
        allowed[SEATS] = knowledge.unknown;
        let (passed, unseen) = passes(game, view);
        Ok(HeartsWorlds {
            deal: Deal::prepare(knowledge.unknown, &need[..holders], &allowed[..holders])?,
            holders,
            known: knowledge.known,
            played: knowledge.played,
            passed,
            unseen,
            pass_size: game.passed,
            passes: choose(game.hand_size(), game.passed) as f64,
            table: view.table.clone(),
        })
    }

    /// Each pass that was not seen: the passing seat, and the cards that it is part of.
    fn unseen_passes<'a>(&'a self, hands: &'a [u64; SEATS]) -> impl Iterator<Item = (usize, u64)> + 'a {
        let unseen = self.unseen.iter().enumerate();
        unseen
            .filter_map(|(seat, place)| place.map(|place| (seat, usize::from(place))))
            .map(|(seat, place)| (seat, hands[place] | self.played[place]))
    }

    fn hands(&self, hidden: &[u64; MAX_HOLDERS]) -> [u64; SEATS] {
        std::array::from_fn(|seat| self.known[seat] | hidden[seat])
    }
}

/// The passes that the viewer knows, and for the others the seat where their cards were put.
fn passes(game: &Hearts, view: &View) -> ([u64; SEATS], [Option<u8>; SEATS]) {
    let mut passed = [0; SEATS];
    let mut unseen = [None; SEATS];
    let distance = game.pass_distance(view.table.hand);
    let (made, moved) = match view.table.phase {
        Phase::Deal => (0, 0),
        Phase::Pass => (usize::from(view.table.turn), 0),
        _ => (if distance > 0 { SEATS } else { 0 }, distance),
    };
    for (seat, place) in unseen.iter_mut().enumerate().take(made) {
        *place = Some(((seat + moved) % SEATS) as u8);
    }
    if let Some(viewer) = view.viewer.map(usize::from) {
        let source = (viewer + SEATS - distance) % SEATS;
        passed[viewer] = view.passed;
        unseen[viewer] = None;
        if moved > 0 {
            passed[source] = view.received;
            unseen[source] = None;
        }
    }
    (passed, unseen)
}

impl Worlds for HeartsWorlds {
    type State = State;

    fn sample_into(&self, state: &mut State, rng: &mut Rng) {
        let mut hidden = [0; MAX_HOLDERS];
        self.deal.sample(&mut hidden[..self.holders], rng);
        state.hands = self.hands(&hidden);
        state.passed = self.passed;
        for (seat, cards) in self.unseen_passes(&state.hands) {
            state.passed[seat] = random_subset(cards, self.pass_size, rng);
        }
        state.table.clone_from(&self.table);
    }

    fn count(&self) -> f64 {
        let unseen = self.unseen.iter().flatten().count();
        (0..unseen).fold(self.deal.count() as f64, |worlds, _| worlds * self.passes)
    }

    fn enumerate(&self, limit: usize) -> Option<Vec<(State, u64)>> {
        if self.count() > limit as f64 {
            return None;
        }
        let mut worlds = Vec::new();
        for hidden in self.deal.enumerate(limit)? {
            let hands = self.hands(&hidden);
            let mut choices = vec![self.passed];
            for (seat, cards) in self.unseen_passes(&hands) {
                choices = choices
                    .into_iter()
                    .flat_map(|passed| subsets(cards, self.pass_size).map(move |pass| with(passed, seat, pass)))
                    .collect();
            }
            worlds.extend(choices.into_iter().map(|passed| (State { hands, passed, table: self.table.clone() }, 1)));
        }
        Some(worlds)
    }
}

fn with(mut passed: [u64; SEATS], seat: usize, pass: u64) -> [u64; SEATS] {
    passed[seat] = pass;
    passed
}

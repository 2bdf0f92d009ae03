//! Who may hold the cards that a viewer has not seen.

use meeple_core::deal::{Deal, Impossible, MAX_HOLDERS};
use meeple_core::{Player, Rng};

use super::{NO_CARD, Pack, SEATS, Table};

/// Behind the seats: the stock, and what has not been dealt yet.
pub(crate) const STOCK: usize = SEATS;
pub(crate) const UNDEALT: usize = SEATS + 1;

/// One set of cards for each seat, the stock and the undealt rest.
pub(crate) type Holders = [u64; MAX_HOLDERS];

/// What a viewer sees of the hidden places: his own hand, and how many cards lie everywhere.
#[derive(Debug)]
pub(crate) struct Sight<'a> {
    pub(crate) table: &'a Table,
    pub(crate) viewer: Option<Player>,
    pub(crate) hand: u64,
    pub(crate) counts: [u32; MAX_HOLDERS],
}

/// The cards that a viewer has not seen, and where they may lie.
#[derive(Clone, Debug)]
pub(crate) struct Unseen {
    /// The viewer's hand and the turned-up card, where they lie.
    known: Holders,
    pub(crate) cards: u64,
    /// The places that miss cards, and how many there are of them.
    places: [usize; MAX_HOLDERS],
    len: usize,
    /// By number of the place: how many cards it misses, and which it may take.
    need: [u32; MAX_HOLDERS],
    allowed: [u64; MAX_HOLDERS],
}

impl Unseen {
    pub(crate) fn of(pack: &Pack, sight: &Sight<'_>) -> Result<Unseen, Impossible> {
        let known = known_places(sight);
        if (0..SEATS).any(|seat| known[seat] & sight.table.barred(seat) != 0) {
            return Err(Impossible);
        }
        let placed = known.iter().fold(sight.table.seen(), |placed, &cards| placed | cards);
        let cards = pack.cards & !placed;
        let (mut places, mut len) = ([0; MAX_HOLDERS], 0);
        let (mut need, mut allowed) = ([0; MAX_HOLDERS], [0; MAX_HOLDERS]);
        for place in 0..MAX_HOLDERS {
            let missing = sight.counts[place].checked_sub(known[place].count_ones()).ok_or(Impossible)?;
            if missing > 0 {
                places[len] = place;
                need[len] = missing;
                allowed[len] = if place < SEATS { !sight.table.barred(place) } else { u64::MAX };
                len += 1;
            }
        }
        if need.iter().sum::<u32>() != cards.count_ones() {
            return Err(Impossible);
        }
        Ok(Unseen { known, cards, places, len, need, allowed })
    }

    /// The places that miss cards.
    pub(crate) fn places(&self) -> &[usize] {
        &self.places[..self.len]
    }

    pub(crate) fn need(&self) -> &[u32] {
        &self.need[..self.len]
    }

    pub(crate) fn allowed(&self) -> &[u64] {
        &self.allowed[..self.len]
    }

    /// What lies everywhere once each place has got its cards, in the order of [`Unseen::places`].
    #[inline]
    pub(crate) fn with_known(&self, dealt: &Holders) -> Holders {
        let mut holders = self.known;
        for (&place, &cards) in self.places().iter().zip(dealt) {
            holders[place] |= cards;
        }
        holders
    }
}

/// All ways to place the cards that a viewer has not seen.
#[derive(Clone, Debug)]
pub(crate) struct Hidden {
    unseen: Unseen,
    deal: Deal,
}

impl Hidden {
    pub(crate) fn prepare(pack: &Pack, sight: &Sight<'_>) -> Result<Hidden, Impossible> {
        let unseen = Unseen::of(pack, sight)?;
        let deal = Deal::prepare(unseen.cards, unseen.need(), unseen.allowed())?;
        Ok(Hidden { unseen, deal })
    }

    pub(crate) fn unseen(&self) -> &Unseen {
        &self.unseen
    }

    pub(crate) fn count(&self) -> u128 {
        self.deal.count()
    }

    #[inline]
    pub(crate) fn sample(&self, rng: &mut Rng) -> Holders {
        let mut dealt = [0; MAX_HOLDERS];
        self.deal.sample(&mut dealt[..self.unseen.len], rng);
        self.unseen.with_known(&dealt)
    }

    /// Every way once; `None` if there are more than `limit`.
    pub(crate) fn enumerate(&self, limit: usize) -> Option<Vec<Holders>> {
        let ways = self.deal.enumerate(limit)?;
        Some(ways.iter().map(|dealt| self.unseen.with_known(dealt)).collect())
    }
}

fn known_places(sight: &Sight<'_>) -> Holders {
    let mut known = [0; MAX_HOLDERS];
    let table = sight.table;
    if table.trump != NO_CARD && table.seen() & table.trump.bit() == 0 {
        known[table.trump_holder.map_or(STOCK, usize::from)] = table.trump.bit();
    }
    if let Some(viewer) = sight.viewer {
        known[viewer] = sight.hand;
    }
    known
}

//! Tricks, and all that lies open on the table.

use meeple_core::Player;
use meeple_core::rng::mix;

use super::{NO_CARD, Pack, SEATS, team};
use crate::cards::{Card, suit_mask};

/// The cards of one trick, from the leader's on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trick {
    cards: [Card; SEATS],
    len: u8,
    leader: u8,
}

impl Trick {
    pub(crate) fn led_by(leader: Player) -> Trick {
        Trick { cards: [NO_CARD; SEATS], len: 0, leader: leader as u8 }
    }

    #[inline]
    pub fn leader(&self) -> Player {
        usize::from(self.leader)
    }

    /// In order of play.
    #[inline]
    pub fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Who plays the next card to it.
    #[inline]
    pub fn mover(&self, seats: usize) -> Player {
        usize::from(self.leader + self.len) & (seats - 1)
    }

    /// Each card with the seat that played it.
    pub fn plays(&self, seats: usize) -> impl Iterator<Item = (Player, Card)> + '_ {
        self.cards().iter().enumerate().map(move |(place, &card)| ((self.leader() + place) & (seats - 1), card))
    }

    /// The seat of the card that wins so far: the highest trump, else the highest of the suit led.
    #[inline]
    pub fn winner(&self, seats: usize, trump_suit: usize) -> Player {
        let led = self.cards[0].suit();
        let mut best = 0;
        let mut place_of_best = 0;
        for (place, card) in self.cards().iter().enumerate() {
            let class = if card.suit() == trump_suit { 48 } else { 32 * usize::from(card.suit() == led) };
            if class + card.strength() > best {
                best = class + card.strength();
                place_of_best = place;
            }
        }
        (self.leader() + place_of_best) & (seats - 1)
    }

    pub fn points(&self, pack: &Pack) -> u8 {
        self.cards().iter().map(|&card| pack.points(card)).sum()
    }

    #[inline]
    pub(crate) fn add(&mut self, card: Card) {
        self.cards[usize::from(self.len)] = card;
        self.len += 1;
    }

    /// What may be played to it from a hand.
    #[inline]
    pub(crate) fn legal(&self, hand: u64, must_follow: bool) -> u64 {
        if self.is_empty() || !must_follow {
            return hand;
        }
        let following = hand & suit_mask(self.cards[0].suit());
        if following != 0 { following } else { hand }
    }

    pub(crate) fn map_cards(&self, image: impl Fn(Card) -> Card) -> Trick {
        let mut mapped = *self;
        for card in &mut mapped.cards[..usize::from(self.len)] {
            *card = image(*card);
        }
        mapped
    }

    fn key(&self) -> u64 {
        let cards = self.cards.map(|card| card.0);
        u64::from(u32::from_le_bytes(cards)) << 8 | u64::from(self.leader)
    }
}

/// All that everybody has seen since the cards were dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// By seat, the current trick included.
    pub played: [u64; SEATS],
    pub trick: Trick,
    /// The one before; empty in the first trick.
    pub last_trick: Trick,
    /// The card that was turned up; [`NO_CARD`] before.
    pub trump: Card,
    /// The seat that got the turned-up card, whether it still holds it or not.
    pub trump_holder: Option<u8>,
    /// For each seat the suits that it failed to follow, as bits.
    pub voids: [u8; SEATS],
    /// Card points by team.
    pub points: [u8; 2],
    /// Tricks taken by team.
    pub tricks: [u8; 2],
}

impl Table {
    pub(crate) fn new(leader: Player) -> Table {
        Table {
            played: [0; SEATS],
            trick: Trick::led_by(leader),
            last_trick: Trick::led_by(0),
            trump: NO_CARD,
            trump_holder: None,
            voids: [0; SEATS],
            points: [0; 2],
            tricks: [0; 2],
        }
    }

    /// Tricks that are complete.
    #[inline]
    pub fn completed(&self) -> usize {
        usize::from(self.tricks[0] + self.tricks[1])
    }

    /// All cards that have been played.
    pub fn seen(&self) -> u64 {
        self.played.iter().fold(0, |seen, &cards| seen | cards)
    }

    /// All cards that the seat cannot hold because it failed to follow their suits.
    pub fn barred(&self, seat: Player) -> u64 {
        (0..4).filter(|suit| self.voids[seat] >> suit & 1 == 1).fold(0, |cards, suit| cards | suit_mask(suit))
    }

    /// Puts down the mover's card; a trick that it completes goes to its winner, who is returned.
    #[inline]
    pub(crate) fn play(&mut self, card: Card, seats: usize, must_follow: bool, pack: &Pack) -> Option<Player> {
        let mover = self.trick.mover(seats);
        self.played[mover] |= card.bit();
        if must_follow && !self.trick.is_empty() && card.suit() != self.trick.cards[0].suit() {
            self.voids[mover] |= 1 << self.trick.cards[0].suit();
        }
        self.trick.add(card);
        (usize::from(self.trick.len) == seats).then(|| self.collect(seats, pack))
    }

    #[inline]
    fn collect(&mut self, seats: usize, pack: &Pack) -> Player {
        let winner = self.trick.winner(seats, self.trump.suit());
        self.points[team(winner)] += self.trick.points(pack);
        self.tricks[team(winner)] += 1;
        self.last_trick = self.trick;
        self.trick = Trick::led_by(winner);
        winner
    }

    /// Equal for equal tables. The last trick is left out: it matters to nobody's decisions.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        let counts = u32::from_le_bytes([self.points[0], self.points[1], self.tricks[0], self.trump.0]);
        let voids = u32::from_le_bytes(self.voids);
        let holder = self.trump_holder.unwrap_or(u8::MAX);
        let mut key = mix(self.trick.key() ^ u64::from(holder) << 48);
        key = mix(key ^ u64::from(voids) << 32 ^ u64::from(counts));
        for &cards in &self.played {
            key = mix(key.rotate_left(5) ^ cards);
        }
        key
    }
}

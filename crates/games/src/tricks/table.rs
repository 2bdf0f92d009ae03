//! Tricks, and all that lies open on the table.

use meeple_core::Player;
use meeple_core::rng::mix;

use super::{NO_CARD, Pack, SEATS, team};
use crate::cards::{Card, suit_mask};

/// The cards of one trick, from the leader's on.
///
/// One word: a byte for each card in order of play, then how many there are, the leader, and
/// the place of the card that wins so far. Bytes that are written one by one would stall the copy
/// that every trick ends with.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Trick(u64);

const LEN: u32 = 32;
const LEADER: u32 = 40;
const BEST: u32 = 48;

impl Trick {
    #[inline]
    pub(crate) fn led_by(leader: Player) -> Trick {
        Trick((leader as u64) << LEADER | 0xffff_ffff)
    }

    #[inline]
    pub fn leader(&self) -> Player {
        (self.0 >> LEADER & 3) as usize
    }

    #[inline]
    pub fn len(&self) -> usize {
        (self.0 >> LEN & 7) as usize
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// In order of play.
    #[inline]
    pub fn cards(&self) -> impl Iterator<Item = Card> + use<> {
        self.places().into_iter().take(self.len())
    }

    /// The same as a set.
    pub(crate) fn set(&self) -> u64 {
        self.cards().fold(0, |cards, card| cards | card.bit())
    }

    /// Who plays the next card to it.
    #[inline]
    pub fn mover(&self, seats: usize) -> Player {
        (self.leader() + self.len()) & (seats - 1)
    }

    /// Each card with the seat that played it.
    pub fn plays(&self, seats: usize) -> impl Iterator<Item = (Player, Card)> + use<> {
        let leader = self.leader();
        self.cards().enumerate().map(move |(place, card)| ((leader + place) & (seats - 1), card))
    }

    /// The seat of the card that wins so far: the highest trump, else the highest of the suit led.
    #[inline]
    pub fn winner(&self, seats: usize) -> Player {
        (self.leader() + self.best()) & (seats - 1)
    }

    #[inline]
    pub fn points(&self, pack: &Pack) -> u8 {
        self.places().iter().map(|&card| pack.points(card)).sum() // empty places count nothing
    }

    #[inline]
    pub(crate) fn add(&mut self, card: Card, trump_suit: usize) {
        let place = self.len();
        let best = Card((self.0 >> (8 * self.best())) as u8);
        let same_suit = card.suit() == best.suit();
        // Before the first card the place of the best is 0 already.
        let better = if same_suit { card > best } else { card.suit() == trump_suit };
        self.0 ^= u64::from(card.0 ^ NO_CARD.0) << (8 * place);
        self.0 += 1 << LEN;
        self.0 = if better && place > 0 { self.0 & !(3 << BEST) | (place as u64) << BEST } else { self.0 };
    }

    /// What may be played to it from a hand.
    #[inline]
    pub(crate) fn legal(&self, hand: u64, must_follow: bool) -> u64 {
        if self.is_empty() || !must_follow {
            return hand;
        }
        let following = hand & suit_mask(self.led());
        if following != 0 { following } else { hand }
    }

    pub(crate) fn map_cards(&self, image: impl Fn(Card) -> Card) -> Trick {
        self.cards()
            .enumerate()
            .fold(*self, |mapped, (place, card)| Trick(mapped.0 ^ u64::from(card.0 ^ image(card).0) << (8 * place)))
    }

    /// The suit of the first card; meaningless before there is one.
    #[inline]
    fn led(&self) -> usize {
        Card(self.0 as u8).suit() & 3
    }

    /// The place of the card that wins so far.
    #[inline]
    fn best(&self) -> usize {
        (self.0 >> BEST) as usize
    }

    /// With [`NO_CARD`] where none lies yet.
    #[inline]
    fn places(&self) -> [Card; SEATS] {
        (self.0 as u32).to_le_bytes().map(Card)
    }
}

impl std::fmt::Debug for Trick {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cards: Vec<Card> = self.cards().collect();
        f.debug_struct("Trick").field("leader", &self.leader()).field("cards", &cards).finish()
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
        let led = self.trick.led();
        let failed = must_follow && !self.trick.is_empty() && card.suit() != led;
        self.voids[mover] |= u8::from(failed) << led;
        self.trick.add(card, self.trump.suit());
        (self.trick.len() == seats).then(|| self.collect(seats, pack))
    }

    #[inline]
    fn collect(&mut self, seats: usize, pack: &Pack) -> Player {
        let winner = self.trick.winner(seats);
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
        let mut key = mix(self.trick.0 ^ u64::from(holder) << 56);
        key = mix(key ^ u64::from(voids) << 32 ^ u64::from(counts));
        for &cards in &self.played {
            key = mix(key.rotate_left(5) ^ cards);
        }
        key
    }
}

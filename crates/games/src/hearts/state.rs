//! Positions: what all see, what one player sees, and the whole truth.

use meeple_core::Player;

use super::Hearts;
use super::history::Plays;
use crate::cards::{Card, HEARTS, suit_mask};

pub(super) const SEATS: usize = 4;
pub(super) const MOST_CARDS: usize = 52;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    Deal,
    Pass,
    Play,
    Over,
}

/// The whole truth.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The cards that each player holds. Passed cards change hands when all have passed.
    pub(super) hands: [u64; SEATS],
    /// The cards that each player passed in this hand.
    pub(super) passed: [u64; SEATS],
    pub(super) table: Table,
}

/// All that one player, or a spectator, knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub(super) viewer: Option<u8>,
    /// The viewer's cards, empty for a spectator.
    pub(super) hand: u64,
    /// What the viewer passed in this hand.
    pub(super) passed: u64,
    /// What the viewer got, once all have passed.
    pub(super) received: u64,
    pub(super) table: Table,
}

/// What everybody sees.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Table {
    /// All cards of this hand in the order of play; zeros beyond `played`.
    pub order: [u8; MOST_CARDS],
    pub played: u8,
    pub dealt: u8,
    pub phase: Phase,
    /// Who passes or plays next.
    pub turn: u8,
    /// Who led to the first trick.
    pub opener: u8,
    /// The card that wins the current trick so far and who played it; of the last trick between tricks.
    pub best: Card,
    pub best_seat: u8,
    pub broken: bool,
    /// In the current trick.
    pub trick_points: u8,
    /// Taken by each player in this hand.
    pub points: [u8; SEATS],
    /// Of the hands before this one; at the end of all.
    pub totals: [u16; SEATS],
    /// The number of this hand, from 1.
    pub hand: u8,
}

impl State {
    pub(super) fn before_hand(hand: u8, totals: [u16; SEATS]) -> State {
        State { hands: [0; SEATS], passed: [0; SEATS], table: Table::before_hand(hand, totals) }
    }
}

impl Table {
    pub(super) fn before_hand(hand: u8, totals: [u16; SEATS]) -> Table {
        Table {
            order: [0; MOST_CARDS],
            played: 0,
            dealt: 0,
            phase: Phase::Deal,
            turn: 0,
            opener: 0,
            best: Card(0),
            best_seat: 0,
            broken: false,
            trick_points: 0,
            points: [0; SEATS],
            totals,
            hand,
        }
    }

    /// The holder of the lowest club is to lead it.
    pub(super) fn open(&mut self, opener: usize) {
        self.phase = Phase::Play;
        self.turn = opener as u8;
        self.opener = opener as u8;
    }

    /// The cards of `hand` that its owner, who is to move, may play.
    #[inline]
    pub(super) fn legal_cards(&self, game: &Hearts, hand: u64) -> u64 {
        let in_trick = self.played % 4;
        let first_trick = self.played < 4;
        if in_trick == 0 {
            if first_trick {
                return game.opening.bit();
            }
            let others = hand & !suit_mask(HEARTS);
            return if self.broken || others == 0 { hand } else { others };
        }
        let led = Card(self.order[usize::from(self.played - in_trick)]);
        let following = hand & suit_mask(led.suit());
        if following != 0 {
            return following;
        }
        let harmless = hand & !game.scoring;
        if first_trick && harmless != 0 { harmless } else { hand }
    }

    /// Puts a card of the player to move on the table. The end of a hand is left to the caller.
    #[inline]
    pub(super) fn play(&mut self, game: &Hearts, card: Card) {
        let leads = self.played.is_multiple_of(4);
        self.order[usize::from(self.played)] = card.0;
        self.played += 1;
        let heart = card.suit() == HEARTS;
        let queen = card == game.queen;
        self.trick_points += u8::from(heart) + 13 * u8::from(queen);
        self.broken |= heart | (queen & game.rules.queen_breaks_hearts);
        // Without a branch: which card is best cannot be predicted.
        let better = leads | ((card.suit() == self.best.suit()) & (card > self.best));
        self.best = if better { card } else { self.best };
        self.best_seat = if better { self.turn } else { self.best_seat };
        if self.played.is_multiple_of(4) {
            self.points[usize::from(self.best_seat)] += self.trick_points;
            self.trick_points = 0;
            self.turn = self.best_seat;
        } else {
            self.turn = (self.turn + 1) % 4;
        }
    }

    /// All plays of this hand, in order.
    pub(super) fn plays(&self) -> Plays<'_> {
        Plays::new(&self.order[..usize::from(self.played)], usize::from(self.opener))
    }

    /// The cards that each player has played in this hand.
    pub(super) fn played_by(&self) -> [u64; SEATS] {
        let mut played = [0; SEATS];
        for play in self.plays() {
            played[play.seat] |= play.card.bit();
        }
        played
    }

    /// The number of cards that a player holds, given those that he has played.
    pub(super) fn cards_held(&self, game: &Hearts, seat: Player, played: u64) -> u32 {
        match self.phase {
            Phase::Deal => u32::from(self.dealt + 3 - seat as u8) / 4,
            _ => game.hand_size() - played.count_ones(),
        }
    }
}

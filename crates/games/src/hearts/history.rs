//! The play of a hand retold: who played which card, and what that rules out.

use super::Hearts;
use super::state::{SEATS, Table};
use crate::cards::{Card, HEARTS, suit_mask};

/// One card of the play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Play {
    /// From 0, over the whole hand.
    pub number: usize,
    pub seat: usize,
    pub card: Card,
    /// The card that was led; the same card if this is the lead.
    pub led: Card,
}

/// The plays in order. The winner of a trick leads to the next.
#[derive(Clone, Debug)]
pub(super) struct Plays<'a> {
    order: &'a [u8],
    number: usize,
    seat: usize,
    led: Card,
    best: Card,
    best_seat: usize,
}

impl<'a> Plays<'a> {
    pub(super) fn new(order: &'a [u8], opener: usize) -> Plays<'a> {
        Plays { order, number: 0, seat: opener, led: Card(0), best: Card(0), best_seat: opener }
    }
}

impl Iterator for Plays<'_> {
    type Item = Play;

    fn next(&mut self) -> Option<Play> {
        let card = Card(*self.order.get(self.number)?);
        if self.number.is_multiple_of(4) {
            self.seat = self.best_seat;
            self.led = card;
        }
        if self.number.is_multiple_of(4) || (card.suit() == self.best.suit() && card > self.best) {
            self.best = card;
            self.best_seat = self.seat;
        }
        let play = Play { number: self.number, seat: self.seat, card, led: self.led };
        self.number += 1;
        self.seat = (self.seat + 1) % SEATS;
        Some(play)
    }
}

impl Table {
    /// The cards that each player cannot hold after what he has played.
    pub(super) fn ruled_out(&self, game: &Hearts) -> [u64; SEATS] {
        let mut broken = false;
        let mut out = [0; SEATS];
        for play in self.plays() {
            out[play.seat] |= ruled_out_by(game, &play, broken);
            broken |= game.breaks_hearts(play.card);
        }
        out
    }
}

/// The cards that a player cannot hold who makes this play; `broken`: hearts could be led.
pub(super) fn ruled_out_by(game: &Hearts, play: &Play, broken: bool) -> u64 {
    if play.number.is_multiple_of(4) {
        let forced = play.number > 0 && play.card.suit() == HEARTS && !broken;
        return if forced { !suit_mask(HEARTS) } else { 0 };
    }
    if play.card.suit() == play.led.suit() {
        return 0;
    }
    let forced = play.number < 4 && game.scoring & play.card.bit() != 0;
    suit_mask(play.led.suit()) | if forced { !game.scoring } else { 0 }
}

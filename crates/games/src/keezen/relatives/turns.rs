//! How a game of a relative goes on: dealing, giving, playing cards, the next turn.

use super::Relative;
use super::action::Action;
use super::state::{Gifts, NONE, Phase, Seven, State};
use crate::keezen::holdings::SEATS;
use crate::keezen::ranks::Cards;

impl Relative {
    /// Cards dealt from one stock.
    pub(super) fn dealt_in_all(&self) -> usize {
        self.setup.deal.iter().map(|&size| SEATS * usize::from(size)).sum()
    }

    /// Cards that chance can bring next.
    pub(super) fn stock(&self, state: &State) -> Cards {
        let rest = self.setup.deck.minus(state.holdings.all());
        if self.setup.deal.is_empty() { rest.minus(state.table.played) } else { rest }
    }

    pub(super) fn receive(&self, state: &mut State, rank: usize) {
        if self.setup.deal.is_empty() {
            state.table.drawn = rank as u8;
            state.table.phase = Phase::Play;
            return;
        }
        state.holdings.receive(usize::from(state.table.dealt), &self.setup.deal, rank);
        state.table.dealt += 1;
        if usize::from(state.table.dealt) == self.dealt_in_all() {
            self.begin_round(state);
        }
    }

    fn begin_round(&self, state: &mut State) {
        state.table.seat = (state.table.dealer + 1) % SEATS as u8;
        state.table.phase = if self.exchanges() { Phase::Give } else { Phase::Play };
        state.gifts = Gifts::NONE;
    }

    fn give(&self, state: &mut State, card: u8) {
        let seat = usize::from(state.table.seat);
        state.holdings.hands[seat].remove(card.into());
        state.gifts.given[seat] = card;
        state.table.seat = ((seat + 1) % SEATS) as u8;
        if state.gifts.given.iter().all(|&card| card != NONE) {
            for seat in 0..SEATS {
                state.holdings.hands[seat ^ 2].add(state.gifts.given[seat].into());
            }
            state.table.phase = Phase::Play;
        }
    }

    /// The card leaves the hand, or is the one that was drawn.
    fn spend(&self, state: &mut State, card: u8) {
        let seat = usize::from(state.table.seat);
        state.table.played.add(card.into());
        if state.table.drawn != NONE {
            state.table.drawn = NONE;
            return;
        }
        state.holdings.hands[seat].remove(card.into());
        if self.exchanges() {
            state.gifts.played[seat].add(card.into());
        }
    }

    fn throw(&self, state: &mut State) {
        let seat = usize::from(state.table.seat);
        let hand = std::mem::take(&mut state.holdings.hands[seat]);
        state.table.played = state.table.played.plus(hand);
        if self.exchanges() {
            state.gifts.played[seat] = state.gifts.played[seat].plus(hand);
        }
    }

    /// Carries out one part of a seven; `true` when the seven is used up.
    fn play_part(&self, state: &mut State, card: u8, steps: u8, action: Action) -> bool {
        let place = self.part_ends(&state.table, action);
        state.table.board = self.board_after(&state.table, action).expect("the part is legal");
        if state.table.seven.left == 0 {
            self.spend(state, card);
            state.table.seven = Seven { left: 7, card, place };
        }
        state.table.seven.left -= steps;
        let done = state.table.seven.left == 0 || self.variant.winner(&state.table.board).is_some();
        if done {
            state.table.seven = Seven::default();
        }
        done
    }

    /// After a move: the next seat with cards, or the next draw, or the next round.
    pub(super) fn next_turn(&self, state: &mut State, again: bool) {
        let seat = usize::from(state.table.seat);
        if self.setup.deal.is_empty() {
            if state.table.played == self.setup.deck {
                state.table.played = Cards::NONE;
            }
            state.table.seat = if again { seat as u8 } else { ((seat + 1) % SEATS) as u8 };
            state.table.phase = Phase::Chance;
            return;
        }
        let next = (1..=SEATS).map(|offset| (seat + offset) % SEATS);
        match next.into_iter().find(|&next| !state.holdings.hands[next].is_empty()) {
            Some(next) => state.table.seat = next as u8,
            None => self.next_round(state),
        }
    }

    fn next_round(&self, state: &mut State) {
        state.table.dealer = (state.table.dealer + 1) % SEATS as u8;
        state.table.round += 1;
        if usize::from(state.table.round) < self.setup.deal.len() {
            state.holdings.next_round();
            self.begin_round(state);
        } else {
            state.table.round = 0;
            state.table.dealt = 0;
            state.table.played = Cards::NONE;
            state.table.seat = 0;
            state.table.phase = Phase::Chance;
            state.gifts = Gifts::NONE;
        }
    }

    /// Carries out a decision; `true` when the turn is over.
    pub(super) fn decide(&self, state: &mut State, action: Action) -> bool {
        match action {
            Action::Give { card } => {
                self.give(state, card);
                return false;
            }
            Action::Part { card, steps, .. } => return self.play_part(state, card, steps, action),
            Action::Throw => self.throw(state),
            Action::Pass => {
                let card = state.table.drawn;
                self.spend(state, card);
            }
            Action::Run { card, .. }
            | Action::Start { card }
            | Action::Swap { card, .. }
            | Action::Take { card, .. } => {
                state.table.board = self.board_after(&state.table, action).expect("the move is legal");
                self.spend(state, card);
            }
            Action::Card(_) | Action::Dealer(_) => unreachable!("chance, not a decision"),
        }
        true
    }

    /// Sorry! has no deal: the seat after the dealer draws first.
    pub(super) fn first_to_draw(&self, dealer: usize) -> u8 {
        if self.setup.deal.is_empty() { ((dealer + 1) % SEATS) as u8 } else { 0 }
    }
}

//! Whether a game of a relative can be at the point that a notation describes.

use super::Relative;
use super::notation::drawn;
use super::state::{Gifts, NOBODY, NONE, Phase, Table, UNKNOWN, View};
use crate::keezen::holdings::{SEATS, hand_sizes};
use crate::keezen::notation::{Parsed, check_hands, error, rest_of_deck};
use crate::keezen::ranks::Cards;

impl Relative {
    /// What holds for positions and views.
    pub(super) fn check(&self, table: &Table, counts: [u8; SEATS], gifts: &Gifts) -> Parsed<()> {
        let ended = self.variant.winner(&table.board).is_some() || table.moves >= self.move_limit;
        if ended != (table.phase == Phase::Over) {
            return error(format!("by marbles and moves the game is {}", if ended { "over" } else { "not over" }));
        }
        let begun = table.phase != Phase::Chance || table.dealt > 0 || table.moves > 0;
        if table.dealer == NOBODY && (begun || self.first_dealer.is_some()) {
            return error("the dealer is known here: write `d0` to `d3`");
        }
        rest_of_deck(table.played, gifts.played, self.variant.ranks())
            .or_else(|_| error("the cards played since the exchange are not all among the played cards"))?;
        if !self.exchanges() && *gifts != Gifts::NONE {
            return error("only Dog has gifts");
        }
        if table.seven.left > 0 && (table.phase != Phase::Play || table.drawn != NONE || !self.can_use(table)) {
            return error("the steps that are left of the seven cannot be used");
        }
        if self.setup.deal.is_empty() { self.check_draw(table, counts) } else { self.check_round(table, counts, gifts) }
    }

    /// Sorry!: one card is drawn when somebody plays, and there are no hands.
    fn check_draw(&self, table: &Table, counts: [u8; SEATS]) -> Parsed<()> {
        let waits = table.phase == Phase::Play && table.seven.left == 0;
        if counts != [0; SEATS] || waits != (table.drawn != NONE) {
            return error("nobody has a hand; a card is drawn exactly when a seat is to play it");
        }
        let rest = rest_of_deck(self.setup.deck, [table.played].into_iter().chain(drawn(table)), self.variant.ranks())?;
        if rest.is_empty() && table.phase == Phase::Chance {
            return error("the stock would have been shuffled");
        }
        if table.dealer == NOBODY && table.seat != 0 {
            return error("before the dealer is chosen it is `draw0`");
        }
        Ok(())
    }

    fn check_round(&self, table: &Table, mut counts: [u8; SEATS], gifts: &Gifts) -> Parsed<()> {
        if table.drawn != NONE {
            return error("only Sorry! draws a card to play");
        }
        let most = self.setup.deal[usize::from(table.round)];
        let mover = usize::from(table.seat);
        match table.phase {
            Phase::Chance => return self.check_deal(table, counts, gifts),
            Phase::Over if counts.iter().any(|&count| count > most) => {
                return error(format!("a hand of this round has at most {most} cards"));
            }
            Phase::Over => return Ok(()),
            Phase::Give => {}
            Phase::Play => {
                // A seven that is not used up has left the hand already.
                counts[mover] += u8::from(table.seven.left > 0);
                check_hands(mover, table.dealer.into(), counts, most)?;
            }
        }
        if self.exchanges() { self.check_gifts(table, counts, gifts, most) } else { Ok(()) }
    }

    fn check_deal(&self, table: &Table, counts: [u8; SEATS], gifts: &Gifts) -> Parsed<()> {
        let sizes = hand_sizes(0, &self.setup.deal, table.dealt.into());
        if counts != sizes || table.round != 0 || !table.played.is_empty() || *gifts != Gifts::NONE {
            let dealt = table.dealt;
            return error(format!("after {dealt} cards the hands have the sizes {sizes:?} and nothing is played"));
        }
        Ok(())
    }

    /// Seats give in turn from the one after the dealer.
    fn check_gifts(&self, table: &Table, counts: [u8; SEATS], gifts: &Gifts, most: u8) -> Parsed<()> {
        let giving = table.phase == Phase::Give;
        let order = |seat: usize| (seat + 2 * SEATS - usize::from(table.dealer) - 1) % SEATS;
        for seat in 0..SEATS {
            let given = !giving || order(seat) < order(table.seat.into());
            if given != (gifts.given[seat] != NONE) {
                return error(format!("seat {seat} has {} at this point", if given { "given" } else { "not given" }));
            }
            let in_seven = table.seven.left > 0 && seat == usize::from(table.seat);
            let gone = gifts.played[seat].count() + u32::from(giving && given);
            if u32::from(counts[seat]) + gone != u32::from(most) + u32::from(in_seven) {
                return error(format!("seat {seat} has not {most} cards of this round in hand, given or played"));
            }
        }
        Ok(())
    }

    /// What is seen leaves the right number of cards, and the right gifts are known.
    pub(super) fn check_view(&self, view: &View) -> Parsed<()> {
        let table = &view.table;
        let mut seen = vec![view.hand, table.played];
        seen.extend(drawn(table));
        let rest = rest_of_deck(self.setup.deck, seen, self.variant.ranks())?;
        if self.setup.deal.is_empty() || !matches!(table.phase, Phase::Give | Phase::Play) {
            return Ok(());
        }
        self.check_known_gifts(view, rest)?;
        let later = self.later_sizes(table);
        let hands = view.counts.iter().chain(later.iter().flatten()).map(|&size| u32::from(size)).sum::<u32>();
        let pending = view.gifts.given.iter().filter(|&&card| table.phase == Phase::Give && card != NONE).count();
        let hidden = hands + pending as u32 + self.undealt() - view.hand.count();
        if rest.count() != hidden {
            return error(format!("{} cards are not seen, but {hidden} are hidden", rest.count()));
        }
        Ok(())
    }

    /// The viewer knows the gift from and, after the exchange, to himself. `rest` is what he has
    /// not seen in his hand or on the table.
    fn check_known_gifts(&self, view: &View, rest: Cards) -> Parsed<()> {
        let giving = view.table.phase == Phase::Give;
        for seat in (0..SEATS).filter(|&seat| view.gifts.given[seat] != NONE) {
            let card = view.gifts.given[seat];
            let given = view.viewer == Some(seat);
            let received = !giving && view.viewer == Some(seat ^ 2);
            if (given || received) != (card != UNKNOWN) {
                return error("a view knows the gifts from and to the viewer, and no others");
            }
            if card == UNKNOWN {
                continue;
            }
            let partner_played = view.gifts.played[seat ^ 2];
            if received && !view.hand.plus(partner_played).has(card.into()) {
                return error("the viewer holds or has played the card that was given to him");
            }
            let open = giving || !partner_played.has(card.into());
            if given && open && (!rest.has(card.into()) || (!giving && view.counts[seat ^ 2] == 0)) {
                return error("the partner cannot hold the card that was given to him");
            }
        }
        Ok(())
    }

    /// Cards that stay in the stock when all rounds are dealt.
    pub(super) fn undealt(&self) -> u32 {
        self.setup.deck.count() - self.dealt_in_all() as u32
    }
}

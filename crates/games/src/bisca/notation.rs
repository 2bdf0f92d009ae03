//! Positions as one line of `name=value` words.

use meeple_core::{Notation, NotationError};

use super::{Bisca, BiscaWorlds, MOST_STOCK, NO_CARD, Public, State, View};
use crate::tricks::notation::{
    TABLE_WORDS, Words, check_hands, check_view_hand, check_voids, error, hands_text, parse_hands, parse_sequence,
    parse_table, parse_viewer, require, sequence_text, table_text, view_hands_text, viewer_text,
};

const WORDS: [&str; 4] = ["viewer", "hands", "stock", "dealt"];

impl Notation<Bisca> for Bisca {
    fn help(&self) -> String {
        "words name=value: hands=A/B (cards like Ah.2h, - for none; in views viewer=SEAT and `?` for hidden hands), \
         stock=CARDS in the order of drawing, the trump last (not in views), trump=7s, holder=SEAT once it is drawn, \
         leader, trick, last=LEADER:CARDS, played=A/B, voids=A/B (suits), points=a:b, tricks=a:b: \
         `viewer=0 hands=Ah.7h.Kh.Jh.Qh.6h.5h.4h.3h/? trump=2s`"
            .to_string()
    }

    fn state_text(&self, state: &State) -> String {
        let from = self.drawn(&state.public);
        let stock = &state.stock[from..from + self.stock_left(&state.public)];
        let hands = hands_text(&self.pack, &state.hands[..self.rules.players]);
        format!(
            "hands={hands} stock={} {}",
            sequence_text(&self.pack, stock.iter().copied()),
            self.public_text(&state.public)
        )
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let words = Words::parse(text, &[&WORDS[1..], &TABLE_WORDS])?;
        let hands = parse_hands(&self.pack, &words, self.rules.players)?;
        let mut state = State { hands, stock: [NO_CARD; MOST_STOCK], public: self.parse_public(&words)? };
        check_hands(&self.pack, &state.public.table, &hands, &self.hand_counts(&state.public))?;
        self.parse_stock(&words, &mut state)?;
        Ok(state)
    }

    fn view_text(&self, view: &View) -> String {
        let hands = view_hands_text(&self.pack, view.viewer, view.hand, self.rules.players);
        format!("viewer={} hands={hands} {}", viewer_text(view.viewer), self.public_text(&view.public))
    }

    fn parse_view(&self, text: &str) -> Result<View, NotationError> {
        let words = Words::parse(text, &[&[WORDS[0], WORDS[1], WORDS[3]], &TABLE_WORDS])?;
        let (viewer, hand) = parse_viewer(&self.pack, &words, self.rules.players)?;
        let view = View { viewer, hand, public: self.parse_public(&words)? };
        check_view_hand(&self.pack, &view.public.table, viewer, hand, &self.hand_counts(&view.public))?;
        BiscaWorlds::prepare(self, &view).map_err(|_| error("no hands fit these cards and voids"))?;
        Ok(view)
    }
}

impl Bisca {
    fn public_text(&self, public: &Public) -> String {
        let mut text = table_text(&self.pack, &public.table, self.rules.players);
        if usize::from(public.dealt) < self.pack.size() {
            text += &format!(" dealt={}", public.dealt);
        }
        text
    }

    fn parse_public(&self, words: &Words<'_>) -> Result<Public, NotationError> {
        let (players, size) = (self.rules.players, self.pack.size());
        let public = Public {
            table: parse_table(&self.pack, words, players, 0)?,
            dealt: words.number("dealt", size, size)? as u8,
        };
        let table = &public.table;
        require((table.trump == NO_CARD) == (usize::from(public.dealt) < size), || {
            "the last card that is dealt is the trump: give `trump`, or how many are `dealt`".to_string()
        })?;
        if table.trump == NO_CARD {
            return Ok(public);
        }
        let drawn = self.drawn(&public) == self.stock_size;
        require(table.trump_holder.is_some() == drawn, || {
            if drawn { "`holder` must tell who drew the trump" } else { "nobody has drawn the trump yet" }.to_string()
        })?;
        if table.completed() <= self.drawing_tricks {
            let since_drawn = if drawn { table.trick.set() } else { 0 };
            let early = table.seen() & !since_drawn & table.trump.bit() != 0;
            require(!early, || "the trump is played before it is drawn".to_string())?;
            let last = (table.trick.leader() + players - 1) % players;
            require(!drawn || table.trump_holder == Some(last as u8), || {
                format!("seat {last} drew last, so it must be the `holder`")
            })?;
        }
        if self.must_follow(&public) {
            check_voids(&self.pack, table, players, table.completed() - self.drawing_tricks)?;
        } else {
            require(table.voids == [0; 4], || "there is no duty to follow yet, so no voids are known".to_string())?;
        }
        Ok(public)
    }

    fn parse_stock(&self, words: &Words<'_>, state: &mut State) -> Result<(), NotationError> {
        let stock = parse_sequence(&self.pack, words.get("stock").unwrap_or("-"), self.stock_size)?;
        let expected = self.stock_left(&state.public);
        require(stock.len() == expected, || format!("the stock has {} cards, but it must be {expected}", stock.len()))?;
        let elsewhere = state.hands.iter().fold(state.public.table.seen(), |cards, hand| cards | hand);
        let twice = stock.iter().find(|card| elsewhere & card.bit() != 0);
        require(twice.is_none(), || "a card of the stock is also elsewhere".to_string())?;
        let trump = state.public.table.trump;
        require(trump == NO_CARD || stock.is_empty() || stock.last() == Some(&trump), || {
            format!("the trump {} is the last card of the stock", self.pack.ranks.text(trump))
        })?;
        let from = self.drawn(&state.public);
        state.stock[from..from + stock.len()].copy_from_slice(&stock);
        Ok(())
    }

    fn hand_counts(&self, public: &Public) -> Vec<u32> {
        (0..self.rules.players).map(|seat| self.hand_count(public, seat)).collect()
    }
}

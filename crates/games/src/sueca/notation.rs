//! Positions as one line of `name=value` words.

use meeple_core::{Notation, NotationError};

use super::{Public, SEATS, State, Sueca, SuecaWorlds, View};
use crate::tricks::NO_CARD;
use crate::tricks::notation::{
    TABLE_WORDS, Words, check_hands, check_view_hand, check_voids, error, hands_text, parse_hands, parse_table,
    parse_viewer, require, table_text, view_hands_text, viewer_text,
};

const WORDS: [&str; 8] = ["viewer", "hands", "dealer", "dealt", "redeals", "match", "number", "doubled"];

/// How many deals to look at before a view is refused because all its hands would have been weak.
const TRIES: u32 = 100_000;

impl Notation<Sueca> for Sueca {
    fn help(&self) -> String {
        "words name=value: hands=A/B/C/D (cards like Ah.2h, - for none; in views viewer=SEAT and `?` for hidden \
         hands), dealer=3, trump=7s (holder is the dealer), leader, trick, last=LEADER:CARDS, played=A/B/C/D, \
         voids=A/B/C/D (suits), points=a:b, tricks=a:b, in matches match=a:b, number (hands finished), doubled=1: \
         `viewer=0 hands=Ah.7h.Kh.Jh.Qh.6h.5h.4h.3h.2h/?/?/? dealer=3 trump=2s`"
            .to_string()
    }

    fn state_text(&self, state: &State) -> String {
        format!("hands={} {}", hands_text(&self.pack, &state.hands), self.public_text(&state.public))
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let words = Words::parse(text, &[&WORDS[1..], &TABLE_WORDS])?;
        let state = State { hands: parse_hands(&self.pack, &words, SEATS)?, public: self.parse_public(&words)? };
        check_hands(&self.pack, &state.public.table, &state.hands, &self.hand_counts(&state.public))?;
        let worlds = self.worlds_of_text(&View { viewer: None, hand: 0, public: state.public })?;
        require(worlds.is_played(&state), || "a weak hand would have been dealt again".to_string())?;
        Ok(state)
    }

    fn view_text(&self, view: &View) -> String {
        let hands = view_hands_text(&self.pack, view.viewer, view.hand, SEATS);
        format!("viewer={} hands={hands} {}", viewer_text(view.viewer), self.public_text(&view.public))
    }

    fn parse_view(&self, text: &str) -> Result<View, NotationError> {
        let words = Words::parse(text, &[&WORDS, &TABLE_WORDS])?;
        let (viewer, hand) = parse_viewer(&self.pack, &words, SEATS)?;
        let view = View { viewer, hand, public: self.parse_public(&words)? };
        check_view_hand(&self.pack, &view.public.table, viewer, hand, &self.hand_counts(&view.public))?;
        let worlds = self.worlds_of_text(&view)?;
        require(worlds.is_possible(TRIES), || "every deal that fits would have been dealt again".to_string())?;
        Ok(view)
    }
}

impl Sueca {
    fn public_text(&self, public: &Public) -> String {
        let mut text = format!("dealer={} {}", public.dealer, table_text(&self.pack, &public.table, SEATS));
        if usize::from(public.dealt) < self.pack.size() {
            text += &format!(" dealt={}", public.dealt);
        }
        if public.redeals > 0 {
            text += &format!(" redeals={}", public.redeals);
        }
        if public.hands > 0 {
            text += &format!(" match={}:{} number={}", public.games[0], public.games[1], public.hands);
        }
        if public.doubled {
            text += " doubled=1";
        }
        text
    }

    fn parse_public(&self, words: &Words<'_>) -> Result<Public, NotationError> {
        let dealer = words.number("dealer", SEATS - 1, SEATS - 1)?;
        let mut public = Public::new_hand(dealer);
        public.table = parse_table(&self.pack, words, SEATS, public.table.trick.leader())?;
        public.dealt = words.number("dealt", self.pack.size(), self.pack.size())? as u8;
        let most_redeals = if self.rules.redeal_weak_hands { self.rules.most_redeals } else { 0 };
        public.redeals = words.number("redeals", most_redeals, 0)? as u8;
        let in_match = usize::from(self.rules.to > 0);
        public.games = words.pair("match", in_match * (self.rules.to + 7))?;
        public.hands = words.number("number", in_match * self.hands_at_most(), 0)? as u8;
        public.doubled = words.number("doubled", usize::from(self.rules.tie_doubles_next), 0)? == 1;
        self.check_public(&mut public)?;
        Ok(public)
    }

    /// What counting tells about dealer, trump, following and the match.
    fn check_public(&self, public: &mut Public) -> Result<(), NotationError> {
        let table = &mut public.table;
        if table.trump != NO_CARD {
            require(usize::from(public.dealt) == self.pack.size(), || {
                "all cards are dealt before there is a trump".to_string()
            })?;
            require(table.trump_holder.is_none_or(|seat| seat == public.dealer), || {
                format!("the dealer, seat {}, holds the trump card", public.dealer)
            })?;
            table.trump_holder = Some(public.dealer);
            let elsewhere = (0..SEATS)
                .find(|&seat| seat != usize::from(public.dealer) && table.played[seat] & table.trump.bit() != 0);
            require(elsewhere.is_none(), || format!("the trump card belongs to the dealer, seat {}", public.dealer))?;
            check_voids(&self.pack, table, SEATS, table.completed())?;
        }
        self.check_match(public)
    }

    fn check_match(&self, public: &Public) -> Result<(), NotationError> {
        if self.rules.to == 0 {
            return Ok(()); // a single hand may be dealt by anybody; the counters have no room
        }
        let finished = usize::from(public.hands);
        require(!public.doubled || finished > 0, || "no hand before this one was a tie".to_string())?;
        // A hand is worth at most four game points: twice that only after one that was worth none.
        let most = 4 * (finished - usize::from(public.doubled));
        let sum = usize::from(public.games[0]) + usize::from(public.games[1]);
        require(sum <= most, || format!("{finished} hands are not worth {sum} game points"))?;
        let over = public.table.trump != NO_CARD && self.is_over(public);
        require(!over || finished > 0, || "the finished hand is missing in `number`".to_string())?;
        let dealer = (SEATS - 1 + finished - usize::from(over)) % SEATS;
        require(usize::from(public.dealer) == dealer, || format!("it must be seat {dealer} that deals this hand"))?;
        let most_games = usize::from(public.games[0].max(public.games[1]));
        let decided = most_games >= self.rules.to || finished == self.hands_at_most();
        require(decided || !over, || "the match goes on after this hand".to_string())?;
        require(over || !decided, || "the match is decided already".to_string())?;
        if over { self.check_last_hand(public) } else { Ok(()) }
    }

    /// Before the hand that ended the match it was not decided.
    fn check_last_hand(&self, public: &Public) -> Result<(), NotationError> {
        let worth = self.worth(&public.table, 0);
        let tie = worth == 0;
        require(public.doubled == (tie && self.rules.tie_doubles_next), || "`doubled` tells of a tie".to_string())?;
        let winner = usize::from(worth < 0);
        let most_factor = if self.rules.tie_doubles_next { 2 } else { 1 };
        let undecided = |team: usize, gain: u32| {
            u32::from(public.games[team]).checked_sub(gain).is_some_and(|games| games < self.rules.to as u32)
        };
        let fits = (1..=most_factor).any(|factor| undecided(winner, factor * worth.unsigned_abs()));
        require(fits && undecided(1 - winner, 0), || {
            let [first, second] = public.table.points;
            format!("a last hand with {first}:{second} card points does not end the match like this")
        })
    }

    fn worlds_of_text(&self, view: &View) -> Result<SuecaWorlds, NotationError> {
        SuecaWorlds::prepare(self, view).map_err(|_| error("no deal fits these cards and voids"))
    }

    fn hand_counts(&self, public: &Public) -> [u32; SEATS] {
        std::array::from_fn(|seat| self.hand_count(public, seat))
    }
}

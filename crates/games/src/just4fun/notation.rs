//! Positions and views as one line: `key=value` pieces divided by spaces.

use meeple_core::{Notation, NotationError, Player};

use super::board::{FIELDS, UNPLACED};
use super::cards::{FRESH, Hand, Multiset};
use super::parse;
use super::state::{Phase, State};
use super::{Just4Fun, Layout, View};

impl Notation<Just4Fun> for Just4Fun {
    fn help(&self) -> String {
        "turn (a seat, or board, deal, shuffle:SEAT, pattern:SEAT, scored:SEAT), stones (field:count.count), hands by \
         seat (' after a card for each reshuffle it was kept through), stock from the top, used cards; in views viewer \
         and `?` for what is unknown: `viewer=0 turn=0 stones=7:2.1/11:0.1 hands=2.5.11.13/?.?.?.? used=1.6.7.11`"
            .into()
    }

    fn state_text(&self, state: &State) -> String {
        let hands = state.hands[..self.rules.players].iter().map(|&hand| hand_text(hand));
        let ordered = if state.phase == Phase::Shuffle { state.pile.len() } else { 0 };
        let stock = state.stock().get(ordered..).unwrap_or_default().iter().rev().map(u8::to_string);
        let mut pieces = vec![
            format!("turn={}", turn_text(state)),
            format!("stones={}", self.stones_text(state)),
            format!("hands={}", hands.collect::<Vec<_>>().join("/")),
            format!("stock={}", joined(stock, ".")),
            format!("used={}", set_text(state.pile)),
        ];
        self.push_rest(state, |_| true, &mut pieces);
        pieces.join(" ")
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        parse::state(self, text)
    }

    fn view_text(&self, view: &View) -> String {
        let state = &view.shown;
        let hands = state.hands[..self.rules.players].iter().map(|&hand| hand_text(hand));
        let mut pieces = vec![
            format!("viewer={}", view.viewer.map_or("none".to_string(), |viewer| viewer.to_string())),
            format!("turn={}", turn_text(state)),
            format!("stones={}", self.stones_text(state)),
            format!("hands={}", hands.collect::<Vec<_>>().join("/")),
            format!("stock=?{}", state.stock),
            format!("used={}", set_text(state.pile)),
        ];
        if view.kept.iter().any(|kept| !kept.is_empty()) {
            // From the cards kept through one reshuffle to those kept through most.
            let kept: Vec<String> = view.kept.iter().rev().map(|&kept| set_text(kept)).collect();
            pieces.push(format!("kept={}", kept.join("/").trim_end_matches("/-")));
        }
        if state.phase == Phase::Shuffle {
            pieces.push(format!("unordered={}", view.unordered));
        }
        self.push_rest(state, |player| view.viewer() == Some(player), &mut pieces);
        pieces.join(" ")
    }

    fn parse_view(&self, text: &str) -> Result<View, NotationError> {
        parse::view(self, text)
    }
}

impl Just4Fun {
    fn stones_text(&self, state: &State) -> String {
        let fields = (0..FIELDS).filter_map(|field| {
            let counts: Vec<u8> = (0..self.rules.players).map(|player| state.stones.get(player, field)).collect();
            let text = joined(counts.iter().map(u8::to_string), ".");
            counts.iter().any(|&count| count > 0).then(|| format!("{}:{text}", field + 1))
        });
        joined(fields, "/")
    }

    /// Hidden plays, redraws and a random board, where there are any.
    fn push_rest(&self, state: &State, known: impl Fn(Player) -> bool, pieces: &mut Vec<String>) {
        if state.discards > 0 {
            let plays = state.hidden_plays().map(|(player, cards)| match known(player) {
                true => format!("{player}:{}", joined(cards.values().map(|value| value.to_string()), ".")),
                false => format!("{player}:?{}={}", cards.values().count(), cards.sum()),
            });
            pieces.push(format!("plays={}", joined(plays, "/")));
        }
        if state.redraws > 0 {
            pieces.push(format!("redraws={}", state.redraws));
        }
        if self.rules.board == Layout::Random {
            let mut values: Vec<(u8, usize)> = state.squares.iter().copied().zip(1..).collect();
            values.sort_unstable();
            let placed = values.iter().filter(|&&(square, _)| square != UNPLACED);
            pieces.push(format!("board={}", joined(placed.map(|(_, value)| value.to_string()), ".")));
        }
    }
}

fn turn_text(state: &State) -> String {
    let seat = state.mover;
    match state.phase {
        Phase::Board => "board".to_string(),
        Phase::Deal => "deal".to_string(),
        Phase::Shuffle => format!("shuffle:{seat}"),
        Phase::Play => seat.to_string(),
        Phase::Pattern => format!("pattern:{seat}"),
        Phase::Scored => format!("scored:{seat}"),
    }
}

pub(super) fn hand_text(hand: Hand) -> String {
    let known = hand.is_known();
    let card = |(value, age): (u8, u8)| {
        let name = if known { value.to_string() } else { "?".to_string() };
        name + &"'".repeat(usize::from(FRESH - age))
    };
    joined(hand.cards().map(card), ".")
}

pub(super) fn set_text(set: Multiset) -> String {
    joined(set.values().map(|value| value.to_string()), ".")
}

/// `-` if there is nothing to join.
fn joined(texts: impl Iterator<Item = String>, divider: &str) -> String {
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() { "-".to_string() } else { texts.join(divider) }
}

//! Positions and views as one line of text.

use meeple_core::{Notation, NotationError, Player};

use super::Hearts;
use super::setup::{Cards, Line};
use super::state::{MOST_CARDS, Phase, SEATS, State, Table, View};
use super::worlds::HeartsWorlds;
use crate::cards::Card;

impl Notation<Hearts> for Hearts {
    fn help(&self) -> String {
        "the cards in the four hands (`?13`: 13 unknown cards), what each seat passed (`-`: nothing, `?`: unknown), \
         the seat that opened and the tricks so far (`-` before the play), the number of the hand, the totals before \
         it; a view ends with the viewer (`-`: a spectator): \
         `?12/Ks.2s.Ah.Kh.Jh.9h.Qd.8d.3d.Jc.9c.6c.4c/?13/?13 -/-/-/- 0:2c 1 0/0/0/0 1`"
            .into()
    }

    fn state_text(&self, state: &State) -> String {
        let hands = state.hands.map(|hand| self.ranks.set_text(hand));
        let passed = state.passed.map(|cards| self.ranks.set_text(cards));
        self.text(&state.table, &hands, &passed)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let parts = self.split(text, 5)?;
        let line = self.parse_line(&parts)?;
        let hands = whole(line.hands, "hand")?;
        let passed = whole(line.passed, "pass")?;
        let state = State { hands, passed, table: self.table(&line)? };
        self.check_passes(&line, &state.table)?;
        Ok(state)
    }

    fn view_text(&self, view: &View) -> String {
        let table = &view.table;
        let viewer = view.viewer.map(usize::from);
        let played = table.played_by();
        let distance = self.pass_distance(table.hand);
        let hands = std::array::from_fn(|seat| match table.cards_held(self, seat, played[seat]) {
            _ if viewer == Some(seat) => self.ranks.set_text(view.hand),
            0 => "-".to_string(),
            count => format!("?{count}"),
        });
        let passed = std::array::from_fn(|seat| {
            let made = match table.phase {
                Phase::Deal => false,
                Phase::Pass => seat < usize::from(table.turn),
                _ => distance > 0,
            };
            let received = viewer == Some((seat + distance) % SEATS) && table.phase != Phase::Pass;
            match (made, received) {
                (false, _) => "-".to_string(),
                _ if viewer == Some(seat) => self.ranks.set_text(view.passed),
                (_, true) => self.ranks.set_text(view.received),
                _ => "?".to_string(),
            }
        });
        let name = viewer.map_or("-".to_string(), |seat| seat.to_string());
        format!("{} {name}", self.text(table, &hands, &passed))
    }

    fn parse_view(&self, text: &str) -> Result<View, NotationError> {
        let parts = self.split(text, 6)?;
        let line = self.parse_line(&parts[..5])?;
        let viewer = match parts[5] {
            "-" => None,
            seat => Some(parse_seat(seat)?),
        };
        let table = self.table(&line)?;
        self.check_passes(&line, &table)?;
        let view = self.view_of(&line, table, viewer)?;
        match HeartsWorlds::prepare(self, &view) {
            Ok(_) => Ok(view),
            Err(_) => Err(NotationError::new("no deal fits these cards: a seat cannot hold as many as it should")),
        }
    }
}

impl Hearts {
    fn text(&self, table: &Table, hands: &[String; SEATS], passed: &[String; SEATS]) -> String {
        let mut totals = table.totals;
        if table.phase == Phase::Over {
            let scores = self.hand_scores(&table.points);
            totals = std::array::from_fn(|seat| totals[seat] - scores[seat]);
        }
        let totals = totals.map(|total| total.to_string()).join("/");
        format!("{} {} {} {} {totals}", hands.join("/"), passed.join("/"), self.plays_text(table), table.hand)
    }

    /// `0:2c.Kc.3c.4c/7d`: who opened, and the tricks.
    fn plays_text(&self, table: &Table) -> String {
        if matches!(table.phase, Phase::Deal | Phase::Pass) {
            return "-".to_string();
        }
        let order = &table.order[..usize::from(table.played)];
        let trick = |cards: &[u8]| cards.iter().map(|&card| self.ranks.text(Card(card))).collect::<Vec<_>>().join(".");
        let tricks: Vec<String> = order.chunks(4).map(trick).collect();
        let tricks = if tricks.is_empty() { "-".to_string() } else { tricks.join("/") };
        format!("{}:{tricks}", table.opener)
    }

    fn split<'a>(&self, text: &'a str, fields: usize) -> Result<Vec<&'a str>, NotationError> {
        let parts: Vec<&str> = text.split_whitespace().collect();
        if parts.len() != fields {
            let found = parts.len();
            return Err(NotationError::new(format!("{found} fields instead of {fields}: write {}", self.help())));
        }
        Ok(parts)
    }

    fn parse_line(&self, parts: &[&str]) -> Result<Line, NotationError> {
        let hands = four(parts[0], "hands", |text| self.parse_hand(text))?;
        let passed = four(parts[1], "passes", |text| match text {
            "?" => Ok(Cards::Unseen(self.passed)),
            cards => self.parse_cards(cards).map(Cards::Seen),
        })?;
        let (opener, order) = self.parse_plays(parts[2])?;
        let hand = match parts[3].parse::<u8>() {
            Ok(hand) if (1..=self.most_hands()).contains(&u32::from(hand)) => hand,
            _ => return Err(NotationError::new(format!("`{}` is no hand of 1..{}", parts[3], self.most_hands()))),
        };
        let totals = four(parts[4], "totals", |text| {
            text.parse::<u16>().map_err(|_| NotationError::new(format!("`{text}` is no number of points")))
        })?;
        let line = Line { hands, passed, opener, order, hand, totals };
        self.check_totals(&line)?;
        self.check_cards(&line)?;
        Ok(line)
    }

    fn parse_hand(&self, text: &str) -> Result<Cards, NotationError> {
        let Some(count) = text.strip_prefix('?') else { return self.parse_cards(text).map(Cards::Seen) };
        match count.parse::<u32>() {
            Ok(count) if count <= self.hand_size() => Ok(Cards::Unseen(count)),
            _ => Err(NotationError::new(format!("`{text}`: a hand has at most {} cards", self.hand_size()))),
        }
    }

    fn parse_cards(&self, text: &str) -> Result<u64, NotationError> {
        let cards = self.ranks.parse_set(text)?;
        match cards & !self.deck {
            0 => Ok(cards),
            foreign => Err(NotationError::new(format!("the deck has no {}", self.ranks.set_text(foreign)))),
        }
    }

    fn parse_plays(&self, text: &str) -> Result<(Option<Player>, Vec<u8>), NotationError> {
        if text == "-" {
            return Ok((None, Vec::new()));
        }
        let Some((opener, tricks)) = text.split_once(':') else {
            return Err(NotationError::new(format!("`{text}` is no play: write seat, `:` and tricks, or `-`")));
        };
        let opener = parse_seat(opener)?;
        if tricks == "-" {
            return Ok((Some(opener), Vec::new()));
        }
        let tricks: Vec<&str> = tricks.split('/').collect();
        let mut order = Vec::new();
        for (number, trick) in tricks.iter().enumerate() {
            for card in trick.split('.') {
                order.push(self.ranks.parse(card)?.0);
            }
            if order.len() > MOST_CARDS || (number + 1 < tricks.len() && order.len() != 4 * (number + 1)) {
                return Err(NotationError::new(format!("trick {} has not four cards: `{trick}`", number + 1)));
            }
        }
        if order.len().div_ceil(4) != tricks.len() {
            return Err(NotationError::new("the last trick has more than four cards"));
        }
        Ok((Some(opener), order))
    }
}

/// Four pieces divided by `/`.
fn four<T: Copy>(
    text: &str,
    name: &str,
    parse: impl Fn(&str) -> Result<T, NotationError>,
) -> Result<[T; SEATS], NotationError> {
    let pieces = text.split('/').map(parse).collect::<Result<Vec<T>, _>>()?;
    <[T; SEATS]>::try_from(pieces.as_slice())
        .map_err(|_| NotationError::new(format!("{} {name} instead of 4, divided by `/`", pieces.len())))
}

fn parse_seat(text: &str) -> Result<Player, NotationError> {
    match text.parse::<usize>() {
        Ok(seat) if seat < SEATS => Ok(seat),
        _ => Err(NotationError::new(format!("`{text}` is no seat of 0..3"))),
    }
}

fn whole(cards: [Cards; SEATS], name: &str) -> Result<[u64; SEATS], NotationError> {
    if cards.iter().any(|cards| matches!(cards, Cards::Unseen(_))) {
        return Err(NotationError::new(format!("a position has no unknown {name}: `?` belongs in a view")));
    }
    Ok(cards.map(Cards::seen))
}

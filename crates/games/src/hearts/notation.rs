//! Positions and views as one line of text.

use meeple_core::{Notation, NotationError, Player};

use super::Hearts;
use super::history::{Plays, ruled_out_by};
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

/// A set of cards, or only its size.
#[derive(Clone, Copy, Debug)]
enum Cards {
    Seen(u64),
    Unseen(u32),
}

impl Cards {
    fn count(self) -> u32 {
        match self {
            Cards::Seen(cards) => cards.count_ones(),
            Cards::Unseen(count) => count,
        }
    }

    fn seen(self) -> u64 {
        match self {
            Cards::Seen(cards) => cards,
            Cards::Unseen(_) => 0,
        }
    }
}

/// The fields as they stand in the text.
struct Line {
    hands: [Cards; SEATS],
    passed: [Cards; SEATS],
    opener: Option<Player>,
    order: Vec<u8>,
    hand: u8,
    totals: [u16; SEATS],
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

    /// Every hand adds its points to the sum of the totals, or three times as many after a moon.
    fn check_totals(&self, line: &Line) -> Result<(), NotationError> {
        let hands = u32::from(line.hand) - 1;
        let sum: u32 = line.totals.iter().map(|&total| u32::from(total)).sum();
        let beyond = sum.checked_sub(hands * self.hand_points);
        if !beyond.is_some_and(|beyond| beyond % (2 * self.hand_points) == 0 && beyond <= 2 * hands * self.hand_points)
        {
            return Err(NotationError::new(format!("totals with the sum {sum} cannot come from {hands} hands")));
        }
        if hands > 0 && self.is_decided(&line.totals, line.hand - 1) {
            return Err(NotationError::new("with these totals the game was over before this hand"));
        }
        Ok(())
    }

    /// No card stands in two places, none is missing where all are seen.
    fn check_cards(&self, line: &Line) -> Result<(), NotationError> {
        let mut seen = 0u64;
        let played = line.order.iter().map(|&card| 1u64 << card);
        for cards in line.hands.iter().map(|hand| hand.seen()).chain(played) {
            if cards & !self.deck != 0 {
                return Err(NotationError::new(format!("the deck has no {}", self.ranks.set_text(cards & !self.deck))));
            }
            if seen & cards != 0 {
                return Err(NotationError::new(format!("{} stands twice", self.ranks.set_text(seen & cards))));
            }
            seen |= cards;
        }
        Ok(())
    }

    /// What all see, with every play checked by what is known of the player's hand.
    fn table(&self, line: &Line) -> Result<Table, NotationError> {
        let mut table = Table::before_hand(line.hand, line.totals);
        let dealt = line.hands.iter().map(|hand| hand.count()).sum::<u32>() + line.order.len() as u32;
        table.dealt = dealt.min(u32::from(self.cards)) as u8;
        match line.opener {
            Some(opener) => self.replay(line, opener, &mut table)?,
            None if table.dealt < self.cards => self.check_deal(line, &table)?,
            None => self.check_pass_phase(line, &mut table)?,
        }
        Ok(table)
    }

    fn check_deal(&self, line: &Line, table: &Table) -> Result<(), NotationError> {
        for seat in 0..SEATS {
            let (found, due) = (line.hands[seat].count(), table.cards_held(self, seat, 0));
            if found != due {
                let dealt = table.dealt;
                return Err(NotationError::new(format!(
                    "after {dealt} cards dealt round the table seat {seat} has {due}, not {found}"
                )));
            }
        }
        Ok(())
    }

    fn check_pass_phase(&self, line: &Line, table: &mut Table) -> Result<(), NotationError> {
        if self.pass_distance(line.hand) == 0 {
            return Err(NotationError::new("nobody passes in this hand: say which seat opens, for example `0:-`"));
        }
        self.check_hand_sizes(line, &[0; SEATS])?;
        let made = line.passed.iter().take_while(|cards| cards.count() > 0).count();
        if made == SEATS {
            return Err(NotationError::new("all have passed: say which seat opens, for example `0:-`"));
        }
        table.phase = Phase::Pass;
        table.turn = made as u8;
        Ok(())
    }

    fn check_hand_sizes(&self, line: &Line, played: &[u64; SEATS]) -> Result<(), NotationError> {
        for seat in 0..SEATS {
            let (found, size) = (line.hands[seat].count() + played[seat].count_ones(), self.hand_size());
            if found != size {
                return Err(NotationError::new(format!(
                    "seat {seat} has {found} cards, played ones included, not {size}"
                )));
            }
        }
        Ok(())
    }

    fn replay(&self, line: &Line, opener: Player, table: &mut Table) -> Result<(), NotationError> {
        let plays = Plays::new(&line.order, opener);
        let mut played = [0; SEATS];
        plays.clone().for_each(|play| played[play.seat] |= play.card.bit());
        self.check_hand_sizes(line, &played)?;
        let mut hands: [Option<u64>; SEATS] = std::array::from_fn(|seat| match line.hands[seat] {
            Cards::Seen(cards) => Some(cards | played[seat]),
            Cards::Unseen(_) => None,
        });
        if hands[opener].is_some_and(|hand| hand & self.opening.bit() == 0) {
            let opening = self.ranks.text(self.opening);
            return Err(NotationError::new(format!("seat {opener} cannot open without {opening}")));
        }
        table.open(opener);
        let mut ruled_out = [0; SEATS];
        for play in plays {
            let card = self.ranks.text(play.card);
            let possible = match &mut hands[play.seat] {
                Some(hand) => {
                    let legal = table.legal_cards(self, *hand);
                    *hand &= !play.card.bit();
                    legal
                }
                None if play.number == 0 => self.opening.bit(),
                None => !ruled_out[play.seat],
            };
            if possible & play.card.bit() == 0 {
                return Err(NotationError::new(format!(
                    "seat {} cannot play {card} in trick {}",
                    play.seat,
                    play.number / 4 + 1
                )));
            }
            ruled_out[play.seat] |= ruled_out_by(self, &play, table.broken);
            table.play(self, play.card);
        }
        if table.played == self.cards {
            self.check_over(table)?;
        }
        Ok(())
    }

    /// The hand is played: it must have been the last one.
    fn check_over(&self, table: &mut Table) -> Result<(), NotationError> {
        let scores = self.hand_scores(&table.points);
        table.totals = std::array::from_fn(|seat| table.totals[seat] + scores[seat]);
        if !self.is_decided(&table.totals, table.hand) {
            return Err(NotationError::new("the hand is over but not the game: give the next hand"));
        }
        table.phase = Phase::Over;
        Ok(())
    }

    /// Passes have the right number of cards, and the cards are where they must be.
    fn check_passes(&self, line: &Line, table: &Table) -> Result<(), NotationError> {
        let distance = self.pass_distance(line.hand);
        let played = table.played_by();
        for (seat, cards) in line.passed.iter().enumerate() {
            let (made, place) = match table.phase {
                Phase::Deal => (false, seat),
                Phase::Pass => (seat < usize::from(table.turn), seat),
                _ => (distance > 0, (seat + distance) % SEATS),
            };
            let due = if made { self.passed } else { 0 };
            if cards.count() != due {
                let found = cards.count();
                return Err(NotationError::new(format!("seat {seat} passed {found} cards, not {due}")));
            }
            let elsewhere = (0..SEATS).filter(|&other| other != place);
            let elsewhere = elsewhere.fold(0, |all, other| all | line.hands[other].seen() | played[other]);
            let missing = match line.hands[place] {
                Cards::Seen(hand) => cards.seen() & !(hand | played[place]),
                Cards::Unseen(_) => cards.seen() & elsewhere,
            };
            if missing != 0 {
                let missing = self.ranks.set_text(missing);
                return Err(NotationError::new(format!("{missing} passed by seat {seat} must be with seat {place}")));
            }
        }
        Ok(())
    }

    fn view_of(&self, line: &Line, table: Table, viewer: Option<Player>) -> Result<View, NotationError> {
        let distance = self.pass_distance(line.hand);
        let exchanged = distance > 0 && matches!(table.phase, Phase::Play | Phase::Over);
        for seat in 0..SEATS {
            let own = viewer == Some(seat);
            let known = own || (exchanged && viewer == Some((seat + distance) % SEATS));
            if own != matches!(line.hands[seat], Cards::Seen(_)) && line.hands[seat].count() > 0 {
                return Err(NotationError::new("a view shows the viewer's hand and no other"));
            }
            if known != matches!(line.passed[seat], Cards::Seen(_)) && line.passed[seat].count() > 0 {
                return Err(NotationError::new("a view shows what the viewer passed and got, and no other pass"));
            }
        }
        let received = |seat: Player| line.passed[(seat + SEATS - distance) % SEATS].seen();
        Ok(View {
            viewer: viewer.map(|seat| seat as u8),
            hand: viewer.map_or(0, |seat| line.hands[seat].seen()),
            passed: viewer.map_or(0, |seat| line.passed[seat].seen()),
            received: viewer.filter(|_| exchanged).map_or(0, received),
            table,
        })
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

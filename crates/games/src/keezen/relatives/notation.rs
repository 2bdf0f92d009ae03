//! Positions and views of the relatives as one line, and as a picture.

use meeple_core::{Notation, NotationError};

use super::state::{Gifts, LATER, NOBODY, NONE, Phase, Seven, State, Table, UNKNOWN, View};
use super::{Relative, Variant};
use crate::keezen::board::{Board, START, WAITING};
use crate::keezen::holdings::{Holdings, SEATS, hand_sizes};
use crate::keezen::notation::{
    Parsed, error, four, hands_text, hidden_hand, number, parse_hands, parse_viewer, parts, rest_of_deck,
};
use crate::keezen::ranks::{Cards, SEVEN};

const JOKER: usize = 13;

impl Notation<Relative> for Relative {
    fn help(&self) -> String {
        "marbles of each seat (`w` or the place as its colour counts), hands, hands of later rounds, played cards, \
         gifts, cards played since the exchange, card drawn, dealer, rounds since the shuffle, turn (`t0`, `give0`, \
         `deal` with the cards dealt, `draw0`, `over0`), seven (`s0`, or steps left, card and place: `s4.7.0`), moves; \
         a view has `?` for hidden cards and ends with the viewer: \
         `1.w.w.w/w.w.w.w/w.w.w.w/w.w.w.w 2245/????/????/???? ? A37K ---- -/-/-/- - d0 r1 t1 s0 m4 v0`"
            .to_string()
    }

    fn state_text(&self, state: &State) -> String {
        let later = self.later_rounds(&state.table);
        let ranks = self.variant.ranks();
        let rounds: Vec<String> = (1..=later).map(|round| hands_text(state.holdings.round(round), ranks)).collect();
        let stock = if rounds.is_empty() { "-".to_string() } else { rounds.join("+") };
        self.line(&state.table, &hands_text(&state.holdings.hands, ranks), &stock, &state.gifts)
    }

    fn parse_state(&self, text: &str) -> Parsed<State> {
        let ranks = self.variant.ranks();
        let parts: [&str; 12] = parts(text, &self.help())?;
        let table = self.parse_table(&parts)?;
        let gifts = self.parse_gifts(&parts)?;
        if gifts.given.contains(&UNKNOWN) {
            return error("a position knows its gifts: `?` belongs into views");
        }
        let mut holdings = Holdings::EMPTY;
        holdings.hands = parse_hands(parts[1], ranks)?;
        let rounds: Vec<&str> = if parts[2] == "-" { Vec::new() } else { parts[2].split('+').collect() };
        let later = self.later_rounds(&table);
        if rounds.len() != later {
            return error(format!("{} later rounds in `{}`, not {later}", rounds.len(), parts[2]));
        }
        for (round, hands) in rounds.into_iter().enumerate() {
            holdings.later[round] = parse_hands(hands, ranks)?;
            if holdings.later[round].map(|hand| hand.count()) != self.later_sizes(&table)[round].map(u32::from) {
                return error(format!("the hands `{hands}` of a later round have not the right sizes"));
            }
        }
        let pending = pending(&table, &gifts);
        let all = (0..=later).flat_map(|round| *holdings.round(round)).chain([table.played]).chain(pending);
        let rest = rest_of_deck(self.setup.deck, all.chain(drawn(&table)), ranks)?;
        let dealt = !self.setup.deal.is_empty() && matches!(table.phase, Phase::Give | Phase::Play);
        if dealt && rest.count() != self.undealt() {
            return error(format!("the cards {} are nowhere", rest.text(ranks)));
        }
        self.check(&table, holdings.counts(), &gifts)?;
        let received = |seat: usize| holdings.hands[seat ^ 2].plus(gifts.played[seat ^ 2]);
        let lost = |seat: usize| !received(seat).has(gifts.given[seat].into());
        if self.exchanges() && table.phase == Phase::Play && (0..SEATS).any(lost) {
            return error("a gift is among the cards that the partner holds or has played");
        }
        Ok(State { table, holdings, gifts })
    }

    fn view_text(&self, view: &View) -> String {
        let stock = if self.later_rounds(&view.table) > 0 { "?" } else { "-" };
        let viewer = view.viewer.map_or_else(|| "-".to_string(), |seat| seat.to_string());
        let hands: Vec<String> = (0..SEATS).map(|seat| self.hand_text(view, seat)).collect();
        format!("{} v{viewer}", self.line(&view.table, &hands.join("/"), stock, &view.gifts))
    }

    fn parse_view(&self, text: &str) -> Parsed<View> {
        let ranks = self.variant.ranks();
        let parts: [&str; 13] = parts(text, &self.help())?;
        let viewer = parse_viewer(parts[12])?;
        let table = self.parse_table(&parts)?;
        let gifts = self.parse_gifts(&parts)?;
        let expected = if self.later_rounds(&table) > 0 { "?" } else { "-" };
        if parts[2] != expected {
            return error(format!("the later rounds of a view are `{expected}` here, not `{}`", parts[2]));
        }
        let mut hand = Cards::NONE;
        let mut counts = [0; SEATS];
        for (seat, text) in four(parts[1], '/')?.into_iter().enumerate() {
            if viewer == Some(seat) {
                hand = Cards::parse(text, ranks)?;
                counts[seat] = hand.count() as u8;
            } else if text != "-" {
                counts[seat] = hidden_hand(text)?;
            }
        }
        self.check(&table, counts, &gifts)?;
        let view = View { viewer, table, hand, counts, gifts };
        self.check_view(&view)?;
        Ok(view)
    }
}

impl Relative {
    fn later_rounds(&self, table: &Table) -> usize {
        self.setup.deal.len().saturating_sub(1 + usize::from(table.round))
    }

    pub(super) fn later_sizes(&self, table: &Table) -> [[u8; SEATS]; LATER] {
        std::array::from_fn(|later| {
            hand_sizes(usize::from(table.round) + 1 + later, &self.setup.deal, table.dealt.into())
        })
    }

    pub(super) fn hand_text(&self, view: &View, seat: usize) -> String {
        match view.counts[seat] {
            _ if view.viewer == Some(seat) => view.hand.text(self.variant.ranks()),
            0 => "-".to_string(),
            count => "?".repeat(count.into()),
        }
    }

    fn line(&self, table: &Table, hands: &str, stock: &str, gifts: &Gifts) -> String {
        let ranks = self.variant.ranks();
        let dealer = if table.dealer == NOBODY { "?".to_string() } else { table.dealer.to_string() };
        let turn = match table.phase {
            Phase::Chance if self.setup.deal.is_empty() => format!("draw{}", table.seat),
            Phase::Chance => format!("deal{}", table.dealt),
            Phase::Give => format!("give{}", table.seat),
            Phase::Play => format!("t{}", table.seat),
            Phase::Over => format!("over{}", table.seat),
        };
        let seven = match table.seven {
            Seven { left: 0, .. } => "s0".to_string(),
            Seven { left, card, place } => format!("s{left}.{}.{place}", rank_text(ranks, card)),
        };
        let given: String = gifts.given.iter().map(|&card| rank_text(ranks, card)).collect();
        [
            board_text(&table.board),
            hands.to_string(),
            stock.to_string(),
            table.played.text(ranks),
            given,
            hands_text(&gifts.played, ranks),
            rank_text(ranks, table.drawn).to_string(),
            format!("d{dealer}"),
            format!("r{}", table.round),
            turn,
            seven,
            format!("m{}", table.moves),
        ]
        .join(" ")
    }

    /// The public part, from the first twelve parts.
    fn parse_table(&self, parts: &[&str]) -> Parsed<Table> {
        let ranks = self.variant.ranks();
        let dealer = if parts[7] == "d?" { NOBODY } else { number(parts[7], "d", "dealer", SEATS - 1)? as u8 };
        let (phase, seat, dealt) = self.parse_turn(parts[9])?;
        Ok(Table {
            board: parse_board(self.variant, parts[0])?,
            played: Cards::parse(parts[3], ranks)?,
            moves: number(parts[11], "m", "moves", self.move_limit.into())? as u16,
            phase,
            seat,
            dealer,
            round: number(parts[8], "r", "rounds since the shuffle", self.setup.deal.len().saturating_sub(1))? as u8,
            dealt,
            drawn: parse_rank(parts[6], ranks)?,
            seven: self.parse_seven(parts[10])?,
        })
    }

    /// The phase, the seat and the cards dealt.
    fn parse_turn(&self, text: &str) -> Parsed<(Phase, u8, u8)> {
        let all = self.dealt_in_all() as u8;
        let seat = |prefix| number(text, prefix, "seat", SEATS - 1).map(|seat| seat as u8);
        if text.starts_with("deal") && all > 0 {
            return Ok((Phase::Chance, 0, number(text, "deal", "cards dealt", usize::from(all) - 1)? as u8));
        }
        if text.starts_with("draw") && all == 0 {
            return Ok((Phase::Chance, seat("draw")?, 0));
        }
        if text.starts_with("give") && self.exchanges() {
            return Ok((Phase::Give, seat("give")?, all));
        }
        if text.starts_with("over") {
            return Ok((Phase::Over, seat("over")?, all));
        }
        Ok((Phase::Play, seat("t")?, all))
    }

    fn parse_seven(&self, text: &str) -> Parsed<Seven> {
        if text == "s0" {
            return Ok(Seven::default());
        }
        let pieces: Vec<&str> = text.split('.').collect();
        let [left, card, place] = pieces[..] else {
            return error(format!("`{text}` is no seven: write `s0` or steps left, card and place, `s4.7.0`"));
        };
        let left = number(left, "s", "steps left of a seven", 6)? as u8;
        let card = parse_rank(card, self.variant.ranks())?;
        let fits = usize::from(card) == SEVEN || (usize::from(card) == JOKER && self.variant == Variant::Dog);
        let most = if self.variant == Variant::Sorry { self.variant.furthest().into() } else { 0 };
        let place = number(place, "", "place after the first part", most)? as u8;
        if left == 0 || !fits {
            return error(format!("`{text}` is no seven: some of its steps are left, and it was a seven or a joker"));
        }
        Ok(Seven { left, card, place })
    }

    fn parse_gifts(&self, parts: &[&str]) -> Parsed<Gifts> {
        let ranks = self.variant.ranks();
        let characters: Vec<char> = parts[4].chars().collect();
        if characters.len() != SEATS {
            return error(format!("`{}` is not four gifts: a card, `?` or `-` for each seat", parts[4]));
        }
        let mut given = [NONE; SEATS];
        for (seat, character) in characters.into_iter().enumerate() {
            given[seat] = if character == '?' { UNKNOWN } else { parse_rank(&character.to_string(), ranks)? };
        }
        Ok(Gifts { given, played: parse_hands(parts[5], ranks)? })
    }
}

/// The card that was drawn.
pub(super) fn drawn(table: &Table) -> Option<Cards> {
    (table.drawn != NONE).then(|| Cards::NONE.with(table.drawn.into(), 1))
}

/// Gifts that have left a hand and not yet come to another.
fn pending(table: &Table, gifts: &Gifts) -> Vec<Cards> {
    let giving = table.phase == Phase::Give;
    let given = gifts.given.into_iter().filter(|&card| giving && card < UNKNOWN);
    given.map(|card| Cards::NONE.with(card.into(), 1)).collect()
}

pub(super) fn rank_text(ranks: &str, card: u8) -> char {
    match card {
        NONE => '-',
        UNKNOWN => '?',
        card => char::from(ranks.as_bytes()[usize::from(card)]),
    }
}

fn parse_rank(text: &str, ranks: &str) -> Parsed<u8> {
    if text == "-" {
        return Ok(NONE);
    }
    let rank = ranks.char_indices().find(|(_, known)| text.chars().eq([*known])).map(|(rank, _)| rank as u8);
    rank.ok_or_else(|| NotationError::new(format!("`{text}` is no card: the cards are {ranks}")))
}

fn board_text(board: &Board) -> String {
    let marble = |place: u8| if place == WAITING { "w".to_string() } else { place.to_string() };
    board.0.map(|marbles| marbles.map(marble).join(".")).join("/")
}

/// The first part of a notation.
pub(super) fn parse_board(variant: Variant, text: &str) -> Parsed<Board> {
    let mut board = Board([[WAITING; 4]; SEATS]);
    let mut taken = 0u64;
    for (colour, marbles) in four(text, '/')?.into_iter().enumerate() {
        for (marble, text) in four(marbles, '.')?.into_iter().enumerate() {
            if text == "w" {
                continue;
            }
            let place = number(text, "", "place of a marble", variant.furthest().into())? as u8;
            let home = variant == Variant::Sorry && place == variant.furthest();
            let field = variant.field(colour, place).map_or(0, |field| 1 << field);
            if place < START || (board.0[colour].contains(&place) && !home) || taken & field != 0 {
                return error(format!("`{text}`: a marble of seat {colour} cannot stand there too"));
            }
            taken |= field;
            board.0[colour][marble] = place;
        }
        board.0[colour].sort_unstable_by(|a, b| b.cmp(a));
    }
    Ok(board)
}

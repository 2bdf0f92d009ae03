//! Positions and views of Keezen as one line.

use meeple_core::{Notation, NotationError, Player};

use super::action::RANKS;
use super::board::{Board, Marbles, WAITING, field_number, place_of_number, track_field};
use super::holdings::{Holdings, SEATS, hand_sizes};
use super::ranks::Cards;
use super::state::{CHANCE, NOBODY, OVER, State, Table, View};
use super::{Keezen, worlds};

pub(super) type Parsed<T> = Result<T, NotationError>;

pub(super) fn error<T>(message: impl Into<String>) -> Parsed<T> {
    Err(NotationError::new(message))
}

impl Notation<Keezen> for Keezen {
    fn help(&self) -> String {
        "marbles of each seat (field numbers or `w`), hands, the hands of later rounds (`+` between rounds), played \
         cards, dealer, rounds since the shuffle, turn (`t0`, `deal` with the cards dealt, `over`), moves; a view has \
         `?` for hidden cards and ends with the viewer (`v0`, `v-`): \
         `5.w.w.w/w.w.w.w/29.w.w.w/w.w.w.w 2245/????/????/???? ? A37K d0 r1 t1 m4 v0`"
            .to_string()
    }

    fn state_text(&self, state: &State) -> String {
        let later = self.later_rounds(&state.table);
        let rounds: Vec<String> = (1..=later).map(|round| hands_text(state.holdings.round(round), RANKS)).collect();
        let stock = if rounds.is_empty() { "-".to_string() } else { rounds.join("+") };
        let hands = hands_text(&state.holdings.hands, RANKS);
        line(&state.table, &hands, &stock, self.played(state))
    }

    fn parse_state(&self, text: &str) -> Parsed<State> {
        let parts: [&str; 8] = parts(text, &self.help())?;
        let table = self.parse_table(&parts)?;
        let mut holdings = Holdings::EMPTY;
        holdings.hands = parse_hands(parts[1], RANKS)?;
        let later = self.later_rounds(&table);
        let rounds: Vec<&str> = if parts[2] == "-" { Vec::new() } else { parts[2].split('+').collect() };
        if rounds.len() != later {
            return error(format!("{} later rounds in `{}`, not {later}", rounds.len(), parts[2]));
        }
        for (round, hands) in rounds.into_iter().enumerate() {
            holdings.later[round] = parse_hands(hands, RANKS)?;
            let sizes = hand_sizes(usize::from(table.round) + round + 1, &self.setup.deal, table.dealt.into());
            if holdings.later[round].map(|hand| hand.count()) != sizes.map(u32::from) {
                return error(format!("the hands `{hands}` of a later round have not the sizes {sizes:?}"));
            }
        }
        let played = Cards::parse(parts[3], RANKS)?;
        let all = (0..=later).flat_map(|round| *holdings.round(round)).chain([played]);
        let missing = rest_of_deck(self.setup.deck, all, RANKS)?;
        if table.turn != CHANCE && !missing.is_empty() {
            return error(format!("the cards {} are nowhere", missing.text(RANKS)));
        }
        self.check(&table, holdings.counts(), played)?;
        Ok(State { table, holdings })
    }

    fn view_text(&self, view: &View) -> String {
        let hand = |seat: usize| match view.counts[seat] {
            _ if view.viewer == Some(seat) => view.hand.text(RANKS),
            0 => "-".to_string(),
            count => "?".repeat(count.into()),
        };
        let hands: Vec<String> = (0..SEATS).map(hand).collect();
        let stock = if self.later_rounds(&view.table) > 0 { "?" } else { "-" };
        let viewer = view.viewer.map_or_else(|| "-".to_string(), |seat| seat.to_string());
        format!("{} v{viewer}", line(&view.table, &hands.join("/"), stock, view.played))
    }

    fn parse_view(&self, text: &str) -> Parsed<View> {
        let parts: [&str; 9] = parts(text, &self.help())?;
        let viewer = parse_viewer(parts[8])?;
        let table = self.parse_table(&parts)?;
        let expected = if self.later_rounds(&table) > 0 { "?" } else { "-" };
        if parts[2] != expected {
            return error(format!("the later rounds of a view are `{expected}` here, not `{}`", parts[2]));
        }
        let mut hand = Cards::NONE;
        let mut counts = [0; SEATS];
        for (seat, text) in four(parts[1], '/')?.into_iter().enumerate() {
            if viewer == Some(seat) {
                hand = Cards::parse(text, RANKS)?;
                counts[seat] = hand.count() as u8;
            } else if text != "-" {
                counts[seat] = hidden_hand(text)?;
            }
        }
        let played = Cards::parse(parts[3], RANKS)?;
        let unseen = rest_of_deck(self.setup.deck, [hand, played], RANKS)?;
        self.check(&table, counts, played)?;
        let view = View { viewer, table, hand, counts, played };
        let hidden = worlds::hidden_cards(self, &view);
        if table.turn != CHANCE && hidden != unseen.count() {
            return error(format!("{hidden} cards are hidden, but {} were not seen", unseen.count()));
        }
        Ok(view)
    }
}

impl Keezen {
    /// Rounds that the stock still holds.
    fn later_rounds(&self, table: &Table) -> usize {
        self.rounds() - 1 - usize::from(table.round)
    }

    /// The public part, from the first eight parts.
    fn parse_table(&self, parts: &[&str]) -> Parsed<Table> {
        let board = parse_board(parts[0])?;
        let dealer = if parts[4] == "d?" { NOBODY } else { number(parts[4], "d", "dealer", SEATS - 1)? as u8 };
        let round = number(parts[5], "r", "rounds since the shuffle", self.rounds() - 1)? as u8;
        let cards = self.setup.deck.count() as u8;
        let (turn, dealt) = match parts[6] {
            "over" => (OVER, cards),
            text if text.starts_with("deal") => {
                (CHANCE, number(text, "deal", "cards dealt", usize::from(cards) - 1)? as u8)
            }
            text => (number(text, "t", "seat to move", SEATS - 1)? as u8, cards),
        };
        let moves = number(parts[7], "m", "moves", self.move_limit.into())? as u16;
        Ok(Table { board, moves, dealer, round, dealt, turn })
    }

    /// Whether the game can be at this point.
    fn check(&self, table: &Table, counts: [u8; SEATS], played: Cards) -> Parsed<()> {
        let ended = table.board.winner().is_some() || table.moves >= self.move_limit;
        if ended != (table.turn == OVER) {
            let state = if ended { "over" } else { "not over" };
            return error(format!("by marbles and moves the game is {state}"));
        }
        if (0..SEATS).all(|seat| table.board.finished(seat)) {
            return error("both teams cannot have finished");
        }
        let unchosen = table.dealer == NOBODY;
        if unchosen && (self.first_dealer.is_some() || table.turn != CHANCE || table.dealt > 0 || table.moves > 0) {
            return error("the dealer is known here: write `d0` to `d3`");
        }
        if table.turn == CHANCE {
            return self.check_deal(table, counts, played);
        }
        let most = self.setup.deal[usize::from(table.round)];
        if counts.iter().any(|&count| count > most) {
            return error(format!("a hand of this round has at most {most} cards"));
        }
        match table.turn {
            OVER => check_last_hands(table.dealer.into(), counts, most),
            seat => check_hands(seat.into(), table.dealer.into(), counts, most),
        }
    }

    fn check_deal(&self, table: &Table, counts: [u8; SEATS], played: Cards) -> Parsed<()> {
        if table.round != 0 || !played.is_empty() {
            return error("while cards are dealt, the round is `r0` and no card is played");
        }
        let sizes = hand_sizes(0, &self.setup.deal, table.dealt.into());
        if counts != sizes {
            return error(format!("after {} cards the hands have the sizes {sizes:?}", table.dealt));
        }
        Ok(())
    }
}

/// Exactly so many parts divided by spaces.
pub(super) fn parts<'a, const N: usize>(text: &'a str, help: &str) -> Parsed<[&'a str; N]> {
    let parts: Vec<&str> = text.split(' ').collect();
    let found = parts.len();
    parts.try_into().or_else(|_| error(format!("{found} parts divided by single spaces instead of {N}: write {help}")))
}

/// Seats play in turn from the one after the dealer, one card each: whoever has cards and has
/// moved has one less than the seat to move.
pub(super) fn check_hands(mover: usize, dealer: usize, counts: [u8; SEATS], most: u8) -> Parsed<()> {
    let order = |seat: usize| (seat + 2 * SEATS - dealer - 1) % SEATS;
    if counts[mover] == 0 {
        return error(format!("seat {mover} is to move and has no cards"));
    }
    for seat in 0..SEATS {
        let moved = order(seat) < order(mover);
        let expected = counts[mover] - u8::from(moved);
        let thrown = counts[seat] == 0 && (moved || counts[mover] < most);
        if counts[seat] != expected && !thrown {
            return error(format!("seat {seat} has {} cards, not {expected}, when seat {mover} moves", counts[seat]));
        }
    }
    Ok(())
}

/// At the end some seat has just played a card of its hand, or thrown it.
pub(super) fn check_last_hands(dealer: usize, counts: [u8; SEATS], most: u8) -> Parsed<()> {
    let fits = |last: usize, had: u8| {
        let mut before = counts;
        before[last] = had;
        (counts[last] == 0 || counts[last] + 1 == had) && check_hands(last, dealer, before, most).is_ok()
    };
    if (0..SEATS).any(|last| (1..=most).any(|had| fits(last, had))) {
        return Ok(());
    }
    error(format!("there is no last move after which the hands have {counts:?} cards"))
}

fn line(table: &Table, hands: &str, stock: &str, played: Cards) -> String {
    let dealer = if table.dealer == NOBODY { "?".to_string() } else { table.dealer.to_string() };
    let turn = match table.turn {
        CHANCE => format!("deal{}", table.dealt),
        OVER => "over".to_string(),
        seat => format!("t{seat}"),
    };
    let (board, played) = (board_text(&table.board), played.text(RANKS));
    format!("{board} {hands} {stock} {played} d{dealer} r{} {turn} m{}", table.round, table.moves)
}

fn board_text(board: &Board) -> String {
    let marble = |colour: usize, place: u8| match place {
        WAITING => "w".to_string(),
        place => field_number(colour, place).to_string(),
    };
    let colour = |colour: usize| board.0[colour].map(|place| marble(colour, place)).join(".");
    [0, 1, 2, 3].map(colour).join("/")
}

/// The first part of a notation.
pub(super) fn parse_board(text: &str) -> Parsed<Board> {
    let mut board = Board([[WAITING; 4]; SEATS]);
    let mut taken = 0u64;
    for (colour, marbles) in four(text, '/')?.into_iter().enumerate() {
        board.0[colour] = parse_marbles(colour, marbles)?;
        for &place in board.0[colour].iter().filter(|&&place| (1..=64).contains(&place)) {
            let field = track_field(colour, place);
            if taken >> field & 1 == 1 {
                return error(format!("two marbles stand on field {}", field_number(colour, place)));
            }
            taken |= 1 << field;
        }
    }
    Ok(board)
}

fn parse_marbles(colour: usize, text: &str) -> Parsed<Marbles> {
    let mut marbles = [WAITING; 4];
    for (marble, text) in four(text, '.')?.into_iter().enumerate() {
        if text == "w" {
            continue;
        }
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| digits);
        let place = number.and_then(|number| place_of_number(colour, number));
        let Some(place) = place else {
            return error(format!("`{text}` is no field where a marble of seat {colour} can stand; `w` if it waits"));
        };
        if marbles.contains(&place) {
            return error(format!("two marbles stand on field {text}"));
        }
        marbles[marble] = place;
    }
    marbles.sort_unstable_by(|a, b| b.cmp(a));
    Ok(marbles)
}

pub(super) fn hands_text(hands: &[Cards; SEATS], ranks: &str) -> String {
    hands.map(|hand| hand.text(ranks)).join("/")
}

pub(super) fn parse_hands(text: &str, ranks: &str) -> Parsed<[Cards; SEATS]> {
    let mut hands = [Cards::NONE; SEATS];
    for (seat, text) in four(text, '/')?.into_iter().enumerate() {
        hands[seat] = Cards::parse(text, ranks)?;
    }
    Ok(hands)
}

/// The number of cards of a hand that is not seen.
pub(super) fn hidden_hand(text: &str) -> Parsed<u8> {
    if text.is_empty() || text.len() > 6 || text.bytes().any(|byte| byte != b'?') {
        return error(format!("`{text}` is no hidden hand: write a `?` for each card, or `-`"));
    }
    Ok(text.len() as u8)
}

pub(super) fn parse_viewer(text: &str) -> Parsed<Option<Player>> {
    if text == "v-" { Ok(None) } else { number(text, "v", "viewer", SEATS - 1).map(Some) }
}

/// The deck without these cards.
pub(super) fn rest_of_deck(deck: Cards, hands: impl IntoIterator<Item = Cards>, ranks: &str) -> Parsed<Cards> {
    let mut rest = deck;
    for hand in hands {
        for rank in hand.ranks() {
            if rest.count_of(rank) < hand.count_of(rank) {
                let name = char::from(ranks.as_bytes()[rank]);
                return error(format!("the deck has only {} cards `{name}`", deck.count_of(rank)));
            }
        }
        rest = rest.minus(hand);
    }
    Ok(rest)
}

/// Exactly four pieces.
pub(super) fn four(text: &str, divider: char) -> Parsed<[&str; 4]> {
    let pieces: Vec<&str> = text.split(divider).collect();
    let found = pieces.len();
    pieces.try_into().or_else(|_| error(format!("`{text}` has {found} pieces divided by `{divider}`, not 4")))
}

/// A whole number behind a prefix.
pub(super) fn number(text: &str, prefix: &str, meaning: &str, most: usize) -> Parsed<usize> {
    let digits = text.strip_prefix(prefix).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    match digits.and_then(|digits| digits.parse().ok()) {
        Some(value) if value <= most => Ok(value),
        _ => error(format!("`{text}`: the {meaning} is written `{prefix}` with a number from 0 to {most}")),
    }
}

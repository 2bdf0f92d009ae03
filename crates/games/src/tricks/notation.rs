//! The table as words of the form `name=value`, and what counting tells about it.

use meeple_core::{NotationError, Player};

use super::{NO_CARD, Pack, SEATS, Table, Trick, team};
use crate::cards::{Card, SUITS, suit_mask};

/// The words that describe a table.
pub(crate) const TABLE_WORDS: [&str; 9] =
    ["trump", "holder", "leader", "trick", "last", "played", "voids", "points", "tricks"];

/// A text taken apart into its words.
#[derive(Debug)]
pub(crate) struct Words<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Words<'a> {
    /// Every word once, and only those that stand in one of the lists of `known`.
    pub(crate) fn parse(text: &'a str, known: &[&[&str]]) -> Result<Words<'a>, NotationError> {
        let mut words: Vec<(&str, &str)> = Vec::new();
        for word in text.split_whitespace() {
            let Some((name, value)) = word.split_once('=') else {
                return Err(error(format!("`{word}` has no `=`: write name=value")));
            };
            if !known.iter().any(|list| list.contains(&name)) {
                return Err(error(format!("there is no word `{name}`, only {}", known.concat().join(", "))));
            }
            if words.iter().any(|&(other, _)| other == name) {
                return Err(error(format!("`{name}` is given twice")));
            }
            words.push((name, value));
        }
        Ok(Words(words))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|&&(other, _)| other == name).map(|&(_, value)| value)
    }

    pub(crate) fn require(&self, name: &str) -> Result<&'a str, NotationError> {
        self.get(name).ok_or_else(|| error(format!("`{name}=` is missing")))
    }

    /// A whole number up to `most`; `default` if the word is not there.
    pub(crate) fn number(&self, name: &str, most: usize, default: usize) -> Result<usize, NotationError> {
        let Some(text) = self.get(name) else { return Ok(default) };
        number(name, text, most)
    }

    /// Two numbers divided by `:`; both 0 if the word is not there.
    pub(crate) fn pair(&self, name: &str, most: usize) -> Result<[u8; 2], NotationError> {
        let Some(text) = self.get(name) else { return Ok([0; 2]) };
        let (first, second) =
            text.split_once(':').ok_or_else(|| error(format!("{name}={text}: write one number for each team, a:b")))?;
        Ok([number(name, first, most)? as u8, number(name, second, most)? as u8])
    }

    /// One piece for each seat, divided by `/`.
    pub(crate) fn seats(&self, name: &str, seats: usize) -> Result<Option<Vec<&'a str>>, NotationError> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let pieces: Vec<&str> = text.split('/').collect();
        if pieces.len() != seats {
            return Err(error(format!("{name}={text}: write one piece for each of {seats} seats, divided by `/`")));
        }
        Ok(Some(pieces))
    }
}

pub(crate) fn error(message: impl Into<String>) -> NotationError {
    NotationError::new(message)
}

fn number(name: &str, text: &str, most: usize) -> Result<usize, NotationError> {
    match text.parse::<usize>() {
        Ok(value) if value <= most => Ok(value),
        _ => Err(error(format!("{name}: `{text}` must be a whole number up to {most}"))),
    }
}

/// Fails with the message unless the condition holds.
pub(crate) fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), NotationError> {
    if holds { Ok(()) } else { Err(error(message())) }
}

/// A card of the pack.
pub(crate) fn parse_card(pack: &Pack, text: &str) -> Result<Card, NotationError> {
    let card = pack.ranks.parse(text)?;
    require(pack.cards & card.bit() != 0, || format!("`{text}` is not in the pack"))?;
    Ok(card)
}

/// Cards in their order, divided by `.`; `-` for none.
pub(crate) fn sequence_text(pack: &Pack, cards: impl Iterator<Item = Card>) -> String {
    let texts: Vec<String> = cards.map(|card| pack.ranks.text(card)).collect();
    if texts.is_empty() { "-".to_string() } else { texts.join(".") }
}

pub(crate) fn parse_sequence(pack: &Pack, text: &str, most: usize) -> Result<Vec<Card>, NotationError> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let cards: Vec<Card> = text.split('.').map(|piece| parse_card(pack, piece)).collect::<Result<_, _>>()?;
    require(cards.len() <= most, || format!("`{text}` has more than {most} cards"))?;
    let set = cards.iter().fold(0, |set, card| set | card.bit());
    require(set.count_ones() as usize == cards.len(), || format!("a card stands twice in `{text}`"))?;
    Ok(cards)
}

/// One hand for each seat, divided by `/`.
pub(crate) fn hands_text(pack: &Pack, hands: &[u64]) -> String {
    let texts: Vec<String> = hands.iter().map(|&hand| pack.ranks.set_text(hand)).collect();
    texts.join("/")
}

/// The viewer's hand, `?` for the others.
pub(crate) fn view_hands_text(pack: &Pack, viewer: Option<Player>, hand: u64, seats: usize) -> String {
    let text = |seat| if viewer == Some(seat) { pack.ranks.set_text(hand) } else { "?".to_string() };
    (0..seats).map(text).collect::<Vec<_>>().join("/")
}

fn parse_set(pack: &Pack, text: &str) -> Result<u64, NotationError> {
    let set = pack.ranks.parse_set(text)?;
    require(set & !pack.cards == 0, || format!("`{text}` has a card that is not in the pack"))?;
    Ok(set)
}

pub(crate) fn parse_hands(pack: &Pack, words: &Words<'_>, seats: usize) -> Result<[u64; SEATS], NotationError> {
    words.require("hands")?;
    parse_sets(pack, words, "hands", seats)
}

/// The seat that views and its hand; all other hands must be `?`.
pub(crate) fn parse_viewer(
    pack: &Pack,
    words: &Words<'_>,
    seats: usize,
) -> Result<(Option<Player>, u64), NotationError> {
    let viewer = match words.require("viewer")? {
        "-" => None,
        text => Some(number("viewer", text, seats - 1)?),
    };
    words.require("hands")?;
    let hands = words.seats("hands", seats)?.unwrap_or_default();
    let mut own = 0;
    for (seat, text) in hands.into_iter().enumerate() {
        if viewer == Some(seat) {
            own = parse_set(pack, text)?;
        } else {
            require(text == "?", || format!("the hand of seat {seat} is unknown to the viewer: write `?`"))?;
        }
    }
    Ok((viewer, own))
}

pub(crate) fn viewer_text(viewer: Option<Player>) -> String {
    viewer.map_or("-".to_string(), |seat| seat.to_string())
}

fn parse_sets(pack: &Pack, words: &Words<'_>, name: &str, seats: usize) -> Result<[u64; SEATS], NotationError> {
    let mut sets = [0; SEATS];
    for (seat, text) in words.seats(name, seats)?.unwrap_or_default().into_iter().enumerate() {
        sets[seat] = parse_set(pack, text)?;
        let twice = sets[..seat].iter().fold(0, |before, set| before | set) & sets[seat];
        require(twice == 0, || format!("{name}: {} stands at two seats", pack.ranks.set_text(twice)))?;
    }
    Ok(sets)
}

/// The words of a table; what is as in the beginning is left out.
pub(crate) fn table_text(pack: &Pack, table: &Table, seats: usize) -> String {
    if table.trump == NO_CARD {
        return "trump=-".to_string();
    }
    let mut text = format!("trump={}", pack.ranks.text(table.trump));
    if let Some(seat) = table.trump_holder {
        text += &format!(" holder={seat}");
    }
    text += &format!(" leader={} trick={}", table.trick.leader(), sequence_text(pack, table.trick.cards()));
    if !table.last_trick.is_empty() {
        let last = &table.last_trick;
        text += &format!(" last={}:{}", last.leader(), sequence_text(pack, last.cards()));
    }
    text += &format!(" played={}", hands_text(pack, &table.played[..seats]));
    if table.voids != [0; SEATS] {
        let voids: Vec<String> = table.voids[..seats].iter().map(|&suits| suits_text(suits)).collect();
        text += &format!(" voids={}", voids.join("/"));
    }
    let ([a, b], [c, d]) = (table.points, table.tricks);
    text + &format!(" points={a}:{b} tricks={c}:{d}")
}

/// Reads what [`table_text`] writes. `first_leader` leads the first trick.
pub(crate) fn parse_table(
    pack: &Pack,
    words: &Words<'_>,
    seats: usize,
    first_leader: Player,
) -> Result<Table, NotationError> {
    let mut table = Table::new(first_leader);
    let trump = words.get("trump").unwrap_or("-");
    if trump == "-" {
        let early = TABLE_WORDS.into_iter().find(|&name| name != "trump" && words.get(name).is_some());
        require(early.is_none(), || format!("`{}` is not known before there is a trump", early.unwrap_or_default()))?;
        return Ok(table);
    }
    table.trump = parse_card(pack, trump)?;
    if words.get("holder").is_some() {
        table.trump_holder = Some(words.number("holder", seats - 1, 0)? as u8);
    }
    parse_tricks(pack, words, seats, &mut table)?;
    table.played = parse_sets(pack, words, "played", seats)?;
    for (seat, text) in words.seats("voids", seats)?.unwrap_or_default().into_iter().enumerate() {
        table.voids[seat] = parse_suits(text)?;
    }
    table.points = words.pair("points", 255)?;
    table.tricks = words.pair("tricks", pack.size() / seats)?;
    check_table(pack, &table, seats, first_leader)?;
    Ok(table)
}

/// The current trick and the last one.
fn parse_tricks(pack: &Pack, words: &Words<'_>, seats: usize, table: &mut Table) -> Result<(), NotationError> {
    let leader = words.number("leader", seats - 1, table.trick.leader())?;
    table.trick = parse_trick(pack, table.trump, leader, words.get("trick").unwrap_or("-"), seats - 1)?;
    if let Some(text) = words.get("last") {
        let (leader, cards) =
            text.split_once(':').ok_or_else(|| error(format!("last={text}: write the leader's seat, `:`, cards")))?;
        table.last_trick = parse_trick(pack, table.trump, number("last", leader, seats - 1)?, cards, seats)?;
    }
    Ok(())
}

fn parse_trick(pack: &Pack, trump: Card, leader: Player, text: &str, most: usize) -> Result<Trick, NotationError> {
    let mut trick = Trick::led_by(leader);
    parse_sequence(pack, text, most)?.into_iter().for_each(|card| trick.add(card, trump.suit()));
    Ok(trick)
}

fn suits_text(suits: u8) -> String {
    let text: String = (0..4).filter(|suit| suits >> suit & 1 == 1).map(|suit| SUITS[suit]).collect();
    if text.is_empty() { "-".to_string() } else { text }
}

fn parse_suits(text: &str) -> Result<u8, NotationError> {
    let mut suits = 0;
    for name in text.chars().filter(|_| text != "-") {
        let suit = SUITS.iter().position(|&known| known == name);
        suits |= 1 << suit.ok_or_else(|| error(format!("voids: there is no suit `{name}`, only c, d, h, s")))?;
    }
    Ok(suits)
}

fn check_table(pack: &Pack, table: &Table, seats: usize, first_leader: Player) -> Result<(), NotationError> {
    let begun = table.completed() + usize::from(!table.trick.is_empty());
    require(begun <= pack.size() / seats, || format!("there are no {begun} tricks in the pack"))?;
    check_played(table, seats)?;
    let (points, expected) =
        (u32::from(table.points[0]) + u32::from(table.points[1]), pack.points_of(table.seen() & !table.trick.set()));
    require(points == expected, || format!("the collected tricks count {expected} points, not {points}"))?;
    let idle = (0..2).any(|team| table.tricks[team] == 0 && table.points[team] > 0);
    require(!idle, || "a team without a trick has no points".to_string())?;
    check_last_trick(pack, table, seats, first_leader)
}

/// Everybody has played one card to each trick.
fn check_played(table: &Table, seats: usize) -> Result<(), NotationError> {
    let mut in_trick = [0; SEATS];
    for (seat, card) in table.trick.plays(seats) {
        in_trick[seat] = card.bit();
    }
    for seat in 0..seats {
        let expected = table.completed() + in_trick[seat].count_ones() as usize;
        let played = table.played[seat].count_ones() as usize;
        require(played == expected, || format!("seat {seat} has played {played} cards, but it must be {expected}"))?;
        require(in_trick[seat] & !table.played[seat] == 0, || {
            format!("the card of seat {seat} in the trick is missing in `played`")
        })?;
    }
    Ok(())
}

fn check_last_trick(pack: &Pack, table: &Table, seats: usize, first_leader: Player) -> Result<(), NotationError> {
    let leader = table.trick.leader();
    if table.completed() == 0 {
        require(table.last_trick.is_empty(), || "there is no last trick before the first".to_string())?;
        return require(leader == first_leader, || format!("seat {first_leader} leads the first trick"));
    }
    require(table.last_trick.len() == seats, || format!("`last` must have {seats} cards"))?;
    let missing = table.last_trick.plays(seats).find(|&(seat, card)| table.played[seat] & card.bit() == 0);
    require(missing.is_none(), || "a card of the last trick is missing in `played`".to_string())?;
    let both = table.last_trick.set() & table.trick.set();
    require(both == 0, || format!("{} stands in the last trick and in this one", pack.ranks.set_text(both)))?;
    let winner = table.last_trick.winner(seats);
    require(winner == leader, || format!("seat {winner} took the last trick and leads, not seat {leader}"))?;
    let points = table.last_trick.points(pack);
    let before = (table.tricks[team(winner)].checked_sub(1), table.points[team(winner)].checked_sub(points));
    let counted = matches!(before, (Some(tricks), Some(points)) if tricks > 0 || points == 0);
    require(counted, || format!("the team of seat {winner} took the last trick with {points} points: count them"))
}

/// Whether the plays show the voids, as far as the last and the current trick tell. Suits must be
/// followed now, and so they had to be in the last `under_duty` of the completed tricks.
pub(crate) fn check_voids(pack: &Pack, table: &Table, seats: usize, under_duty: usize) -> Result<(), NotationError> {
    let recent: &[&Trick] = if under_duty > 0 { &[&table.trick, &table.last_trick] } else { &[&table.trick] };
    let recent_cards = recent.iter().fold(0, |cards, trick| cards | trick.set());
    for seat in 0..seats {
        let earlier = earlier_voids(pack, table, seats, recent, seat)?;
        let (voids, cards) = (earlier.count_ones() as usize, under_duty.saturating_sub(1));
        require(voids <= cards, || format!("seat {seat} cannot have shown {voids} voids by {cards} cards"))?;
        let others = table.seen() & !table.played[seat] & !recent_cards;
        let not_led = (0..4).find(|&suit| earlier >> suit & 1 == 1 && others & suit_mask(suit) == 0);
        require(not_led.is_none(), || {
            let suit = SUITS[not_led.unwrap_or(0)];
            format!("seat {seat} cannot have shown that it is out of {suit}: nobody else has led it")
        })?;
    }
    Ok(())
}

/// The voids of a seat that the recent tricks, the latest first, do not show.
fn earlier_voids(
    pack: &Pack,
    table: &Table,
    seats: usize,
    recent: &[&Trick],
    seat: Player,
) -> Result<u8, NotationError> {
    let mut earlier = table.voids[seat];
    for trick in recent {
        let Some((_, card)) = trick.plays(seats).find(|&(player, _)| player == seat) else { continue };
        let card_text = pack.ranks.text(card);
        require(earlier >> card.suit() & 1 == 0, || format!("seat {seat} cannot hold {card_text}: it was out of it"))?;
        let led = trick.cards().next().map_or(0, Card::suit);
        if card.suit() != led {
            require(table.voids[seat] >> led & 1 == 1, || {
                format!("seat {seat} did not follow: `voids` must name {} there", SUITS[led])
            })?;
            earlier &= !(1 << led);
        }
    }
    Ok(earlier)
}

/// What a full state must also keep: sizes of hands, no card at two places, no card of a suit that
/// its holder is out of, and the turned-up card with its holder.
pub(crate) fn check_hands(
    pack: &Pack,
    table: &Table,
    hands: &[u64; SEATS],
    counts: &[u32],
) -> Result<(), NotationError> {
    let both = hands.iter().fold(0, |cards, hand| cards | hand) & table.seen();
    require(both == 0, || format!("{} is both in a hand and played", pack.ranks.set_text(both)))?;
    for (seat, &expected) in counts.iter().enumerate() {
        let found = hands[seat].count_ones();
        require(found == expected, || format!("seat {seat} has {found} cards in hand, but it must be {expected}"))?;
        let barred = hands[seat] & table.barred(seat);
        require(barred == 0, || format!("seat {seat} cannot hold {}", pack.ranks.set_text(barred)))?;
        let turned_up = table.trump_holder == Some(seat as u8);
        let has = table.trump == NO_CARD || (hands[seat] | table.played[seat]) & table.trump.bit() != 0;
        require(!turned_up || has, || format!("seat {seat} got the card {}", pack.ranks.text(table.trump)))?;
    }
    Ok(())
}

/// What a view must also keep: the same for the viewer's own hand, and for the holder of the
/// turned-up card, unless it may still be in his hidden hand.
pub(crate) fn check_view_hand(
    pack: &Pack,
    table: &Table,
    viewer: Option<Player>,
    hand: u64,
    counts: &[u32],
) -> Result<(), NotationError> {
    if let Some(viewer) = viewer {
        let mut hands = [0; SEATS];
        hands[viewer] = hand;
        let mut own_counts = [0; SEATS];
        own_counts[viewer] = counts[viewer];
        let own_table =
            Table { trump_holder: table.trump_holder.filter(|&seat| usize::from(seat) == viewer), ..*table };
        check_hands(pack, &own_table, &hands, &own_counts[..counts.len()])?;
    }
    if table.trump == NO_CARD {
        return Ok(());
    }
    let place = (0..counts.len())
        .find(|&seat| table.played[seat] & table.trump.bit() != 0)
        .or(viewer.filter(|_| hand & table.trump.bit() != 0));
    require(place.is_none() || place == table.trump_holder.map(usize::from), || {
        format!("{} is not with its holder", pack.ranks.text(table.trump))
    })
}

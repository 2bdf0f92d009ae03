//! Reads what the notation writes, and refuses what cannot be.

use std::collections::BTreeMap;

use meeple_core::{Game, NotationError, Player};

use super::board::{FIELDS, Standing};
use super::cards::{Cards, FRESH, HAND, HIGHEST_CARD, Hand, Multiset};
use super::check::{check, check_hidden};
use super::state::{MOST_REDRAWS, PILE, Phase, State, placed_squares};
use super::view::veil_of;
use super::{Just4Fun, Layout, View};

pub(super) type Parsed<T> = Result<T, NotationError>;

pub(super) fn refuse<T>(message: String) -> Parsed<T> {
    Err(NotationError::new(message))
}

pub(super) fn state(game: &Just4Fun, text: &str) -> Parsed<State> {
    let mut pieces = Pieces::split(text)?;
    let mut state = public(game, &mut pieces)?;
    for (player, hand) in pieces.take("hands", game)?.split('/').enumerate() {
        state.hands[seat(game, player)?] = parse_hand(hand, game.rules.hand_size)?;
    }
    if !state.hands.iter().all(|hand| hand.is_known()) {
        return refuse("a state has no unknown cards in hands: that would be a view, with `viewer=`".to_string());
    }
    let stock = values(pieces.or("stock", "-"))?;
    for (player, play) in plays(game, &mut pieces)? {
        match play {
            HiddenPlay::Cards(cards) => state.push_hidden_play(player, cards),
            HiddenPlay::Sum(..) => return refuse("a state has no unknown plays".to_string()),
        }
    }
    pieces.finish(&["turn", "stones", "hands", "stock", "used", "plays", "redraws", "board"])?;
    place_stock(&mut state, &stock)?;
    let all = state.hands.iter().flat_map(|hand| hand.values()).chain(stock).chain(state.pile.values());
    let all: Vec<u8> = all.chain(state.hidden_plays().flat_map(|(_, cards)| cards.values())).collect();
    match game.rules.deck.without(all.iter().copied()) {
        Err(value) => return refuse(format!("there are more cards of value {value} than in the deck")),
        Ok(left) if !left.is_empty() => {
            return refuse(format!("the cards {:?} are nowhere", left.values().collect::<Vec<_>>()));
        }
        Ok(_) => {}
    }
    check(game, &state)?;
    Ok(state)
}

pub(super) fn view(game: &Just4Fun, text: &str) -> Parsed<View> {
    let mut pieces = Pieces::split(text)?;
    let viewer = match pieces.take("viewer", game)? {
        "none" => None,
        text => Some(seat(game, number(text, game.rules.players - 1)?)?),
    };
    let mut shown = public(game, &mut pieces)?;
    for (player, hand) in pieces.take("hands", game)?.split('/').enumerate() {
        let hand = parse_hand(hand, game.rules.hand_size)?;
        if hand.len() > 0 && hand.is_known() != (viewer == Some(player)) {
            return refuse(format!("seat {player}: a view shows the viewer's own cards and `?` for all others"));
        }
        shown.hands[seat(game, player)?] = hand;
    }
    for (player, play) in plays(game, &mut pieces)? {
        match (play, viewer == Some(player)) {
            (HiddenPlay::Cards(cards), true) => shown.push_hidden_play(player, cards),
            (HiddenPlay::Sum(count, sum), false) => shown.push_hidden_play(player, veil_of(count, sum)),
            _ => return refuse("a view shows the cards of the viewer's own plays only".to_string()),
        }
    }
    let kept = kept(pieces.or("kept", "-"))?;
    let unordered = unordered(game, &mut shown, &mut pieces)?;
    pieces.finish(&[
        "viewer",
        "turn",
        "stones",
        "hands",
        "stock",
        "used",
        "kept",
        "plays",
        "unordered",
        "redraws",
        "board",
    ])?;
    let view = View { viewer: viewer.map(|viewer| viewer as u8), shown, kept, unordered };
    check(game, &view.shown)?;
    check_hidden(game, &view)?;
    Ok(view)
}

/// The pieces of a text by their keys.
struct Pieces<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Pieces<'a> {
    fn split(text: &'a str) -> Parsed<Pieces<'a>> {
        let mut pieces = BTreeMap::new();
        for piece in text.split_whitespace() {
            let Some((key, value)) = piece.split_once('=') else {
                return refuse(format!("`{piece}` is not of the form key=value"));
            };
            if pieces.insert(key, value).is_some() {
                return refuse(format!("`{key}` is given twice"));
            }
        }
        Ok(Pieces(pieces))
    }

    fn take(&mut self, key: &str, game: &Just4Fun) -> Parsed<&'a str> {
        let help = || meeple_core::Notation::help(game);
        self.0.remove(key).ok_or_else(|| NotationError::new(format!("`{key}=` is missing; write {}", help())))
    }

    fn or(&mut self, key: &str, default: &'a str) -> &'a str {
        self.0.remove(key).unwrap_or(default)
    }

    fn finish(&self, known: &[&str]) -> Parsed<()> {
        match self.0.keys().next() {
            Some(key) => refuse(format!("`{key}` is none of {}, or does not belong here", known.join(", "))),
            None => Ok(()),
        }
    }
}

/// What states and views have in common: turn, stones, used cards, redraws, board.
fn public(game: &Just4Fun, pieces: &mut Pieces<'_>) -> Parsed<State> {
    let mut state = game.initial_state();
    let turn = pieces.take("turn", game)?;
    let (name, player) = turn.split_once(':').unwrap_or((turn, ""));
    state.phase = match name {
        "board" if game.rules.board == Layout::Random => Phase::Board,
        "deal" => Phase::Deal,
        "shuffle" => Phase::Shuffle,
        "pattern" => Phase::Pattern,
        "scored" => Phase::Scored,
        _ => Phase::Play,
    };
    if !matches!(state.phase, Phase::Board | Phase::Deal) {
        let text = if state.phase == Phase::Play { turn } else { player };
        state.mover = seat(game, number(text, game.rules.players - 1)?)? as u8;
    } else if turn.contains(':') {
        return refuse(format!("`turn={turn}`: nobody has the turn yet"));
    }
    if game.rules.board == Layout::Random {
        board(&mut state, pieces.or("board", "-"))?;
    }
    stones(game, &mut state, pieces.or("stones", "-"))?;
    let used = values(pieces.or("used", "-"))?;
    let Some(pile) = Multiset::from_values(&used) else {
        return refuse("there are more used cards of a value than in the deck".to_string());
    };
    state.pile = pile;
    state.redraws = number(pieces.or("redraws", "0"), usize::from(MOST_REDRAWS))? as u8;
    Ok(state)
}

fn board(state: &mut State, text: &str) -> Parsed<()> {
    for (square, value) in list(text, '.').enumerate() {
        let value = number(value, FIELDS)?;
        if value == 0 || square >= FIELDS || state.squares[value - 1] != super::UNPLACED {
            return refuse(format!("board: every value from 1 to {FIELDS} stands once, `{value}` does not fit"));
        }
        state.squares[value - 1] = square as u8;
    }
    let placed = placed_squares(state);
    match (placed == FIELDS, state.phase == Phase::Board) {
        (false, false) => refuse(format!("board: {placed} values of {FIELDS}")),
        (true, true) => refuse("turn=board, but the board is complete".to_string()),
        _ => Ok(()),
    }
}

fn stones(game: &Just4Fun, state: &mut State, text: &str) -> Parsed<()> {
    for piece in list(text, '/') {
        let Some((field, counts)) = piece.split_once(':') else {
            return refuse(format!("stones: `{piece}` is not of the form field:count.count"));
        };
        let field = number(field, FIELDS)?;
        let counts: Vec<usize> =
            counts.split('.').map(|count| number(count, usize::from(game.rules.stones))).collect::<Parsed<_>>()?;
        if field == 0 || counts.len() != game.rules.players || game.reachable >> field & 1 == 0 {
            return refuse(format!(
                "stones: `{piece}` is not a field and a number for each of {} players",
                game.rules.players
            ));
        }
        if (0..game.rules.players).any(|player| state.stones.get(player, field - 1) > 0) {
            return refuse(format!("stones: field {field} is given twice"));
        }
        (0..game.rules.players).for_each(|player| state.stones.set(player, field - 1, counts[player] as u8));
    }
    for player in 0..game.rules.players {
        let placed = state.stones.total(player);
        if placed > u32::from(game.rules.stones) {
            return refuse(format!("seat {player} has {placed} stones on the board, but only {}", game.rules.stones));
        }
        state.supply[player] = game.rules.stones - placed as u8;
    }
    for field in 0..FIELDS {
        update_field(game, state, field)?;
    }
    Ok(())
}

fn update_field(game: &Just4Fun, state: &mut State, field: usize) -> Parsed<()> {
    let standing = Standing::of(&state.stones, game.rules.players, field);
    if standing.most == 0 {
        return Ok(());
    }
    if state.phase == Phase::Board {
        return refuse("there are stones on a board that is not drawn yet".to_string());
    }
    let others = (0..game.rules.players).filter(|&player| standing.holder != Some(player));
    let second = others.map(|player| state.stones.get(player, field)).max().unwrap_or(0);
    let returned = game.rules.return_stones && second == 0;
    if standing.most > second + 2 && !game.rules.own_secured_open && !returned {
        return refuse(format!("field {}: nobody can get more than two stones ahead", field + 1));
    }
    if standing.secured && game.rules.return_stones && second > 0 {
        return refuse(format!("field {}: the other stones on a secured field go home", field + 1));
    }
    game.update_field(state, field);
    Ok(())
}

/// Cards with a `'` for each reshuffle they were kept through; `?` for an unknown one.
fn parse_hand(text: &str, hand_size: usize) -> Parsed<Hand> {
    let mut hand = Hand::default();
    let mut ages = Vec::new();
    for card in list(text, '.') {
        if hand.len() + ages.len() == hand_size {
            return refuse(format!("the hand `{text}` has more than {hand_size} cards"));
        }
        let name = card.trim_end_matches('\'');
        let reshuffles = card.len() - name.len();
        if reshuffles > usize::from(FRESH) {
            return refuse(format!("`{card}`: more than {FRESH} reshuffles are not told apart"));
        }
        let age = FRESH - reshuffles as u8;
        if name == "?" { ages.push(age) } else { hand.add(card_value(name)?, age) }
    }
    if !ages.is_empty() && hand.len() > 0 {
        return refuse(format!("the hand `{text}` is known in part: write all cards or only `?`"));
    }
    Ok(if ages.is_empty() { hand } else { Hand::unknown(&ages) })
}

enum HiddenPlay {
    Cards(Cards),
    /// The number of cards and their sum.
    Sum(u8, u8),
}

fn plays(game: &Just4Fun, pieces: &mut Pieces<'_>) -> Parsed<Vec<(Player, HiddenPlay)>> {
    let text = pieces.or("plays", "-");
    if text != "-" && !game.rules.hidden_discards {
        return refuse("plays are not hidden by these rules".to_string());
    }
    let mut plays = Vec::new();
    let mut cards = 0;
    for piece in list(text, '/') {
        let Some((player, play)) = piece.split_once(':') else {
            return refuse(format!("plays: `{piece}` is not of the form seat:cards or seat:?number=sum"));
        };
        let player = seat(game, number(player, game.rules.players - 1)?)?;
        let (play, count) = parse_play(game, play)?;
        cards += count;
        plays.push((player, play));
    }
    if cards > PILE.min(game.rules.deck.len()) {
        return refuse(format!("plays: {cards} cards are more than there are"));
    }
    Ok(plays)
}

fn parse_play(game: &Just4Fun, text: &str) -> Parsed<(HiddenPlay, usize)> {
    let (play, count, sum) = match text.strip_prefix('?').and_then(|veiled| veiled.split_once('=')) {
        Some((count, sum)) => {
            let (count, sum) = (number(count, HAND)?, number(sum, FIELDS)?);
            (HiddenPlay::Sum(count as u8, sum as u8), count, sum)
        }
        None => {
            let values = values(text)?;
            let sum = values.iter().map(|&value| usize::from(value)).sum();
            if values.len() > HAND {
                return refuse(format!("plays: `{text}` has more than {HAND} cards"));
            }
            (HiddenPlay::Cards(Cards::new(&values)), values.len(), sum)
        }
    };
    let possible = count..=FIELDS.min(count * usize::from(HIGHEST_CARD));
    if count == 0 || count > game.rules.hand_size || !possible.contains(&sum) {
        return refuse(format!("plays: `{text}` is no play for a field"));
    }
    Ok((play, count))
}

fn place_stock(state: &mut State, stock: &[u8]) -> Parsed<()> {
    let unordered = if state.phase == Phase::Shuffle { state.pile.len() } else { 0 };
    let total = unordered + stock.len();
    let hidden = usize::from(state.discards);
    if total + hidden > PILE || (matches!(state.phase, Phase::Board | Phase::Deal) && total > 0) {
        return refuse(format!("a stock of {total} cards does not fit"));
    }
    if state.phase == Phase::Shuffle && (unordered == 0 || hidden > 0) {
        return refuse(
            "while shuffling the used cards are those without a place yet: there is none, or plays are left"
                .to_string(),
        );
    }
    state.stock = total as u8;
    stock.iter().enumerate().for_each(|(i, &value)| state.cards[total - 1 - i] = value);
    Ok(())
}

/// The size of the stock follows from everything else; only while it is shuffled the number of
/// cards without a place does not.
fn unordered(game: &Just4Fun, shown: &mut State, pieces: &mut Pieces<'_>) -> Parsed<u8> {
    let in_hands: usize = shown.hands.iter().map(|hand| hand.len()).sum();
    let away = in_hands + shown.pile.len() + usize::from(shown.discards);
    let Some(rest) = game.rules.deck.len().checked_sub(away) else {
        return refuse(format!("{away} cards in hands and used are more than there are"));
    };
    let before_play = matches!(shown.phase, Phase::Board | Phase::Deal | Phase::Shuffle);
    if before_play && away != in_hands {
        return refuse("there are no used cards while cards are dealt or shuffled".to_string());
    }
    let dealing = matches!(shown.phase, Phase::Board | Phase::Deal);
    let stock = if dealing { 0 } else { rest };
    let given = pieces.or("stock", "?");
    if given != "?" && given != format!("?{stock}") {
        return refuse(format!("`stock={given}`: by the other cards it must be ?{stock}"));
    }
    if stock + usize::from(shown.discards) > PILE {
        return refuse(format!("a stock of {stock} cards is too large"));
    }
    shown.stock = stock as u8;
    if shown.phase != Phase::Shuffle {
        return Ok(if dealing { rest as u8 } else { 0 });
    }
    match number(pieces.take("unordered", game)?, stock)? {
        0 => refuse("unordered=0: the shuffle would be over".to_string()),
        unordered => Ok(unordered as u8),
    }
}

fn kept(text: &str) -> Parsed<[Multiset; FRESH as usize]> {
    let mut kept = [Multiset::default(); FRESH as usize];
    for (reshuffles, cards) in list(text, '/').enumerate() {
        let set = Multiset::from_values(&values(cards)?);
        let (Some(set), true) = (set, reshuffles < kept.len()) else {
            return refuse(format!("kept: `{cards}` are more cards than there are"));
        };
        kept[usize::from(FRESH) - 1 - reshuffles] = set;
    }
    Ok(kept)
}

fn seat(game: &Just4Fun, player: usize) -> Parsed<Player> {
    if player < game.rules.players {
        Ok(player)
    } else {
        refuse(format!("there are only {} seats", game.rules.players))
    }
}

fn number(text: &str, most: usize) -> Parsed<usize> {
    match text.parse::<usize>() {
        Ok(number) if number <= most && text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(number),
        _ => refuse(format!("`{text}` is not a whole number from 0 to {most}")),
    }
}

fn card_value(text: &str) -> Parsed<u8> {
    match number(text, usize::from(HIGHEST_CARD)) {
        Ok(value) if value > 0 => Ok(value as u8),
        _ => refuse(format!("`{text}` is no card: cards have the values 1 to {HIGHEST_CARD}")),
    }
}

fn values(text: &str) -> Parsed<Vec<u8>> {
    list(text, '.').map(card_value).collect()
}

/// The parts of a list; `-` is the empty one.
fn list(text: &str, divider: char) -> impl Iterator<Item = &str> {
    text.split(divider).filter(move |_| text != "-")
}

//! Playing cards in four suits, and sets of them as bits of a word.
//!
//! A suit takes 16 bits, its cards ordered by strength: the highest bit of a suit is the card that
//! wins. Each game names its ranks from the weakest to the strongest.

use meeple_core::bits::elements;
use meeple_core::scene::{self, Area, Face, Suit};
use meeple_core::{NotationError, Player};

/// Suits in the order of their bits.
pub const SUITS: [char; 4] = ['c', 'd', 'h', 's'];
pub const CLUBS: usize = 0;
pub const DIAMONDS: usize = 1;
pub const HEARTS: usize = 2;
pub const SPADES: usize = 3;

/// All cards of a suit that a word can hold.
#[inline]
pub const fn suit_mask(suit: usize) -> u64 {
    0xffff << (16 * suit)
}

/// A card: suit times 16 plus strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(pub u8);

impl Card {
    #[inline]
    pub const fn new(suit: usize, strength: usize) -> Card {
        Card((suit * 16 + strength) as u8)
    }

    #[inline]
    pub const fn suit(self) -> usize {
        (self.0 >> 4) as usize
    }

    #[inline]
    pub const fn strength(self) -> usize {
        (self.0 & 15) as usize
    }

    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

/// The ranks of a deck from the weakest to the strongest, each one character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks(Vec<char>);

impl Ranks {
    /// `order` from the weakest to the strongest, for example `23456QJK7A`.
    pub fn new(order: &str) -> Ranks {
        let ranks: Vec<char> = order.chars().collect();
        assert!(ranks.len() <= 16, "a suit has at most 16 cards");
        Ranks(ranks)
    }

    /// The number of cards in a suit.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All cards of the first `suits` suits.
    pub fn deck(&self, suits: usize) -> u64 {
        let suit = (1u64 << self.len()) - 1;
        (0..suits).fold(0, |deck, number| deck | suit << (16 * number))
    }

    /// Rank and suit, for example `Qs`.
    pub fn text(&self, card: Card) -> String {
        format!("{}{}", self.0[card.strength()], SUITS[card.suit()])
    }

    pub fn parse(&self, text: &str) -> Result<Card, NotationError> {
        let mut characters = text.chars();
        let (Some(rank), Some(suit), None) = (characters.next(), characters.next(), characters.next()) else {
            return Err(NotationError::new(format!(
                "`{text}` is no card: write rank and suit, for example `{}`",
                self.text(Card(0))
            )));
        };
        let Some(strength) = self.0.iter().position(|&known| known == rank) else {
            let known: String = self.0.iter().collect();
            return Err(NotationError::new(format!("`{text}`: there is no rank `{rank}`, only {known}")));
        };
        let Some(suit) = SUITS.iter().position(|&known| known == suit) else {
            return Err(NotationError::new(format!("`{text}`: there is no suit `{suit}`, only c, d, h, s")));
        };
        Ok(Card::new(suit, strength))
    }

    /// The cards of a set, suit by suit, the strongest of a suit first, divided by `.`; `-` if
    /// there are none.
    pub fn set_text(&self, set: u64) -> String {
        if set == 0 {
            return "-".to_string();
        }
        let texts: Vec<String> = sorted(set).into_iter().map(|card| self.text(card)).collect();
        texts.join(".")
    }

    /// Reads what [`Ranks::set_text`] writes; a card that stands twice is an error.
    pub fn parse_set(&self, text: &str) -> Result<u64, NotationError> {
        if text == "-" {
            return Ok(0);
        }
        let mut set = 0;
        for piece in text.split('.') {
            let card = self.parse(piece)?;
            if set & card.bit() != 0 {
                return Err(NotationError::new(format!("the card `{piece}` stands twice in `{text}`")));
            }
            set |= card.bit();
        }
        Ok(set)
    }
}

/// For a page.
impl Ranks {
    fn face(&self, card: Card) -> Face {
        let rank = match self.0[card.strength()] {
            'T' => "10".into(),
            rank => rank.to_string(),
        };
        let suits = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];
        Face { rank, suit: Some(suits[card.suit()]) }
    }

    /// On the table, where it is not clicked.
    pub(crate) fn shown(&self, card: Card) -> scene::Card {
        scene::Card::shown(self.face(card))
    }

    /// On the table, with who played it.
    pub(crate) fn played(&self, seat: Player, card: Card) -> scene::Card {
        scene::Card { from: Some(seat), ..self.shown(card) }
    }

    /// A hand of `count` cards. The viewer picks his own by their texts; of the others he sees those
    /// that he knows.
    pub(crate) fn hand(&self, seat: Player, viewer: Option<Player>, known: u64, count: u32) -> Area {
        let own = viewer == Some(seat);
        let card =
            |card: Card| if own { scene::Card::open(self.text(card), self.face(card)) } else { self.shown(card) };
        Area::hand(seat, sorted(known).into_iter().map(card).collect(), count as usize)
    }
}

/// Suit by suit, the strongest of a suit first.
fn sorted(set: u64) -> Vec<Card> {
    let mut cards: Vec<Card> = elements(set).map(|bit| Card(bit as u8)).collect();
    cards.sort_by_key(|card| (card.suit(), std::cmp::Reverse(card.strength())));
    cards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_parse_back() {
        let ranks = Ranks::new("23456QJK7A");
        let deck = ranks.deck(4);
        assert_eq!(deck.count_ones(), 40);
        assert_eq!(ranks.parse_set(&ranks.set_text(deck)), Ok(deck));
        assert_eq!(ranks.set_text(ranks.parse("Ah").unwrap().bit() | ranks.parse("2h").unwrap().bit()), "Ah.2h");
        assert_eq!(ranks.parse_set("-"), Ok(0));
    }

    #[test]
    fn bad_cards_say_what_is_wrong() {
        let ranks = Ranks::new("23456QJK7A");
        for (text, part) in
            [("Th", "rank `T`"), ("Ax", "suit `x`"), ("A", "no card"), ("Ahh", "no card"), ("", "no card")]
        {
            let error = ranks.parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(ranks.parse_set("Ah.Ah").unwrap_err().to_string().contains("twice"));
    }
}

//! What a game of a relative begins with.

use meeple_core::NotationError;

use super::Variant;
use super::notation::parse_board;
use super::state::LATER;
use crate::keezen::board::{Board, WAITING};
use crate::keezen::holdings::SEATS;
use crate::keezen::ranks::{Cards, JACK};

/// The deck, the deal and the marbles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub(super) deck: Cards,
    /// Cards of a hand in each round of a stock; empty where cards are drawn one by one.
    pub(super) deal: Vec<u8>,
    pub(super) board: Board,
}

impl Setup {
    /// The whole deck, all marbles waiting.
    pub fn of(variant: Variant) -> Setup {
        let thirteen = |copies| (0..13).fold(Cards::NONE, |deck, rank| deck.with(rank, copies));
        let (deck, deal) = match variant {
            Variant::Tock => (thirteen(4).minus(Cards::NONE.with(JACK, 2)).with(13, 2), vec![5, 4, 4]),
            Variant::Dog => (thirteen(8).with(13, 6), vec![6, 5, 4, 3, 2]),
            Variant::Sorry => {
                let fours = [1, 2, 3, 4, 6, 7, 9, 10, 11, 13];
                (fours.into_iter().fold(Cards::NONE.with(0, 5), |deck, rank| deck.with(rank, 4)), Vec::new())
            }
        };
        Setup { deck, deal, board: Board([[WAITING; 4]; SEATS]) }
    }

    /// Another deck, other hands and another position, for small examples: cards and marbles as
    /// in the notation.
    pub fn new(variant: Variant, cards: &str, deal: &[u8], marbles: &str) -> Result<Setup, NotationError> {
        let deck = Cards::parse(cards, variant.ranks())?;
        let needed: u32 = deal.iter().map(|&size| SEATS as u32 * u32::from(size)).sum();
        let sizes = deal.len() <= LATER + 1 && deal.iter().all(|&size| (1..=6).contains(&size));
        if needed > deck.count() || !sizes || deal.is_empty() != (variant == Variant::Sorry) {
            return Err(NotationError::new(format!("the cards {cards} cannot be dealt in rounds of {deal:?}")));
        }
        let board = parse_board(variant, marbles)?;
        if variant.winner(&board).is_some() {
            return Err(NotationError::new("a game cannot begin with somebody who has finished"));
        }
        Ok(Setup { deck, deal: deal.to_vec(), board })
    }
}

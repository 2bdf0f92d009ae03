//! The two small poker games of the literature, Kuhn and Leduc, and what they share: two players
//! with one hidden card each.

pub mod kuhn;
pub mod leduc;

use meeple_core::scene::{Area, Card, Face};
use meeple_core::{NotationError, Player, Rng, Worlds};

/// From the weakest to the strongest.
pub const RANKS: [Rank; 3] = [Rank::Jack, Rank::Queen, Rank::King];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    Jack,
    Queen,
    King,
}

impl Rank {
    fn symbol(self) -> char {
        ['J', 'Q', 'K'][self as usize]
    }
}

/// The place of a card as somebody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Nothing was dealt here yet.
    Empty,
    /// A card lies face down.
    Hidden,
    Open(Rank),
}

impl Place {
    /// The place of a card that may have been dealt, seen by somebody who may see it or not.
    fn of(card: Option<Rank>, visible: bool) -> Place {
        match card {
            None => Place::Empty,
            Some(rank) if visible => Place::Open(rank),
            Some(_) => Place::Hidden,
        }
    }

    fn rank(self) -> Option<Rank> {
        match self {
            Place::Open(rank) => Some(rank),
            _ => None,
        }
    }

    fn can_be(self, rank: Rank) -> bool {
        self.rank().is_none_or(|known| known == rank)
    }

    fn symbol(self) -> char {
        match self {
            Place::Empty => '-',
            Place::Hidden => '?',
            Place::Open(rank) => rank.symbol(),
        }
    }

    fn parse(symbol: char) -> Result<Place, NotationError> {
        let open = RANKS.into_iter().find(|rank| rank.symbol() == symbol).map(Place::Open);
        match (open, symbol) {
            (Some(place), _) => Ok(place),
            (None, '-') => Ok(Place::Empty),
            (None, '?') => Ok(Place::Hidden),
            _ => Err(NotationError::new(format!("`{symbol}` is none of `J`, `Q`, `K`, `?` (hidden), `-` (not dealt)"))),
        }
    }
}

/// The hand of a seat for a page. There is nothing to click: what can be said are buttons.
fn hand(seat: Player, place: Place) -> Area {
    let open = place.rank().map(shown).into_iter().collect();
    Area::hand(seat, open, usize::from(place != Place::Empty))
}

/// A card that lies face up.
fn shown(rank: Rank) -> Card {
    Card::shown(Face::of(rank.symbol()))
}

/// How many cards of each rank are left of `copies`, when some are known to lie elsewhere. `None`
/// if more are known than there are.
fn cards_left(copies: u32, known: impl IntoIterator<Item = Option<Rank>>) -> Option<[u32; 3]> {
    let mut left = [copies; 3];
    for rank in known.into_iter().flatten() {
        left[rank as usize] = left[rank as usize].checked_sub(1)?;
    }
    Some(left)
}

/// One of the cards left.
fn draw(left: [u32; 3], rng: &mut Rng) -> Rank {
    let mut number = rng.below(left.iter().sum());
    for rank in RANKS {
        if number < left[rank as usize] {
            return rank;
        }
        number -= left[rank as usize];
    }
    unreachable!("the number is below the sum")
}

/// A state whose two private cards can be exchanged for others.
pub trait PrivateCards: Clone + Send + Sync {
    fn set_private(&mut self, cards: [Rank; 2]);
}

/// What two hidden cards can be, each pair weighted by the number of ways to draw it.
#[derive(Clone, Debug)]
pub struct Deals<S> {
    /// The state with any private cards.
    table: S,
    deals: [([Rank; 2], u32); 9],
    len: usize,
    total: u32,
}

impl<S: PrivateCards> Deals<S> {
    /// `private` as the viewer sees it; `copies` cards of each rank, `public` one of them.
    fn new(table: S, private: [Place; 2], public: Option<Rank>, copies: u32) -> Deals<S> {
        let left = cards_left(copies, [public, private[0].rank(), private[1].rank()]);
        let left = left.expect("a view knows no more cards than there are");
        let mut result = Deals { table, deals: [([Rank::Jack; 2], 0); 9], len: 0, total: 0 };
        for first in RANKS.into_iter().filter(|&rank| private[0].can_be(rank)) {
            for second in RANKS.into_iter().filter(|&rank| private[1].can_be(rank)) {
                result.push([first, second], ways(left, private, [first, second]));
            }
        }
        result
    }

    fn push(&mut self, cards: [Rank; 2], weight: u32) {
        if weight > 0 {
            self.deals[self.len] = (cards, weight);
            self.len += 1;
            self.total += weight;
        }
    }
}

/// In how many ways these cards can be drawn for the places that are not open.
fn ways(mut left: [u32; 3], private: [Place; 2], cards: [Rank; 2]) -> u32 {
    let mut ways = 1;
    for (place, rank) in private.into_iter().zip(cards) {
        if place.rank().is_none() {
            ways *= left[rank as usize];
            left[rank as usize] = left[rank as usize].saturating_sub(1);
        }
    }
    ways
}

impl<S: PrivateCards> Worlds for Deals<S> {
    type State = S;

    fn sample_into(&self, state: &mut S, rng: &mut Rng) {
        let mut number = rng.below(self.total);
        let chosen = self.deals[..self.len].iter().find(|&&(_, weight)| {
            let found = number < weight;
            number = number.wrapping_sub(weight);
            found
        });
        state.clone_from(&self.table);
        state.set_private(chosen.expect("the number is below the sum").0);
    }

    fn count(&self) -> f64 {
        f64::from(self.total)
    }

    fn enumerate(&self, limit: usize) -> Option<Vec<(S, u64)>> {
        let world = |&(cards, weight): &([Rank; 2], u32)| {
            let mut state = self.table.clone();
            state.set_private(cards);
            (state, u64::from(weight))
        };
        (self.len <= limit).then(|| self.deals[..self.len].iter().map(world).collect())
    }
}

/// The seat before the colon of a view's notation; `*` is a spectator.
fn viewer_text(viewer: Option<Player>) -> String {
    viewer.map_or("*".to_string(), |player| player.to_string())
}

/// The viewer and the rest of a view's notation.
fn parse_viewer(text: &str) -> Result<(Option<Player>, &str), NotationError> {
    match text.split_once(':') {
        Some(("0", rest)) => Ok((Some(0), rest)),
        Some(("1", rest)) => Ok((Some(1), rest)),
        Some(("*", rest)) => Ok((None, rest)),
        _ => Err(NotationError::new("a view begins with `0:`, `1:` or `*:`, the seat that looks or a spectator")),
    }
}

/// What was said, for the terminal.
fn spoken_text(words: &[&str]) -> String {
    if words.is_empty() { "-".to_string() } else { words.join(" ") }
}

/// The places of the cards and the words behind them.
fn parse_places<const N: usize>(text: &str, help: &str) -> Result<([Place; N], Vec<String>), NotationError> {
    let mut words = text.split(' ').map(str::to_string);
    let symbols: Vec<char> = words.next().unwrap_or_default().chars().collect();
    if symbols.len() != N {
        return Err(NotationError::new(format!("{N} cards were expected: {help}")));
    }
    let mut places = [Place::Empty; N];
    for (place, &symbol) in places.iter_mut().zip(&symbols) {
        *place = Place::parse(symbol)?;
    }
    Ok((places, words.collect()))
}

/// The one of the possible actions that has this name.
fn parse_spoken<A: Copy>(
    spoken: &str,
    possible: impl Iterator<Item = A>,
    word: impl Fn(A) -> &'static str,
) -> Result<A, NotationError> {
    let possible: Vec<A> = possible.collect();
    if let Some(&action) = possible.iter().find(|&&action| word(action) == spoken) {
        return Ok(action);
    }
    let names: Vec<&str> = possible.into_iter().map(word).collect();
    Err(NotationError::new(match names.is_empty() {
        true => format!("`{spoken}` comes after the end of the game"),
        false => format!("`{spoken}` cannot be said here, only {}", names.join(" or ")),
    }))
}

/// Cards and words as the notation joins them.
fn join(places: &[Place], words: impl Iterator<Item = &'static str>) -> String {
    let cards: String = places.iter().map(|place| place.symbol()).collect();
    words.fold(cards, |text, word| text + " " + word)
}

/// What is wrong with the cards of a view: the viewer's own card lies open, the other's does not
/// before the showdown.
fn check_visible(viewer: Option<Player>, private: [Place; 2], showdown: bool) -> Result<(), NotationError> {
    for seat in 0..2 {
        let visible = showdown || viewer == Some(seat);
        match private[seat] {
            Place::Hidden if visible => {
                return Err(NotationError::new(format!("this viewer sees the card of seat {seat}")));
            }
            Place::Open(_) if !visible => {
                return Err(NotationError::new(format!("this viewer does not see the card of seat {seat}: write `?`")));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A state's notation has no hidden cards.
fn check_all_open(places: &[Place]) -> Result<(), NotationError> {
    if places.contains(&Place::Hidden) { Err(NotationError::new("`?` stands only in views")) } else { Ok(()) }
}

fn check_copies(places: &[Place], copies: u32) -> Result<(), NotationError> {
    match cards_left(copies, places.iter().map(|place| place.rank())) {
        Some(_) => Ok(()),
        None => Err(NotationError::new(format!("more cards of a rank than the {copies} in the deck"))),
    }
}

/// Dealt to seat 0, then to seat 1; nobody acts before both have a card.
fn check_dealt(private: [Place; 2], acted: bool) -> Result<(), NotationError> {
    match private.map(|place| place == Place::Empty) {
        [true, false] => Err(NotationError::new("seat 0 is dealt its card first")),
        [_, true] if acted => Err(NotationError::new("nobody acts before both cards are dealt")),
        _ => Ok(()),
    }
}

//! What players of the relatives decide, and what chance does.
//!
//! Texts begin with the card: `Q+12P0` runs twelve steps with the most advanced marble, `4-4P1`
//! four backward, `K+13P0r` past the lane for another lap; `5+5A0` runs with a marble of the next
//! seat; `7:3P1` is three steps of a seven; `AS` starts; `J=P0T2` swaps; `X>B1` takes a field;
//! `giveK` gives; `TC` throws the hand; `NO` passes.

use super::Variant;
use crate::keezen::words::{THROW, marble, steps, swap, with_card};

/// An action. `card` is the rank that leaves the hand; marbles are counted from the most advanced;
/// `offset` is a seat counted from the mover's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// `around` passes the lane of Dog for another lap.
    Run {
        card: u8,
        steps: i8,
        offset: u8,
        marble: u8,
        around: bool,
    },
    /// Some of seven steps.
    Part {
        card: u8,
        steps: u8,
        marble: u8,
        around: bool,
    },
    Start {
        card: u8,
    },
    Swap {
        card: u8,
        marble: u8,
        offset: u8,
        other: u8,
    },
    /// The card Sorry!: a waiting marble takes the field of another.
    Take {
        card: u8,
        offset: u8,
        other: u8,
    },
    /// To the partner, before a round of Dog.
    Give {
        card: u8,
    },
    /// The whole hand, face up.
    Throw,
    /// Nothing can be done with the card that was drawn, or an eleven would have to swap.
    Pass,
    /// Chance: the next card.
    Card(u8),
    /// Chance: the first dealer.
    Dealer(u8),
}

/// What a card can do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Function {
    Start,
    Run(i8),
    /// With a marble of any other seat.
    RunOther(i8),
    Seven,
    Swap,
    Take,
}

use Function::{Run, RunOther, Seven, Start, Swap, Take};

impl Variant {
    /// The characters of the cards: the fourteenth rank is Tock's red jack, the joker of Dog, the
    /// card Sorry!.
    pub(super) fn ranks(self) -> &'static str {
        if self == Variant::Tock { "A23456789TJQKR" } else { "A23456789TJQKX" }
    }

    pub(super) fn functions(self, rank: usize) -> &'static [Function] {
        const JOKER: &[Function] = &[
            Start,
            Run(1),
            Run(11),
            Run(2),
            Run(3),
            Run(4),
            Run(-4),
            Run(5),
            Run(6),
            Seven,
            Run(8),
            Run(9),
            Run(10),
            Swap,
            Run(12),
            Run(13),
        ];
        match (rank, self) {
            (0, Variant::Dog) => &[Start, Run(1), Run(11)],
            (0, _) => &[Start, Run(1)],
            (1, Variant::Sorry) => &[Start, Run(2)],
            (1, _) => &[Run(2)],
            (2, _) => &[Run(3)],
            (3, Variant::Dog) => &[Run(4), Run(-4)],
            (3, _) => &[Run(-4)],
            (4, Variant::Tock) => &[RunOther(5)],
            (4, _) => &[Run(5)],
            (5, _) => &[Run(6)],
            (6, _) => &[Seven],
            (7, _) => &[Run(8)],
            (8, _) => &[Run(9)],
            (9, Variant::Sorry) => &[Run(10), Run(-1)],
            (9, _) => &[Run(10)],
            (10, Variant::Sorry) => &[Run(11), Swap],
            (10, _) => &[Swap],
            (11, _) => &[Run(12)],
            (12, _) => &[Start, Run(13)],
            (_, Variant::Tock) => &[Run(11)],
            (_, Variant::Dog) => JOKER,
            (_, Variant::Sorry) => &[Take],
        }
    }
}

/// P, A, T, B: the mover, the next seat, the one opposite, the previous one.
const OFFSETS: [char; 4] = ['P', 'A', 'T', 'B'];

impl Action {
    pub(super) fn text(self, variant: Variant) -> String {
        let rank = |card: u8| char::from(variant.ranks().as_bytes()[usize::from(card)]);
        let lap = |around: bool| if around { "r" } else { "" };
        let seat = |offset: u8| OFFSETS[usize::from(offset)];
        match self {
            Action::Run { card, steps, offset, marble, around } => {
                format!("{}{steps:+}{}{marble}{}", rank(card), seat(offset), lap(around))
            }
            Action::Part { card, steps, marble, around } => format!("{}:{steps}P{marble}{}", rank(card), lap(around)),
            Action::Start { card } => format!("{}S", rank(card)),
            Action::Swap { card, marble, offset, other } => format!("{}=P{marble}{}{other}", rank(card), seat(offset)),
            Action::Take { card, offset, other } => format!("{}>{}{other}", rank(card), seat(offset)),
            Action::Give { card } => format!("give{}", rank(card)),
            Action::Throw => "TC".to_string(),
            Action::Pass => "NO".to_string(),
            Action::Card(card) => rank(card).to_string(),
            Action::Dealer(seat) => format!("D{seat}"),
        }
    }

    /// In words; `card` says how a rank is drawn. None for what nobody decides.
    pub(super) fn words(self, card: impl Fn(u8) -> String) -> Option<String> {
        let with = |rank: u8, what: String| Some(with_card(&card(rank), &what));
        let run = |count: i8, offset: u8, number: u8, around: bool| {
            let lap = if around { ", another lap" } else { "" };
            format!("{} with {}{lap}", steps(count), marble(offset, number))
        };
        match self {
            Action::Run { card, steps, offset, marble, around } => with(card, run(steps, offset, marble, around)),
            Action::Part { card, steps, marble, around } => with(card, run(steps as i8, 0, marble, around)),
            Action::Start { card } => with(card, "start".to_string()),
            Action::Swap { card, marble, offset, other } => with(card, swap(marble, offset, other)),
            Action::Take { card, offset, other } => with(card, format!("take the field of {}", marble(offset, other))),
            Action::Give { card: rank } => Some(format!("Give {}", card(rank))),
            Action::Throw => Some(THROW.to_string()),
            Action::Pass => Some("Pass".to_string()),
            Action::Card(_) | Action::Dealer(_) => None,
        }
    }

    /// Different for different actions.
    pub(super) fn code(self) -> u32 {
        let pack = |kind: u32, parts: [u32; 4]| parts.iter().fold(kind, |code, part| code << 5 | part);
        match self {
            Action::Run { card, steps, offset, marble, around } => {
                let who = u32::from(offset * 4 + marble);
                pack(u32::from(around), [card.into(), (steps + 4) as u32, who, 0])
            }
            Action::Part { card, steps, marble, around } => {
                pack(2, [card.into(), steps.into(), marble.into(), around.into()])
            }
            Action::Start { card } => pack(3, [card.into(), 0, 0, 0]),
            Action::Swap { card, marble, offset, other } => {
                pack(4, [card.into(), marble.into(), offset.into(), other.into()])
            }
            Action::Take { card, offset, other } => pack(5, [card.into(), offset.into(), other.into(), 0]),
            Action::Give { card } => pack(6, [card.into(), 0, 0, 0]),
            Action::Throw => pack(7, [0; 4]),
            Action::Pass => pack(7, [1, 0, 0, 0]),
            Action::Card(card) => pack(8, [card.into(), 0, 0, 0]),
            Action::Dealer(seat) => pack(9, [seat.into(), 0, 0, 0]),
        }
    }

    pub(super) fn from_code(code: u32) -> Action {
        let part = |place: u32| (code >> (15 - 5 * place)) as u8 & 31;
        let card = part(0);
        match code >> 20 {
            around @ (0 | 1) => {
                let (offset, marble) = (part(2) / 4, part(2) % 4);
                Action::Run { card, steps: part(1) as i8 - 4, offset, marble, around: around == 1 }
            }
            2 => Action::Part { card, steps: part(1), marble: part(2), around: part(3) == 1 },
            3 => Action::Start { card },
            4 => Action::Swap { card, marble: part(1), offset: part(2), other: part(3) },
            5 => Action::Take { card, offset: part(1), other: part(2) },
            6 => Action::Give { card },
            7 if card == 0 => Action::Throw,
            7 => Action::Pass,
            8 => Action::Card(card),
            _ => Action::Dealer(card),
        }
    }
}

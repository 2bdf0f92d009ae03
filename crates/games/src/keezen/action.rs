//! The 271 actions of thesis 003, table 4.1, in the order of the table, and the outcomes of chance
//! behind them.

use super::ranks::{ACE, JACK, KING, SEVEN};

/// The number of actions in the table.
pub(super) const ACTIONS: usize = 271;

/// An index of the table (0 to 270), a card that comes from the stock (271 to 283, ace to king),
/// or the first dealer (284 to 287).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action(pub(super) u16);

/// The characters of the cards, ace to king.
pub(super) const RANKS: &str = "A23456789TJQK";

/// What an action of the table does. Marbles are counted from the most advanced of the colour
/// that is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// In the table, but never a decision: nothing, and the deal.
    Nothing,
    Deal,
    Run {
        rank: u8,
        marble: u8,
    },
    /// Seven steps with one marble.
    Seven {
        marble: u8,
    },
    /// Some of seven steps with the first marble, the rest with the second: number 0 to 3 of the
    /// same colour, 4 to 7 of the teammate.
    Split {
        first: u8,
        steps: u8,
        second: u8,
    },
    Start {
        rank: u8,
        marble: u8,
    },
    /// With a marble of the seat `offset` seats after the mover.
    Swap {
        marble: u8,
        offset: u8,
        other: u8,
    },
    /// The whole hand, face up.
    Throw,
}

/// Ranks that only run, with their steps; the four runs backward, the ace starts as well.
const RUNS: [(u8, u8); 10] = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (7, 8), (8, 9), (9, 10), (11, 12)];

const FIRST_RUN: usize = 2;
const FIRST_SPLIT: usize = FIRST_RUN + 4 * RUNS.len();
const FIRST_START: usize = FIRST_SPLIT + 4 * (1 + 6 * 7);
const FIRST_SWAP: usize = FIRST_START + 8;
const THROW: usize = FIRST_SWAP + 48;

const TABLE: [Move; ACTIONS] = table();
const SPLITS: [[[u16; 8]; 7]; 4] = splits();

/// The number of steps of a rank that runs, 0 otherwise.
pub(super) const STEPS: [u8; 13] = [1, 2, 3, 4, 5, 6, 0, 8, 9, 10, 0, 12, 0];

impl Action {
    pub(super) const THROW: Action = Action(THROW as u16);

    #[inline]
    pub(super) const fn run(rank: usize, marble: usize) -> Action {
        let slot = if rank < SEVEN {
            rank
        } else if rank < JACK {
            rank - 1
        } else {
            rank - 2
        };
        Action((FIRST_RUN + 4 * slot + marble) as u16)
    }

    #[inline]
    pub(super) const fn seven(marble: usize) -> Action {
        Action((FIRST_SPLIT + 43 * marble) as u16)
    }

    /// `second` is 4 to 7 for the teammate's marbles.
    #[inline]
    pub(super) const fn split(first: usize, steps: usize, second: usize) -> Action {
        Action(SPLITS[first][steps][second])
    }

    #[inline]
    pub(super) const fn start(rank: usize, marble: usize) -> Action {
        Action((FIRST_START + if rank == ACE { 0 } else { 4 } + marble) as u16)
    }

    /// `offset` is the other seat counted from the mover's.
    #[inline]
    pub(super) const fn swap(marble: usize, offset: usize, other: usize) -> Action {
        let partner = match offset {
            1 => 2 * other,
            3 => 2 * other + 1,
            _ => 8 + other,
        };
        Action((FIRST_SWAP + 12 * marble + partner) as u16)
    }

    pub(super) const fn card(rank: usize) -> Action {
        Action((ACTIONS + rank) as u16)
    }

    pub(super) const fn dealer(seat: usize) -> Action {
        Action((ACTIONS + RANKS.len() + seat) as u16)
    }

    /// For an outcome of a deal.
    #[inline]
    pub(super) fn rank(self) -> usize {
        usize::from(self.0) - ACTIONS
    }

    /// For an outcome of the choice of the dealer.
    pub(super) fn seat(self) -> usize {
        usize::from(self.0) - ACTIONS - RANKS.len()
    }

    /// What a decision does.
    #[inline]
    pub(super) fn decode(self) -> Move {
        TABLE[usize::from(self.0)]
    }

    /// The index in the table of decisions.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(super) fn text(self) -> String {
        let index = usize::from(self.0);
        if index >= ACTIONS + RANKS.len() {
            return format!("D{}", self.seat());
        }
        if index >= ACTIONS {
            return char::from(RANKS.as_bytes()[self.rank()]).to_string();
        }
        match self.decode() {
            Move::Nothing => "NO".to_string(),
            Move::Deal => "DL".to_string(),
            Move::Run { rank, marble } => format!("RU{:02}P{marble}", STEPS[usize::from(rank)]),
            Move::Seven { marble } => format!("SP07P{marble}"),
            Move::Split { first, steps, second } if second < 4 => format!("SP07P{first}{steps}P{second}"),
            Move::Split { first, steps, second } => format!("SP07P{first}{steps}T{}", second - 4),
            Move::Start { rank, marble } => format!("ST{:02}P{marble}", rank + 1),
            Move::Swap { marble, offset, other } => {
                format!("SW11P{marble}{}{other}", [' ', 'A', 'T', 'B'][usize::from(offset)])
            }
            Move::Throw => "TC".to_string(),
        }
    }
}

const fn table() -> [Move; ACTIONS] {
    let mut table = [Move::Nothing; ACTIONS];
    table[1] = Move::Deal;
    let mut run = 0;
    while run < 4 * RUNS.len() {
        table[FIRST_RUN + run] = Move::Run { rank: RUNS[run / 4].0, marble: (run % 4) as u8 };
        run += 1;
    }
    let mut next = FIRST_SPLIT;
    let mut first = 0;
    while first < 4 {
        table[next] = Move::Seven { marble: first };
        next += 1;
        let mut pair = 0;
        while pair < 6 * 8 {
            let (steps, second) = (pair / 8 + 1, pair % 8);
            if second != first {
                table[next] = Move::Split { first, steps, second };
                next += 1;
            }
            pair += 1;
        }
        first += 1;
    }
    // The table is irregular in two places: SP07P04T0 stands after SP07P05T0, and SP07P33P2
    // before SP07P33P1.
    let displaced = table[67];
    let mut index = 67;
    while index < 74 {
        table[index] = table[index + 1];
        index += 1;
    }
    table[74] = displaced;
    (table[187], table[188]) = (table[188], table[187]);
    let mut start = 0;
    while start < 8 {
        let rank = if start < 4 { ACE } else { KING };
        table[FIRST_START + start] = Move::Start { rank: rank as u8, marble: (start % 4) as u8 };
        start += 1;
    }
    let mut swap = 0;
    while swap < 48 {
        let (marble, partner) = ((swap / 12) as u8, (swap % 12) as u8);
        let (offset, other) = match partner {
            0..8 => (1 + partner % 2 * 2, partner / 2),
            _ => (2, partner - 8),
        };
        table[FIRST_SWAP + swap] = Move::Swap { marble, offset, other };
        swap += 1;
    }
    table[THROW] = Move::Throw;
    table
}

/// The index of each split by first marble, its steps and the second marble.
const fn splits() -> [[[u16; 8]; 7]; 4] {
    let mut splits = [[[0; 8]; 7]; 4];
    let mut index = FIRST_SPLIT;
    while index < FIRST_START {
        if let Move::Split { first, steps, second } = TABLE[index] {
            splits[first as usize][steps as usize][second as usize] = index as u16;
        }
        index += 1;
    }
    splits
}

//! Which moves the cards allow: a move is legal if the board can carry it out.

use super::action::{Action, Function};
use super::board::{run, start, swap, take_field};
use super::state::{NONE, Phase, Seven, Table};
use super::{Relative, Variant};
use crate::keezen::board::Board;
use crate::keezen::holdings::SEATS;
use crate::keezen::ranks::Cards;

impl Relative {
    /// The colour that a seat plays: its own, or the partner's once its own is finished.
    pub(super) fn colour(&self, board: &Board, seat: usize) -> usize {
        if self.variant.teams() && self.variant.finished(board, seat) { seat ^ 2 } else { seat }
    }

    /// The actions of the seat to move, which holds `hand`.
    pub(super) fn legal(&self, table: &Table, hand: Cards, out: &mut Vec<Action>) {
        out.clear();
        if table.phase == Phase::Give {
            out.extend(hand.ranks().map(|rank| Action::Give { card: rank as u8 }));
            return;
        }
        if table.seven.left > 0 {
            self.parts(table, table.seven.card, out);
            return;
        }
        if table.drawn != NONE {
            self.moves_of(table, table.drawn, out);
            let must = out.iter().any(|action| !matches!(action, Action::Swap { .. }));
            if !must {
                out.push(Action::Pass);
            }
            return;
        }
        for rank in hand.ranks() {
            self.moves_of(table, rank as u8, out);
        }
        if out.is_empty() {
            out.push(Action::Throw);
        }
    }

    /// All that one card can do.
    fn moves_of(&self, table: &Table, card: u8, out: &mut Vec<Action>) {
        for &function in self.variant.functions(usize::from(card)) {
            match function {
                Function::Start => self.add(table, Action::Start { card }, out),
                Function::Run(steps) => self.runs(table, card, steps, 0..1, out),
                Function::RunOther(steps) => self.runs(table, card, steps, 1..4, out),
                Function::Seven => self.parts(table, card, out),
                Function::Swap => self.swaps(table, card, out),
                Function::Take => {
                    for (offset, other) in pairs() {
                        self.add(table, Action::Take { card, offset, other }, out);
                    }
                }
            }
        }
    }

    fn runs(&self, table: &Table, card: u8, steps: i8, offsets: std::ops::Range<u8>, out: &mut Vec<Action>) {
        let laps = [false, true];
        let laps = if self.variant == Variant::Dog { &laps[..] } else { &laps[..1] };
        for offset in offsets {
            for marble in 0..4 {
                for &around in laps {
                    self.add(table, Action::Run { card, steps, offset, marble, around }, out);
                }
            }
        }
    }

    fn swaps(&self, table: &Table, card: u8, out: &mut Vec<Action>) {
        for marble in 0..4 {
            for (offset, other) in pairs() {
                self.add(table, Action::Swap { card, marble, offset, other }, out);
            }
        }
    }

    /// The next part of a seven. All seven steps must be used, unless they win before.
    fn parts(&self, table: &Table, card: u8, out: &mut Vec<Action>) {
        let left = if table.seven.left > 0 { table.seven.left } else { 7 };
        // Dog hits what a seven passes: single steps do just that.
        let sizes = match self.variant {
            Variant::Dog => 1..=1,
            Variant::Sorry if table.seven.left > 0 => left..=left,
            _ => 1..=left,
        };
        for steps in sizes {
            for marble in 0..4 {
                for around in [false, true] {
                    let action = Action::Part { card, steps, marble, around };
                    let Some(board) = self.board_after(table, action) else { continue };
                    let place = self.part_ends(table, action);
                    if self.can_use(&Table { board, seven: Seven { left: left - steps, card, place }, ..*table }) {
                        out.push(action);
                    }
                }
            }
        }
    }

    /// Whether the steps that are left of a seven can be used.
    pub(super) fn can_use(&self, table: &Table) -> bool {
        let left = table.seven.left;
        if left == 0 || self.variant.winner(&table.board).is_some() {
            return true;
        }
        let sizes = match self.variant {
            Variant::Dog => 1..=1,
            Variant::Sorry => left..=left,
            Variant::Tock => 1..=left,
        };
        sizes.rev().any(|steps| {
            (0..8).any(|choice| {
                let action =
                    Action::Part { card: table.seven.card, steps, marble: choice / 2, around: choice % 2 == 1 };
                self.board_after(table, action).is_some_and(|board| {
                    let seven = Seven { left: left - steps, ..table.seven };
                    self.can_use(&Table { board, seven, ..*table })
                })
            })
        })
    }

    /// Sorry!: where the marble of a part ends, so that the second part takes another one. Slides
    /// only matter on the track.
    pub(super) fn part_ends(&self, table: &Table, action: Action) -> u8 {
        let (Variant::Sorry, Some(board)) = (self.variant, self.board_after(table, action)) else { return 0 };
        let before = table.board.0[usize::from(table.seat)];
        let moved = board.0[usize::from(table.seat)].into_iter().find(|place| !before.contains(place));
        moved.unwrap_or(self.variant.furthest())
    }

    fn add(&self, table: &Table, action: Action, out: &mut Vec<Action>) {
        if self.board_after(table, action).is_some() {
            out.push(action);
        }
    }

    /// The board after a move of the seat to move; `None` if it cannot be made.
    pub(super) fn board_after(&self, table: &Table, action: Action) -> Option<Board> {
        let seat = usize::from(table.seat);
        let board = &table.board;
        let colour = self.colour(board, seat);
        let other_seat = |offset: u8| Some((seat + usize::from(offset)) % SEATS).filter(|&other| other != colour);
        match action {
            Action::Run { steps, offset, marble, around, .. } => {
                let runner = if offset == 0 { colour } else { other_seat(offset)? };
                run(self.variant, board, runner, marble.into(), steps, around)
            }
            Action::Part { steps, marble, around, .. } => {
                let again = self.variant == Variant::Sorry && table.seven.left > 0;
                let rests = again && board.0[colour][usize::from(marble)] == table.seven.place;
                if rests { None } else { run(self.variant, board, colour, marble.into(), steps as i8, around) }
            }
            Action::Start { .. } => start(self.variant, board, colour),
            Action::Swap { marble, offset, other, .. } => {
                swap(self.variant, board, (colour, marble.into()), (other_seat(offset)?, other.into()))
            }
            Action::Take { offset, other, .. } => {
                take_field(self.variant, board, colour, other_seat(offset)?, other.into())
            }
            _ => Some(*board),
        }
    }
}

/// The marbles of the other seats.
fn pairs() -> impl Iterator<Item = (u8, u8)> {
    (1..SEATS as u8).flat_map(|offset| (0..4).map(move |other| (offset, other)))
}

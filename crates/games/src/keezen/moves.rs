//! Which moves a hand allows on a board, and what they do there.

use super::Keezen;
use super::action::{Action, Move, STEPS};
use super::board::{Board, ENTRY, Marbles, START, WAITING, find, four_back, four_behind, free_steps, lane};
use super::holdings::SEATS;
use super::ranks::{ACE, Cards, FOUR, JACK, KING, SEVEN};
use super::state::Table;

/// The moves of a seat that has cards; the order is that of the table of actions except within
/// the sevens.
pub(super) fn legal(game: &Keezen, table: &Table, seat: usize, hand: Cards, out: &mut Vec<Action>) {
    out.clear();
    let mover = Mover::new(table, seat);
    for rank in hand.ranks() {
        match rank {
            FOUR => mover.backward(out),
            SEVEN | JACK | KING => {}
            _ => mover.forward(rank, out),
        }
    }
    if hand.has(SEVEN) {
        mover.sevens(out);
    }
    mover.starts(hand, out);
    if hand.has(JACK) {
        mover.swaps(game.jack_own_start, out);
    }
    if out.is_empty() {
        out.push(Action::THROW);
    }
}

/// Carries out a move on the board and returns the rank that was played; `None` for a throw.
#[inline]
pub(super) fn play(table: &mut Table, seat: usize, action: Action) -> Option<usize> {
    let colour = table.colour(seat);
    let board = &mut table.board;
    let place = |board: &Board, marble: u8| board.0[colour][usize::from(marble)];
    match action.decode() {
        Move::Run { rank, marble } => {
            let from = place(board, marble);
            let rank = usize::from(rank);
            let to = if rank == FOUR { four_behind(from) } else { from + STEPS[rank] };
            board.run(colour, usize::from(marble), to);
            Some(rank)
        }
        Move::Seven { marble } => {
            board.run(colour, usize::from(marble), place(board, marble) + 7);
            Some(SEVEN)
        }
        Move::Split { first, steps, second } => {
            let partner = if second < 4 { colour } else { colour ^ 2 };
            let second_place = board.0[partner][usize::from(second % 4)];
            board.run(colour, usize::from(first), place(board, first) + steps);
            // The first part may have changed the order of the marbles, and hit one of them.
            let second = find(board.0[partner], second_place).expect("the second marble still stands there");
            board.run(partner, second, second_place + 7 - steps);
            Some(SEVEN)
        }
        Move::Start { rank, .. } => {
            board.start(colour);
            Some(usize::from(rank))
        }
        Move::Swap { marble, offset, other } => {
            let other_seat = (seat + usize::from(offset)) % SEATS;
            board.swap(colour, usize::from(marble), other_seat, usize::from(other));
            Some(JACK)
        }
        Move::Throw => None,
        Move::Nothing | Move::Deal => unreachable!("never a decision"),
    }
}

/// A seat to move, with what its marbles have ahead of them.
struct Mover<'a> {
    table: &'a Table,
    seat: usize,
    colour: usize,
    marbles: Marbles,
    /// Marbles that are not waiting.
    active: usize,
    blocks: u64,
    lane: u64,
    /// How far each marble can run.
    free: [u32; 4],
}

impl<'a> Mover<'a> {
    #[inline]
    fn new(table: &'a Table, seat: usize) -> Mover<'a> {
        let colour = table.colour(seat);
        let marbles = table.board.0[colour];
        let active = active(marbles);
        let blocks = table.board.blocks(colour);
        let lane = lane(marbles);
        let mut free = [0; 4];
        for marble in 0..active {
            free[marble] = free_steps(blocks, lane, marbles[marble]);
        }
        Mover { table, seat, colour, marbles, active, blocks, lane, free }
    }

    #[inline]
    fn forward(&self, rank: usize, out: &mut Vec<Action>) {
        for marble in 0..self.active {
            if u32::from(STEPS[rank]) <= self.free[marble] {
                out.push(Action::run(rank, marble));
            }
        }
    }

    #[inline]
    fn backward(&self, out: &mut Vec<Action>) {
        for marble in 0..self.active {
            if four_back(self.blocks, self.marbles[marble]).is_some() {
                out.push(Action::run(FOUR, marble));
            }
        }
    }

    #[inline]
    fn starts(&self, hand: Cards, out: &mut Vec<Action>) {
        let possible = self.active < 4 && self.blocks & 1 == 0;
        for rank in [ACE, KING] {
            if possible && hand.has(rank) {
                out.push(Action::start(rank, self.active));
            }
        }
    }

    fn sevens(&self, out: &mut Vec<Action>) {
        for first in 0..self.active {
            if self.free[first] >= 7 {
                out.push(Action::seven(first));
            }
            for second in 0..self.active {
                if second != first {
                    self.splits(first, second, out);
                }
            }
        }
        let last = 3;
        if self.marbles[2] > ENTRY && self.marbles[last] != WAITING && self.marbles[last] <= ENTRY {
            self.splits_with_teammate(last, out);
        }
    }

    /// Seven steps with two marbles of the colour, the second judged after the first has run.
    #[inline]
    fn splits(&self, first: usize, second: usize, out: &mut Vec<Action>) {
        let (from, other) = (self.marbles[first], self.marbles[second]);
        let most = self.free[first].min(6);
        // While the first marble stays on the track, the second has the same way as before.
        let on_track = most.min(u32::from(ENTRY.saturating_sub(from)));
        for steps in 7u32.saturating_sub(self.free[second]).max(1)..=on_track {
            if u32::from(from) + steps != u32::from(other) {
                out.push(Action::split(first, steps as usize, second));
            }
        }
        for steps in on_track + 1..=most {
            let entered = 1 << (u32::from(from) + steps - u32::from(ENTRY) - 1);
            let left = if from > ENTRY { 1 << (from - ENTRY - 1) } else { 0 };
            if steps + free_steps(self.blocks, self.lane & !left | entered, other) >= 7 {
                out.push(Action::split(first, steps as usize, second));
            }
        }
    }

    /// The last marble outside the lane runs into it, and a marble of the teammate runs the rest.
    #[cold]
    fn splits_with_teammate(&self, last: usize, out: &mut Vec<Action>) {
        let teammate = self.colour ^ 2;
        let marbles = self.table.board.0[teammate];
        let blocks = self.table.board.blocks(teammate);
        for steps in u32::from(ENTRY - self.marbles[last]) + 1..=self.free[last].min(6) {
            for second in 0..active(marbles) {
                if steps + free_steps(blocks, lane(marbles), marbles[second]) >= 7 {
                    out.push(Action::split(last, steps as usize, 4 + second));
                }
            }
        }
    }

    fn swaps(&self, own_start: bool, out: &mut Vec<Action>) {
        let own = swappable(self.marbles, if own_start { START } else { START + 1 });
        if own.is_empty() {
            return;
        }
        for marble in own {
            for offset in 1..SEATS {
                let other_seat = (self.seat + offset) % SEATS;
                if other_seat == self.colour {
                    continue;
                }
                for other in swappable(self.table.board.0[other_seat], START + 1) {
                    out.push(Action::swap(marble, offset, other));
                }
            }
        }
    }
}

/// The number of marbles that are not waiting.
#[inline]
fn active(marbles: Marbles) -> usize {
    marbles.iter().filter(|&&place| place != WAITING).count()
}

/// The marbles on the track from this place on.
#[inline]
fn swappable(marbles: Marbles, from: u8) -> std::ops::Range<usize> {
    let lane = marbles.iter().filter(|&&place| place > ENTRY).count();
    lane..marbles.iter().filter(|&&place| place >= from).count()
}

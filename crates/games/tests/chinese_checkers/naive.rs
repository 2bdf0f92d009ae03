//! A second move generator, written from the rules on a map of fields, for comparison.

use std::collections::{BTreeMap, BTreeSet};

/// Row and column in the array of thesis 004, from 0 at the top left.
pub(super) type Cell = (i32, i32);

const DIRECTIONS: [Cell; 6] = [(0, -1), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0)];

/// The homes of the tiny game as thesis 004 draws them.
const TINY_HOMES: [[Cell; 6]; 3] = [
    [(6, 2), (6, 3), (6, 4), (7, 2), (7, 3), (8, 2)],
    [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2)],
    [(2, 6), (2, 7), (2, 8), (3, 6), (3, 7), (4, 6)],
];

#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) size: i32,
    pub(super) players: usize,
    /// The game of thesis 004.
    pub(super) tiny: bool,
    pub(super) forbid_foreign_tips: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) pieces: BTreeMap<Cell, usize>,
    pub(super) to_move: usize,
}

impl Rules {
    pub(super) fn cells(&self) -> Vec<Cell> {
        let width = 4 * self.size + 1;
        let array = (0..width).flat_map(|y| (0..width).map(move |x| (y, x)));
        array.filter(|&cell| self.has(cell)).collect()
    }

    fn cube(&self, (y, x): Cell) -> [i32; 3] {
        let (dy, dx) = (y - 2 * self.size, x - 2 * self.size);
        [dx, dy, -dx - dy]
    }

    fn has(&self, cell: Cell) -> bool {
        let cube = self.cube(cell);
        cube.iter().all(|&c| c <= self.size) || cube.iter().all(|&c| c >= -self.size)
    }

    fn in_hexagon(&self, cell: Cell) -> bool {
        self.cube(cell).iter().all(|c| c.abs() <= self.size)
    }

    /// Clockwise from the north.
    fn in_tip(&self, tip: usize, cell: Cell) -> bool {
        let [x, y, z] = self.cube(cell);
        self.has(cell) && [-y, x, -z, y, -x, z][tip % 6] > self.size
    }

    fn tip(&self, player: usize) -> usize {
        match self.players {
            _ if self.tiny => [3, 5, 1][player],
            2 => [0, 3][player],
            3 => [0, 2, 4][player],
            4 => [0, 1, 3, 4][player],
            _ => player,
        }
    }

    fn in_target(&self, player: usize, (y, x): Cell) -> bool {
        match self.tiny {
            true => TINY_HOMES[player].contains(&(8 - y, 8 - x)),
            false => self.in_tip(self.tip(player) + 3, (y, x)),
        }
    }

    fn is_open(&self, player: usize, cell: Cell) -> bool {
        let own = self.in_tip(self.tip(player), cell) || self.in_tip(self.tip(player) + 3, cell);
        self.in_hexagon(cell) || own
    }

    fn may_land(&self, player: usize, cell: Cell) -> bool {
        self.has(cell) && (!self.tiny || self.is_open(player, cell))
    }

    fn may_stop(&self, player: usize, cell: Cell) -> bool {
        self.may_land(player, cell) && (!self.forbid_foreign_tips || self.is_open(player, cell))
    }

    fn name(&self, (y, x): Cell) -> String {
        format!("{}{}", (b'a' + x as u8) as char, 4 * self.size + 1 - y)
    }

    pub(super) fn cell(&self, name: &str) -> Cell {
        *self.cells().iter().find(|&&cell| self.name(cell) == name).unwrap_or_else(|| panic!("no field {name}"))
    }

    /// From the first two words of a notation.
    pub(super) fn parse(&self, text: &str) -> Position {
        let mut words = text.split_whitespace();
        let mut cells = self.cells().into_iter();
        let mut pieces = BTreeMap::new();
        for run in words.next().unwrap().split('/').flat_map(|row| row.split_inclusive(|c: char| c.is_alphabetic())) {
            let (digits, letter) = run.split_at(run.find(char::is_alphabetic).unwrap_or(run.len()));
            (0..digits.parse().unwrap_or(0)).for_each(|_| assert!(cells.next().is_some()));
            if let Some(letter) = letter.bytes().next() {
                pieces.insert(cells.next().unwrap(), usize::from(letter - b'A'));
            }
        }
        let to_move = usize::from(words.next().unwrap().as_bytes()[0] - b'A');
        Position { pieces, to_move }
    }

    /// The first word of a notation.
    pub(super) fn rows(&self, pieces: &BTreeMap<Cell, usize>) -> String {
        let mut text = String::new();
        let mut last = 0;
        for cell in self.cells() {
            if cell.0 != last {
                text.push('/');
                last = cell.0;
            }
            match pieces.get(&cell) {
                Some(&player) => text.push((b'A' + player as u8) as char),
                None => text.push('1'),
            }
        }
        join_runs(&text)
    }

    pub(super) fn moves(&self, position: &Position) -> Vec<(Cell, Cell)> {
        let player = position.to_move;
        let mut moves = Vec::new();
        for (&from, _) in position.pieces.iter().filter(|&(_, &owner)| owner == player) {
            let mut ends = BTreeSet::new();
            for d in DIRECTIONS {
                let to = (from.0 + d.0, from.1 + d.1);
                let leaves = self.in_target(player, from) && !self.in_target(player, to);
                if !position.pieces.contains_key(&to) && self.may_stop(player, to) && !leaves {
                    ends.insert(to);
                }
            }
            let mut visited = BTreeSet::from([from]);
            self.hop(position, from, from, &mut visited);
            ends.extend(visited.into_iter().filter(|&to| to != from && self.may_stop(player, to)));
            moves.extend(ends.into_iter().map(|to| (from, to)));
        }
        moves
    }

    fn hop(&self, position: &Position, origin: Cell, at: Cell, visited: &mut BTreeSet<Cell>) {
        let player = position.to_move;
        for d in DIRECTIONS {
            let (over, to) = ((at.0 + d.0, at.1 + d.1), (at.0 + 2 * d.0, at.1 + 2 * d.1));
            let is_jump = over != origin && position.pieces.contains_key(&over) && self.may_land(player, to);
            let is_free = to == origin || !position.pieces.contains_key(&to);
            let leaves = self.in_target(player, at) && !self.in_target(player, to);
            if is_jump && is_free && !leaves && visited.insert(to) {
                self.hop(position, origin, to, visited);
            }
        }
    }

    pub(super) fn texts(&self, position: &Position) -> BTreeSet<String> {
        let moves = self.moves(position);
        if moves.is_empty() {
            return BTreeSet::from(["pass".into()]);
        }
        moves.into_iter().map(|(from, to)| format!("{}-{}", self.name(from), self.name(to))).collect()
    }

    /// While nobody finishes.
    pub(super) fn perft(&self, position: &Position, depth: u32) -> u64 {
        let moves = self.moves(position);
        if depth == 1 || moves.is_empty() {
            return moves.len().max(1) as u64;
        }
        moves.into_iter().map(|(from, to)| self.perft(&self.after(position, from, to), depth - 1)).sum()
    }

    fn after(&self, position: &Position, from: Cell, to: Cell) -> Position {
        let mut next = position.clone();
        next.pieces.remove(&from);
        next.pieces.insert(to, position.to_move);
        next.to_move = (position.to_move + 1) % self.players;
        next
    }
}

/// Writes each run of `1` as its length.
fn join_runs(text: &str) -> String {
    let mut joined = String::new();
    let mut run = 0;
    for symbol in text.chars().chain(['/']) {
        if symbol == '1' {
            run += 1;
            continue;
        }
        if run > 0 {
            joined += &run.to_string();
            run = 0;
        }
        joined.push(symbol);
    }
    joined.pop();
    joined
}

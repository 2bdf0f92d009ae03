//! Network inputs: the board turned so that the player to move starts in the south, and numbers
//! for the moves seen the same way.

use meeple_core::{Encoder, Player, Shape, Tensor};

use super::board::{Board, DIRECTIONS, Field, Fields, Point};
use super::draw::owner;
use super::moves::Move;
use super::star::{ChineseCheckers, State};
use super::tiny::{TinyChineseCheckers, TinyState};

/// The classes in the order of thesis 004, section 2.2: row and column even and even, odd and odd,
/// odd and even, even and odd.
const CLASSES: [usize; 4] = [0, 3, 2, 1];

/// Numbers for moves, as in thesis 004: each field with its six directions, then each pair of
/// fields of one class for the chains of jumps, then the pass.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// By field: its number among all and among those of its class.
    ranks: Vec<(u16, u16)>,
    /// By class: the first number of its pairs, and how many fields it has.
    classes: [(usize, usize); 4],
    pass: usize,
}

impl Numbering {
    /// For the fields where the player in the south may be.
    pub(super) fn new(board: &Board, accessible: Fields) -> Numbering {
        let mut ranks = vec![(0, 0); 256];
        let mut classes = [(0, 0); 4];
        for (&field, rank) in board.fields().iter().filter(|&&field| accessible.contains(field)).zip(0..) {
            let size = &mut classes[field.class()].1;
            ranks[field.index()] = (rank, *size as u16);
            *size += 1;
        }
        let mut next = 6 * accessible.len();
        for class in CLASSES {
            classes[class].0 = next;
            next += classes[class].1 * classes[class].1;
        }
        Numbering { ranks, classes, pass: next }
    }

    pub(super) fn len(&self) -> usize {
        self.pass + 1
    }

    /// The number of a move after the given clockwise turns of the board.
    pub(super) fn index(&self, board: &Board, turns: usize, action: Move) -> usize {
        if action == Move::PASS {
            return self.pass;
        }
        let [from, to] = [action.from, action.to].map(|field| board.point(field).turned(turns));
        match DIRECTIONS.iter().position(|&step| from.plus(step) == to) {
            Some(direction) => self.step(board, from, direction),
            None => self.jump(board, from, to),
        }
    }

    fn step(&self, board: &Board, from: Point, direction: usize) -> usize {
        usize::from(self.ranks[at(board, from).index()].0) * 6 + direction
    }

    fn jump(&self, board: &Board, from: Point, to: Point) -> usize {
        let [from, to] = [from, to].map(|point| at(board, point));
        let (first, size) = self.classes[from.class()];
        first + usize::from(self.ranks[from.index()].1) * size + usize::from(self.ranks[to.index()].1)
    }
}

fn at(board: &Board, point: Point) -> Field {
    board.field(point).expect("a turned field is a field")
}

/// A plane for the pieces of each player, beginning with the one to move, and one for the fields;
/// beside them who has finished, in the same order, and the share of the moves already played.
#[derive(Debug)]
pub(super) struct StarPlanes {
    players: usize,
    width: usize,
    policy: usize,
}

impl StarPlanes {
    pub(super) fn new(game: &ChineseCheckers) -> StarPlanes {
        StarPlanes { players: game.rules.players, width: game.board.width(), policy: game.numbering.len() }
    }
}

impl Encoder<ChineseCheckers> for StarPlanes {
    fn name(&self) -> &'static str {
        "planes"
    }

    fn shape(&self) -> Shape {
        Shape { vector: self.players + 1, ..Shape::planes(self.players + 1, self.width, self.width) }
    }

    fn encode(&self, game: &ChineseCheckers, view: &State, input: &mut Tensor<'_>) {
        let mover = usize::from(view.to_move);
        let pieces = &view.pieces[..self.players];
        encode_planes(&game.board, game.seats[mover].turns, mover, pieces, input);
        let vector = input.vector();
        for offset in 0..self.players {
            vector[offset] = f32::from(view.places[(mover + offset) % self.players].min(1));
        }
        vector[self.players] = f32::from(view.moves) / f32::from(game.rules.cap);
    }

    fn policy_size(&self) -> usize {
        self.policy
    }

    fn policy_index(&self, game: &ChineseCheckers, view: &State, action: Move) -> usize {
        game.numbering.index(&game.board, game.seats[usize::from(view.to_move)].turns, action)
    }
}

/// Like [`StarPlanes`], with points out of 3 instead of who has finished.
#[derive(Debug)]
pub(super) struct TinyPlanes;

impl Encoder<TinyChineseCheckers> for TinyPlanes {
    fn name(&self) -> &'static str {
        "planes"
    }

    fn shape(&self) -> Shape {
        Shape { vector: 4, ..Shape::planes(4, 9, 9) }
    }

    fn encode(&self, game: &TinyChineseCheckers, view: &TinyState, input: &mut Tensor<'_>) {
        let mover = usize::from(view.to_move);
        encode_planes(&game.board, game.seats[mover].turns, mover, &view.pieces, input);
        let vector = input.vector();
        for offset in 0..3 {
            vector[offset] = f32::from(view.scores[(mover + offset) % 3]) / 3.0;
        }
        vector[3] = f32::from(view.moves) / f32::from(game.cap());
    }

    fn policy_size(&self) -> usize {
        320
    }

    fn policy_index(&self, game: &TinyChineseCheckers, view: &TinyState, action: Move) -> usize {
        game.action_number(usize::from(view.to_move), action)
    }
}

/// The array of thesis 004, section 2.2, turned as in its chapter 5: 0 for an empty field, 1 for
/// the player to move, 2 and 3 for the next ones, 4 beside the star.
#[derive(Debug)]
pub(super) struct TinyPicture;

impl Encoder<TinyChineseCheckers> for TinyPicture {
    fn name(&self) -> &'static str {
        "thesis"
    }

    fn shape(&self) -> Shape {
        Shape::planes(1, 9, 9)
    }

    fn encode(&self, game: &TinyChineseCheckers, view: &TinyState, input: &mut Tensor<'_>) {
        let mover = usize::from(view.to_move);
        input.fill(0, 4.0);
        for &field in game.board.fields() {
            let (row, column) = game.board.cell(game.board.point(field).turned(game.seats[mover].turns));
            let piece = owner(&view.pieces, field).map_or(0, |player| 1 + (player + 3 - mover) % 3);
            input.set(0, row, column, piece as f32);
        }
    }

    fn policy_size(&self) -> usize {
        320
    }

    fn policy_index(&self, game: &TinyChineseCheckers, view: &TinyState, action: Move) -> usize {
        game.action_number(usize::from(view.to_move), action)
    }
}

/// One plane for each player, the mover first, and one for the fields.
fn encode_planes(board: &Board, turns: usize, mover: Player, pieces: &[Fields], input: &mut Tensor<'_>) {
    let players = pieces.len();
    for &field in board.fields() {
        let (row, column) = board.cell(board.point(field).turned(turns));
        input.set(players, row, column, 1.0);
        if let Some(player) = owner(pieces, field) {
            input.set((player + players - mover) % players, row, column, 1.0);
        }
    }
}

//! The six-pointed star: points, fields and their names, tips, turns of the board, sets of fields.
//!
//! Jumps keep the parity of row and column, so the fields fall into four classes, and a chain of
//! jumps never leaves its class. A set of fields has one word for each class, in which the six
//! directions are constant shifts; even the largest star needs no more than 62 bits of a word.

use meeple_core::bits::elements;
use meeple_core::rng::mix;

/// Where a field lies, relative to the centre, in the skewed array of thesis 004, section 2.2:
/// rows from the top, columns along the lines that run down to the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) row: i8,
    pub(super) column: i8,
}

impl Point {
    pub(super) const fn new(row: i8, column: i8) -> Point {
        Point { row, column }
    }

    pub(super) fn plus(self, step: Point) -> Point {
        Point::new(self.row + step.row, self.column + step.column)
    }

    /// After `turns` clockwise turns of the board by 60 degrees.
    pub(super) fn turned(self, turns: usize) -> Point {
        (0..turns % 6).fold(self, |point, _| Point::new(point.row + point.column, -point.row))
    }

    /// Left and right exchanged.
    pub(super) fn mirrored(self) -> Point {
        Point::new(self.row, -self.row - self.column)
    }

    /// The distances beyond the centre towards the six tips, clockwise from the north.
    fn distances(self) -> [i8; 6] {
        let third = -self.row - self.column;
        [-self.row, self.column, -third, self.row, -self.column, third]
    }
}

/// Left, right, up left, up right, down left, down right: the order of thesis 004.
pub(super) const DIRECTIONS: [Point; 6] =
    [Point::new(0, -1), Point::new(0, 1), Point::new(-1, 0), Point::new(-1, 1), Point::new(1, -1), Point::new(1, 0)];

/// The position of the centre within its word.
const CENTRE: i32 = 31;

/// How far apart two rows of one class are within their word.
pub(super) const ROW: i32 = 8;

/// A field: its class (0..4) times 64 plus its position in the word of that class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Field(pub(super) u8);

impl Field {
    /// No field.
    pub(super) const NONE: Field = Field(255);

    /// The field at a point, whether or not the star is large enough to have it.
    fn at(point: Point) -> Field {
        let class = point.row.rem_euclid(2) * 2 + point.column.rem_euclid(2);
        let position = CENTRE + ROW * i32::from(point.row.div_euclid(2)) + i32::from(point.column.div_euclid(2));
        Field::new(class as usize, position as u32)
    }

    #[inline]
    pub(super) const fn new(class: usize, position: u32) -> Field {
        Field((class as u8) << 6 | position as u8)
    }

    #[inline]
    pub(super) const fn class(self) -> usize {
        (self.0 >> 6) as usize
    }

    #[inline]
    pub(super) const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of fields, one word for each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Fields(pub(super) [u64; 4]);

impl Fields {
    #[inline]
    pub(super) fn contains(self, field: Field) -> bool {
        self.0[field.class()] & field.bit() != 0
    }

    /// Puts the field in or takes it out.
    #[inline]
    pub(super) fn toggle(&mut self, field: Field) {
        self.0[field.class()] ^= field.bit();
    }

    #[inline]
    pub(super) fn union(self, other: Fields) -> Fields {
        self.zip(other, |a, b| a | b)
    }

    #[inline]
    pub(super) fn intersection(self, other: Fields) -> Fields {
        self.zip(other, |a, b| a & b)
    }

    #[inline]
    pub(super) fn without(self, other: Fields) -> Fields {
        self.zip(other, |a, b| a & !b)
    }

    #[inline]
    pub(super) fn intersects(self, other: Fields) -> bool {
        self.intersection(other) != Fields::default()
    }

    #[inline]
    pub(super) fn is_within(self, other: Fields) -> bool {
        self.without(other) == Fields::default()
    }

    pub(super) fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Field> {
        (0..4).flat_map(move |class| elements(self.0[class]).map(move |position| Field::new(class, position)))
    }

    #[inline]
    fn zip(self, other: Fields, combine: impl Fn(u64, u64) -> u64) -> Fields {
        Fields(std::array::from_fn(|class| combine(self.0[class], other.0[class])))
    }
}

impl FromIterator<Field> for Fields {
    fn from_iter<I: IntoIterator<Item = Field>>(fields: I) -> Fields {
        let mut set = Fields::default();
        for field in fields {
            set.0[field.class()] |= field.bit();
        }
        set
    }
}

/// A hash of the pieces of all players and of whatever else there is.
pub(super) fn key(pieces: &[Fields], rest: u64) -> u64 {
    let words = pieces.iter().flat_map(|fields| fields.0);
    words
        .zip(1u64..)
        .fold(mix(rest), |key, (word, number)| key.wrapping_add(mix(word ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))))
}

/// The star with tips of `size` rows: 13, 37, 73 or 121 fields for 1 to 4.
#[derive(Clone, Debug)]
pub(super) struct Board {
    size: i8,
    /// From the top, each row from the left.
    fields: Vec<Field>,
    /// Of each field, by its index.
    points: Vec<Point>,
}

impl Board {
    pub(super) fn new(size: usize) -> Board {
        assert!((1..=4).contains(&size), "a star has tips of 1 to 4 rows");
        let mut board = Board { size: size as i8, fields: Vec::new(), points: vec![Point::default(); 256] };
        let reach = 2 * board.size;
        for row in -reach..=reach {
            for point in (-reach..=reach).map(|column| Point::new(row, column)) {
                if board.has(point) {
                    let field = Field::at(point);
                    board.fields.push(field);
                    board.points[field.index()] = point;
                }
            }
        }
        board
    }

    /// A star is two triangles.
    fn has(&self, point: Point) -> bool {
        let distances = point.distances();
        let within = |tips: [usize; 3]| tips.iter().all(|&tip| distances[tip] <= self.size);
        within([0, 2, 4]) || within([1, 3, 5])
    }

    /// The number of rows, and of columns, of the array that holds the star.
    pub(super) fn width(&self) -> usize {
        4 * self.size as usize + 1
    }

    pub(super) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// From the top to the bottom.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[Field]> {
        self.fields.chunk_by(|&a, &b| self.point(a).row == self.point(b).row)
    }

    pub(super) fn point(&self, field: Field) -> Point {
        self.points[field.index()]
    }

    pub(super) fn field(&self, point: Point) -> Option<Field> {
        self.has(point).then(|| Field::at(point))
    }

    /// Row and column in the array, both from 0 at the top left.
    pub(super) fn cell(&self, point: Point) -> (usize, usize) {
        let offset = 2 * self.size;
        ((point.row + offset) as usize, (point.column + offset) as usize)
    }

    /// The fields of a tip and of the `rows` rows of the hexagon next to it. Tips are numbered
    /// clockwise from the north.
    pub(super) fn tip(&self, tip: usize, rows: usize) -> Fields {
        let belongs = |&field: &Field| {
            let mut distances = self.point(field).distances();
            distances[tip % 6] += rows as i8;
            (0..6).all(|other| (distances[other] > self.size) == (other == tip % 6))
        };
        self.fields.iter().copied().filter(belongs).collect()
    }

    /// The outermost field of each tip.
    pub(super) fn tips(&self) -> Fields {
        let outermost = |field: &&Field| self.point(**field).distances().contains(&(2 * self.size));
        self.fields.iter().filter(outermost).copied().collect()
    }

    pub(super) fn all(&self) -> Fields {
        self.fields.iter().copied().collect()
    }

    pub(super) fn hexagon(&self) -> Fields {
        (0..6).fold(self.all(), |rest, tip| rest.without(self.tip(tip, 0)))
    }

    /// The field's letter and number: columns from the left, rows from the bottom.
    pub(super) fn name(&self, field: Field) -> String {
        let (row, column) = self.cell(self.point(field));
        format!("{}{}", char::from(b'a' + column as u8), self.width() - row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_have_the_known_sizes() {
        for (size, fields) in [(1, 13), (2, 37), (3, 73), (4, 121)] {
            let board = Board::new(size);
            assert_eq!(board.fields().len(), fields);
            assert_eq!(board.all().len(), fields, "every field has a bit of its own");
            assert_eq!(board.hexagon().len(), 3 * size * (size + 1) + 1);
            for tip in 0..6 {
                assert_eq!(board.tip(tip, 0).len(), size * (size + 1) / 2);
                assert_eq!(board.tip(tip, 0).intersection(board.tips()).len(), 1);
                let turned = board.tip(tip, 0).iter().map(|field| Field::at(board.point(field).turned(1)));
                assert_eq!(turned.collect::<Fields>(), board.tip(tip + 1, 0), "turns are clockwise");
            }
        }
    }

    #[test]
    fn no_position_is_beyond_its_word() {
        let positions = Board::new(4).fields().iter().map(|field| field.0 & 63).collect::<Vec<_>>();
        assert_eq!((positions.iter().min(), positions.iter().max()), (Some(&0), Some(&61)));
    }

    #[test]
    fn a_mirror_exchanges_east_and_west() {
        let board = Board::new(3);
        let mirrored = |tip| board.tip(tip, 0).iter().map(|field| Field::at(board.point(field).mirrored())).collect();
        let images: [Fields; 6] = std::array::from_fn(mirrored);
        assert_eq!(images, [0, 5, 4, 3, 2, 1].map(|tip| board.tip(tip, 0)));
    }
}

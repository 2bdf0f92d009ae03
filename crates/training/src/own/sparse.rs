//! Inputs most of whose numbers are 0, as those of games with cards are: a multiplication is then a sum of few rows.

/// The numbers of a matrix that differ from 0, row by row or column by column.
#[derive(Debug, Default)]
pub(super) struct Sparse {
    /// Where the numbers of each line end.
    ends: Vec<usize>,
    /// Each with its place in its line.
    numbers: Vec<(u32, f32)>,
}

/// Where no more than one of so many numbers differs from 0, sums of rows are the faster way.
const FEW: usize = 5;

impl Sparse {
    /// Reads `count` rows of `width` numbers. False, and nothing is kept, if too many of them differ from 0.
    pub(super) fn read(&mut self, values: &[f32], stride: usize, width: usize, count: usize) -> bool {
        self.ends.clear();
        self.numbers.clear();
        for row in values.chunks(stride).take(count) {
            let numbers = row[..width].iter().enumerate().filter(|(_, value)| **value != 0.0);
            self.numbers.extend(numbers.map(|(place, &value)| (place as u32, value)));
            if self.numbers.len() > count * width / FEW {
                self.ends.clear();
                return false;
            }
            self.ends.push(self.numbers.len());
        }
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &[(u32, f32)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.numbers[start..end])
    }

    /// The same matrix, whose rows have `width` numbers, by columns in the place of rows.
    pub(super) fn transpose(&self, width: usize, columns: &mut Sparse) {
        let Sparse { ends, numbers } = columns;
        ends.clear();
        ends.resize(width, 0);
        self.numbers.iter().for_each(|&(place, _)| ends[place as usize] += 1);
        let mut sum = 0;
        for end in ends.iter_mut() {
            // Where the column starts, until its numbers are there.
            sum += std::mem::replace(end, sum);
        }
        numbers.clear();
        numbers.resize(self.numbers.len(), (0, 0.0));
        for (row, line) in self.lines().enumerate() {
            for &(place, value) in line {
                let end = &mut ends[place as usize];
                numbers[*end] = (row as u32, value);
                *end += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_rows_and_then_columns() {
        let mut values = [0.0; 3 * 12];
        for (place, value) in [(1, 2.0), (9, -1.0), (12, 3.0), (25, 4.0)] {
            values[place] = value;
        }
        let (mut rows, mut columns) = (Sparse::default(), Sparse::default());
        assert!(rows.read(&values, 12, 10, 3));
        let lines: Vec<_> = rows.lines().collect();
        assert_eq!(lines, [&[(1, 2.0), (9, -1.0)][..], &[(0, 3.0)], &[(1, 4.0)]]);
        rows.transpose(10, &mut columns);
        let lines: Vec<_> = columns.lines().collect();
        assert_eq!(lines.len(), 10);
        assert_eq!(lines[..2], [&[(1, 3.0)][..], &[(0, 2.0), (2, 4.0)]]);
        assert!(lines[2..9].iter().all(|line| line.is_empty()));
        assert_eq!(lines[9], [(0, -1.0)]);
    }

    #[test]
    fn what_is_full_is_not_kept() {
        let mut rows = Sparse::default();
        assert!(!rows.read(&[1.0; 20], 10, 10, 2));
        assert!(rows.is_empty());
    }
}

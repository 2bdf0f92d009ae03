//! The shape of a board: its sites, which of them are neighbours, and which matter for what.

use crate::Sites;

/// Everything about a board that no move changes. What is left empty the game has not.
#[derive(Clone, Debug, Default)]
pub struct Geometry {
    pub playable: Sites,
    /// Pairs of sites with one step between them, each pair once. Distances are counted in steps.
    pub neighbours: Vec<(usize, usize)>,
    pub centre: Sites,
    pub corners: Sites,
    pub sides: Sites,
    /// Where each player wants to go, such as the far row.
    pub own_regions: Vec<Sites>,
    /// Further sites that matter to each player, such as where he comes from.
    pub site_map: Vec<Sites>,
    /// Other parts of the board by name, with one set for each player.
    pub regions: Vec<(&'static str, Vec<Sites>)>,
    /// Every line that a player may complete, all of one length.
    pub lines: Vec<Sites>,
    /// The worth of a piece of each kind.
    pub kinds: Vec<f32>,
}

/// One of each pair of opposite directions, in rows and columns.
const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];

impl Geometry {
    /// A rectangle with pieces of one kind; squares that touch are neighbours. `site` numbers a row
    /// and a column, `line` is the number of squares in a line.
    pub fn grid(rows: usize, columns: usize, line: usize, site: impl Fn(usize, usize) -> usize) -> Geometry {
        let set = |inside: &dyn Fn(usize, usize) -> bool| -> Sites {
            squares(rows, columns)
                .filter(|&(row, column)| inside(row, column))
                .map(|(row, column)| site(row, column))
                .collect()
        };
        let middle = |at: usize, length: usize| at == length / 2 || at == (length - 1) / 2;
        let edge = |at: usize, length: usize| at == 0 || at + 1 == length;
        Geometry {
            playable: set(&|_, _| true),
            neighbours: paths(rows, columns, 2, &site).map(|path| (path[0], path[1])).collect(),
            centre: set(&|row, column| middle(row, rows) && middle(column, columns)),
            corners: set(&|row, column| edge(row, rows) && edge(column, columns)),
            sides: set(&|row, column| edge(row, rows) || edge(column, columns)),
            lines: paths(rows, columns, line, &site).map(Sites::from_iter).collect(),
            kinds: vec![1.0],
            ..Geometry::default()
        }
    }

    /// For each site the number of steps to the nearest of `goals`; `None` where no path leads.
    pub fn distances(&self, goals: Sites) -> Vec<Option<u32>> {
        let mut distances = vec![None; Sites::CAPACITY];
        let mut border = goals;
        for distance in 0.. {
            border.iter().for_each(|site| distances[site] = Some(distance));
            let steps = self.neighbours.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
            border = steps.filter(|&(a, b)| border.contains(a) && distances[b].is_none()).map(|(_, b)| b).collect();
            if border.is_empty() {
                break;
            }
        }
        distances
    }
}

fn squares(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

/// The sites of every straight path of so many squares.
fn paths(
    rows: usize,
    columns: usize,
    length: usize,
    site: &impl Fn(usize, usize) -> usize,
) -> impl Iterator<Item = Vec<usize>> {
    let path = move |(row, column): (usize, usize), (up, right): (isize, isize)| {
        let square = |step: isize| {
            let row = row.checked_add_signed(up * step).filter(|&row| row < rows)?;
            let column = column.checked_add_signed(right * step).filter(|&column| column < columns)?;
            Some(site(row, column))
        };
        (0..length as isize).map(square).collect()
    };
    squares(rows, columns)
        .flat_map(move |start| DIRECTIONS.into_iter().filter_map(move |direction| path(start, direction)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_its_centre_corners_sides_and_lines() {
        let grid = Geometry::grid(3, 4, 3, |row, column| row * 4 + column);
        let sites = |sites: Sites| sites.iter().collect::<Vec<_>>();
        assert_eq!(sites(grid.playable), (0..12).collect::<Vec<_>>());
        assert_eq!(sites(grid.centre), [5, 6]);
        assert_eq!(sites(grid.corners), [0, 3, 8, 11]);
        assert_eq!(sites(grid.sides), [0, 1, 2, 3, 4, 7, 8, 9, 10, 11]);
        assert_eq!(grid.neighbours.len(), 9 + 8 + 6 + 6);
        assert_eq!(grid.lines.len(), 6 + 4 + 2 + 2);
        assert!(grid.lines.iter().all(|line| line.count() == 3));
    }

    #[test]
    fn distances_are_steps_in_all_eight_directions() {
        let grid = Geometry::grid(3, 4, 3, |row, column| row * 4 + column);
        let distances = grid.distances(grid.corners);
        assert_eq!(
            distances[..12].iter().map(|distance| distance.unwrap()).collect::<Vec<_>>(),
            [
                0, 1, 1, 0, //
                1, 1, 1, 1, //
                0, 1, 1, 0,
            ]
        );
        assert_eq!(grid.distances(Sites::from(1))[11], Some(3));
        assert_eq!(distances[12], None);
    }
}

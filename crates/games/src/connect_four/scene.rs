//! The board for a page.

use meeple_core::scene::{Piece, Seat, Site};
use meeple_core::{Scene, Scenery};

use super::{Cell, ConnectFour, State};
use crate::grid::Grid;
use crate::squares::Squares;

impl<S: Squares> ConnectFour<S> {
    fn grid(&self) -> Grid {
        Grid { rows: self.size.rows, columns: self.size.columns }
    }
}

impl<S: Squares> Scenery<ConnectFour<S>> for ConnectFour<S> {
    /// Columns have the names of the actions.
    fn scene(&self, _: &ConnectFour<S>, view: &State<S>) -> Scene {
        let grid = self.grid();
        let site = |square: usize| {
            let (x, y) = grid.middle(square);
            let cell = self.cell(square / grid.columns, square % grid.columns);
            let owner = (0..2).find(|&player| view.stones[player].contains(cell));
            Site { pieces: owner.map(Piece::of).into_iter().collect(), ..Site::circle(grid.square_text(square), x, y) }
        };
        let sites = (0..grid.rows * grid.columns).map(site).collect();
        let board = grid.plan_of(sites, grid.files(|column| (column + 1).to_string()));
        Scene { board: Some(board), seats: vec![Seat::default(); 2], ..Scene::default() }
    }

    /// The cell in which the stone comes to rest.
    fn picks(&self, _: &ConnectFour<S>, _: &State<S>, action: Cell) -> Vec<String> {
        let row = usize::from(action.0) % (self.size.rows + 1);
        vec![self.grid().square_text(row * self.size.columns + self.column(action))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::{Game, Notation};

    #[test]
    fn a_stone_is_dropped_by_the_cell_where_it_lands() {
        let game = ConnectFour::default();
        let state = game.parse_state("......./......./......./......./...o.../...x..x").unwrap();
        let mut actions = Vec::new();
        game.legal_actions(&state, &mut actions);
        let picks: Vec<String> = actions.iter().flat_map(|&action| game.picks(&game, &state, action)).collect();
        assert_eq!(picks, ["a1", "b1", "c1", "d3", "e1", "f1", "g2"]);
        let board = game.scene(&game, &state).board.unwrap();
        let owner = |pick: &str| board.sites.iter().find(|site| site.pick == pick).unwrap().pieces[0].seat;
        assert_eq!(["d1", "d2", "g1"].map(owner), [0, 1, 0]);
    }
}

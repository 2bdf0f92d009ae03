//! The board for general heuristic terms: the region `middle` is the middle column, or both.

use meeple_core::{Board, Geometry, Player, Reach, Sites, Weights};

use super::{ConnectFour, Squares, State};

impl<S: Squares> Board<ConnectFour<S>> for ConnectFour<S> {
    fn geometry(&self) -> Geometry {
        let columns = self.size.columns;
        let middle = (self.columns[columns / 2] | self.columns[(columns - 1) / 2]).sites();
        Geometry {
            regions: vec![("middle", vec![middle; 2])],
            ..Geometry::grid(self.size.rows, columns, 4, |row, column| self.cell(row, column) as usize)
        }
    }

    #[inline]
    fn pieces(&self, state: &State<S>, player: Player, _: usize) -> Sites {
        state.stones[player].sites()
    }

    #[inline]
    fn moves(&self, state: &State<S>, _: Player, reach: &mut Reach) {
        reach.add_all(self.landing(state).sites());
    }

    fn weights(&self) -> Vec<Weights> {
        vec![Weights { name: "tuned", slope: 0.5, terms: &[("lines", 1.0)] }]
    }
}

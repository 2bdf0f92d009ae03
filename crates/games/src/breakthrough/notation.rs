//! Positions as text: `bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww w`.

use meeple_core::{Game, Notation, NotationError};

use super::{Breakthrough, Squares, State};

impl<S: Squares> Notation<Breakthrough<S>> for Breakthrough<S> {
    fn help(&self) -> String {
        let example = self.state_text(&self.initial_state());
        format!("rows from the top with w, b and numbers (or dots) for empty squares, then who moves: `{example}`")
    }

    fn state_text(&self, state: &State<S>) -> String {
        let board = self.grid.write(|square| state.symbol(square));
        format!("{board} {}", if state.black_moves { 'b' } else { 'w' })
    }

    fn parse_state(&self, text: &str) -> Result<State<S>, NotationError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let &[board, side] = fields.as_slice() else {
            return Err(NotationError::new(format!("{} parts, not two: {}", fields.len(), self.help())));
        };
        let black_moves = match side {
            "w" => false,
            "b" => true,
            _ => return Err(NotationError::new("who moves is neither `w` nor `b`")),
        };
        let squares = self.grid.read(board, ['w', 'b'])?;
        let set = |squares: &Vec<usize>| squares.iter().fold(S::default(), |set, &square| set | S::of(square as u32));
        let [white, black] = [set(&squares[0]), set(&squares[1])];
        let (own, enemy) = if black_moves { (black, white) } else { (white, black) };
        let state = State { own, enemy, black_moves };
        self.check(&state)?;
        Ok(state)
    }

    fn view_text(&self, view: &State<S>) -> String {
        self.state_text(view)
    }

    fn parse_view(&self, text: &str) -> Result<State<S>, NotationError> {
        self.parse_state(text)
    }
}

impl<S: Squares> Breakthrough<S> {
    /// What counting can tell about a position that no game reaches.
    fn check(&self, state: &State<S>) -> Result<(), NotationError> {
        let refuse = |message: String| Err(NotationError::new(message));
        let pawns = state.pawns();
        let most = self.setup.pawns_per_side() as u32;
        for (name, pawns) in ["White", "Black"].into_iter().zip(pawns) {
            if pawns.count() > most {
                return refuse(format!("{name} has {} pawns, {most} is the most", pawns.count()));
            }
        }
        let mover = state.mover();
        if state.enemy.is_empty() || !(state.own & self.far_row[mover]).is_empty() {
            return refuse("the player to move would have won before".into());
        }
        let arrived = (state.enemy & self.far_row[1 - mover]).count();
        if arrived > 1 || (arrived == 1 && state.own.is_empty()) {
            return refuse("the game would have ended before this position".into());
        }
        let [white, black] = [0, 1].map(|player| self.steps_made(player, pawns[player]));
        let complete = pawns.iter().all(|pawns| pawns.count() == most);
        if complete && white != black + i64::from(state.black_moves) {
            return refuse(format!("no pawn is missing, but White made {white} steps and Black {black}"));
        }
        Ok(())
    }

    /// How far a complete army has advanced.
    fn steps_made(&self, player: usize, pawns: S) -> i64 {
        let height = |pawns: S| {
            let mut sum = 0;
            pawns.each(|square| sum += i64::from(square) / self.setup.columns as i64);
            sum
        };
        (height(pawns) - height(self.home[player])) * if player == 0 { 1 } else { -1 }
    }
}

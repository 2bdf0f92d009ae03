//! Positions as text: `bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww w`.

use meeple_core::{Game, Notation, NotationError, Player};

use super::{Breakthrough, Setup, Squares, State};

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
        let [white, black] = [0, 1].map(|player| self.steps_made(player, pawns));
        for (name, (least, most)) in [("White", white), ("Black", black)] {
            if least > most {
                return refuse(format!("{name} made at most {most} steps, too few for its captures"));
            }
        }
        let lead = usize::from(state.black_moves);
        if white.1 < black.0 + lead || black.1 + lead < white.0 {
            let steps = |(least, most)| if least == most { format!("{least}") } else { format!("{least} to {most}") };
            return refuse(format!("White made {} steps and Black {}: no game has both", steps(white), steps(black)));
        }
        Ok(())
    }

    /// The fewest and the most steps that a player can have made, one for each capture. A captured
    /// pawn may have stayed at home, or have come as far as the row before the last.
    fn steps_made(&self, player: Player, pawns: [S; 2]) -> (usize, usize) {
        let Setup { rows, columns, .. } = self.setup;
        let all = self.setup.pawns_per_side();
        let missing = pawns.map(|pawns| all - pawns.count() as usize);
        let mut advanced = 0;
        pawns[player].each(|square| {
            let row = square as usize / columns;
            advanced += if player == 0 { row } else { rows - 1 - row };
        });
        let at_home = |pawns: usize| (0..pawns).map(|pawn| pawn / columns).sum::<usize>();
        let least = (advanced + at_home(missing[player])).saturating_sub(at_home(all));
        let most = advanced + missing[player] * (rows - 2) - at_home(all);
        (least.max(missing[1 - player]), most)
    }
}

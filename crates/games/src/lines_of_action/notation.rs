//! Positions as text: `1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b 0`. A history is the first position
//! of it with the moves since then: `... b 0 b1b3 a2c2`.

use meeple_core::{Game, Notation, NotationError, Turn};

use super::board::is_connected;
use super::{Action, GRID, HistoryState, LONGEST_GAME, LinesOfAction, START, State, WithHistory};

impl Notation<LinesOfAction> for LinesOfAction {
    fn help(&self) -> String {
        let example = self.state_text(&self.initial_state());
        format!(
            "rows from the top with b, w and numbers (or dots) for empty squares, then who moves and the number of \
             plies played, which may be left out: `{example}`"
        )
    }

    fn state_text(&self, state: &State) -> String {
        let board = GRID.write(|square| state.symbol(square));
        format!("{board} {} {}", ["b", "w"][state.mover()], state.ply)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (board, side, ply) = match fields[..] {
            [board, side] => (board, side, None),
            [board, side, ply] => (board, side, Some(ply)),
            _ => return Err(NotationError::new(format!("{} parts, not three: {}", fields.len(), self.help()))),
        };
        let mover = match side {
            "b" => 0,
            "w" => 1,
            _ => return Err(NotationError::new("who moves is neither `b` nor `w`")),
        };
        let pieces =
            GRID.read(board, ['b', 'w'])?.map(|squares| squares.iter().fold(0, |set, square| set | 1 << square));
        let least = least_ply(pieces, mover)?;
        let ply = match ply {
            Some(ply) => read_ply(ply, mover, least)?,
            None => least,
        };
        if pieces == START && (1..4).contains(&ply) {
            return Err(NotationError::new("no game returns to the first position before ply 4"));
        }
        check_not_over_before(pieces, mover)?;
        Ok(self.state_of(pieces, ply))
    }

    fn view_text(&self, view: &State) -> String {
        self.state_text(view)
    }

    fn parse_view(&self, text: &str) -> Result<State, NotationError> {
        self.parse_state(text)
    }
}

/// The earliest ply at which so many pieces can be captured with `mover` to move.
fn least_ply(pieces: [u64; 2], mover: u16) -> Result<u16, NotationError> {
    let counts = pieces.map(u64::count_ones);
    for (name, count) in ["Black", "White"].into_iter().zip(counts) {
        if !(1..=12).contains(&count) {
            return Err(NotationError::new(format!("{name} has {count} pieces, not 1 to 12")));
        }
    }
    if counts == [1, 1] {
        return Err(NotationError::new("a side with a single piece has won: the other cannot be reduced to one too"));
    }
    let [black_captures, white_captures] = [12 - counts[1] as u16, 12 - counts[0] as u16];
    let moved = pieces != START;
    let least = (black_captures * 2).saturating_sub(1).max(white_captures * 2).max(u16::from(moved));
    Ok(least + (least + mover) % 2)
}

/// The last move cannot have connected a side that lost nothing by it, nor one of a single piece.
fn check_not_over_before(pieces: [u64; 2], mover: u16) -> Result<(), NotationError> {
    let (own, enemy) = (pieces[usize::from(mover)], pieces[usize::from(1 - mover)]);
    let complete = own.count_ones() == 12 && is_connected(own);
    if complete || enemy.count_ones() == 1 {
        return Err(NotationError::new("a side was connected before the last move: the game would have ended"));
    }
    Ok(())
}

fn read_ply(text: &str, mover: u16, least: u16) -> Result<u16, NotationError> {
    let ply = text.parse::<u16>().ok().filter(|&ply| ply <= LONGEST_GAME);
    let Some(ply) = ply else {
        return Err(NotationError::new(format!("the ply is not a number from 0 to {LONGEST_GAME}")));
    };
    if ply % 2 != mover {
        return Err(NotationError::new(format!(
            "at ply {ply} the other side moves: Black at even plies, White at odd"
        )));
    }
    if ply < least {
        return Err(NotationError::new(format!("no game reaches this position before ply {least}")));
    }
    Ok(ply)
}

impl Notation<WithHistory> for WithHistory {
    fn help(&self) -> String {
        format!("{}, then the moves made since that position: `b1b3`", self.game.help())
    }

    fn state_text(&self, state: &HistoryState) -> String {
        let positions = state.positions();
        let mut text = self.game.state_text(positions[0]);
        for pair in positions.windows(2) {
            text += " ";
            text += &self.game.action_text(pair[0], action_between(pair[0], pair[1]));
        }
        text
    }

    fn parse_state(&self, text: &str) -> Result<HistoryState, NotationError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let has_ply = fields.get(2).is_some_and(|field| field.starts_with(|first: char| first.is_ascii_digit()));
        let (position, moves) = fields.split_at(fields.len().min(if has_ply { 3 } else { 2 }));
        let mut state = HistoryState::starting_with(self.game.parse_state(&position.join(" "))?);
        for text in moves {
            let action = self.parse_move(&state, text)?;
            self.apply(&mut state, action);
        }
        Ok(state)
    }

    fn view_text(&self, view: &HistoryState) -> String {
        self.state_text(view)
    }

    fn parse_view(&self, text: &str) -> Result<HistoryState, NotationError> {
        self.parse_state(text)
    }
}

impl WithHistory {
    fn parse_move(&self, state: &HistoryState, text: &str) -> Result<Action, NotationError> {
        if self.turn(state) == Turn::Over {
            return Err(NotationError::new(format!("`{}` comes after the end of the game", text.escape_debug())));
        }
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        let action = actions.into_iter().find(|&action| self.action_text(state, action) == text);
        action.ok_or_else(|| NotationError::new(format!("`{}` is not a legal move there", text.escape_debug())))
    }
}

/// What led from a position to the next without a capture.
fn action_between(before: &State, after: &State) -> Action {
    let mover = before.mover();
    let (here, there) = (before.pieces[mover], after.pieces[mover]);
    if here == there {
        return Action::Pass;
    }
    let square = |set: u64| set.trailing_zeros() as u8;
    Action::Move { from: square(here & !there), to: square(there & !here) }
}

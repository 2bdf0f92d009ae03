//! Positions of both games in one line: the rows of the star, the player to move, the number of
//! moves, and who has finished.

use meeple_core::{Game, MAX_PLAYERS, Notation, NotationError, Player};

use super::board::{Board, Fields};
use super::draw::{letter, owner};
use super::moves::Seat;
use super::star::{ChineseCheckers, State};
use super::tiny::{TinyChineseCheckers, TinyState};

const ROWS: &str = "the rows from the top divided by `/`, letters for the pieces of each seat and numbers for runs of \
                    empty fields; the seat to move; the moves so far";

impl Notation<ChineseCheckers> for ChineseCheckers {
    fn help(&self) -> String {
        let example = self.state_text(&self.initial_state());
        format!("{ROWS}; the seats that have finished in their order or `-`: `{example}`")
    }

    fn state_text(&self, state: &State) -> String {
        let mut finished: Vec<Player> = (0..MAX_PLAYERS).filter(|&player| state.places[player] > 0).collect();
        finished.sort_by_key(|&player| state.places[player]);
        let finished: String = finished.into_iter().map(letter).collect();
        let finished = if finished.is_empty() { "-" } else { &finished };
        let turn = letter(usize::from(state.to_move));
        format!("{} {turn} {} {finished}", rows_text(&self.board, &state.pieces), state.moves)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let parts = Parts::read(text, &self.board, &self.seats, self.rules.cap)?;
        let state = State {
            pieces: parts.pieces,
            moves: parts.moves,
            to_move: parts.to_move as u8,
            places: parse_places(parts.finish, self.rules.players)?,
        };
        self.check_places(&state)?;
        Ok(state)
    }

    fn view_text(&self, view: &State) -> String {
        self.state_text(view)
    }

    fn parse_view(&self, text: &str) -> Result<State, NotationError> {
        self.parse_state(text)
    }
}

impl ChineseCheckers {
    /// Places and turn fit the board.
    fn check_places(&self, state: &State) -> Result<(), NotationError> {
        for player in 0..self.rules.players {
            let seat = letter(player);
            let (placed, arrived) = (state.places[player] > 0, self.has_arrived(state, player));
            if arrived && !placed {
                return Err(NotationError::new(format!("{seat} has filled its target but is not among the finished")));
            }
            // With `anti_block` a foreign piece may have left the target since.
            if placed && !arrived && !self.rules.anti_block {
                return Err(NotationError::new(format!("{seat} is among the finished but its target is not filled")));
            }
        }
        // With `anti_block` one move may bring several to their targets.
        if state.finished() > self.enough() && !self.rules.anti_block {
            return Err(NotationError::new(format!("the game ends when {} have finished", self.enough())));
        }
        if state.finished() == 0 {
            check_turn(state.to_move, state.moves, self.rules.players)?;
        } else if !self.is_over(state) && state.places[usize::from(state.to_move)] > 0 {
            let seat = letter(usize::from(state.to_move));
            return Err(NotationError::new(format!("{seat} has finished and cannot be to move")));
        }
        Ok(())
    }
}

fn parse_places(text: &str, players: usize) -> Result<[u8; MAX_PLAYERS], NotationError> {
    let mut places = [0; MAX_PLAYERS];
    if text == "-" {
        return Ok(places);
    }
    for (symbol, place) in text.chars().zip(1..) {
        let player = parse_seat(symbol, players)?;
        if places[player] != 0 {
            return Err(NotationError::new(format!("{symbol} is among the finished twice")));
        }
        places[player] = place;
    }
    Ok(places)
}

impl Notation<TinyChineseCheckers> for TinyChineseCheckers {
    fn help(&self) -> String {
        let example = self.state_text(&self.initial_state());
        format!("{ROWS} of those who had not finished; the points of A, B and C: `{example}`")
    }

    fn state_text(&self, state: &TinyState) -> String {
        let [a, b, c] = state.scores;
        let turn = letter(usize::from(state.to_move));
        format!("{} {turn} {} {a}-{b}-{c}", rows_text(&self.board, &state.pieces), state.moves)
    }

    fn parse_state(&self, text: &str) -> Result<TinyState, NotationError> {
        let parts = Parts::read(text, &self.board, &self.seats, self.cap())?;
        let state = TinyState {
            pieces: [parts.pieces[0], parts.pieces[1], parts.pieces[2]],
            moves: parts.moves,
            to_move: parts.to_move as u8,
            scores: parse_scores(parts.finish)?,
        };
        self.check_scores(&state)?;
        Ok(state)
    }

    fn view_text(&self, view: &TinyState) -> String {
        self.state_text(view)
    }

    fn parse_view(&self, text: &str) -> Result<TinyState, NotationError> {
        self.parse_state(text)
    }
}

impl TinyChineseCheckers {
    /// Points and turn fit the board.
    fn check_scores(&self, state: &TinyState) -> Result<(), NotationError> {
        let first = state.scores.iter().position(|&score| score == 3);
        for player in 0..3 {
            let (target, seat) = (self.seats[player].target, letter(player));
            let own = state.pieces[player] == target;
            let full = target.is_within(state.occupied());
            let message = match state.scores[player] {
                0 if own => "has filled its target but has no points",
                0 if full && first.is_some() => "has a full target after somebody finished but has no points",
                1 if !full => "has a point but its target is not full",
                3 if !own => "has 3 points but its target is not filled with its own pieces",
                _ => continue,
            };
            return Err(NotationError::new(format!("{seat} {message}")));
        }
        if first.is_none() { check_turn(state.to_move, state.moves, 3) } else { Ok(()) }
    }
}

fn parse_scores(text: &str) -> Result<[u8; 3], NotationError> {
    let wrong = || NotationError::new(format!("points `{}` are not like `3-1-0`: 3 once before any 1", shown(text)));
    let scores: Vec<u8> = text.split('-').map(|score| score.parse().unwrap_or(u8::MAX)).collect();
    let scores: [u8; 3] = scores.try_into().map_err(|_| wrong())?;
    let count = |points: u8| scores.iter().filter(|&&score| score == points).count();
    let possible = count(0) + count(1) + count(3) == 3 && (count(3) == 1 || count(0) == 3);
    if possible { Ok(scores) } else { Err(wrong()) }
}

/// What both games write alike.
struct Parts<'a> {
    pieces: [Fields; MAX_PLAYERS],
    to_move: Player,
    moves: u16,
    finish: &'a str,
}

impl<'a> Parts<'a> {
    fn read(text: &'a str, board: &Board, seats: &[Seat], cap: u16) -> Result<Parts<'a>, NotationError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [rows, turn, moves, finish] = words[..] else {
            return Err(NotationError::new(format!("{} words instead of four: {ROWS}; who has finished", words.len())));
        };
        let pieces = parse_rows(board, rows, seats.len())?;
        check_pieces(board, &pieces, seats)?;
        let mut symbols = turn.chars();
        let (Some(symbol), None) = (symbols.next(), symbols.next()) else {
            return Err(NotationError::new(format!("the seat to move is one letter, not `{}`", shown(turn))));
        };
        let moves = moves.parse().ok().filter(|&moves| moves <= cap).ok_or_else(|| {
            NotationError::new(format!("`{}` moves: must be a whole number in 0..{cap}", shown(moves)))
        })?;
        let away: usize = seats.iter().zip(&pieces).map(|(seat, pieces)| pieces.without(seat.home).len()).sum();
        if away > usize::from(moves) {
            return Err(NotationError::new(format!(
                "{away} pieces have left their homes, but there were {moves} moves"
            )));
        }
        Ok(Parts { pieces, to_move: parse_seat(symbol, seats.len())?, moves, finish })
    }
}

fn rows_text(board: &Board, pieces: &[Fields]) -> String {
    let rows = board.rows().map(|row| {
        let mut text = String::new();
        for run in row.chunk_by(|&a, &b| owner(pieces, a).is_none() && owner(pieces, b).is_none()) {
            match owner(pieces, run[0]) {
                Some(player) => text.push(letter(player)),
                None => text += &run.len().to_string(),
            }
        }
        text
    });
    rows.collect::<Vec<_>>().join("/")
}

fn parse_rows(board: &Board, text: &str, players: usize) -> Result<[Fields; MAX_PLAYERS], NotationError> {
    let texts: Vec<&str> = text.split('/').collect();
    if texts.len() != board.width() {
        return Err(NotationError::new(format!("{} rows instead of {}", texts.len(), board.width())));
    }
    let mut pieces = [Fields::default(); MAX_PLAYERS];
    for (row, text) in board.rows().zip(texts) {
        let contents = parse_row(text, players)?;
        if contents.len() != row.len() {
            let message = format!("row `{}` does not describe {} fields", shown(text), row.len());
            return Err(NotationError::new(message));
        }
        for (&field, content) in row.iter().zip(contents) {
            if let Some(player) = content {
                pieces[player].toggle(field);
            }
        }
    }
    Ok(pieces)
}

/// What stands on each field of a row.
fn parse_row(text: &str, players: usize) -> Result<Vec<Option<Player>>, NotationError> {
    // Longer than any row, however large the number.
    const LONGEST: usize = 20;
    let mut contents = Vec::new();
    let mut run = 0;
    for symbol in text.chars() {
        match symbol.to_digit(10) {
            Some(digit) => run = LONGEST.min(10 * run + digit as usize),
            None => {
                contents.resize(contents.len() + run, None);
                contents.push(Some(parse_seat(symbol, players)?));
                run = 0;
            }
        }
    }
    contents.resize(contents.len() + run, None);
    Ok(contents)
}

fn parse_seat(symbol: char, players: usize) -> Result<Player, NotationError> {
    (0..players).find(|&player| letter(player) == symbol).ok_or_else(|| {
        NotationError::new(format!("`{}` is no seat: there are A to {}", symbol.escape_default(), letter(players - 1)))
    })
}

fn check_pieces(board: &Board, pieces: &[Fields; MAX_PLAYERS], seats: &[Seat]) -> Result<(), NotationError> {
    for (player, seat) in seats.iter().enumerate() {
        let (found, expected) = (pieces[player].len(), seat.home.len());
        if found != expected {
            return Err(NotationError::new(format!("{found} pieces of {} instead of {expected}", letter(player))));
        }
        if let Some(field) = pieces[player].without(seat.stop).iter().next() {
            let message = format!("{} cannot have a piece on {}", letter(player), board.name(field));
            return Err(NotationError::new(message));
        }
    }
    Ok(())
}

/// Until somebody finishes the moves go round the table.
fn check_turn(to_move: u8, moves: u16, players: usize) -> Result<(), NotationError> {
    let expected = usize::from(moves) % players;
    if usize::from(to_move) == expected {
        return Ok(());
    }
    Err(NotationError::new(format!("after {moves} moves {} is to move", letter(expected))))
}

/// The beginning of a text, for messages.
fn shown(text: &str) -> String {
    text.chars().take(30).collect()
}

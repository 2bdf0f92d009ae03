//! The usual game on stars of every size, for two, three, four or six players.

use meeple_core::game::Named;
use meeple_core::rng::mix;
use meeple_core::{
    Encoder, Fact, Game, GameInfo, Information, Known, MAX_PLAYERS, Notation, Outcome, PayoffSum, Payoffs, Player, Rng,
    Scenery, Script, Symmetries, Turn,
};

use super::board::{Board, Field, Fields, key};
use super::draw::{draw, letter};
use super::encoder::{Numbering, StarPlanes};
use super::facts;
use super::moves::{Move, Mover, Seat};
use super::script::{self, Race};

/// When the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// When all but one have finished.
    Places,
    /// When one has finished; the others share the places behind.
    First,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChineseCheckersRules {
    /// Rows of a tip, 1 to 4: stars of 13, 37, 73 and 121 fields.
    pub size: usize,
    /// 2, 3, 4 or 6.
    pub players: usize,
    /// Tips that are neither home nor target may be jumped through but not stopped in.
    pub forbid_foreign_tips: bool,
    /// A target that is full, with at least one own piece in it, counts as reached. Prevents
    /// blocking, and allows odd early finishes.
    pub anti_block: bool,
    pub end: End,
    /// After this many moves of all players together those who have not finished share the places
    /// that are left: a draw if nobody has.
    pub cap: u16,
}

impl Default for ChineseCheckersRules {
    fn default() -> ChineseCheckersRules {
        ChineseCheckersRules {
            size: 4,
            players: 3,
            forbid_foreign_tips: false,
            anti_block: false,
            end: End::Places,
            cap: 1000,
        }
    }
}

/// See [`ChineseCheckersRules`].
#[derive(Clone, Debug)]
pub struct ChineseCheckers {
    pub(super) rules: ChineseCheckersRules,
    pub(super) board: Board,
    pub(super) seats: Vec<Seat>,
    pub(super) numbering: Numbering,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) pieces: [Fields; MAX_PLAYERS],
    pub(super) moves: u16,
    pub(super) to_move: u8,
    /// From 1; 0 for who has not finished.
    pub(super) places: [u8; MAX_PLAYERS],
}

impl State {
    pub(super) fn finished(&self) -> usize {
        self.places.iter().filter(|&&place| place != 0).count()
    }

    #[inline]
    pub(super) fn occupied(&self) -> Fields {
        self.pieces.iter().fold(Fields::default(), |all, &pieces| all.union(pieces))
    }
}

impl ChineseCheckers {
    /// Panics unless there are 2, 3, 4 or 6 players and a size of 1 to 4.
    pub fn new(rules: ChineseCheckersRules) -> ChineseCheckers {
        let board = Board::new(rules.size);
        let tips: &[usize] = match rules.players {
            2 => &[0, 3],
            3 => &[0, 2, 4],
            4 => &[0, 1, 3, 4],
            6 => &[0, 1, 2, 3, 4, 5],
            other => panic!("{other} players: a star has seats for 2, 3, 4 or 6"),
        };
        let seat = |&tip: &usize| {
            let open = board.hexagon().union(board.tip(tip, 0)).union(board.tip(tip + 3, 0));
            let stop = if rules.forbid_foreign_tips { open } else { board.all() };
            Seat::new(&board, tip, 0, board.all(), stop)
        };
        let seats = tips.iter().map(seat).collect();
        let numbering = Numbering::new(&board, board.all());
        ChineseCheckers { rules, board, seats, numbering }
    }

    fn mover(&self, state: &State) -> Mover<'_> {
        let player = usize::from(state.to_move);
        Mover { seat: &self.seats[player], own: state.pieces[player], occupied: state.occupied() }
    }

    pub(super) fn has_arrived(&self, state: &State, player: Player) -> bool {
        let target = self.seats[player].target;
        let own = state.pieces[player];
        own == target || (self.rules.anti_block && own.intersects(target) && target.is_within(state.occupied()))
    }

    #[inline]
    pub(super) fn is_over(&self, state: &State) -> bool {
        state.moves >= self.rules.cap || state.finished() >= self.enough()
    }

    /// So many finished players end the game.
    #[inline]
    pub(super) fn enough(&self) -> usize {
        if self.rules.end == End::First { 1 } else { self.rules.players - 1 }
    }

    /// Gives places to those who have just arrived: the mover first, then in order of play.
    #[inline]
    fn give_places(&self, state: &mut State) {
        let candidates = if self.rules.anti_block { self.rules.players } else { 1 };
        for offset in 0..candidates {
            let player = (usize::from(state.to_move) + offset) % self.rules.players;
            if state.places[player] == 0 && self.has_arrived(state, player) {
                state.places[player] = state.finished() as u8 + 1;
            }
        }
    }

    /// The next player who has not finished; the same one if nobody is left.
    #[inline]
    fn next_player(&self, state: &State) -> u8 {
        let mut player = state.to_move;
        for _ in 0..self.rules.players {
            player = if usize::from(player) + 1 == self.rules.players { 0 } else { player + 1 };
            if state.places[usize::from(player)] == 0 {
                break;
            }
        }
        player
    }
}

impl Game for ChineseCheckers {
    type State = State;
    type Action = Move;
    type View = State;
    type Worlds = Known<State>;

    fn info(&self) -> GameInfo {
        GameInfo {
            name: "chinese-checkers",
            version: 1,
            players: self.rules.players,
            teams: self.rules.players,
            longest_game: usize::from(self.rules.cap),
            payoff_sum: PayoffSum::Constant(0.0),
            information: Information::Perfect,
            chance: false,
        }
    }

    fn initial_state(&self) -> State {
        let mut pieces = [Fields::default(); MAX_PLAYERS];
        for (player, seat) in self.seats.iter().enumerate() {
            pieces[player] = seat.home;
        }
        State { pieces, moves: 0, to_move: 0, places: [0; MAX_PLAYERS] }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if self.is_over(state) { Turn::Over } else { Turn::Player(usize::from(state.to_move)) }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        self.mover(state).moves(out);
        if out.is_empty() {
            out.push(Move::PASS);
        }
    }

    fn apply(&self, state: &mut State, action: Move) {
        if action != Move::PASS {
            let own = &mut state.pieces[usize::from(state.to_move)];
            own.toggle(action.from);
            own.toggle(action.to);
        }
        state.moves += 1;
        self.give_places(state);
        state.to_move = self.next_player(state);
    }

    /// Places are spread evenly over [-1, 1]; the mean of the rest for each who has not finished.
    fn payoffs(&self, state: &State) -> Payoffs {
        let others = (self.rules.players - 1) as f32;
        let rest = -(state.finished() as f32) / others;
        let payoff = |place: u8| if place == 0 { rest } else { 1.0 - 2.0 * f32::from(place - 1) / others };
        let mut payoffs = Payoffs::default();
        for player in 0..self.rules.players {
            payoffs[player] = payoff(state.places[player]);
        }
        payoffs
    }

    fn payoffs_so_far(&self, state: &State) -> Option<Payoffs> {
        let mut payoffs = self.payoffs(state);
        let players = payoffs.iter_mut().zip(state.places).take(self.rules.players);
        players.filter(|&(_, place)| place == 0).for_each(|(payoff, _)| *payoff = -1.0);
        Some(payoffs)
    }

    /// Scores are places; the mean of the rest for each who has not finished.
    fn outcome(&self, state: &State) -> Outcome {
        let finished = state.finished();
        let rest = (finished + 1 + self.rules.players) as f32 / 2.0;
        let mut scores = [0.0; MAX_PLAYERS];
        for player in 0..self.rules.players {
            scores[player] = if state.places[player] == 0 { rest } else { f32::from(state.places[player]) };
        }
        let enough = self.is_over(&State { moves: 0, ..*state });
        Outcome { payoffs: self.payoffs(state), scores, reason: if enough { "finished" } else { "move limit" } }
    }

    fn view(&self, state: &State, _: Option<Player>) -> State {
        *state
    }

    fn worlds(&self, view: &State) -> Known<State> {
        Known(*view)
    }

    fn view_key(&self, state: &State, _: Option<Player>) -> u64 {
        let places = state.places.iter().fold(0, |all, &place| all << 8 | u64::from(place));
        key(&state.pieces[..self.rules.players], mix(places) ^ u64::from(state.moves) << 8 ^ u64::from(state.to_move))
    }

    fn position_key(&self, state: &State) -> u64 {
        self.view_key(&State { moves: 0, ..*state }, None)
    }

    fn action_code(&self, action: Move) -> u32 {
        action.code()
    }

    fn action_from_code(&self, code: u32) -> Move {
        Move::from_code(code)
    }

    fn action_text(&self, _: &State, action: Move) -> String {
        action.text(&self.board)
    }

    fn render(&self, view: &State) -> String {
        draw(&self.board, &view.pieces) + &self.situation(view)
    }

    fn random_action(&self, state: &State, buffer: &mut Vec<Move>, rng: &mut Rng) -> Move {
        self.mover(state).random(rng).unwrap_or_else(|| {
            self.legal_actions(state, buffer);
            *rng.choose(buffer)
        })
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(StarPlanes::new(self))]
    }

    /// Only two players sit so that a mirror keeps both homes.
    fn symmetries(&self) -> Option<&dyn Symmetries<Self>> {
        (self.rules.players == 2).then_some(self as &dyn Symmetries<Self>)
    }

    fn board(&self) -> Option<&dyn meeple_core::Board<Self>> {
        Some(self)
    }

    fn facts(&self) -> Vec<Fact> {
        facts::of_star(self)
    }

    fn scripts(&self) -> Vec<Named<dyn Script<Self>>> {
        script::all()
    }
}

impl Race for ChineseCheckers {
    fn progress(&self, view: &State, action: Move) -> i8 {
        script::rows_up(&self.board, &self.seats[usize::from(view.to_move)], action)
    }
}

impl ChineseCheckers {
    /// Whose turn it is and who has finished, in a line.
    fn situation(&self, state: &State) -> String {
        let mut text = format!("move {} of {}", state.moves, self.rules.cap);
        for place in 1..=state.finished() as u8 {
            let player = state.places.iter().position(|&given| given == place);
            text += &player.map_or(String::new(), |player| format!(", {} is number {place}", letter(player)));
        }
        match self.turn(state) {
            Turn::Player(player) => format!("{} to move, {text}", letter(player)),
            _ => format!("game over, {text}"),
        }
    }

    fn mirror(&self, field: Field) -> Field {
        self.board.field(self.board.point(field).mirrored()).expect("the star is symmetric")
    }
}

/// Number 1 exchanges left and right.
impl Symmetries<ChineseCheckers> for ChineseCheckers {
    fn count(&self) -> usize {
        2
    }

    fn state(&self, symmetry: usize, state: &State) -> State {
        if symmetry == 0 {
            return *state;
        }
        let pieces = state.pieces.map(|pieces| pieces.iter().map(|field| self.mirror(field)).collect());
        State { pieces, ..*state }
    }

    fn view(&self, symmetry: usize, view: &State) -> State {
        Symmetries::state(self, symmetry, view)
    }

    fn action(&self, symmetry: usize, _: &State, action: Move) -> Move {
        if symmetry == 0 || action == Move::PASS {
            return action;
        }
        Move { from: self.mirror(action.from), to: self.mirror(action.to) }
    }
}

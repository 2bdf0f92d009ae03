//! Two tiny games for what the real ones lack: teams and margins, and lines of play without end.

use meeple_core::{
    Game, GameInfo, Heuristic, Known, MAX_PLAYERS, Margins, Outcome, Payoffs, Player, Team, Turn, zero_sum,
};

/// Coins in a row: each player takes one from either end for the team.
#[derive(Clone, Debug)]
pub(crate) struct Coins {
    pub(crate) coins: Vec<i16>,
    pub(crate) players: usize,
    /// Whether partners move one after the other, not in turn with the others.
    pub(crate) partners_adjacent: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CoinState {
    left: usize,
    right: usize,
    /// Of the first team over the second.
    lead: i16,
}

impl Game for Coins {
    type State = CoinState;
    type Action = bool;
    type View = CoinState;
    type Worlds = Known<CoinState>;

    fn info(&self) -> GameInfo {
        GameInfo { players: self.players, ..GameInfo::two_player("coins", self.coins.len()) }
    }

    fn initial_state(&self) -> CoinState {
        CoinState { left: 0, right: self.coins.len(), lead: 0 }
    }

    fn turn(&self, state: &CoinState) -> Turn {
        let taken = self.coins.len() - (state.right - state.left);
        if state.left == state.right { Turn::Over } else { Turn::Player(taken % self.players) }
    }

    fn legal_actions(&self, state: &CoinState, out: &mut Vec<bool>) {
        out.clear();
        out.push(false);
        if state.right - state.left > 1 {
            out.push(true);
        }
    }

    fn apply(&self, state: &mut CoinState, from_right: bool) {
        let Turn::Player(player) = self.turn(state) else { panic!("the game is over") };
        let coin = self.coins[if from_right { state.right - 1 } else { state.left }];
        state.lead += if self.team(player) == 0 { coin } else { -coin };
        state.left += usize::from(!from_right);
        state.right -= usize::from(from_right);
    }

    fn payoffs(&self, state: &CoinState) -> Payoffs {
        by_team(self, f32::from(state.lead.signum()))
    }

    fn outcome(&self, state: &CoinState) -> Outcome {
        Outcome { payoffs: self.payoffs(state), scores: by_team(self, state.lead.into()), reason: "no coins" }
    }

    fn team(&self, player: Player) -> Team {
        if self.partners_adjacent { player / 2 } else { player % 2 }
    }

    fn view(&self, state: &CoinState, _: Option<Player>) -> CoinState {
        *state
    }

    fn worlds(&self, view: &CoinState) -> Known<CoinState> {
        Known(*view)
    }

    fn action_code(&self, from_right: bool) -> u32 {
        from_right.into()
    }

    fn action_from_code(&self, code: u32) -> bool {
        code == 1
    }

    fn action_text(&self, _: &CoinState, from_right: bool) -> String {
        from_right.to_string()
    }

    fn render(&self, view: &CoinState) -> String {
        format!("{view:?}")
    }

    fn margins(&self) -> Option<&dyn Margins<Self>> {
        Some(self)
    }
}

impl Margins<Coins> for Coins {
    fn difference(&self, _: &Coins, state: &CoinState) -> Payoffs {
        by_team(self, state.lead.into())
    }

    fn largest(&self, _: &Coins) -> f32 {
        self.coins.iter().sum::<i16>().into()
    }

    fn steps(&self, game: &Coins, state: &CoinState) -> Payoffs {
        self.difference(game, state)
    }
}

fn by_team(game: &Coins, first: f32) -> Payoffs {
    let mut payoffs = [0.0; MAX_PLAYERS];
    for player in 0..game.players {
        payoffs[player] = if game.team(player) == 0 { first } else { -first };
    }
    payoffs
}

/// One token on a path that either player moves by one step; it may go to and fro for ever. The
/// first player wins at the upper end, the second at the lower.
#[derive(Clone, Debug)]
pub(crate) struct TugOfWar;

pub(crate) const PATH: i8 = 7;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Token {
    pub(crate) place: i8,
    pub(crate) mover: Player,
}

impl Game for TugOfWar {
    type State = Token;
    type Action = bool;
    type View = Token;
    type Worlds = Known<Token>;

    fn info(&self) -> GameInfo {
        GameInfo::two_player("tug-of-war", usize::MAX)
    }

    fn initial_state(&self) -> Token {
        Token { place: PATH / 2, mover: 0 }
    }

    fn turn(&self, state: &Token) -> Turn {
        if (1..PATH).contains(&state.place) { Turn::Player(state.mover) } else { Turn::Over }
    }

    fn legal_actions(&self, _: &Token, out: &mut Vec<bool>) {
        out.clear();
        out.extend([false, true]);
    }

    fn apply(&self, state: &mut Token, up: bool) {
        *state = Token { place: state.place + if up { 1 } else { -1 }, mover: 1 - state.mover };
    }

    fn payoffs(&self, state: &Token) -> Payoffs {
        zero_sum(if state.place == PATH { 1.0 } else { -1.0 })
    }

    fn outcome(&self, state: &Token) -> Outcome {
        Outcome { payoffs: self.payoffs(state), scores: self.payoffs(state), reason: "end of the path" }
    }

    fn view(&self, state: &Token, _: Option<Player>) -> Token {
        *state
    }

    fn worlds(&self, view: &Token) -> Known<Token> {
        Known(*view)
    }

    fn action_code(&self, up: bool) -> u32 {
        up.into()
    }

    fn action_from_code(&self, code: u32) -> bool {
        code == 1
    }

    fn action_text(&self, _: &Token, up: bool) -> String {
        up.to_string()
    }

    fn render(&self, view: &Token) -> String {
        format!("{view:?}")
    }
}

/// Knows nothing, but has an opinion on every position.
#[derive(Clone, Debug)]
pub(crate) struct Opinion;

impl<G: Game> Heuristic<G> for Opinion {
    fn value(&self, game: &G, state: &G::State, player: Player) -> f32 {
        let value = meeple_core::rng::mix(game.view_key(state, None)) as u8 as f32 / 160.0 - 0.8;
        if game.team(player) == 0 { value } else { -value }
    }
}

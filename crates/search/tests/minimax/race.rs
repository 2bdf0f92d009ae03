//! A race with dice or without, for any number of players, with teams and with second turns: a
//! game for tests of what the twelve games do not have.

use meeple_core::{
    Game, GameInfo, Heuristic, Information, Known, MAX_PLAYERS, Outcome, PayoffSum, Payoffs, Player, Team, Turn,
};

/// Where a runner is home.
const HOME: u8 = 5;
/// A draw after so many steps.
const LONGEST: u8 = 40;

/// Two runners each. Whoever lands on runners of another team sends them back; a step of 3 gives
/// another turn; the team of whoever has both runners home first wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    pub(crate) players: usize,
    pub(crate) partners: bool,
    /// Whether a die says how far to go, or the player.
    pub(crate) die: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    runners: [[u8; 2]; 4],
    mover: Player,
    steps: u8,
    /// 0 before the roll.
    roll: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Roll(u8),
    Step { runner: u8, by: u8 },
}

impl Race {
    fn winner(&self, state: &State) -> Option<Team> {
        (0..self.players).find(|&player| state.runners[player] == [HOME; 2]).map(|player| self.team(player))
    }

    fn progress(&self, state: &State, counts: impl Fn(Player) -> bool) -> f32 {
        let players: Vec<Player> = (0..self.players).filter(|&player| counts(player)).collect();
        let sum: u8 = players.iter().flat_map(|&player| state.runners[player]).sum();
        f32::from(sum) / players.len() as f32
    }
}

impl Game for Race {
    type State = State;
    type Action = Action;
    type View = State;
    type Worlds = Known<State>;

    fn info(&self) -> GameInfo {
        GameInfo {
            name: "race",
            version: 1,
            players: self.players,
            teams: if self.partners { 2 } else { self.players },
            longest_game: 2 * usize::from(LONGEST),
            payoff_sum: PayoffSum::Constant(0.0),
            information: Information::Perfect,
            chance: self.die,
        }
    }

    fn team(&self, player: Player) -> Team {
        if self.partners { player % 2 } else { player }
    }

    fn initial_state(&self) -> State {
        State { runners: [[0; 2]; 4], mover: 0, steps: 0, roll: 0 }
    }

    fn turn(&self, state: &State) -> Turn {
        if self.winner(state).is_some() || state.steps == LONGEST {
            Turn::Over
        } else if self.die && state.roll == 0 {
            Turn::Chance
        } else {
            Turn::Player(state.mover)
        }
    }

    fn chance_outcomes(&self, _: &State, out: &mut Vec<(Action, u32)>) {
        out.clear();
        out.extend([(Action::Roll(1), 3), (Action::Roll(2), 2), (Action::Roll(3), 1)]);
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        for runner in 0..2 {
            if state.runners[state.mover][usize::from(runner)] < HOME {
                let steps = if self.die { state.roll..=state.roll } else { 1..=3 };
                out.extend(steps.map(|by| Action::Step { runner, by }));
            }
        }
    }

    fn apply(&self, state: &mut State, action: Action) {
        let (runner, by) = match action {
            Action::Roll(roll) => {
                state.roll = roll;
                return;
            }
            Action::Step { runner, by } => (usize::from(runner), by),
        };
        let mover = state.mover;
        let target = (state.runners[mover][runner] + by).min(HOME);
        state.runners[mover][runner] = target;
        for other in (0..self.players).filter(|&other| self.team(other) != self.team(mover)) {
            for place in &mut state.runners[other] {
                if *place == target && target < HOME {
                    *place = 0;
                }
            }
        }
        state.steps += 1;
        state.roll = 0;
        if by < 3 {
            state.mover = (mover + 1) % self.players;
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if let Some(winner) = self.winner(state) {
            let winners = (0..self.players).filter(|&player| self.team(player) == winner).count();
            let loss = -(winners as f32) / (self.players - winners) as f32;
            for player in 0..self.players {
                payoffs[player] = if self.team(player) == winner { 1.0 } else { loss };
            }
        }
        payoffs
    }

    fn outcome(&self, state: &State) -> Outcome {
        let payoffs = self.payoffs(state);
        Outcome { payoffs, scores: payoffs, reason: "home" }
    }

    fn view(&self, state: &State, _: Option<Player>) -> State {
        state.clone()
    }

    fn worlds(&self, view: &State) -> Known<State> {
        Known(view.clone())
    }

    fn action_code(&self, action: Action) -> u32 {
        match action {
            Action::Roll(roll) => u32::from(roll),
            Action::Step { runner, by } => 8 + 8 * u32::from(runner) + u32::from(by),
        }
    }

    fn action_from_code(&self, code: u32) -> Action {
        match code / 8 {
            0 => Action::Roll(code as u8),
            runner => Action::Step { runner: runner as u8 - 1, by: code as u8 % 8 },
        }
    }

    fn action_text(&self, _: &State, action: Action) -> String {
        format!("{action:?}")
    }

    fn render(&self, view: &State) -> String {
        format!("{view:?}")
    }
}

/// Own progress against the mean of the others'.
pub(crate) struct Ahead;

impl Heuristic<Race> for Ahead {
    fn value(&self, game: &Race, state: &State, player: Player) -> f32 {
        let own = |other: Player| game.team(other) == game.team(player);
        (game.progress(state, own) - game.progress(state, |other| !own(other))) / f32::from(2 * HOME)
    }
}

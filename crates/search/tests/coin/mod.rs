//! The coin of thesis 002, figure 2.6 (a): one player may guess how a coin fell that he has not
//! seen, for 1 or -1, or take a safe payoff.

use meeple_core::{Game, GameInfo, Information, Outcome, PayoffSum, Payoffs, Player, Rng, Turn, Worlds};

pub(crate) const SAFE: u8 = 2;
pub(crate) const GUESS: u8 = 3;

#[derive(Debug)]
pub(crate) struct Coin {
    pub(crate) safe: f32,
}

/// The side of the coin, 0 or 1, and what the player did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct State {
    side: Option<u8>,
    done: [Option<u8>; 2],
}

pub(crate) struct Sides(State);

impl Worlds for Sides {
    type State = State;

    fn sample_into(&self, state: &mut State, rng: &mut Rng) {
        *state = State { side: Some(rng.below(2) as u8), ..self.0 };
    }

    fn count(&self) -> f64 {
        2.0
    }

    fn enumerate(&self, limit: usize) -> Option<Vec<(State, u64)>> {
        let worlds = [0, 1].map(|side| (State { side: Some(side), ..self.0 }, 1));
        (limit >= 2).then(|| worlds.to_vec())
    }
}

impl Game for Coin {
    type State = State;
    type Action = u8;
    type View = State;
    type Worlds = Sides;

    fn info(&self) -> GameInfo {
        GameInfo {
            players: 1,
            teams: 1,
            payoff_sum: PayoffSum::General,
            information: Information::Hidden,
            chance: true,
            ..GameInfo::two_player("coin", 3)
        }
    }

    fn initial_state(&self) -> State {
        State::default()
    }

    fn turn(&self, state: &State) -> Turn {
        match (state.side, state.done) {
            (None, _) => Turn::Chance,
            (_, [Some(SAFE), _] | [_, Some(_)]) => Turn::Over,
            _ => Turn::Player(0),
        }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<u8>) {
        *out = if state.done[0].is_none() { vec![GUESS, SAFE] } else { vec![0, 1] };
    }

    fn apply(&self, state: &mut State, action: u8) {
        match state {
            State { side: None, .. } => state.side = Some(action),
            State { done: [None, _], .. } => state.done[0] = Some(action),
            _ => state.done[1] = Some(action),
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let payoff = match state.done[1] {
            None => self.safe,
            guess if guess == state.side => 1.0,
            _ => -1.0,
        };
        [payoff, 0.0, 0.0, 0.0, 0.0, 0.0]
    }

    fn outcome(&self, state: &State) -> Outcome {
        let payoffs = self.payoffs(state);
        Outcome { payoffs, scores: payoffs, reason: "over" }
    }

    fn chance_outcomes(&self, _: &State, out: &mut Vec<(u8, u32)>) {
        *out = vec![(0, 1), (1, 1)];
    }

    fn view(&self, state: &State, _: Option<Player>) -> State {
        State { side: None, ..*state }
    }

    fn worlds(&self, view: &State) -> Sides {
        Sides(*view)
    }

    fn action_code(&self, action: u8) -> u32 {
        u32::from(action)
    }

    fn action_from_code(&self, code: u32) -> u8 {
        code as u8
    }

    fn action_text(&self, _: &State, action: u8) -> String {
        ["heads", "tails", "safe", "guess"][usize::from(action)].to_string()
    }

    fn render(&self, view: &State) -> String {
        format!("{view:?}")
    }
}

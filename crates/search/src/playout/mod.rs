//! How a game is played from a leaf of the tree to its end, or to where a guess is good enough
//! (thesis 001, sections 3.3.2 and 3.3.4; thesis 002, section 5.4).

mod ngrams;
mod pick;
mod replies;

use std::fmt;
use std::sync::Arc;

use meeple_core::{Game, Heuristic, MAX_PLAYERS, Payoffs, Player, Rng, Turn, playout};

use crate::Reward;
use ngrams::Ngrams;
pub use ngrams::Policy;
use replies::Replies;

/// What a playout does.
pub struct Playout<G: Game> {
    pub moves: Moves,
    pub stop: Stop,
    /// For greedy moves and for stopping early.
    pub heuristic: Option<Arc<dyn Heuristic<G>>>,
}

/// Which actions a playout prefers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moves {
    /// Uniform over the legal actions.
    Random,
    /// By the mean rewards of sequences of 1..=8 actions.
    Ngrams { length: usize, policy: Policy },
    /// The last good reply to one action, or to two; else uniform.
    Replies { length: usize },
    /// With this probability uniform, else the action after which the heuristic is highest.
    Greedy { epsilon: f64 },
}

/// When a playout ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// With the game.
    Over,
    /// After so many moves; the heuristic tells the payoffs.
    Depth(u32),
    /// As soon as the heuristic gives a player this much, which counts as a win; it is asked after
    /// every so many moves.
    Lead { every: u32, threshold: f32 },
}

impl<G: Game> Playout<G> {
    pub fn random() -> Playout<G> {
        Playout::of(Moves::Random)
    }

    /// To the end of the game, by moves that need no heuristic.
    pub fn of(moves: Moves) -> Playout<G> {
        Playout { moves, stop: Stop::Over, heuristic: None }
    }

    /// Whether there is nothing to do without a heuristic.
    pub fn needs_heuristic(&self) -> bool {
        self.stop != Stop::Over || matches!(self.moves, Moves::Greedy { .. })
    }

    fn heuristic(&self) -> &dyn Heuristic<G> {
        self.heuristic.as_deref().expect("such a playout is only made with a heuristic")
    }
}

impl<G: Game> Clone for Playout<G> {
    fn clone(&self) -> Playout<G> {
        Playout { heuristic: self.heuristic.clone(), ..*self }
    }
}

impl<G: Game> fmt::Debug for Playout<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Playout").field("moves", &self.moves).field("stop", &self.stop).finish_non_exhaustive()
    }
}

/// What a playout came to, for every seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth {
    pub(crate) payoffs: Payoffs,
    pub(crate) rewards: Payoffs,
}

impl Worth {
    pub(crate) fn scaled(mut self, factor: f32) -> Worth {
        [&mut self.payoffs, &mut self.rewards].into_iter().flatten().for_each(|number| *number *= factor);
        self
    }

    pub(crate) fn add(&mut self, other: &Worth) {
        self.payoffs.iter_mut().zip(&other.payoffs).for_each(|(sum, more)| *sum += more);
        self.rewards.iter_mut().zip(&other.rewards).for_each(|(sum, more)| *sum += more);
    }
}

/// Plays, and keeps what one playout of a search learns for the next.
#[derive(Debug)]
pub(crate) struct Playouts<G: Game> {
    settings: Playout<G>,
    reward: Reward,
    memory: Memory,
    /// All decisions since the root: who, and what. Kept if `remembers`.
    history: Vec<(Player, u32)>,
    remembers: bool,
    /// Of the action tried, scratch space.
    next: Option<G::State>,
    /// Of the actions at hand, scratch space.
    values: Vec<f64>,
}

#[derive(Debug)]
enum Memory {
    Nothing,
    Ngrams(Ngrams),
    Replies(Replies),
}

impl<G: Game> Playouts<G> {
    pub(crate) fn new(game: &G, settings: Playout<G>, reward: Reward) -> Playouts<G> {
        let range = reward.range(game);
        let memory = match settings.moves {
            Moves::Random | Moves::Greedy { .. } => Memory::Nothing,
            Moves::Ngrams { length, policy } => Memory::Ngrams(Ngrams::new(length, policy, range)),
            Moves::Replies { length } => Memory::Replies(Replies::new(length, range)),
        };
        let remembers = !matches!(memory, Memory::Nothing);
        Playouts { settings, reward, memory, history: Vec::new(), remembers, next: None, values: Vec::new() }
    }

    /// Forgets what was learned in the search before.
    pub(crate) fn new_search(&mut self) {
        match &mut self.memory {
            Memory::Nothing => {}
            Memory::Ngrams(ngrams) => ngrams.new_search(),
            Memory::Replies(replies) => replies.new_search(),
        }
    }

    /// Keeps the decisions of every game for [`Playouts::history`], whatever the moves.
    pub(crate) fn remember(&mut self) {
        self.remembers = true;
    }

    /// All decisions of the game since the root: who, and what.
    pub(crate) fn history(&self) -> &[(Player, u32)] {
        &self.history
    }

    pub(crate) fn new_iteration(&mut self) {
        self.history.clear();
    }

    /// Notes an action taken in the tree, or in a playout.
    #[inline]
    pub(crate) fn record(&mut self, player: Player, code: u32) {
        if self.remembers {
            self.history.push((player, code));
        }
    }

    /// Plays on from a state and learns from what comes of it.
    #[inline]
    pub(crate) fn play(
        &mut self,
        game: &G,
        state: &mut G::State,
        actions: &mut Vec<G::Action>,
        rng: &mut Rng,
    ) -> Worth {
        let plain = self.settings.moves == Moves::Random && self.settings.stop == Stop::Over;
        let guess = if plain && !self.remembers {
            playout::finish(game, state, actions, rng);
            None
        } else {
            self.advance(game, state, actions, rng)
        };
        let worth = self.worth(game, state, guess);
        match &mut self.memory {
            Memory::Nothing => {}
            Memory::Ngrams(ngrams) => ngrams.learn(&self.history, &worth.rewards),
            Memory::Replies(replies) => replies.learn(&self.history, &worth.rewards),
        }
        worth
    }

    #[inline]
    fn worth(&self, game: &G, state: &G::State, guess: Option<Payoffs>) -> Worth {
        match guess {
            Some(payoffs) => Worth { payoffs, rewards: self.reward.of_payoffs(game, &payoffs) },
            None => {
                let payoffs = game.payoffs(state);
                Worth { payoffs, rewards: self.reward.at_end(game, state, &payoffs) }
            }
        }
    }

    /// Plays to the end, or to where the payoffs are guessed.
    fn advance(
        &mut self,
        game: &G,
        state: &mut G::State,
        actions: &mut Vec<G::Action>,
        rng: &mut Rng,
    ) -> Option<Payoffs> {
        let mut moves = 0;
        loop {
            match game.turn(state) {
                Turn::Over => return None,
                Turn::Chance => game.play_chance(state, rng),
                Turn::Player(player) => {
                    if let Some(guess) = self.guess(game, state, moves) {
                        return Some(guess);
                    }
                    let action = self.choose(game, state, player, actions, rng);
                    self.record(player, game.action_code(action));
                    game.apply(state, action);
                    moves += 1;
                }
            }
        }
    }

    /// The payoffs, if this is where the playout stops.
    fn guess(&self, game: &G, state: &G::State, moves: u32) -> Option<Payoffs> {
        match self.settings.stop {
            Stop::Over => None,
            Stop::Depth(most) => (moves >= most).then(|| self.expected(game, state)),
            Stop::Lead { every, threshold } => {
                let asked = moves > 0 && moves.is_multiple_of(every);
                asked.then(|| self.expected(game, state)).and_then(|expected| decided(game, &expected, threshold))
            }
        }
    }

    fn expected(&self, game: &G, state: &G::State) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        for player in 0..game.info().players {
            payoffs[player] = self.settings.heuristic().value(game, state, player);
        }
        payoffs
    }

    fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        actions: &mut Vec<G::Action>,
        rng: &mut Rng,
    ) -> G::Action {
        match self.settings.moves {
            Moves::Random => return game.random_action(state, actions, rng),
            Moves::Greedy { epsilon } if rng.unit() < epsilon => return game.random_action(state, actions, rng),
            _ => game.legal_actions(state, actions),
        }
        self.prefer(game, state, player, actions, rng)
    }

    /// Whether some actions are preferred to others.
    pub(crate) fn has_preferences(&self) -> bool {
        self.settings.moves != Moves::Random
    }

    /// The preferred one of several legal actions.
    pub(crate) fn prefer(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        actions: &[G::Action],
        rng: &mut Rng,
    ) -> G::Action {
        if actions.len() == 1 {
            return actions[0];
        }
        match &mut self.memory {
            Memory::Nothing => self.greediest(game, state, player, actions, rng),
            Memory::Ngrams(ngrams) => {
                let codes = actions.iter().map(|&action| game.action_code(action));
                actions[ngrams.choose(&self.history, player, codes, rng)]
            }
            Memory::Replies(replies) => {
                let with_code = |code| actions.iter().find(|&&action| game.action_code(action) == code);
                let known = replies.to(&self.history, player).find_map(with_code);
                *known.unwrap_or_else(|| rng.choose(actions))
            }
        }
    }

    /// The action after which the heuristic is highest; any of equals.
    fn greediest(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        actions: &[G::Action],
        rng: &mut Rng,
    ) -> G::Action {
        self.values.clear();
        let next = self.next.get_or_insert_with(|| state.clone());
        for &action in actions {
            next.clone_from(state);
            game.apply(next, action);
            let value = match game.turn(next) {
                Turn::Over => game.payoffs(next)[player],
                _ => self.settings.heuristic().value(game, next, player),
            };
            self.values.push(f64::from(value));
        }
        actions[pick::best(&self.values, rng)]
    }
}

/// A win for the team whose player leads by the threshold, if there is one.
fn decided<G: Game>(game: &G, expected: &Payoffs, threshold: f32) -> Option<Payoffs> {
    let players = game.info().players;
    let leader = (0..players).max_by(|&a, &b| expected[a].total_cmp(&expected[b]))?;
    if expected[leader] < threshold {
        return None;
    }
    let mut payoffs = [0.0; MAX_PLAYERS];
    for player in 0..players {
        payoffs[player] = if game.team(player) == game.team(leader) { 1.0 } else { -1.0 };
    }
    Some(payoffs)
}

#[cfg(test)]
mod tests {
    use meeple_core::Notation;
    use meeple_games::breakthrough::{Breakthrough, Setup};

    use super::*;

    /// Plays on from a position: what it came to, and where it ended.
    fn play(moves: Moves, stop: Stop, reward: Reward, position: &str) -> (Worth, String) {
        let game = Breakthrough::<u64>::new(Setup { rows: 5, columns: 3, rows_per_side: 1 });
        let (_, schadd) = game.heuristics().remove(0);
        let settings = Playout { moves, stop, heuristic: Some(schadd.into()) };
        let mut playouts = Playouts::new(&game, settings, reward);
        let mut state = game.parse_state(position).unwrap();
        let worth = playouts.play(&game, &mut state, &mut Vec::new(), &mut Rng::from_seed(1));
        (worth, game.state_text(&state))
    }

    #[test]
    fn a_playout_stops_where_it_should() {
        let ahead = "b.b/.w./.../.../w.w b"; // worth tanh(0.35) to White
        let (worth, end) = play(Moves::Random, Stop::Depth(0), Reward::Win, ahead);
        assert_eq!(end, "b1b/1w1/3/3/w1w b");
        assert!((worth.payoffs[0] - libm::tanhf(0.35)).abs() < 1e-6 && worth.payoffs[1] == -worth.payoffs[0]);
        assert_eq!(worth.rewards, worth.payoffs);
        let (worth, _) = play(Moves::Random, Stop::Depth(0), Reward::Positive, ahead);
        assert!((worth.rewards[0] - 0.5 - 0.5 * libm::tanhf(0.35)).abs() < 1e-6);
        let (worth, _) = play(Moves::Random, Stop::Over, Reward::Win, ahead);
        assert_eq!(worth.payoffs[0].abs(), 1.0);
        let (worth, end) = play(Moves::Random, Stop::Lead { every: 1, threshold: 0.0 }, Reward::Win, ahead);
        assert_eq!(worth.payoffs[0].abs(), 1.0, "any lead is a win");
        assert!(end.ends_with('w'), "asked after one move");
    }

    #[test]
    fn greedy_moves_take_what_they_see() {
        let (worth, _) = play(Moves::Greedy { epsilon: 0.0 }, Stop::Over, Reward::Win, "b../.w./..b/.../w.. w");
        assert_eq!(worth.payoffs[..2], [1.0, -1.0], "one step from the far row");
        let (_, end) = play(Moves::Greedy { epsilon: 0.0 }, Stop::Depth(1), Reward::Win, "b.b/.w./.../.../w.w b");
        assert_eq!(end.matches('w').count(), 2 + 1, "the pawn in the middle was taken; White moves: {end}");
    }
}

//! What values positions for a search: a heuristic, playouts, or a network.
//!
//! Positions come in batches, so that whoever is fast with many at once gets many at once.

use meeple_core::agent::Opinion;
use meeple_core::{Game, Heuristic, PayoffSum, Payoffs, Rng};

use crate::playout::Playouts;
use crate::{Playout, Reward};

/// What is thought of one position in which a player is to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// What each seat may expect, in -1..=1.
    pub payoffs: Payoffs,
    /// How likely each legal action is to be the best, in the order of [`Game::legal_actions`]: at
    /// least 0, and 1 in sum. Empty if there is no opinion.
    pub priors: Vec<f32>,
}

/// Values positions.
pub trait Evaluator<G: Game>: Send {
    /// Makes `out` as long as `states`, one evaluation for each in order. Old entries are
    /// overwritten, so that their memory can be used again. In none of the states is the game over.
    fn evaluate(&mut self, game: &G, states: &[G::State], out: &mut Vec<Evaluation>, rng: &mut Rng);

    /// As [`Agent::opinion`](meeple_core::Agent::opinion).
    fn opinion(&mut self, game: &G, view: &G::View, rng: &mut Rng) -> Option<Opinion<G::Action>> {
        let _ = (game, view, rng);
        None
    }
}

/// Values by a heuristic, without an opinion on actions.
pub struct HeuristicEvaluator<G: Game>(pub Box<dyn Heuristic<G>>);

impl<G: Game> std::fmt::Debug for HeuristicEvaluator<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HeuristicEvaluator")
    }
}

impl<G: Game> Evaluator<G> for HeuristicEvaluator<G> {
    fn evaluate(&mut self, game: &G, states: &[G::State], out: &mut Vec<Evaluation>, _: &mut Rng) {
        let info = game.info();
        out.resize_with(states.len(), Evaluation::default);
        for (state, evaluation) in states.iter().zip(out) {
            evaluation.priors.clear();
            let payoffs = &mut evaluation.payoffs;
            match info.payoff_sum {
                PayoffSum::Constant(sum) if info.players == 2 => {
                    payoffs[0] = self.0.value(game, state, 0);
                    payoffs[1] = sum - payoffs[0];
                }
                _ => (0..info.players).for_each(|player| payoffs[player] = self.0.value(game, state, player)),
            }
        }
    }
}

/// Values by the mean of a few playouts, without an opinion on actions.
#[derive(Debug)]
pub struct PlayoutEvaluator<G: Game> {
    playouts: Playouts<G>,
    count: u32,
    state: G::State,
    actions: Vec<G::Action>,
}

impl<G: Game> PlayoutEvaluator<G> {
    /// With `count` playouts for each position.
    pub fn new(game: &G, playout: Playout<G>, count: u32) -> PlayoutEvaluator<G> {
        let playouts = Playouts::new(game, playout, Reward::Win);
        PlayoutEvaluator { playouts, count, state: game.initial_state(), actions: Vec::new() }
    }
}

impl<G: Game> Evaluator<G> for PlayoutEvaluator<G> {
    fn evaluate(&mut self, game: &G, states: &[G::State], out: &mut Vec<Evaluation>, rng: &mut Rng) {
        out.resize_with(states.len(), Evaluation::default);
        for (state, evaluation) in states.iter().zip(out) {
            evaluation.priors.clear();
            evaluation.payoffs = Payoffs::default();
            for _ in 0..self.count {
                self.state.clone_from(state);
                self.playouts.new_iteration();
                let worth = self.playouts.play(game, &mut self.state, &mut self.actions, rng);
                for (sum, payoff) in evaluation.payoffs.iter_mut().zip(worth.payoffs) {
                    *sum += payoff / self.count as f32;
                }
            }
        }
    }
}

/// The mean of what several evaluators say: each errs, and not all alike.
pub struct MeanEvaluator<G: Game> {
    members: Vec<Box<dyn Evaluator<G>>>,
    answers: Vec<Evaluation>,
}

impl<G: Game> std::fmt::Debug for MeanEvaluator<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MeanEvaluator({} members)", self.members.len())
    }
}

impl<G: Game> MeanEvaluator<G> {
    /// Of one or more, which count alike.
    pub fn new(members: Vec<Box<dyn Evaluator<G>>>) -> MeanEvaluator<G> {
        assert!(!members.is_empty(), "nobody has no mean");
        MeanEvaluator { members, answers: Vec::new() }
    }
}

impl<G: Game> Evaluator<G> for MeanEvaluator<G> {
    /// There is no opinion on actions unless all have one.
    fn evaluate(&mut self, game: &G, states: &[G::State], out: &mut Vec<Evaluation>, rng: &mut Rng) {
        let (first, rest) = self.members.split_first_mut().expect("one or more");
        first.evaluate(game, states, out, rng);
        for member in rest.iter_mut() {
            member.evaluate(game, states, &mut self.answers, rng);
            for (sum, answer) in out.iter_mut().zip(&self.answers) {
                sum.payoffs.iter_mut().zip(answer.payoffs).for_each(|(sum, payoff)| *sum += payoff);
                sum.priors.truncate(answer.priors.len());
                sum.priors.iter_mut().zip(&answer.priors).for_each(|(sum, prior)| *sum += prior);
            }
        }
        let share = 1.0 / (1 + rest.len()) as f32;
        for mean in out {
            mean.payoffs.iter_mut().chain(&mut mean.priors).for_each(|figure| *figure *= share);
        }
    }
}

/// Remembers what another evaluator said about positions that come up again (thesis 001,
/// section 7.5).
pub struct CachedEvaluator<G: Game> {
    inner: Box<dyn Evaluator<G>>,
    /// By key modulo its length; a new position takes the place of an older one.
    entries: Vec<Option<(u64, Evaluation)>>,
    /// Positions that are not in the table, each with its place in the batch.
    places: Vec<usize>,
    missing: Vec<G::State>,
    answers: Vec<Evaluation>,
}

impl<G: Game> std::fmt::Debug for CachedEvaluator<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CachedEvaluator({} entries)", self.entries.len())
    }
}

impl<G: Game> CachedEvaluator<G> {
    /// Remembers so many positions, 64 bytes each and their priors.
    pub fn new(inner: Box<dyn Evaluator<G>>, entries: usize) -> CachedEvaluator<G> {
        CachedEvaluator {
            inner,
            entries: vec![None; entries.max(1)],
            places: Vec::new(),
            missing: Vec::new(),
            answers: Vec::new(),
        }
    }

    fn place(&self, key: u64) -> usize {
        (key % self.entries.len() as u64) as usize
    }
}

impl<G: Game> Evaluator<G> for CachedEvaluator<G> {
    fn evaluate(&mut self, game: &G, states: &[G::State], out: &mut Vec<Evaluation>, rng: &mut Rng) {
        out.resize_with(states.len(), Evaluation::default);
        self.places.clear();
        self.missing.clear();
        for (place, state) in states.iter().enumerate() {
            let key = game.position_key(state);
            match &self.entries[self.place(key)] {
                Some((known, evaluation)) if *known == key => out[place].clone_from(evaluation),
                _ => {
                    self.places.push(place);
                    self.missing.push(state.clone());
                }
            }
        }
        self.inner.evaluate(game, &self.missing, &mut self.answers, rng);
        for (number, &place) in self.places.iter().enumerate() {
            let key = game.position_key(&self.missing[number]);
            let entry = self.place(key);
            out[place].clone_from(&self.answers[number]);
            self.entries[entry] = Some((key, self.answers[number].clone()));
        }
    }

    fn opinion(&mut self, game: &G, view: &G::View, rng: &mut Rng) -> Option<Opinion<G::Action>> {
        self.inner.opinion(game, view, rng)
    }
}

//! A network as what values positions for a search.
//!
//! It is shown what the player to move knows and nothing else, so that all worlds of a view get the
//! same evaluation; unless it stands for other players, who see all cards of the world at hand.

mod cache;
pub(crate) mod look;
pub(crate) mod reading;
pub(crate) mod sight;

use std::sync::Arc;

use meeple_core::agent::Opinion;
use meeple_core::rng::mix;
use meeple_core::{Encoder, Game, Player, Rng, Turn};
use meeple_search::{Evaluation, Evaluator};

use crate::inference::{Compiled, Outputs, Runner};
use crate::model::{Model, ModelError};
use cache::{Cache, Found};
use reading::{Place, Reading, unfit};
use sight::Sight;

pub use sight::interleave;

/// Values positions by a network: payoffs by its value head, priors by its policy head, if it has
/// one. One for each thread.
pub struct NetworkEvaluator<G: Game> {
    encoder: Arc<dyn Encoder<G>>,
    sight: Sight,
    runner: Runner,
    reading: Reading,
    cache: Option<Cache>,
    batch: Batch,
    outputs: Outputs,
    actions: Vec<G::Action>,
}

/// The views that go through the network, and what becomes of their rows.
#[derive(Debug, Default)]
struct Batch {
    inputs: Vec<f32>,
    /// For each row the viewer, his key and the end of his places.
    rows: Vec<(Player, u64, usize)>,
    /// Of the legal actions of all rows.
    places: Vec<Place>,
    /// For each state the row that tells; none if it is told already.
    of_states: Vec<Option<u32>>,
}

impl<G: Game> std::fmt::Debug for NetworkEvaluator<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NetworkEvaluator({})", self.encoder.name())
    }
}

impl<G: Game> NetworkEvaluator<G> {
    /// Refuses a network that was made for something else, or that does not value positions for all
    /// players of the game.
    pub fn new(game: &G, model: &Model) -> Result<NetworkEvaluator<G>, ModelError> {
        NetworkEvaluator::for_threads(game, model, 1).map(|mut one| one.remove(0))
    }

    /// One for each of so many threads. They share the weights.
    pub fn for_threads(game: &G, model: &Model, threads: usize) -> Result<Vec<NetworkEvaluator<G>>, ModelError> {
        refuse_open(model)?;
        NetworkEvaluator::with_values(game, model, threads)
    }

    /// For positions in which another player than the searching one is to move. The network may be shown all cards there:
    /// those of the world at hand, which is one of those that the searching player thinks possible.
    pub fn for_others(game: &G, model: &Model) -> Result<NetworkEvaluator<G>, ModelError> {
        NetworkEvaluator::with_values(game, model, 1).map(|mut one| one.remove(0))
    }

    fn with_values(game: &G, model: &Model, threads: usize) -> Result<Vec<NetworkEvaluator<G>>, ModelError> {
        let encoder: Arc<dyn Encoder<G>> = Arc::from(model.header.encoder(game)?);
        let compiled = Arc::new(Compiled::new(model));
        let evaluator = |_| {
            let evaluator = NetworkEvaluator::with(game, model, encoder.clone(), &compiled)?;
            match evaluator.reading.has_values() {
                true => Ok(evaluator),
                false => unfit("has a policy alone; a search needs values too"),
            }
        };
        (0..threads).map(evaluator).collect()
    }

    /// For players without a search: one with a policy, and perhaps without values.
    pub(crate) fn with_policy(game: &G, model: &Model) -> Result<NetworkEvaluator<G>, ModelError> {
        let encoder = Arc::from(model.header.encoder(game)?);
        let evaluator = NetworkEvaluator::with(game, model, encoder, &Arc::new(Compiled::new(model)))?;
        match evaluator.reading.has_policy() {
            true => Ok(evaluator),
            false => unfit("has no policy to play by"),
        }
    }

    fn with(
        game: &G,
        model: &Model,
        encoder: Arc<dyn Encoder<G>>,
        compiled: &Arc<Compiled>,
    ) -> Result<NetworkEvaluator<G>, ModelError> {
        Ok(NetworkEvaluator {
            runner: Runner::new(compiled.clone()),
            reading: Reading::new(&game.info(), model, encoder.detail_size())?,
            sight: Sight::new(game, &*encoder, model.header.open),
            encoder,
            cache: None,
            batch: Batch::default(),
            outputs: Outputs::default(),
            actions: Vec::new(),
        })
    }

    /// Remembers so many views; 0 for none. The answers stay the same.
    pub fn with_cache(self, entries: usize) -> NetworkEvaluator<G> {
        NetworkEvaluator { cache: (entries > 0).then(|| Cache::new(entries)), ..self }
    }

    /// Whether its policy tells apart actions that share an index.
    pub fn has_details(&self) -> bool {
        self.encoder.detail_size() > 0
    }

    /// Answers from memory, or adds what the player to move knows to the batch.
    fn ask(&mut self, game: &G, state: &G::State, answer: &mut Evaluation) {
        let Turn::Player(mover) = game.turn(state) else { unreachable!("a player is to move in what is valued") };
        let row = self.batch.rows.len() as u32;
        let mut key = 0;
        if let Some(cache) = &mut self.cache {
            key = match self.sight.is_open() {
                true => (0..game.info().players).fold(0, |key, seat| mix(key ^ game.view_key(state, Some(seat)))),
                false => game.view_key(state, Some(mover)),
            };
            key = mix(key ^ mix(mover as u64 + 1));
            match cache.look_up(key, row) {
                Found::Known(evaluation) => {
                    answer.payoffs = evaluation.payoffs;
                    answer.priors.clone_from(&evaluation.priors);
                    return self.batch.of_states.push(None);
                }
                Found::Asked(row) => return self.batch.of_states.push(Some(row)),
                Found::Nothing => {}
            }
        }
        let view = game.view(state, Some(mover));
        let start = self.batch.inputs.len();
        self.batch.inputs.resize(start + self.sight.shape().len(), 0.0);
        self.sight.write(game, &*self.encoder, (state, mover, &view), &mut self.batch.inputs[start..]);
        if self.reading.has_policy() {
            game.legal_actions(state, &mut self.actions);
            let place = |&action: &G::Action| Place::of(self.encoder.as_ref(), game, &view, action);
            self.batch.places.extend(self.actions.iter().map(place));
        }
        self.batch.rows.push((mover, key, self.batch.places.len()));
        self.batch.of_states.push(Some(row));
    }

    fn read(&mut self, game: &G, row: u32, answer: &mut Evaluation) {
        let row = row as usize;
        let (mover, key, end) = self.batch.rows[row];
        let start = if row == 0 { 0 } else { self.batch.rows[row - 1].2 };
        answer.payoffs = self.reading.payoffs(game, &self.outputs, row, mover).expect("it was made with a value head");
        self.reading.priors(&self.outputs, row, &self.batch.places[start..end], &mut answer.priors);
        if let Some(cache) = &mut self.cache {
            cache.keep(key, row as u32, answer);
        }
    }
}

/// Fair players are not given what is hidden.
pub(crate) fn refuse_open(model: &Model) -> Result<(), ModelError> {
    match model.header.open {
        true => unfit(
            "sees the cards of all players: it may stand for others in a search (others) or cheat (cheating-network)",
        ),
        false => Ok(()),
    }
}

impl<G: Game> Evaluator<G> for NetworkEvaluator<G> {
    fn evaluate(&mut self, game: &G, states: &[G::State], out: &mut Vec<Evaluation>, _: &mut Rng) {
        let Batch { inputs, rows, places, of_states } = &mut self.batch;
        inputs.clear();
        rows.clear();
        places.clear();
        of_states.clear();
        out.resize_with(states.len(), Evaluation::default);
        for (state, answer) in states.iter().zip(out.iter_mut()) {
            self.ask(game, state, answer);
        }
        self.runner.run(&self.batch.inputs, self.batch.rows.len(), &mut self.outputs);
        for (place, answer) in out.iter_mut().enumerate() {
            if let Some(row) = self.batch.of_states[place] {
                self.read(game, row, answer);
            }
        }
    }

    fn opinion(&mut self, game: &G, view: &G::View, rng: &mut Rng) -> Option<Opinion<G::Action>> {
        Some(self.opinion_of(game, view, rng))
    }
}

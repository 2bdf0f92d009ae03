//! What a network says about one view, in full.

use meeple_core::agent::{ActionOpinion, Masked, Opinion};
use meeple_core::{Game, Payoffs, Player, Rng, Turn, Worlds};
use meeple_search::Evaluator;

use super::NetworkEvaluator;
use super::reading::Place;

/// Worlds that are drawn to see where an action leads.
const WORLDS: usize = 8;

/// What the network said about the view of the player to move.
pub(crate) struct Look<A> {
    pub mover: Player,
    /// If there is a value head.
    pub payoffs: Option<Payoffs>,
    pub actions: Vec<A>,
    /// The policy outputs of each action.
    pub places: Vec<Place>,
    /// The probability of each action; as all others empty without a policy head.
    pub priors: Vec<f32>,
    /// The same before what is illegal was taken out.
    pub unmasked: Vec<f32>,
}

impl<G: Game> NetworkEvaluator<G> {
    pub(crate) fn look(&mut self, game: &G, view: &G::View) -> Look<G::Action> {
        let mut state = game.initial_state();
        game.worlds(view).sample_into(&mut state, &mut Rng::from_seed(0));
        self.look_at(game, &state, view)
    }

    /// The same in a state, whose player to move has this view.
    pub(crate) fn look_at(&mut self, game: &G, state: &G::State, view: &G::View) -> Look<G::Action> {
        let Turn::Player(mover) = game.turn(state) else { unreachable!("an agent is asked when it is to move") };
        let mut input = vec![0.0; self.sight.shape().len()];
        self.sight.write(game, &*self.encoder, (state, mover, view), &mut input);
        self.runner.run(&input, 1, &mut self.outputs);
        let mut actions = Vec::new();
        game.view_actions(view, &mut actions);
        let (mut places, mut priors, mut unmasked) = (Vec::new(), Vec::new(), Vec::new());
        if self.reading.has_policy() {
            let place = |&action: &G::Action| Place::of(self.encoder.as_ref(), game, view, action);
            places.extend(actions.iter().map(place));
            self.reading.priors(&self.outputs, 0, &places, &mut priors);
            self.reading.unmasked(&self.outputs, 0, &places, &mut unmasked);
        }
        let payoffs = self.reading.payoffs(game, &self.outputs, 0, mover);
        Look { mover, payoffs, actions, places, priors, unmasked }
    }

    /// As [`Evaluator::opinion`]; the value of an action is the mean over a few worlds in which it was
    /// carried out and chance had its turn.
    pub(crate) fn opinion_of(&mut self, game: &G, view: &G::View, rng: &mut Rng) -> Opinion<G::Action> {
        let look = self.look(game, view);
        let values = self.reading.has_values().then(|| self.values_after(game, view, &look, rng));
        let opinion = |(place, &action): (usize, &G::Action)| ActionOpinion {
            action,
            policy: look
                .priors
                .get(place)
                .map(|&prior| Masked { before: f64::from(look.unmasked[place]), after: f64::from(prior) }),
            value: values.as_ref().map(|values| values[place]),
        };
        Opinion {
            value: look.payoffs.map(|payoffs| f64::from(payoffs[look.mover])),
            actions: look.actions.iter().enumerate().map(opinion).collect(),
        }
    }

    /// What the player to move may expect after each action.
    fn values_after(&mut self, game: &G, view: &G::View, look: &Look<G::Action>, rng: &mut Rng) -> Vec<f64> {
        let worlds = game.worlds(view);
        let mut sums = vec![0.0; look.actions.len()];
        let (mut states, mut places) = (Vec::new(), Vec::new());
        let mut world = game.initial_state();
        for _ in 0..WORLDS {
            worlds.sample_into(&mut world, rng);
            for (place, &action) in look.actions.iter().enumerate() {
                let mut state = world.clone();
                game.apply(&mut state, action);
                while game.turn(&state) == Turn::Chance {
                    let outcome = game.sample_chance(&state, rng);
                    game.apply(&mut state, outcome);
                }
                if game.turn(&state) == Turn::Over {
                    sums[place] += f64::from(game.payoffs(&state)[look.mover]);
                } else {
                    states.push(state);
                    places.push(place);
                }
            }
        }
        let mut evaluations = Vec::new();
        self.evaluate(game, &states, &mut evaluations, rng);
        for (place, evaluation) in places.into_iter().zip(&evaluations) {
            sums[place] += f64::from(evaluation.payoffs[look.mover]);
        }
        sums.iter().map(|sum| sum / WORLDS as f64).collect()
    }
}

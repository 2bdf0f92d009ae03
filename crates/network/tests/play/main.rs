//! Networks at the table: what they say about positions, how they play, and what is kept of it.

mod agent;
mod evaluator;
mod methods;
mod open;
mod samples;
mod selfplay;

use meeple_core::{Encoder, Game, Rng, Turn};
use meeple_network::description::Values;
use meeple_network::preset::DenseStack;
use meeple_network::{Description, Graph, Header, Model, Parameters, Preset};

/// A network with random weights for one of a game's encoders.
fn model_of<G: Game>(game: &G, encoder: &str, description: Description, seed: u64) -> Model {
    let encoder = encoder_of(game, encoder);
    with_random_weights(Header::new(game, "", &*encoder, description), seed)
}

fn with_random_weights(header: Header, seed: u64) -> Model {
    let graph = Graph::new(&header.description, header.ports).unwrap();
    let parameters = Parameters::initial(&graph, &mut Rng::from_seed(seed));
    Model::new(header, parameters).unwrap()
}

fn encoder_of<G: Game>(game: &G, name: &str) -> Box<dyn Encoder<G>> {
    game.encoders().into_iter().find(|encoder| encoder.name() == name).unwrap()
}

/// Of the game's first encoder.
fn small_model<G: Game>(game: &G, values: Values, seed: u64) -> Model {
    let preset = Preset::Dense(DenseStack { layers: 1, neurons: 16, values, ..DenseStack::default() });
    model_of(game, game.encoders()[0].name(), preset.description(), seed)
}

/// Positions of random games in which somebody is to move.
fn positions<G: Game>(game: &G, count: usize, seed: u64) -> Vec<G::State> {
    let (mut rng, mut state, mut buffer) = (Rng::from_seed(seed), game.initial_state(), Vec::new());
    let mut positions = Vec::new();
    while positions.len() < count {
        match game.turn(&state) {
            Turn::Over => state = game.initial_state(),
            Turn::Chance => game.play_chance(&mut state, &mut rng),
            Turn::Player(_) => {
                positions.push(state.clone());
                let action = game.random_action(&state, &mut buffer, &mut rng);
                game.apply(&mut state, action);
            }
        }
    }
    positions
}

fn mover<G: Game>(game: &G, state: &G::State) -> usize {
    let Turn::Player(player) = game.turn(state) else { panic!("nobody is to move") };
    player
}

//! Best-first minimax on games: proofs against plain minimax, laws of the tree, bounds.

mod games;
mod laws;
mod minimax;
mod proofs;

use meeple_core::agent::{Agent, Budget, Decision};
use meeple_core::{Game, Heuristic, Rng};
use meeple_games::breakthrough::{Breakthrough, Setup};
use meeple_search::descent::{BestFirst, DescentSettings, Method, Select};

const METHODS: [Method; 2] = [Method::Ubfm, Method::Descent];

fn settings(method: Method, iterations: u64) -> DescentSettings {
    DescentSettings { budget: Budget::iterations(iterations), ..DescentSettings::new(method) }
}

/// A search in which every action is followed with the same probability: it reads everything.
fn exhaustive(method: Method, iterations: u64) -> DescentSettings {
    DescentSettings { select: Select::Ordinal(1.0), completed: false, ..settings(method, iterations) }
}

fn agent<G: Game>(game: &G, settings: DescentSettings) -> BestFirst<G> {
    BestFirst::new(game, Box::new(games::Opinion), settings)
}

fn decide<G: Game>(game: &G, state: &G::State, agent: &mut BestFirst<G>, seed: u64) -> Decision<G::Action> {
    agent.decide(game, &game.view(state, None), &Budget::NONE, &mut Rng::from_seed(seed))
}

fn small_breakthrough() -> (Breakthrough<u64>, Box<dyn Heuristic<Breakthrough<u64>>>) {
    let game = Breakthrough::new(Setup { rows: 5, columns: 3, rows_per_side: 1 });
    let (_, schadd) = game.heuristics().remove(0);
    (game, schadd)
}

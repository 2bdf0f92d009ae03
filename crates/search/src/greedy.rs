//! One move ahead: the action after which a heuristic likes the position best.

use meeple_core::agent::{Agent, Budget, Decision};
use meeple_core::{Game, Heuristic, Player, Rng, Turn, Worlds};

/// For games with perfect information and without chance.
pub struct Greedy<G: Game> {
    heuristic: Box<dyn Heuristic<G>>,
    actions: Vec<G::Action>,
    best: Vec<G::Action>,
}

impl<G: Game> std::fmt::Debug for Greedy<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Greedy")
    }
}

impl<G: Game> Greedy<G> {
    pub fn new(heuristic: Box<dyn Heuristic<G>>) -> Greedy<G> {
        Greedy { heuristic, actions: Vec::new(), best: Vec::new() }
    }

    fn value(&self, game: &G, state: &G::State, player: Player) -> f32 {
        match game.turn(state) {
            Turn::Over => game.payoffs(state)[player],
            _ => self.heuristic.value(game, state, player),
        }
    }
}

impl<G: Game> Agent<G> for Greedy<G> {
    fn decide(&mut self, game: &G, view: &G::View, _: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        let mut state = game.initial_state();
        game.worlds(view).sample_into(&mut state, rng);
        let Turn::Player(player) = game.turn(&state) else { unreachable!("an agent is asked when it is to move") };
        game.legal_actions(&state, &mut self.actions);
        self.best.clear();
        let mut highest = f32::NEG_INFINITY;
        for &action in &self.actions {
            let mut next = state.clone();
            game.apply(&mut next, action);
            let value = self.value(game, &next, player);
            if value > highest {
                highest = value;
                self.best.clear();
            }
            if value == highest {
                self.best.push(action);
            }
        }
        Decision::plain(*rng.choose(&self.best))
    }
}

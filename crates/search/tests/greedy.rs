//! The greedy player on Breakthrough.

use meeple_core::agent::{Agent, Budget};
use meeple_core::{Game, Notation, Rng};
use meeple_games::breakthrough::{Breakthrough, Setup};
use meeple_search::greedy::Greedy;

#[test]
fn the_greedy_player_takes_what_it_sees() {
    let game = Breakthrough::<u64>::new(Setup { rows: 5, columns: 3, rows_per_side: 1 });
    let (_, schadd) = game.heuristics().remove(0);
    let mut greedy = Greedy::new(schadd);
    for (position, best) in [("b.b/.w./.../.../w.w b", "a5b4 c5b4"), ("b../.w./..b/.../w.. w", "b4a5 b4b5 b4c5")] {
        let state = game.parse_state(position).unwrap();
        let action = greedy.decide(&game, &state, &Budget::NONE, &mut Rng::from_seed(1)).action;
        let text = game.action_text(&state, action);
        assert!(best.split(' ').any(|best| best == text), "{position}: {text}");
    }
}

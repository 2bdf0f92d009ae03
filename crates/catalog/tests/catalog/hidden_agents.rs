//! Texts of the searches for hidden information.

use meeple_core::Rng;
use meeple_core::agent::Budget;

use crate::the;

#[test]
fn iterations_are_counted_for_each_tree() {
    let game = the("connect-four");
    for (agent, iterations) in [
        ("determinized-uct:trees=4,iterations=30", 120),
        ("determinized-uct", 10_000),
        ("determinized-uct:trees=5", 2500),
        ("mo-ismcts", 10_000),
    ] {
        let mut player = game.agent(agent).unwrap();
        let report = game.start().decide(&mut player, &Budget::NONE, &mut Rng::from_seed(1)).report;
        assert_eq!(report.iterations, iterations, "{agent}");
    }
}

#[test]
fn the_end_of_a_small_game_is_solved() {
    let game = the("tic-tac-toe");
    let position = game.parse_position("xo./.x./..o").unwrap();
    let mut player = game.agent("mo-ismcts:iterations=50,endgame=1").unwrap();
    let report = position.decide(&mut player, &Budget::NONE, &mut Rng::from_seed(1)).report;
    assert_eq!((report.iterations, report.actions[0].value_for_mover), (1, 1.0));
}

#[test]
fn bad_texts_say_what_would_work() {
    for (name, agent, part) in [
        ("hearts", "mo-ismcts:belief=play", "hearts has none"),
        ("sueca", "determinized-uct:belief=me", "sueca has none | play"),
        ("sueca", "determinized-uct:trees=0", "must be a whole number in 1..10000"),
        ("sueca", "determinized-uct:combine=sum", "must be one of votes|visits"),
        ("sueca", "mo-ismcts:keys=all", "must be one of public|view"),
        ("sueca", "mo-ismcts:endgame=-1", "must be a whole number in 0..1000000"),
        ("sueca", "mo-ismcts:endgame_nodes=0", "must be a whole number in 1.."),
        ("kuhn-poker", "mo-ismcts:reward=difference", "use win or positive"),
    ] {
        let error = the(name).agent(agent).map(drop).unwrap_err().to_string();
        assert!(error.contains(part), "{name} {agent}: {error}");
    }
}

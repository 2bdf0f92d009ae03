//! Views as texts: what a seat knows is enough for a fair agent, and nobody else can use it.

use meeple_catalog::GAMES;
use meeple_core::agent::Budget;
use meeple_core::erased::AnyGame;
use meeple_core::{Rng, Turn};

use crate::the;

/// Every fair agent that can play a game with hidden cards, with hardly any time.
const FAIR: &[&str] = &[
    "random",
    "rules",
    "determinized-uct:trees=2,iterations=4,memory=1",
    "determinized-uct:trees=2,iterations=4,combine=visits,belief=play,memory=1",
    "ismcts:iterations=6,memory=1",
    "ismcts:iterations=6,reward=hybrid,belief=play,memory=1",
    "ismcts:iterations=6,keys=view,select=puct,noise=0.25,memory=1",
    "ismcts:iterations=6,determinizations=2,playout=nast(2),memory=1",
    "ismcts:iterations=6,endgame=10,endgame_nodes=2000,memory=1",
    "ismcts:iterations=6,actions=fields,memory=1",
    "ismcts-rollouts:iterations=6,memory=1",
    "mo-ismcts:iterations=6,memory=1",
    "mo-ismcts:iterations=6,keys=view,memory=1",
];

/// Plays a random game and compares what an agent decides from the position and from the view: a
/// seat's text is all that it needs, so nothing hidden moves it.
fn check(game: &dyn AnyGame, agent: &str) {
    let Ok(mut player) = game.agent(agent) else { return };
    let mut rng = Rng::from_seed(7);
    let mut position = game.start();
    while position.turn() != Turn::Over {
        let Turn::Player(seat) = position.turn() else {
            position.apply_chance(&mut rng);
            continue;
        };
        let actions = position.actions();
        let chosen: &String = rng.choose(&actions);
        if rng.below(4) > 0 {
            position.apply(chosen).unwrap(); // a quarter of the positions will do
            continue;
        }
        let Some(text) = position.view_text(Some(seat)) else { return };
        let view = game.parse_view(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(view.player(), Some(seat), "{text}");
        assert_eq!(view.render(), position.render(Some(seat)), "{text}");
        player.new_game();
        let from_view = view.decide(&mut player, &Budget::NONE, &mut Rng::from_seed(1)).unwrap().action;
        player.new_game();
        let from_position = position.decide(&mut player, &Budget::NONE, &mut Rng::from_seed(1)).action;
        assert_eq!(from_view, from_position, "{agent} {text}");
        position.apply(chosen).unwrap();
    }
}

#[test]
fn a_view_is_enough_to_decide() {
    for entry in GAMES {
        let game = the(entry.name);
        FAIR.iter().for_each(|agent| check(&*game, agent));
    }
}

#[test]
fn only_the_player_to_move_decides() {
    for name in ["hearts", "sueca", "bisca", "just4fun", "keezen"] {
        let game = the(name);
        let (mut rng, mut position) = (Rng::from_seed(3), game.start());
        while position.turn() == Turn::Chance {
            position.apply_chance(&mut rng);
        }
        let Turn::Player(player) = position.turn() else { unreachable!() };
        let other = (player + 1) % game.info().players;
        let text = position.view_text(Some(other)).unwrap();
        assert_eq!(game.parse_view(&text).unwrap().player(), None, "{text}");
    }
}

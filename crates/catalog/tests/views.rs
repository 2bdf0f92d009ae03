//! Views as texts: what a seat knows is enough for a fair agent, and nobody else can use it.

use meeple_catalog::{GAMES, game};
use meeple_core::agent::Budget;
use meeple_core::erased::AnyGame;
use meeple_core::{Rng, Rules, Turn};

/// Plays a random game and compares what an agent decides from the position and from the view.
fn check(game: &dyn AnyGame, agent: &str) {
    let mut rng = Rng::from_seed(7);
    let mut position = game.start();
    while position.turn() != Turn::Over {
        let Turn::Player(player) = position.turn() else {
            position.apply_chance(&mut rng);
            continue;
        };
        let Some(text) = position.view_text(Some(player)) else { return };
        let view = game.parse_view(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(view.player(), Some(player), "{text}");
        assert_eq!(view.render(), position.render(Some(player)), "{text}");
        let mut player = game.agent(agent).unwrap();
        let from_view = view.decide(&mut player, &Budget::NONE, &mut Rng::from_seed(1)).unwrap().action;
        player.new_game();
        assert_eq!(from_view, position.decide(&mut player, &Budget::NONE, &mut Rng::from_seed(1)).action, "{text}");
        position.act(&mut game.agent("random").unwrap(), &Budget::NONE, &mut rng);
    }
}

#[test]
fn a_view_is_enough_to_decide() {
    for entry in GAMES {
        check(&*game(entry.name, &Rules::default()).unwrap(), "ismcts:iterations=3,memory=1");
    }
}

#[test]
fn only_the_player_to_move_decides() {
    for name in ["hearts", "sueca", "bisca", "just4fun", "keezen"] {
        let game = game(name, &Rules::default()).unwrap();
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

//! Networks that ship: every one loads and plays its game; some are held to more.

use std::collections::HashMap;

use meeple_catalog::{game, model, model_names};
use meeple_core::agent::Budget;
use meeple_core::erased::{AnyAgent, AnyPosition};
use meeple_core::{Rng, Rules, Turn};

#[test]
fn every_network_plays_its_game() {
    let mut count = 0;
    for name in model_names() {
        let header = model(name).unwrap().header;
        assert!(header.training.iterations > 0 && header.training.cpu_hours > 0.0, "{name} was trained");
        let game = game(&header.game, &Rules::parse(&header.rules).unwrap()).unwrap();
        let mut agent = game.agent(&format!("network:model={name}")).unwrap();
        let mut rng = Rng::from_seed(1);
        let mut position = game.start();
        while position.turn() != Turn::Over {
            match position.turn() {
                Turn::Chance => drop(position.apply_chance(&mut rng)),
                _ => drop(position.act(&mut agent, &Budget::NONE, &mut rng, false)),
            }
        }
        count += 1;
    }
    assert!(count > 0, "no network ships");
}

/// In none of all positions does the policy alone give away what can be had.
#[test]
fn the_network_plays_tic_tac_toe_perfectly() {
    let game = game("tic-tac-toe", &Rules::default()).unwrap();
    let mut agent = game.agent("network:model=tic-tac-toe/dense,temperature=0").unwrap();
    let mut values = HashMap::new();
    value(&*game.start(), &mut agent, &mut values);
    assert_eq!(values.len(), 5478, "all positions that can come up");
}

/// What the first player gets if both play best; on the way the agent is checked.
fn value(position: &dyn AnyPosition, agent: &mut AnyAgent, values: &mut HashMap<String, i8>) -> i8 {
    let text = position.state_text().unwrap();
    if let Some(&value) = values.get(&text) {
        return value;
    }
    let best = match position.turn() {
        Turn::Over => position.outcome().payoffs[0] as i8,
        Turn::Chance => unreachable!("nothing is left to chance"),
        Turn::Player(player) => {
            let sign = if player == 0 { 1 } else { -1 };
            let mut after = |action: &str| {
                let mut next = position.clone_box();
                next.apply(action).unwrap();
                sign * value(&*next, agent, values)
            };
            let best = position.actions().iter().map(|action| after(action)).max().unwrap();
            let chosen = position.decide(agent, &Budget::NONE, &mut Rng::from_seed(1)).action;
            let mut next = position.clone_box();
            next.apply(&chosen).unwrap();
            let got = sign * value(&*next, agent, values);
            assert_eq!(got, best, "{chosen} at {text}");
            sign * best
        }
    };
    values.insert(text, best);
    best
}

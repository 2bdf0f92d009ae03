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

/// What a network says does not depend on whether a search follows, and adds up.
#[test]
fn opinions_are_those_of_the_network() {
    let game = game("tic-tac-toe", &Rules::default()).unwrap();
    let mut position = game.start();
    ["a1", "a2", "b1", "b2"].into_iter().for_each(|action| position.apply(action).unwrap());
    let of = |agent: &str| {
        let mut agent = game.agent(agent).unwrap();
        position.opinion(&mut agent, &mut Rng::from_seed(1))
    };
    assert_eq!(of("random"), None);
    let opinion = of("network:model=tic-tac-toe/dense").unwrap();
    assert_eq!(of("puct:model=tic-tac-toe/dense,iterations=10").unwrap(), opinion);
    assert_eq!(of("ispuct:model=tic-tac-toe/dense,iterations=10").unwrap(), opinion);
    assert!(opinion.value.unwrap() > 0.5, "the mover wins: {opinion:?}");
    let policies: Vec<_> = opinion.actions.iter().map(|action| action.policy.unwrap()).collect();
    let sums = policies.iter().fold([0.0, 0.0], |[before, after], p| [before + p.before, after + p.after]);
    assert!(sums[0] < 1.0 && (sums[1] - 1.0).abs() < 1e-6, "{sums:?}");
    for policy in policies {
        assert!((policy.before / sums[0] - policy.after).abs() < 1e-6, "taking out what is illegal keeps ratios");
    }
    let win = opinion.actions.iter().find(|action| action.action == "c1").unwrap();
    assert_eq!(win.value, Some(1.0), "the game is over and won");
    assert!(opinion.actions.iter().all(|action| action.value.unwrap() <= 1.0));
}

#[test]
fn how_far_ahead_a_search_looks_is_read_from_its_text() {
    let game = game("tic-tac-toe", &Rules::default()).unwrap();
    let agent = |settings: &str| game.agent(&format!("ispuct:model=tic-tac-toe/dense,iterations=10,{settings}"));
    for settings in ["ahead=3", "ahead=own", "ahead=own(4)", "depth=1,ahead=end,ahead_others=0.5,ahead_hidden=drawn"] {
        assert!(agent(settings).is_ok(), "{settings}");
    }
    let refused = [("ahead=soon", "own(N)"), ("ahead_hidden=maybe", "kept|drawn"), ("ahead_others=0", "0.01")];
    for (settings, expected) in refused.into_iter().chain([("depth=-1", "1000")]) {
        let why = agent(settings).err().unwrap().to_string();
        assert!(why.contains(expected), "{why}");
    }
}

/// A network twice is the network, and with another one it is not.
#[test]
fn others_may_be_the_mean_of_several_networks() {
    let game = game("just4fun", &Rules::default()).unwrap();
    let mut position = game.start();
    let mut rng = Rng::from_seed(3);
    while position.turn() == Turn::Chance {
        position.apply_chance(&mut rng);
    }
    let agent = |others: &str| {
        let network = "model=just4fun/cardfieldnet,iterations=40,determinizations=0,depth=1,root=gumbel(8,1000,0.04)";
        game.agent(&format!("ispuct:{network},others={others}"))
    };
    let values = |others: &str| -> Vec<f64> {
        let decision = position.decide(&mut agent(others).unwrap(), &Budget::NONE, &mut Rng::from_seed(1));
        decision.report.actions.iter().map(|action| action.value_for_mover).collect()
    };
    let [one, twice, both] =
        ["just4fun/fieldnet", "just4fun/fieldnet+just4fun/fieldnet", "just4fun/fieldnet+just4fun/cardfieldnet"]
            .map(values);
    assert_eq!(one, twice);
    assert_ne!(one, both);
    let why = agent("just4fun/fieldnet+nobody").err().unwrap().to_string();
    assert!(why.contains("there is no model `nobody`"), "{why}");
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

/// Both are guided by the same network, and only one of them sees the cards.
#[test]
fn a_search_that_sees_the_cards_beats_one_that_does_not() {
    let game = game("just4fun", &Rules::default()).unwrap();
    let mut agents = ["cheating-ispuct", "ispuct"]
        .map(|name| game.agent(&format!("{name}:model=just4fun/fieldnet,iterations=48")).unwrap());
    let mut wins = 0;
    for deal in 0..20 {
        let (mut rng, cheater) = (Rng::from_seed(deal), deal as usize % 2);
        let mut position = game.start();
        agents.iter_mut().for_each(AnyAgent::new_game);
        loop {
            match position.turn() {
                Turn::Over => break,
                Turn::Chance => drop(position.apply_chance(&mut rng)),
                Turn::Player(seat) => {
                    drop(position.act(&mut agents[usize::from(seat != cheater)], &Budget::NONE, &mut rng, false))
                }
            }
        }
        wins += usize::from(position.outcome().payoffs[cheater] > 0.0);
    }
    assert!(wins >= 15, "{wins} of 20");
}

//! Agents on games: known truths, fairness, reproducibility, bounds, errors.

use meeple_catalog::{GAMES, game_at_table, levels};
use meeple_core::agent::{Budget, Decision};
use meeple_core::erased::AnyGame;
use meeple_core::{Rng, Rules, TreeLimits, Turn, laws};
use meeple_games::{Bisca, Hearts, Just4Fun, Keezen, KuhnPoker, LeducPoker, Sueca};
use meeple_search::TreeSettings;
use meeple_search::ismcts::Ismcts;

use crate::the;

fn decide(game: &dyn AnyGame, position: &str, agent: &str) -> Decision<String> {
    let position = game.parse_position(position).unwrap();
    position.decide(&mut game.agent(agent).unwrap(), &Budget::NONE, &mut Rng::from_seed(1))
}

/// Agents that can play a game, with few iterations.
fn agents(game: &dyn AnyGame) -> Vec<&'static str> {
    let all = [
        "random",
        "alphabeta:depth=all,nodes=2000",
        "mcts:iterations=200",
        "ismcts:iterations=200",
        "ismcts-rollouts:iterations=50",
        "cheating-mcts:iterations=50",
        "determinized-uct:trees=3,iterations=20,endgame=3,endgame_nodes=500",
        "determinized-uct:trees=3,iterations=20,combine=visits,playout=mast,final=max",
        "mo-ismcts:iterations=60,memory=1",
        "mo-ismcts:iterations=60,keys=view,reward=positive",
    ];
    all.into_iter().filter(|agent| game.agent(agent).is_ok()).collect()
}

#[test]
fn forced_wins_are_found() {
    for (name, position, best) in [
        ("tic-tac-toe", "xx./oo./...", "c3"),
        ("tic-tac-toe", "xx./o../o..", "c3"),
        ("connect-four", "......./......./......./......./ooo..../xxx....", "4"),
    ] {
        for agent in [
            "mcts:iterations=2000",
            "mcts:iterations=2000,playout=mast",
            "alphabeta:depth=all,nodes=100000",
            "ismcts:iterations=2000",
            "ismcts:iterations=2000,playout=nast(2,ucb1(0.7))",
        ] {
            assert_eq!(decide(&*the(name), position, agent).action, best, "{agent} at {position}");
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let game = the("tic-tac-toe");
    for agent in ["mcts:iterations=3000", "ismcts:iterations=3000", "alphabeta:depth=all"] {
        let mut player = game.agent(agent).unwrap();
        let mut rng = Rng::from_seed(2);
        let mut position = game.start();
        while position.turn() != Turn::Over {
            position.act(&mut player, &Budget::NONE, &mut rng, false);
        }
        assert_eq!(position.outcome().payoffs[0], 0.0, "{agent}");
    }
}

#[test]
fn reports_add_up() {
    for (name, agent) in [("connect-four", "mcts:iterations=500"), ("connect-four", "ismcts:iterations=500")] {
        let game = the(name);
        let report = game.start().decide(&mut game.agent(agent).unwrap(), &Budget::NONE, &mut Rng::from_seed(1)).report;
        assert_eq!(report.iterations, 500);
        assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), 500, "{agent}");
        assert_eq!(report.actions.len(), 7);
        for action in &report.actions {
            let payoffs = action.payoffs.unwrap();
            assert!((payoffs[0] + payoffs[1]).abs() < 1e-5, "zero sum");
            assert!((f64::from(payoffs[0]) - action.value_for_mover).abs() < 1e-5, "seat 0 is to move");
        }
        assert_eq!(report.principal_variation[0], report.actions[0].action);
    }
}

#[test]
fn same_seed_same_decision() {
    for entry in GAMES {
        let game = the(entry.name);
        for agent in agents(&*game) {
            let run = || {
                let mut player = game.agent(agent).unwrap();
                let (mut rng, mut position) = (Rng::from_seed(3), game.start());
                let mut actions = Vec::new();
                while actions.len() < 4 && position.turn() != Turn::Over {
                    match position.turn() {
                        Turn::Chance => drop(position.apply_chance(&mut rng)),
                        _ => actions.push(position.act(&mut player, &Budget::NONE, &mut rng, false).action),
                    }
                }
                actions
            };
            assert_eq!(run(), run(), "{} {agent}", entry.name);
        }
    }
}

#[test]
fn nothing_hidden_moves_an_agent() {
    fn check<G: meeple_core::Game>(game: &G, iterations: u64, games: u32) {
        let settings =
            TreeSettings::<G> { budget: Budget::iterations(iterations), memory: 1 << 20, ..Default::default() };
        laws::assert_fair(game, || Box::new(Ismcts::new(game, settings.clone())), games);
    }
    check(&KuhnPoker, 50, 20);
    check(&LeducPoker, 50, 20);
    check(&Hearts::default(), 30, 2);
    check(&Sueca::default(), 30, 2);
    check(&Bisca::default(), 30, 2);
    check(&Just4Fun::default(), 30, 2);
    check(&Keezen::default(), 5, 1);
}

#[test]
fn a_search_without_time_returns_a_legal_action() {
    for (name, agent) in [
        ("breakthrough", "mcts:time=0ms"),
        ("connect-four", "ismcts:time=0ms"),
        ("breakthrough", "ubfm:time=0ms"),
        ("breakthrough", "descent:time=0ms"),
        ("breakthrough", "alphabeta:time=0ms"),
        ("chinese-checkers", "alphabeta:depth=all,time=0ms"),
    ] {
        let game = the(name);
        let position = game.start();
        let action = position.decide(&mut game.agent(agent).unwrap(), &Budget::NONE, &mut Rng::from_seed(1)).action;
        assert!(position.actions().contains(&action));
    }
}

#[test]
fn a_limit_shortens_a_search() {
    let game = the("connect-four");
    for agent in ["mcts:iterations=1000000000", "ismcts:iterations=1000000000"] {
        let limit = Budget::iterations(77);
        let report = game.start().decide(&mut game.agent(agent).unwrap(), &limit, &mut Rng::from_seed(1)).report;
        assert_eq!(report.iterations, 77);
    }
}

#[test]
fn memory_is_bounded_and_the_search_goes_on() {
    let game = the("breakthrough");
    for agent in ["mcts:iterations=60000,memory=1", "ismcts:iterations=60000,memory=1"] {
        let report = game.start().decide(&mut game.agent(agent).unwrap(), &Budget::NONE, &mut Rng::from_seed(1)).report;
        assert!(report.bytes <= 1 << 20, "{agent}: {} bytes", report.bytes);
        assert!(report.bytes > 1 << 19, "{agent}: {} bytes", report.bytes);
        assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), 60_000, "{agent}");
    }
}

#[test]
fn best_first_searches_take_every_setting() {
    let game = the("breakthrough");
    for agent in [
        "ubfm:iterations=50,select=best,final=best,completed=false",
        "ubfm:nodes=2000,select=softmax(0.2),terminal=depth,reuse=false",
        "descent:iterations=3,select=ordinal(0.1),final=safest,memory=1,heuristic=schadd",
    ] {
        let mut player = game.agent(agent).unwrap();
        let decision = game.start().decide(&mut player, &Budget::NONE, &mut Rng::from_seed(1));
        assert_eq!(decision.action, decision.report.principal_variation[0], "{agent}");
        assert!(game.start().actions().contains(&decision.action), "{agent}");
    }
}

#[test]
fn heuristics_are_named_or_made_of_terms() {
    let boards = ["tic-tac-toe", "connect-four", "breakthrough", "lines-of-action", "chinese-checkers"];
    for name in boards {
        for agent in [
            "greedy",
            "greedy:heuristic=tuned",
            "greedy:heuristic=terms(material=1)",
            "greedy:heuristic=terms(centre=0.5,mobility_advanced=-0.1,intercept(0)=1,slope=0.3,opponents=best)",
        ] {
            let game = the(name);
            let position = game.start();
            let action = position.decide(&mut game.agent(agent).unwrap(), &Budget::NONE, &mut Rng::from_seed(1)).action;
            assert!(position.actions().contains(&action), "{name} {agent}");
        }
    }
    for (weights, best) in [("centre=1", "b2"), ("corners=1", "a1 c1 a3 c3")] {
        let action = decide(&*the("tic-tac-toe"), ".../.../...", &format!("greedy:heuristic=terms({weights})")).action;
        assert!(best.split(' ').any(|square| square == action), "{weights}: {action}");
    }
}

#[test]
fn only_cheaters_are_marked() {
    for (name, agent, cheats) in [
        ("just4fun", "cheating-mcts:select=ucb1,keys=path,final=robust", true),
        ("just4fun", "cheating-ispuct:model=just4fun/fieldnet,keys=state", true),
        ("just4fun", "ispuct:model=just4fun/fieldnet", false),
        ("just4fun", "ismcts-rollouts:actions=fields,cards=lowest,time=1s", false),
        ("hearts", "ismcts-rollouts:keys=view,reuse=games,nodes=100", false),
    ] {
        assert_eq!(the(name).agent(agent).unwrap().cheats(), cheats, "{agent}");
    }
}

#[test]
fn every_setting_of_mcts_is_understood() {
    let game = the("lines-of-action");
    for settings in [
        "nodes=100",
        "select=ucb1-tuned,solver=false",
        "select=rave(500),discount=0.99",
        "select=grave(50,1e-4),reuse=true",
        "select=history(2),loops=cut",
        "solver_threshold=5,reuse=games",
        "threads=2,virtual_loss=2",
        "threads=2,parallel=root",
        "threads=2,parallel=leaf",
    ] {
        let mut agent = game.agent(&format!("mcts:iterations=100,{settings}")).unwrap();
        let (mut rng, mut position) = (Rng::from_seed(1), game.start());
        for _ in 0..4 {
            position.act(&mut agent, &Budget::NONE, &mut rng, false);
        }
    }
}

#[test]
fn a_search_tree_has_texts() {
    let game = the("connect-four");
    let (position, mut agent) = (game.start(), game.agent("mcts:iterations=500").unwrap());
    let report = position.decide(&mut agent, &Budget::NONE, &mut Rng::from_seed(1)).report;
    let limits = TreeLimits { depth: 2, visits: 1, nodes: 1000 };
    let nodes = position.search_tree(&agent, limits).unwrap().nodes;
    assert_eq!((nodes[0].visits, nodes[0].action.as_ref()), (500, None));
    let first: Vec<_> = nodes.iter().filter(|node| node.parent == Some(0)).collect();
    assert_eq!(first.len(), report.actions.len());
    for action in &report.actions {
        assert!(first.iter().any(|node| node.action == Some(action.action.clone()) && node.visits == action.visits));
    }
    assert!(nodes.iter().any(|node| node.parent.is_some_and(|parent| parent > 0)));
    assert!(position.search_tree(&game.agent("random").unwrap(), limits).is_none());
}

#[test]
fn bad_agents_say_what_would_work() {
    for (name, agent, part) in [
        ("hearts", "mcts", "use ismcts"),
        ("connect-four", "rules", "connect-four has no rules written by hand: use random or ismcts"),
        ("chinese-checkers", "rules:script=wise", "chinese-checkers has greedy, initialise"),
        ("connect-four", "minimax", "there are: random, "),
        ("hearts", "alphabeta", "use ismcts"),
        ("keezen", "alphabeta", "use ismcts"),
        ("breakthrough", "alphabeta:depth=0", "must be none | 1..250 | all"),
        ("breakthrough", "alphabeta:nodes=0", "must be a whole number in 1.."),
        ("breakthrough", "alphabeta:heuristic=nonsense", "breakthrough has "),
        ("breakthrough", "alphabeta:players=all", "must be one of maxn|paranoid"),
        ("breakthrough", "alphabeta:iterations=5", "unknown setting `iterations`"),
        ("connect-four", "mcts:iteration=5", "unknown setting `iteration` (possible: select, iterations, "),
        ("connect-four", "mcts:iterations=0", "must be a whole number in 1.."),
        ("connect-four", "mcts:exploration=-1", "must be a number in 0..1000"),
        ("connect-four", "mcts:time=5", "a time like 250ms"),
        ("connect-four", "mcts:time=-5s", "a time like 250ms"),
        ("connect-four", "mcts:iterations", "has no `=`"),
        ("connect-four", "mcts:memory=1,memory=2", "twice"),
        ("connect-four", "random:seed=1", "unknown setting `seed` (there are none)"),
        ("connect-four", "", "there is no agent"),
        ("connect-four", "mcts:playout=mast(greedy(2))", "must be random | mast(POLICY)"),
        ("connect-four", "mcts:playout=nast(0)", "must be random | mast(POLICY)"),
        ("connect-four", "mcts:playout=nast(2,gibbs(0))", "must be random | mast(POLICY)"),
        ("hearts", "ismcts:playout=greedy", "hearts has no heuristic"),
        ("breakthrough", "mcts:playout=greedy,playout_heuristic=x", "setting playout_heuristic=x: breakthrough has "),
        ("breakthrough", "mcts:stop=lead", "must be over | depth(10)"),
        ("breakthrough", "mcts:stop=lead(0.4,0)", "must be over | depth(10)"),
        ("connect-four", "mcts:reward=steps", "use win or positive"),
        ("connect-four", "mcts:final=sampled(3:1,2:0)", "must be robust | max"),
        ("connect-four", "mcts:final=varied(0)", "must be robust | max"),
        ("connect-four", "mcts:playout=mast(", "must be random | mast(POLICY)"),
        ("hearts", "ubfm", "use ismcts"),
        ("chinese-checkers", "descent", "two sides with opposite payoffs, which chinese-checkers has not: use mcts"),
        ("breakthrough", "ubfm:select=greedy(1.5)", "must be best | greedy(0.05) | softmax(1) | ordinal(0.05)"),
        ("breakthrough", "ubfm:select=softmax(0)", "must be best | greedy(0.05) | softmax(1) | ordinal(0.05)"),
        ("breakthrough", "descent:final=robust", "must be one of best|safest"),
        ("breakthrough", "ubfm:terminal=score", "breakthrough has not: use classic or depth"),
        ("breakthrough", "ubfm:nodes=0", "must be a whole number in 1.."),
        ("connect-four", "greedy:heuristic=schadd", "connect-four has tuned | terms(TERM=WEIGHT,...)"),
        ("breakthrough", "greedy:heuristic=best", "breakthrough has schadd | tuned | terms(TERM=WEIGHT,...)"),
        ("breakthrough", "greedy:heuristic=terms", "there is no term in it; there are: material, centre, corners"),
        ("breakthrough", "greedy:heuristic=terms(slope=1)", "there is no term in it"),
        ("breakthrough", "greedy:heuristic=terms(mass=1)", "no term `mass` in this game; there are: material, "),
        (
            "breakthrough",
            "greedy:heuristic=terms(region=1)",
            "region(home), intercept(0), intercept(1), and the settings",
        ),
        ("lines-of-action", "greedy:heuristic=terms(own_region=1)", "no term `own_region` in this game"),
        ("breakthrough", "greedy:heuristic=terms(material)", "has no `=`"),
        ("breakthrough", "greedy:heuristic=terms(material=1,material=2)", "twice"),
        ("breakthrough", "greedy:heuristic=terms(material=x)", "material=x must be a number in -1000000..1000000"),
        ("breakthrough", "greedy:heuristic=terms(material=NaN)", "must be a number"),
        ("breakthrough", "greedy:heuristic=terms(material=1,slope=-1)", "slope=-1 must be a number in 0..1000000"),
        ("breakthrough", "greedy:heuristic=terms(material=1,opponents=all)", "must be mean or best"),
        ("hearts", "greedy", "use ismcts"),
        ("hearts", "ismcts:actions=fields", "must be one of cards"),
        ("hearts", "ismcts:keys=board", "must be one of path|view"),
        ("hearts", "ismcts:belief=psychic", "hearts has none"),
        ("just4fun", "ismcts:keys=state", "must be one of path|view|board+hand+used|board+hand|board"),
        ("just4fun", "ismcts:actions=fields,cards=best", "must be one of uniform|fewest|most|lowest"),
        ("just4fun", "ismcts:reuse=game", "use keys=view or reuse=none"),
        ("just4fun", "ismcts:time=1s,determinizations=3", "set iterations, too"),
        ("just4fun", "cheating-mcts:belief=none", "unknown setting `belief`"),
        ("connect-four", "mcts:select=ucb2", "must be ucb1 | ucb1-tuned"),
        ("connect-four", "mcts:select=grave(100)", "must be ucb1 | ucb1-tuned"),
        ("connect-four", "mcts:discount=0", "must be a number in 0.01..1"),
        ("connect-four", "mcts:threads=0", "must be a whole number in 1..256"),
        ("connect-four", "mcts:parallel=all", "must be one of tree|root|leaf"),
    ] {
        let error = the(name).agent(agent).map(drop).unwrap_err().to_string();
        assert!(error.contains(part), "{name} {agent}: {error}");
    }
}

#[test]
fn lists_are_split_between_agents() {
    for (list, agents) in [
        ("random", vec!["random"]),
        ("random, random", vec!["random", "random"]),
        ("mcts:iterations=10,exploration=1,random", vec!["mcts:iterations=10,exploration=1", "random"]),
        ("mcts:playout=nast(2,ucb1(0.7)),final=max,random", vec!["mcts:playout=nast(2,ucb1(0.7)),final=max", "random"]),
        ("a:x=1,b:y=2", vec!["a:x=1", "b:y=2"]),
        ("", vec![]),
    ] {
        assert_eq!(meeple_catalog::split_agents(list), agents, "{list}");
    }
}

/// What people choose among: from three to five opponents in every game, all of which can play.
#[test]
fn levels_can_play() {
    for entry in GAMES {
        let game = game_at_table(entry.name, &Rules::default()).unwrap();
        let levels = levels(entry.name);
        assert!((3..=5).contains(&levels.len()), "{}", entry.name);
        for level in levels {
            assert!(game.agent(level.agent).is_ok(), "{}: {}", entry.name, level.agent);
            for (rules, agent) in level.elsewhere {
                let game = game_at_table(entry.name, &Rules::parse(rules).unwrap()).unwrap();
                assert!(game.agent(agent).is_ok(), "{} {rules}: {agent}", entry.name);
            }
        }
    }
    for (name, rules) in [
        ("keezen", "variant=tock"),
        ("keezen", "variant=sorry"),
        ("just4fun", "players=4"),
        ("chinese-checkers", "board=37"),
        ("chinese-checkers", "players=6"),
        ("connect-four", "rows=5"),
        ("breakthrough", "rows=6"),
        ("hearts", "to=50"),
    ] {
        let game = game_at_table(name, &Rules::parse(rules).unwrap()).unwrap();
        for (number, level) in levels(name).iter().enumerate() {
            let agent = level.agent_for_any_rules(number);
            assert!(game.agent(&agent).is_ok(), "{name} {rules}: {agent}");
        }
    }
}

/// Solving happens on a table of the server: what is too deep or too large is refused at once.
#[test]
fn only_small_games_are_solved() {
    for (name, rules) in [("chinese-checkers", "players=2,cap=10000"), ("lines-of-action", ""), ("tic-tac-toe", "")] {
        let game = meeple_catalog::game(name, &Rules::parse(rules).unwrap()).unwrap();
        let error = game.agent("cfr").map(drop).unwrap_err().to_string();
        assert!(error.contains("too large to be solved"), "{name}: {error}");
    }
    assert!(the("leduc-poker").agent("cfr:iterations=5").is_ok());
}

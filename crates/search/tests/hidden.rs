//! Searches for hidden information: known truths, fairness, bounds, exact endgames.

mod coin;

use std::sync::Arc;
use std::time::Duration;

use coin::{Coin, GUESS, SAFE};
use meeple_core::agent::{ActionReport, Agent, Budget, Decision};
use meeple_core::{Game, MAX_PLAYERS, Margins, Notation, Payoffs, RandomAgent, Rng, Turn, Worlds, laws};
use meeple_games::bisca::BiscaRules;
use meeple_games::breakthrough::Setup;
use meeple_games::tic_tac_toe::TicTacToe;
use meeple_games::{
    Bisca, Breakthrough, ConnectFour, Hearts, HeartsRules, Just4Fun, Keezen, KuhnPoker, LeducPoker, Sueca,
};
use meeple_search::determinized::{Combine, DeterminizedSettings, DeterminizedUct};
use meeple_search::endgame::{Endgame, EndgameSettings};
use meeple_search::ismcts::Ismcts;
use meeple_search::mo_ismcts::{MoIsmcts, MoIsmctsSettings, Observation};
use meeple_search::{Choice, TreeSettings};

type Boxed<G> = Box<dyn Agent<G>>;

fn tree<G: Game>(iterations: u64) -> TreeSettings<G> {
    TreeSettings { budget: Budget::iterations(iterations), memory: 1 << 20, ..TreeSettings::default() }
}

fn determinized<G: Game>(game: &G, trees: usize, combine: Combine, tree: TreeSettings<G>) -> Boxed<G> {
    Box::new(DeterminizedUct::new(game, DeterminizedSettings { tree, trees, combine }, None))
}

fn observers<G: Game>(game: &G, observation: Observation, tree: TreeSettings<G>) -> Boxed<G> {
    Box::new(MoIsmcts::new(game, MoIsmctsSettings { tree, observation }, None))
}

fn solving<G: Game>(game: &G, worlds: usize, nodes: u64, inner: Boxed<G>) -> Boxed<G> {
    let settings = EndgameSettings { worlds, nodes, ..EndgameSettings::default() };
    Box::new(Endgame::new(game, settings, None, inner))
}

/// All kinds with so many iterations.
fn agents<G: Game>(game: &G, iterations: u64) -> Vec<Boxed<G>> {
    vec![
        determinized(game, 10, Combine::Votes, tree(iterations)),
        determinized(game, 10, Combine::Visits, tree(iterations)),
        observers(game, Observation::Public, tree(iterations)),
        observers(game, Observation::View, tree(iterations)),
        solving(game, 5, 2000, observers(game, Observation::Public, tree(iterations))),
    ]
}

fn decide<G: Game>(game: &G, agent: &mut Boxed<G>, state: &G::State) -> Decision<G::Action> {
    let Turn::Player(mover) = game.turn(state) else { panic!("nobody is to move") };
    agent.decide(game, &game.view(state, Some(mover)), &Budget::NONE, &mut Rng::from_seed(1))
}

/// The action wins at once; a solver may also take one that wins later.
fn forced<G: Game + Notation<G>>(game: &G, position: &str, best: &str) {
    let state = game.parse_state(position).unwrap();
    for (number, mut agent) in agents(game, 2000).into_iter().enumerate() {
        let Decision { action, report } = decide(game, &mut agent, &state);
        let solved = report.iterations == 1;
        let won = solved && report.actions[0].value_for_mover == 1.0;
        assert!(won || game.action_text(&state, action) == best, "agent {number} at {position}: {action:?}");
    }
}

#[test]
fn forced_wins_are_found() {
    forced(&TicTacToe, "xx./oo./...", "c3");
    forced(&TicTacToe, "xx./o../o..", "c3");
    forced(&ConnectFour::default(), "......./......./......./......./ooo..../xxx....", "4");
}

/// A tree that knows how the coin fell expects to guess right, and takes the guess even for less.
#[test]
fn only_determinized_trees_are_fooled_by_strategy_fusion() {
    for safe in [1.0, 0.5] {
        let game = Coin { safe };
        let mut state = game.initial_state();
        game.apply(&mut state, 1);
        let guess = |actions: &[ActionReport<u8>]| {
            actions.iter().find(|action| action.action == GUESS).expect("a guess was tried").value_for_mover
        };
        for combine in [Combine::Votes, Combine::Visits] {
            let decision = decide(&game, &mut determinized(&game, 10, combine, tree(5000)), &state);
            assert!(guess(&decision.report.actions) > 0.9, "{:?}", decision.report.actions);
            assert!(safe == 1.0 || decision.action == GUESS, "{combine:?}");
        }
        let ismcts: Boxed<Coin> = Box::new(Ismcts::new(&game, tree(5000)));
        for mut agent in [ismcts, observers(&game, Observation::Public, tree(5000))] {
            let decision = decide(&game, &mut agent, &state);
            assert_eq!(decision.action, SAFE);
            assert!(guess(&decision.report.actions) < 0.4, "{:?}", decision.report.actions);
        }
        // One world after the other is solved as if it were known.
        let solved = decide(&game, &mut solving(&game, 2, 100, Box::new(RandomAgent::default())), &state);
        assert_eq!(guess(&solved.report.actions), 1.0);
    }
}

#[test]
fn nothing_hidden_moves_an_agent() {
    fn check<G: Game>(game: &G, iterations: u64, games: u32) {
        for number in 0..agents(game, 1).len() {
            laws::assert_fair(game, || agents(game, iterations).swap_remove(number), games);
        }
    }
    let sueca = Sueca::default();
    let belief = || sueca.beliefs().pop().map(|(_, belief)| Arc::from(belief));
    let settings = || MoIsmctsSettings { tree: tree(20), observation: Observation::default() };
    laws::assert_fair(&sueca, || Box::new(MoIsmcts::new(&sueca, settings(), belief())), 2);
    check(&KuhnPoker, 50, 20);
    check(&LeducPoker, 50, 10);
    check(&Hearts::default(), 20, 1);
    check(&Hearts::new(HeartsRules { passing: true, ..HeartsRules::default() }), 10, 1);
    check(&Sueca::default(), 20, 1);
    check(&Bisca::default(), 20, 1);
    check(&Just4Fun::default(), 20, 1);
    check(&Keezen::default(), 3, 1);
}

#[test]
fn reports_add_up_within_memory() {
    let game = Breakthrough::<u64>::new(Setup { rows: 6, columns: 6, rows_per_side: 2 });
    let start = game.initial_state();
    for mut agent in agents(&game, 30_000) {
        let report = decide(&game, &mut agent, &start).report;
        assert_eq!(report.iterations, 30_000);
        assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), 30_000);
        assert!(report.bytes <= 1 << 20, "{} bytes", report.bytes);
        for action in &report.actions {
            let payoffs = action.payoffs.unwrap();
            assert!((payoffs[0] + payoffs[1]).abs() < 1e-5, "zero sum");
            assert!((f64::from(payoffs[0]) - action.value_for_mover).abs() < 1e-5, "seat 0 is to move");
        }
    }
}

#[test]
fn a_search_without_time_or_memory_returns_a_legal_action() {
    let game = Bisca::default();
    let mut state = game.initial_state();
    game.play_chance(&mut state, &mut Rng::from_seed(4));
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    let hurried = Budget { time: Some(Duration::ZERO), ..Budget::NONE };
    for settings in [TreeSettings { budget: hurried, ..tree(1) }, TreeSettings { memory: 0, ..tree(200) }] {
        for combine in [Combine::Votes, Combine::Visits] {
            let mut agent = determinized(&game, 50, combine, settings.clone());
            assert!(legal.contains(&decide(&game, &mut agent, &state).action));
        }
        let mut agent = observers(&game, Observation::Public, settings);
        assert!(legal.contains(&decide(&game, &mut agent, &state).action));
    }
    let mut agent = solving(&game, 50, 1_000_000, Box::new(RandomAgent::default()));
    let Turn::Player(mover) = game.turn(&state) else { panic!("nobody is to move") };
    let action = agent.decide(&game, &game.view(&state, Some(mover)), &hurried, &mut Rng::from_seed(1)).action;
    assert!(legal.contains(&action));
}

/// Every tree tries both actions once and prefers the better one: k trees that guessed right are
/// k votes, while the mean of the guesses is better than the safe payoff only if k > 7.5.
#[test]
fn trees_vote() {
    let game = Coin { safe: 0.5 };
    let mut state = game.initial_state();
    game.apply(&mut state, 0);
    let view = game.view(&state, Some(0));
    let settings = TreeSettings { choice: Choice::Max, ..tree(20) };
    let mut apart = 0;
    for seed in 0..40 {
        let decide = |combine| {
            let mut agent = determinized(&game, 10, combine, settings.clone());
            agent.decide(&game, &view, &Budget::NONE, &mut Rng::from_seed(seed))
        };
        let (votes, visits) = (decide(Combine::Votes), decide(Combine::Visits));
        let actions = &votes.report.actions;
        assert_eq!(actions.iter().map(|action| action.visits).collect::<Vec<_>>(), [10, 10]);
        let guess = actions.iter().find(|action| action.action == GUESS).unwrap().value_for_mover;
        let right = ((guess + 1.0) * 5.0).round() as u32;
        assert!(right == 5 || (votes.action == GUESS) == (right > 5), "{right} are right");
        assert_eq!(visits.action == GUESS, right > 7, "{right} are right");
        apart += u32::from(votes.action != visits.action);
    }
    assert!(apart > 0);
}

/// Positions of a random game where the worlds can be listed.
fn late_states<G: Game>(game: &G, seed: u64, last: usize, most_worlds: f64) -> Vec<G::State> {
    let mut rng = Rng::from_seed(seed);
    let mut state = game.initial_state();
    let mut states = Vec::new();
    loop {
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => game.play_chance(&mut state, &mut rng),
            Turn::Player(_) => {
                states.push(state.clone());
                let action = game.random_action(&state, &mut Vec::new(), &mut rng);
                game.apply(&mut state, action);
            }
        }
    }
    let late = states.split_off(states.len() - last);
    let few = |state: &G::State| {
        let Turn::Player(mover) = game.turn(state) else { unreachable!("only decisions are kept") };
        game.worlds(&game.view(state, Some(mover))).count() <= most_worlds
    };
    late.into_iter().filter(few).collect()
}

/// Mostly the payoff, and a tenth the margin; everybody for himself, the first of equal actions.
fn max_n<G: Game>(game: &G, state: &G::State) -> Payoffs {
    let player = match game.turn(state) {
        Turn::Player(player) => player,
        Turn::Chance => panic!("these endgames have no chance"),
        Turn::Over => {
            let margins: &dyn Margins<G> = game.margins().unwrap();
            let (payoffs, difference) = (game.payoffs(state), margins.difference(game, state));
            let largest = margins.largest(game);
            return std::array::from_fn(|seat| 0.9 * payoffs[seat] + (1.0 - 0.9) * difference[seat] / largest);
        }
    };
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let mut best: Option<Payoffs> = None;
    for action in actions {
        let rewards = max_n(game, &after(game, state, action));
        if best.is_none_or(|best| rewards[player] > best[player]) {
            best = Some(rewards);
        }
    }
    best.unwrap_or([0.0; MAX_PLAYERS])
}

fn after<G: Game>(game: &G, state: &G::State, action: G::Action) -> G::State {
    let mut next = state.clone();
    game.apply(&mut next, action);
    next
}

fn check_endgames<G: Game>(game: &G, seeds: u64, last: usize) {
    let mut agent = solving(game, 40, 10_000_000, Box::new(RandomAgent::default()));
    let (mut decisions, mut several) = (0, 0);
    for seed in 0..seeds {
        for state in late_states(game, seed, last, 40.0) {
            let Turn::Player(mover) = game.turn(&state) else { unreachable!("only decisions are kept") };
            let worlds = game.worlds(&game.view(&state, Some(mover))).enumerate(40).unwrap();
            let report = decide(game, &mut agent, &state).report;
            for action in &report.actions {
                let value = |world: &G::State| f64::from(max_n(game, &after(game, world, action.action))[mover]);
                let total: u64 = worlds.iter().map(|&(_, weight)| weight).sum();
                let sum: f64 = worlds.iter().map(|(world, weight)| *weight as f64 * value(world)).sum();
                assert!((action.value_for_mover - sum / total as f64).abs() < 1e-5, "{state:?}: {action:?}");
            }
            decisions += 1;
            several += u64::from(worlds.len() > 1);
        }
    }
    assert!(decisions > 2 * seeds && several > seeds, "{decisions} decisions, {several} with several worlds");
}

#[test]
fn solved_endgames_are_the_mean_over_all_worlds() {
    check_endgames(&Sueca::default(), 20, 10);
    check_endgames(&Bisca::new(BiscaRules { hand_size: 3, ..BiscaRules::default() }), 20, 9);
    check_endgames(&Hearts::default(), 20, 10);
}

#[test]
fn what_cannot_be_solved_is_left_to_the_other_agent() {
    let game = Sueca::default();
    let mut state = game.initial_state();
    game.play_chance(&mut state, &mut Rng::from_seed(4));
    let mut agent = solving(&game, 10, 5000, observers(&game, Observation::Public, tree(77)));
    assert_eq!(decide(&game, &mut agent, &state).report.iterations, 77);
}

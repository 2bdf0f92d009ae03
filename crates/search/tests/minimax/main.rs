//! Minimax in all its kinds against the plain one.

mod plain;
mod race;

use std::collections::HashMap;
use std::time::Duration;

use meeple_core::agent::{Agent, Budget, Decision};
use meeple_core::{Game, Heuristic, Notation, Player, Rng, Turn};
use meeple_games::breakthrough::{Breakthrough, Setup};
use meeple_games::connect_four::Size;
use meeple_games::{ConnectFour, LinesOfAction, TicTacToe};
use meeple_search::minimax::{Minimax, MinimaxSettings, Players, Pruning, solve};

use plain::{actions, after, random_position};
use race::{Ahead, Race};

/// Guesses without sense: any wrong cut shows.
struct Noise;

impl<G: Game> Heuristic<G> for Noise {
    fn value(&self, game: &G, state: &G::State, player: Player) -> f32 {
        let noise = (game.view_key(state, None) % 1999) as f32 / 1000.0 - 0.999;
        if game.team(player) == 0 { noise } else { -noise }
    }
}

fn settings(depth: u8) -> MinimaxSettings {
    MinimaxSettings { depth: Some(depth), budget: Budget::NONE, memory: 1 << 20, ..Default::default() }
}

fn decide<G: Game>(
    game: &G,
    state: &G::State,
    settings: &MinimaxSettings,
    guess: Option<Box<dyn Heuristic<G>>>,
) -> Decision<G::Action> {
    let mut agent = Minimax::new(settings.clone(), guess);
    agent.decide(game, &game.view(state, None), &Budget::NONE, &mut Rng::from_seed(1))
}

/// Compares what is known of every action with plain minimax.
fn check_two_sides<G: Game>(game: &G, positions: u32, plies: u32, depth: u8, memory: usize) {
    let mut rng = Rng::from_seed(7);
    for _ in 0..positions {
        let count = rng.below(plies);
        let state = random_position(game, count, &mut rng);
        let Turn::Player(mover) = game.turn(&state) else { unreachable!() };
        let settings = MinimaxSettings { memory, ..settings(depth) };
        let decision = decide(game, &state, &settings, Some(Box::new(Noise)));
        let best = &decision.report.actions[0];
        let expected = plain::minimax(game, &state, depth, mover, &Noise);
        assert!((best.value_for_mover - expected).abs() < 1e-6, "{state:?}: {} {expected}", best.value_for_mover);
        assert_eq!(best.action, decision.action);
        // A sure win ends the search before the others were looked at to the same depth.
        for action in decision.report.actions.iter().filter(|_| best.proven.is_none()) {
            let value = plain::minimax(game, &after(game, &state, action.action), depth - 1, mover, &Noise);
            assert!(value <= action.value_for_mover + 1e-6, "{state:?} {:?} is no upper bound", action.action);
            if let Some(payoffs) = action.payoffs {
                assert!((f64::from(payoffs[mover]) - value).abs() < 1e-6, "{state:?} {:?}", action.action);
            }
        }
    }
}

#[test]
fn alpha_beta_is_minimax() {
    let board = |rows, columns| Breakthrough::<u64>::new(Setup { rows, columns, rows_per_side: 2 });
    check_two_sides(&board(5, 5), 20, 25, 4, 1 << 20);
    check_two_sides(&board(6, 6), 6, 30, 4, 1 << 10);
    check_two_sides(&ConnectFour::default(), 20, 30, 5, 1 << 20);
    check_two_sides(&ConnectFour::default(), 20, 30, 5, 1);
    check_two_sides(&TicTacToe, 40, 8, 6, 1 << 12);
}

#[test]
fn sides_need_not_alternate() {
    let race = |players, partners| Race { players, partners, die: false };
    check_two_sides(&race(2, false), 30, 20, 5, 1 << 16);
    check_two_sides(&race(4, true), 30, 30, 5, 1 << 16);
}

/// The value of the first position, and the number of plies to the end.
fn solved<G: Game>(game: &G) -> (f32, usize) {
    let state = game.initial_state();
    let settings = MinimaxSettings { depth: None, ..settings(1) };
    let report = decide(game, &state, &settings, None).report;
    let payoff = report.actions[0].proven.unwrap()[0];
    assert_eq!(solve(game, &state, 100_000_000).unwrap()[0], payoff);
    (payoff, report.principal_variation.len())
}

#[test]
fn small_games_are_solved() {
    let drop = |rows, columns| ConnectFour::<u64>::new(Size { rows, columns });
    assert_eq!(solved(&TicTacToe), (0.0, 9));
    // Tromp's table of small boards.
    assert_eq!(solved(&drop(4, 5)).0, 0.0);
    assert_eq!(solved(&drop(5, 4)).0, 0.0);
    let game = drop(4, 4);
    assert_eq!(solved(&game).0, 0.0);
    assert_eq!(plain::perfect(&game, &game.initial_state(), &mut HashMap::new()).0, 0.0);
}

#[test]
fn wins_are_the_shortest() {
    for (rows, columns, rows_per_side) in [(3, 3, 1), (3, 4, 1), (4, 3, 1), (4, 4, 1), (5, 3, 1), (4, 3, 2)] {
        let game = Breakthrough::<u64>::new(Setup { rows, columns, rows_per_side });
        let (payoff, plies) = plain::perfect(&game, &game.initial_state(), &mut HashMap::new());
        assert_eq!(solved(&game), (payoff, plies as usize), "{rows}x{columns}, {rows_per_side}");
    }
}

/// The same agent for both sides, with what it kept: the loser resists as long as he can.
#[test]
fn a_won_game_ends_when_it_should() {
    let game = Breakthrough::<u64>::new(Setup { rows: 5, columns: 3, rows_per_side: 1 });
    let mut rng = Rng::from_seed(3);
    for _ in 0..10 {
        let mut state = random_position(&game, 3, &mut rng);
        let (payoff, plies) = plain::perfect(&game, &state, &mut HashMap::new());
        let mut agent = Minimax::new(MinimaxSettings { depth: None, ..settings(1) }, None);
        let mut played = 0;
        while game.turn(&state) != Turn::Over {
            let action = agent.decide(&game, &state, &Budget::NONE, &mut rng).action;
            game.apply(&mut state, action);
            played += 1;
        }
        assert_eq!((game.payoffs(&state)[0], played), (payoff, plies));
    }
}

#[test]
fn forced_wins_in_lines_of_action() {
    let game = LinesOfAction::default();
    for (position, payoff, plies) in [
        ("1w6/6w1/b1b5/b2b1w2/2bbww1w/w3b3/2b4w/8 w 57", 1.0, 4),
        ("3bb1w1/w2b3w/2wb4/5b2/8/bw6/2w5/2w5 b 70", 1.0, 5),
        ("2w5/1b1bb3/1b5w/6w1/4wb2/w1b5/5w1w/4w3 b 74", 1.0, 5),
        ("8/b1b1w3/6w1/w5b1/w7/w2w4/w1w2w2/8 b 66", 1.0, 7),
    ] {
        let state = game.parse_state(position).unwrap();
        assert_eq!(solve(&game, &state, 1_000_000).unwrap()[0], payoff, "{position}");
        assert_eq!(solve(&game, &state, 1_000), None, "{position}");
        let settings = MinimaxSettings { depth: None, ..settings(1) };
        let report = decide(&game, &state, &settings, None).report;
        assert_eq!(report.principal_variation.len(), plies, "{position}");
        let end = report.principal_variation.iter().fold(state, |state, &action| after(&game, &state, action));
        assert_eq!((game.turn(&end), game.payoffs(&end)[0]), (Turn::Over, payoff), "{position}");
    }
}

#[test]
fn every_player_for_himself_is_max_n() {
    for die in [false, true] {
        let game = Race { players: 3, partners: false, die };
        let mut rng = Rng::from_seed(5);
        for _ in 0..20 {
            let count = rng.below(20);
            let state = random_position(&game, count, &mut rng);
            let decision = decide(&game, &state, &settings(5), Some(Box::new(Ahead)));
            let expected = plain::maxn(&game, &state, 5, &Ahead);
            let found = decision.report.actions[0].payoffs.unwrap();
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-5, "{state:?}: {found} {expected}");
            }
        }
    }
}

#[test]
fn all_against_the_mover_is_paranoid() {
    for die in [false, true] {
        let game = Race { players: 3, partners: false, die };
        let mut rng = Rng::from_seed(6);
        let mut agent =
            Minimax::new(MinimaxSettings { players: Players::Paranoid, ..settings(5) }, Some(Box::new(Ahead)));
        for _ in 0..30 {
            let count = rng.below(20);
            let state = random_position(&game, count, &mut rng);
            let Turn::Player(mover) = game.turn(&state) else { unreachable!() };
            // The agent serves all seats in turn.
            let report = agent.decide(&game, &state, &Budget::NONE, &mut rng).report;
            let expected = plain::minimax(&game, &state, 5, mover, &Ahead);
            let found = report.actions[0].value_for_mover;
            assert!((found - expected).abs() < 1e-6, "{state:?}: {found} {expected}");
            assert_eq!(report.actions[0].proven, None, "nothing is proven about how the others play");
        }
    }
}

#[test]
fn pruned_chance_has_the_same_value_for_fewer_positions() {
    let game = Race { players: 2, partners: false, die: true };
    let mut nodes = [0; 3];
    let mut rng = Rng::from_seed(8);
    for _ in 0..30 {
        let count = rng.below(15);
        let state = random_position(&game, count, &mut rng);
        let Turn::Player(mover) = game.turn(&state) else { unreachable!() };
        let expected = plain::minimax(&game, &state, 7, mover, &Ahead);
        for (place, pruning) in [Pruning::None, Pruning::Star1, Pruning::Star2].into_iter().enumerate() {
            let settings = MinimaxSettings { pruning, ..settings(7) };
            let report = decide(&game, &state, &settings, Some(Box::new(Ahead))).report;
            let found = report.actions[0].value_for_mover;
            assert!((found - expected).abs() < 1e-9, "{pruning:?} {state:?}: {found} {expected}");
            nodes[place] += report.nodes;
        }
    }
    assert!(nodes[0] > nodes[1] && nodes[1] > nodes[2], "{nodes:?}");
}

#[test]
fn budgets_are_kept() {
    let game = Breakthrough::<u64>::new(Setup::default());
    let state = game.initial_state();
    let (_, schadd) = game.heuristics().remove(0);
    let mut agent = Minimax::new(MinimaxSettings { depth: None, ..settings(1) }, Some(schadd));
    let legal = actions(&game, &state);
    let mut rng = Rng::from_seed(1);
    for nodes in [1, 2, 10, 100, 3_000, 100_000] {
        let limit = Budget { nodes: Some(nodes), ..Budget::NONE };
        let decision = agent.decide(&game, &state, &limit, &mut rng);
        assert!(legal.contains(&decision.action));
        assert!(decision.report.nodes <= nodes && decision.report.nodes + 40 > nodes, "{}", decision.report.nodes);
        assert!(decision.report.bytes <= 1 << 20);
        let visits: u64 = decision.report.actions.iter().map(|action| action.visits).sum();
        assert!(visits < nodes.max(2), "{visits} of {nodes}");
    }
    for milliseconds in [0, 1, 30] {
        let limit = Budget { time: Some(Duration::from_millis(milliseconds)), ..Budget::NONE };
        let decision = agent.decide(&game, &state, &limit, &mut rng);
        assert!(legal.contains(&decision.action));
        assert!(decision.report.time < Duration::from_millis(milliseconds + 500));
    }
}

/// A depth that is not finished counts as far as it went: never worse than the depth before it.
#[test]
fn a_search_cut_short_keeps_what_it_found() {
    let game = TicTacToe;
    let state = game.parse_state("xx./o../o..").unwrap();
    for nodes in 30..400 {
        let settings = MinimaxSettings { budget: Budget { nodes: Some(nodes), ..Budget::NONE }, ..settings(9) };
        let decision = decide(&game, &state, &settings, None);
        assert_eq!(game.action_text(&state, decision.action), "c3", "{nodes}");
    }
}

#[test]
fn same_position_same_decision() {
    let game = Breakthrough::<u64>::new(Setup::default());
    let run = |agent: &mut Minimax<Breakthrough>| {
        agent.new_game();
        let mut state = game.initial_state();
        let mut rng = Rng::from_seed(1);
        for _ in 0..4 {
            let decision = agent.decide(&game, &state, &Budget::NONE, &mut rng);
            game.apply(&mut state, decision.action);
        }
        state
    };
    let new = || Minimax::new(MinimaxSettings { memory: 1 << 12, ..settings(5) }, Some(game.heuristics().remove(0).1));
    let mut agent = new();
    let first = run(&mut agent);
    assert_eq!(run(&mut agent), first, "a new game forgets the old one");
    assert_eq!(run(&mut new()), first);
}

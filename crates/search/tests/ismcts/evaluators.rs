//! Searches with evaluators: what these say about values and priors, and batches of many games.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use meeple_core::agent::{ActionReport, Agent, Budget, Decision};
use meeple_core::rng::mix;
use meeple_core::{Game, Rng, TreeLimits, Turn};
use meeple_games::just4fun::Cards;
use meeple_games::{Bisca, Hearts, Just4Fun, TicTacToe};
use meeple_search::evaluator::{MeanEvaluator, PlayoutEvaluator};
use meeple_search::ismcts::{Ahead, Ismcts, IsmctsSettings, Keys, Mixture, Puct, Search, Selection};
use meeple_search::{Evaluation, Evaluator, Gumbel, Playout, RootRule};

use super::{Opinion, PUCT, decide, mover, settings, some_choice};

/// Without noise.
const SURE: Selection = Selection::Puct(Puct { first_play: 0.0, prior_temperature: 1.0, noise: 0.0, alpha: 1.0 });

#[test]
fn an_evaluator_values_new_nodes_and_weighs_actions() {
    let game = Hearts::default();
    let state = some_choice(&game, &mut Rng::from_seed(2));
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    for keys in [Keys::Path, Keys::View] {
        let asked = Arc::new(AtomicU64::new(0));
        let settings = IsmctsSettings { keys, selection: SURE, ..settings(30) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Opinion(asked.clone())));
        let decision = decide(&game, &mut agent, &state, &Budget::NONE, 1);
        let best = &decision.report.actions[0];
        assert_eq!((best.action, best.visits, best.prior), (*legal.last().unwrap(), 30, Some(1.0)));
        assert_eq!(asked.load(Relaxed), 31, "the root and every new node");
    }
}

/// Sure of the last action everywhere; expects more the more squares are empty.
struct Empty;

impl Evaluator<TicTacToe> for Empty {
    fn evaluate(&mut self, game: &TicTacToe, states: &[State], out: &mut Vec<Evaluation>, rng: &mut Rng) {
        Opinion(Arc::default()).evaluate(game, states, out, rng);
        for evaluation in out {
            let expected = evaluation.priors.len() as f32 / 10.0;
            evaluation.payoffs[..2].copy_from_slice(&[expected, -expected]);
        }
    }
}

type State = <TicTacToe as Game>::State;

/// After the first move eight squares are empty, and after each one that is looked ahead one less; with the sixth of
/// these the first player has a line.
#[test]
fn the_end_of_what_is_looked_ahead_is_valued() {
    let game = TicTacToe;
    let cases = [(0, 0.8), (1, 0.7), (4, 0.4), (6, 1.0), (50, 1.0)].map(|(moves, value)| (moves, false, value));
    let to_own_turn =
        [(0, 0.7), (1, 0.7), (2, 0.5), (3, 0.5), (5, 0.3), (6, 1.0)].map(|(moves, value)| (moves, true, value));
    for (moves, to_own_turn, expected) in cases.into_iter().chain(to_own_turn) {
        let ahead = Ahead { moves, to_own_turn, ..Ahead::default() };
        let settings = IsmctsSettings { selection: SURE, ahead, ..settings(1) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Empty));
        let decision = decide(&game, &mut agent, &game.initial_state(), &Budget::NONE, 1);
        let best = &decision.report.actions[0];
        assert!((best.value_for_mover - expected).abs() < 1e-6, "{ahead:?}: {}", best.value_for_mover);
    }
}

/// Two squares are left. Whatever is played, the other player has the last one, and nobody needs to be asked about that.
#[test]
fn where_there_is_one_action_nothing_is_evaluated_on_the_way_ahead() {
    let game = TicTacToe;
    let mut state = game.initial_state();
    for square in [0, 1, 2, 4, 3, 5, 7] {
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        let action = legal.into_iter().find(|&action| game.action_code(action) == square).unwrap();
        game.apply(&mut state, action);
    }
    for (moves, to_own_turn, expected) in [(0, true, 1), (1, false, 1), (0, false, 3)] {
        let asked = Arc::new(AtomicU64::new(0));
        let ahead = Ahead { moves, to_own_turn, ..Ahead::default() };
        let puct = Puct { first_play: 0.0, prior_temperature: 100.0, noise: 0.5, alpha: 100.0 };
        let settings = IsmctsSettings { selection: Selection::Puct(puct), ahead, ..settings(30) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Opinion(asked.clone())));
        let decision = decide(&game, &mut agent, &state, &Budget::NONE, 1);
        assert_eq!(game.action_code(decision.action), 6, "the other one loses");
        assert_eq!(asked.load(Relaxed), expected, "the root, and both nodes after it if they are valued: {ahead:?}");
    }
}

/// Its evaluator gives everything to the last action.
#[test]
fn what_the_policy_is_sure_of_is_not_searched() {
    let game = Hearts::default();
    let state = some_choice(&game, &mut Rng::from_seed(2));
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    for (sure, iterations) in [(1.0, 30), (0.99, 1)] {
        let settings = IsmctsSettings { selection: SURE, sure, ..settings(30) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Opinion(Arc::default())));
        let decision = decide(&game, &mut agent, &state, &Budget::NONE, 1);
        assert_eq!((decision.action, decision.report.iterations), (*legal.last().unwrap(), iterations));
    }
}

/// Prefers the first of the empty squares, and likes it when the first two are taken.
#[derive(Debug)]
struct FromTheCorner;

impl Evaluator<TicTacToe> for FromTheCorner {
    fn evaluate(&mut self, game: &TicTacToe, states: &[State], out: &mut Vec<Evaluation>, rng: &mut Rng) {
        Opinion(Arc::default()).evaluate(game, states, out, rng);
        for (state, evaluation) in states.iter().zip(out) {
            let mut empty = Vec::new();
            game.legal_actions(state, &mut empty);
            evaluation.priors.fill(0.8 / empty.len() as f32);
            evaluation.priors[0] += 0.2;
            let worth = if game.action_code(empty[0]) == 2 { 1.0 } else { -1.0 };
            evaluation.payoffs[..2].copy_from_slice(&[worth, -worth]);
        }
    }
}

/// Of three who say something else each; and of one with no opinion on actions.
#[test]
fn the_mean_counts_all_alike() {
    let game = TicTacToe;
    let mut states = vec![game.initial_state(); 2];
    let mut legal = Vec::new();
    game.legal_actions(&states[1], &mut legal);
    game.apply(&mut states[1], legal[4]);
    let asked = |mut evaluator: Box<dyn Evaluator<TicTacToe>>| {
        let mut out = vec![Evaluation { priors: vec![7.0; 20], ..Evaluation::default() }];
        evaluator.evaluate(&game, &states, &mut out, &mut Rng::from_seed(1));
        out
    };
    let member = |number: usize| -> Box<dyn Evaluator<TicTacToe>> {
        match number {
            0 => Box::new(Empty),
            1 => Box::new(FromTheCorner),
            2 => Box::new(Opinion(Arc::default())),
            _ => Box::new(PlayoutEvaluator::new(&game, Playout::random(), 1)),
        }
    };
    let mean = asked(Box::new(MeanEvaluator::new((0..3).map(member).collect())));
    let each: Vec<_> = (0..3).map(|number| asked(member(number))).collect();
    for (state, mean) in mean.iter().enumerate() {
        let expected =
            |figure: &dyn Fn(&Evaluation) -> f32| each.iter().map(|one| figure(&one[state])).sum::<f32>() / 3.0;
        for player in 0..2 {
            assert!((mean.payoffs[player] - expected(&|one| one.payoffs[player])).abs() < 1e-6);
        }
        assert_eq!(mean.priors.len(), 9 - state);
        for (place, prior) in mean.priors.iter().enumerate() {
            assert!((prior - expected(&|one| one.priors[place])).abs() < 1e-6);
        }
    }
    assert_ne!(mean[0].payoffs, mean[1].payoffs);
    let silent = asked(Box::new(MeanEvaluator::new([0, 3].map(member).into())));
    assert!(silent.iter().all(|evaluation| evaluation.priors.is_empty()));
}

/// How often of 200 times it likes where so many moves lead after the first square was taken.
fn liked(ahead: Ahead) -> usize {
    let game = TicTacToe;
    let settings = IsmctsSettings { selection: SURE, ahead, ..settings(1) };
    let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(FromTheCorner));
    let values = (0..200).map(|seed| {
        decide(&game, &mut agent, &game.initial_state(), &Budget::NONE, seed).report.actions[0].value_for_mover
    });
    values.filter(|value| *value > 0.0).count()
}

#[test]
fn the_temperature_sharpens_what_is_looked_ahead() {
    let reply = |others: f64| liked(Ahead { moves: 1, others, ..Ahead::default() });
    // One of eight replies has 0.3, with its square 0.09 beside seven times 0.01.
    assert_eq!(reply(0.01), 200);
    assert!((40..80).contains(&reply(1.0)), "{}", reply(1.0));
    assert!((95..130).contains(&reply(0.5)), "{}", reply(0.5));
}

/// The reply takes the second square. The third one, with 0.31 of the seven that are left, spoils what it likes.
#[test]
fn the_searching_player_has_a_temperature_of_his_own() {
    let second = |temperature: f64| liked(Ahead { moves: 2, temperature, others: 0.01, ..Ahead::default() });
    assert_eq!(second(0.01), 0);
    assert!((120..160).contains(&second(1.0)), "{}", second(1.0));
}

/// Sure of the last action, and remembers all that it was asked.
struct Remembering(Arc<Mutex<Vec<<Hearts as Game>::State>>>);

impl Evaluator<Hearts> for Remembering {
    fn evaluate(&mut self, game: &Hearts, states: &[HeartsState], out: &mut Vec<Evaluation>, rng: &mut Rng) {
        self.0.lock().unwrap().extend(states.iter().cloned());
        Opinion(Arc::default()).evaluate(game, states, out, rng);
    }
}

type HeartsState = <Hearts as Game>::State;

/// The positions from which the search looked so many moves ahead, after one action in one world, as its player and as
/// the next one sees them.
fn set_out_from(depth: usize, moves: u32, redraws: bool) -> (HashSet<u64>, HashSet<u64>) {
    let game = Hearts::default();
    let state = some_choice(&game, &mut Rng::from_seed(2));
    let viewer = mover(&game, &state);
    let ahead = Ahead { moves, redraws, ..Ahead::default() };
    let settings = IsmctsSettings { selection: SURE, determinizations: 1, depth, ahead, ..settings(30) };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Remembering(asked.clone())));
    let action = decide(&game, &mut agent, &state, &Budget::NONE, 1).action;
    let mut after = state.clone();
    game.apply(&mut after, action);
    let (key, next) = (game.view_key(&after, Some(viewer)), mover(&game, &after));
    assert_ne!(next, viewer);
    let asked = asked.lock().unwrap();
    let from = asked.iter().filter(|state| game.view_key(state, Some(viewer)) == key);
    let from: Vec<_> = from.filter(|state| mover(&game, state) == next).collect();
    assert!(!from.is_empty(), "the world has the cards of the player, and so has all that is drawn");
    let seen_by = |seat| from.iter().map(|state| game.view_key(state, Some(seat))).collect();
    (seen_by(viewer), seen_by(next))
}

/// In the only world the next player has one hand; drawn anew he has another one every time, and the searching player's
/// own stays.
#[test]
fn what_is_hidden_is_drawn_anew_on_the_way_ahead() {
    for depth in [1, usize::MAX] {
        let (own, next) = set_out_from(depth, 1, false);
        assert_eq!((own.len(), next.len()), (1, 1));
    }
    for moves in [0, 1] {
        let (own, next) = set_out_from(1, moves, true);
        // With a hand of one legal card nobody is asked on the way.
        assert!(own.len() == 1 && (20..=30).contains(&next.len()), "{} hands", next.len());
        let (own, next) = set_out_from(usize::MAX, moves, true);
        assert_eq!((own.len(), next.len()), (1, 2), "the node in its world, and the first time that it was left");
    }
}

/// Where another player is to move another evaluator is asked, on the way down as on the way ahead.
#[test]
fn others_have_an_evaluator_of_their_own() {
    let game = Hearts::default();
    let state = some_choice(&game, &mut Rng::from_seed(2));
    let viewer = mover(&game, &state);
    let ahead = Ahead { moves: 2, ..Ahead::default() };
    let settings = IsmctsSettings { selection: SURE, ahead, ..settings(30) };
    let asked = [(); 2].map(|()| Arc::new(Mutex::new(Vec::new())));
    let [own, others] = asked.each_ref().map(|asked| Box::new(Remembering(asked.clone())));
    let mut agent = Ismcts::new(&game, settings).with_evaluator(own).with_others(others);
    decide(&game, &mut agent, &state, &Budget::NONE, 1);
    let [own, others] =
        asked.map(|asked| asked.lock().unwrap().iter().map(|state| mover(&game, state)).collect::<Vec<_>>());
    assert!(own.len() > 5 && own.iter().all(|&seat| seat == viewer), "{own:?}");
    assert!(others.len() > 30 && others.iter().all(|&seat| seat != viewer), "{others:?}");
}

/// Expects something that depends on the hand of the player to move alone, who may play any card of it, and remembers
/// these hands.
struct ByHand(Arc<Mutex<HashSet<u64>>>);

impl Evaluator<Bisca> for ByHand {
    fn evaluate(&mut self, game: &Bisca, states: &[BiscaState], out: &mut Vec<Evaluation>, rng: &mut Rng) {
        Opinion(Arc::default()).evaluate(game, states, out, rng);
        for (state, evaluation) in states.iter().zip(out) {
            let mut hand = Vec::new();
            game.legal_actions(state, &mut hand);
            let key = hand.iter().fold(0, |key, &card| mix(key ^ u64::from(game.action_code(card))));
            self.0.lock().unwrap().insert(key);
            let worth = key as f32 / u64::MAX as f32;
            evaluation.payoffs[..2].copy_from_slice(&[worth, -worth]);
            evaluation.priors.fill(1.0 / hand.len() as f32);
        }
    }
}

type BiscaState = <Bisca as Game>::State;

/// What an action leads to depends on the world alone, so that both are worth the same if they are tried in the same ones.
#[test]
fn actions_of_a_pass_are_tried_in_the_same_world() {
    let game = Bisca::default();
    // The first player leads, and the other one answers.
    let (mut state, mut rng) = (game.initial_state(), Rng::from_seed(1));
    while game.turn(&state) == Turn::Chance {
        game.play_chance(&mut state, &mut rng);
    }
    let root = RootRule::Gumbel(Gumbel { considered: 2, noise: 0.0, ..Gumbel::default() });
    for (determinizations, worlds) in [(0, 120), (3, 3), (1, 1)] {
        let hands = Arc::new(Mutex::new(HashSet::new()));
        let settings = IsmctsSettings { selection: SURE, root, determinizations, depth: 1, ..settings(240) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(ByHand(hands.clone())));
        let report = decide(&game, &mut agent, &state, &Budget::NONE, 1).report;
        let tried: Vec<_> = report.actions.iter().filter(|action| action.visits > 0).collect();
        let figures = |number: usize| (tried[number].visits, tried[number].value_for_mover);
        assert_eq!((tried.len(), figures(0)), (2, figures(1)));
        let seen = hands.lock().unwrap().len() - 1;
        assert!(seen <= worlds && seen >= worlds.min(50), "{seen} hands beside that of the root");
    }
}

/// All iterations try the same actions. Where the tree ends every one of them is evaluated anew.
#[test]
fn a_tree_is_no_deeper_than_it_may_be() {
    let game = Hearts::default();
    let state = some_choice(&game, &mut Rng::from_seed(2));
    let view = game.view(&state, Some(mover(&game, &state)));
    for (depth, expected) in [(1, 1..=1), (2, 2..=2), (4, 4..=4), (usize::MAX, 5..=30)] {
        let asked = Arc::new(AtomicU64::new(0));
        let settings = IsmctsSettings { selection: SURE, depth, determinizations: 1, ..settings(30) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Opinion(asked.clone())));
        decide(&game, &mut agent, &state, &Budget::NONE, 1);
        let nodes = agent.tree(&game, &view, TreeLimits { depth: 40, visits: 1, nodes: 1000 }).unwrap().nodes;
        assert!(expected.contains(&(nodes.len() - 1)), "{} nodes", nodes.len());
        assert_eq!(asked.load(Relaxed), 31);
    }
}

/// A new node has half of what the evaluator says, and half of what its playouts do.
#[test]
fn playouts_have_their_share_in_the_value() {
    let game = TicTacToe;
    let value = |playouts: u32, share: f64| {
        let mixture = Mixture { playouts, share };
        let settings = IsmctsSettings { selection: SURE, mixture, ..settings(1) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Empty));
        let decision = decide(&game, &mut agent, &game.initial_state(), &Budget::NONE, 1);
        let best = &decision.report.actions[0];
        assert!((f64::from(best.payoffs.unwrap()[0]) - best.value_for_mover).abs() < 1e-6);
        best.value_for_mover
    };
    // The evaluator says 0.8; by random play the first player wins 58.5 % and loses 28.8 %.
    assert!((value(0, 0.5) - 0.8).abs() < 1e-6 && (value(1000, 0.0) - 0.8).abs() < 1e-6);
    let played = value(1000, 1.0);
    assert!((0.1..0.6).contains(&played), "{played}");
    assert!((value(1000, 0.5) - (0.8 + played) / 2.0).abs() < 1e-4);
}

/// The node after the only action that is tried takes the first iterations, each in another world; the others go on.
#[test]
fn a_node_is_evaluated_in_as_many_worlds_as_it_should_be() {
    let game = Hearts::default();
    let state = some_choice(&game, &mut Rng::from_seed(2));
    let view = game.view(&state, Some(mover(&game, &state)));
    for evaluations in [1, 3, 7] {
        let settings = IsmctsSettings { selection: SURE, evaluations, ..settings(30) };
        let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Opinion(Arc::default())));
        decide(&game, &mut agent, &state, &Budget::NONE, 1);
        let nodes = agent.tree(&game, &view, TreeLimits { depth: 2, visits: 1, nodes: 1000 }).unwrap().nodes;
        let below: u64 = nodes.iter().filter(|node| node.parent == Some(1)).map(|node| node.visits).sum();
        assert_eq!((nodes[1].visits, below), (30, 30 - u64::from(evaluations)));
    }
}

/// Many games share one evaluator: all gather, one call evaluates, all apply. Each decides as it would
/// alone.
#[test]
fn searches_of_many_games_share_a_batch() {
    let game = Just4Fun::default();
    let asked = Arc::new(AtomicU64::new(0));
    let plain = IsmctsSettings { keys: Keys::Coarse(0), selection: PUCT, determinizations: 7, ..settings(40) };
    let settings = IsmctsSettings { group_rule: Some(0), ..plain };
    let state = |seed| some_choice(&game, &mut Rng::from_seed(seed));
    let view = |seed| game.view(&state(seed), Some(mover(&game, &state(seed))));
    let mut searches: Vec<_> =
        (0..5).map(|seed| (Search::new(&game, settings.clone()).with_evaluations(), Rng::from_seed(seed))).collect();
    for (seed, (search, rng)) in searches.iter_mut().enumerate() {
        search.begin(&game, Box::new(game.worlds(&view(seed as u64))), &Budget::NONE, rng);
    }
    let (mut requests, mut evaluations) = (Vec::new(), Vec::new());
    loop {
        requests.clear();
        let mut waiting = Vec::new();
        for (search, rng) in &mut searches {
            let asked = requests.len();
            while requests.len() == asked && search.gather(&game, &mut requests, rng) {}
            waiting.extend((requests.len() > asked).then_some((search, rng)));
        }
        if waiting.is_empty() {
            break;
        }
        Opinion(asked.clone()).evaluate(&game, &requests, &mut evaluations, &mut Rng::from_seed(9));
        let waiting = waiting.into_iter().zip(&evaluations);
        waiting.for_each(|((search, rng), evaluation)| search.apply(&game, evaluation, rng));
    }
    for (seed, (search, mut rng)) in (0..).zip(searches) {
        let mut search = search;
        let mut alone = Ismcts::new(&game, settings.clone()).with_evaluator(Box::new(Opinion(asked.clone())));
        let expected = alone.decide(&game, &view(seed), &Budget::NONE, &mut Rng::from_seed(seed));
        let decision = search.decide(&game, 1, &mut rng);
        let figures = |decision: &Decision<Cards>| {
            let entry = |entry: &ActionReport<Cards>| (entry.action, entry.visits, entry.prior);
            (decision.action, decision.report.actions.iter().map(entry).collect::<Vec<_>>())
        };
        assert_eq!((figures(&decision), decision.report.iterations), (figures(&expected), 42));
    }
}

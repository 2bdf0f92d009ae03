//! Networks that see all cards: what they are shown, who they may stand for, and what they learn from.

use meeple_core::agent::{Budget, CheatingAgent, Seated};
use meeple_core::{Game, RandomAgent, Rng, Worlds, laws};
use meeple_games::{Just4Fun, KuhnPoker, Sueca};
use meeple_network::description::Values;
use meeple_network::preset::DenseStack;
use meeple_network::selfplay::{Method, Players, Searching, SelfPlaySettings, Teacher, play};
use meeple_network::{CheatingNetworkAgent, Header, Model, ModelError, NetworkAgent, NetworkEvaluator, Preset, Sample};
use meeple_search::ismcts::{Ahead, Cheating, Ismcts, IsmctsSettings, Keys, Puct, Selection};
use meeple_search::{Evaluation, Evaluator, TreeSettings};

use super::evaluator::evaluate;
use super::selfplay::{alone, encoder, on, settings};
use super::{mover, positions, small_model, with_random_weights};

/// With random weights, of the game's first encoder.
fn open_model<G: Game>(game: &G, values: Values, seed: u64) -> Model {
    let preset = Preset::Dense(DenseStack { layers: 1, neurons: 16, values, ..DenseStack::default() });
    let encoder = encoder(game);
    with_random_weights(Header::new(game, "", &*encoder, preset.description()).opened(game, &*encoder), seed)
}

#[test]
fn hidden_cards_matter_to_who_sees_them() {
    fn check<G: Game>(game: &G) {
        let mut evaluator = NetworkEvaluator::for_others(game, &open_model(game, Values::Viewer, 1)).unwrap();
        let (mut rng, mut told_apart, mut distinct) = (Rng::from_seed(2), 0, 0);
        for state in positions(game, 40, 3) {
            let worlds = game.worlds(&game.view(&state, Some(mover(game, &state))));
            let mut other = state.clone();
            worlds.sample_into(&mut other, &mut rng);
            let evaluations = evaluate(game, &mut evaluator, &[state.clone(), other.clone(), state.clone()]);
            assert_eq!(evaluations[0], evaluations[2]);
            let hands =
                |state| (0..game.info().players).map(|seat| game.view_key(state, Some(seat))).collect::<Vec<_>>();
            distinct += usize::from(hands(&state) != hands(&other));
            told_apart += usize::from(evaluations[0] != evaluations[1]);
        }
        assert!(distinct > 15 && told_apart == distinct, "{}: {told_apart} of {distinct}", game.info().name);
    }
    check(&Just4Fun::default());
    check(&Sueca::default());
}

/// The views of all seats tell what was asked, and not that of one.
#[test]
fn a_cache_knows_all_cards() {
    let game = Just4Fun::default();
    let model = open_model(&game, Values::Viewer, 4);
    let mut states = Vec::new();
    for state in positions(&game, 60, 5) {
        let worlds = game.worlds(&game.view(&state, Some(mover(&game, &state))));
        let mut world = state;
        worlds.sample_into(&mut world, &mut Rng::from_seed(6));
        states.extend([state, world, state]);
    }
    let others = || NetworkEvaluator::for_others(&game, &model).unwrap();
    let expected = evaluate(&game, &mut others(), &states);
    for entries in [1, 7, 1000] {
        let mut evaluator = others().with_cache(entries);
        for (states, expected) in states.chunks(2).zip(expected.chunks(2)) {
            assert_eq!(evaluate(&game, &mut evaluator, states), expected, "{entries} entries");
        }
    }
}

#[test]
fn who_sees_all_cards_is_no_fair_player() {
    let game = Just4Fun::default();
    let (open, closed) = (open_model(&game, Values::Viewer, 1), small_model(&game, Values::Viewer, 1));
    let refusal = |error: Option<ModelError>| error.expect("refused").to_string();
    assert!(refusal(NetworkAgent::new(&game, &open, 1.0).err()).contains("sees the cards of all players"));
    assert!(refusal(NetworkEvaluator::new(&game, &open).err()).contains("sees the cards of all players"));
    assert!(refusal(CheatingNetworkAgent::new(&game, &closed, 1.0).err()).contains("nothing to cheat with"));
    assert!(NetworkEvaluator::for_others(&game, &closed).is_ok(), "others may know as little");
    // The cards decide what it plays.
    let mut agent = CheatingNetworkAgent::new(&game, &open, 0.0).unwrap();
    let mut differs = 0;
    for state in positions(&game, 20, 3) {
        let mut world = state;
        game.worlds(&game.view(&state, Some(mover(&game, &state)))).sample_into(&mut world, &mut Rng::from_seed(2));
        let [own, other] = [state, world]
            .map(|state| agent.decide(&game, &state, &Budget::NONE, &mut Rng::from_seed(1)).report.actions[0].prior);
        differs += usize::from(own != other);
    }
    assert!(differs > 10, "{differs}");
}

/// What it is shown are worlds that the searching player has drawn from what he knows.
#[test]
fn a_search_that_asks_it_for_others_stays_fair() {
    let game = Just4Fun::default();
    let (own, open) = (small_model(&game, Values::Viewer, 1), open_model(&game, Values::Viewer, 2));
    let agent = || {
        let puct = Puct { first_play: 0.0, prior_temperature: 1.0, noise: 0.0, alpha: 1.0 };
        let tree = TreeSettings { budget: Budget::iterations(12), ..TreeSettings::default() };
        let ahead = Ahead { moves: 2, redraws: true, ..Ahead::default() };
        let settings = IsmctsSettings { selection: Selection::Puct(puct), depth: 1, ahead, ..tree.into() };
        Ismcts::new(&game, settings)
            .with_evaluator(Box::new(NetworkEvaluator::new(&game, &own).unwrap()))
            .with_others(Box::new(NetworkEvaluator::for_others(&game, &open).unwrap()))
    };
    laws::assert_fair(&game, || Box::new(agent()), 2);
}

/// One part of the input after the other: what the viewer sees, and what the others see.
#[test]
fn samples_for_who_sees_all_cards_have_them_in_their_input() {
    let open = SelfPlaySettings { open: true, ..settings(30, 1) };
    let samples = |settings: &SelfPlaySettings| {
        play(&KuhnPoker, &*encoder(&KuhnPoker), settings, &[], alone(RandomAgent::default()), &mut on).unwrap().samples
    };
    let (plain, open) = (samples(&SelfPlaySettings { hidden: true, ..settings(30, 1) }), samples(&open));
    let shown = |packed: &meeple_network::samples::Packed| {
        let mut input = vec![0.0; packed.len()];
        packed.unpack(&mut input);
        input
    };
    assert_eq!(plain.len(), open.len());
    for (plain, open) in plain.iter().zip(&open) {
        // There is no board, so that nothing is interleaved.
        assert_eq!(shown(&open.input), [shown(&plain.input), shown(&plain.hidden)].concat());
    }
}

/// Positions of the others are asked of another evaluator, which here expects all for the searching player.
#[test]
fn searches_in_self_play_ask_another_where_others_are_to_move() {
    struct Promising;
    impl Evaluator<Just4Fun> for Promising {
        fn evaluate(
            &mut self,
            game: &Just4Fun,
            states: &[<Just4Fun as Game>::State],
            out: &mut Vec<Evaluation>,
            _: &mut Rng,
        ) {
            out.clear();
            for state in states {
                let mut actions = Vec::new();
                game.legal_actions(state, &mut actions);
                let mut evaluation =
                    Evaluation { priors: vec![1.0 / actions.len() as f32; actions.len()], ..Evaluation::default() };
                let other = 1 - mover(game, state);
                (evaluation.payoffs[other], evaluation.payoffs[1 - other]) = (1.0, -1.0);
                out.push(evaluation);
            }
        }
    }
    let game = Just4Fun::default();
    let settings =
        SelfPlaySettings { method: Method::Ispuct, depth: 1, determinizations: 0, root_share: 1.0, ..settings(4, 20) };
    let samples = |others: bool| {
        let own = NetworkEvaluator::new(&game, &small_model(&game, Values::Viewer, 1)).unwrap();
        let others = others.then(|| Box::new(Promising) as Box<dyn Evaluator<_>>);
        let players = Players::Searches(vec![Searching { others, ..Searching::alone(own) }]);
        play(&game, &*encoder(&game), &settings, &[], players, &mut on).unwrap().samples
    };
    // What the search expected is all that the value learns; the game may end with an action.
    let promised = samples(true);
    assert!(promised.iter().all(|sample| sample.payoffs[0] > 0.8));
    assert!(samples(false).iter().any(|sample| sample.payoffs[0] < 0.8));
}

/// An agent that sees the cards, on one seat in most games: its visits are learnt, and nothing of what the other does.
#[test]
fn a_teacher_may_have_an_opponent() {
    let game = Just4Fun::default();
    let played = |share: f64, threads: usize| {
        let tree = TreeSettings { budget: Budget::iterations(20), ..TreeSettings::default() };
        let searching = || IsmctsSettings { keys: Keys::State, ..tree.clone().into() };
        let teacher = |_| Teacher {
            agent: Seated::cheating(Cheating::new(&game, searching())),
            opponent: Some((Seated::fair(RandomAgent::default()), share)),
        };
        let settings = SelfPlaySettings { open: true, ..settings(40, 1) };
        play(&game, &*encoder(&game), &settings, &[], Players::Agents((0..threads).map(teacher).collect()), &mut on)
            .unwrap()
    };
    let always = played(1.0, 1);
    let won = |samples: &[Sample]| samples[0].payoffs[0] > 0.0;
    let games = || (0..40).map(|game| if game == 0 { 0 } else { always.ends[game - 1] }..always.ends[game]);
    let wins = games().filter(|game| won(&always.samples[game.clone()])).count();
    assert!(wins >= 28, "20 iterations win {wins} of 40 against chance");
    let same = |samples: &[Sample]| samples.iter().all(|sample| sample.payoffs[0] == samples[0].payoffs[0]);
    assert!(games().all(|game| same(&always.samples[game])), "all samples of a game are of one seat");
    assert!(always.samples.iter().all(|sample| sample.targets().count() > 1), "visits of several actions");
    assert_eq!(always.statistics.simulations, 20 * always.samples.len() as u64, "the opponent has no share in it");
    let never = played(0.0, 1);
    assert!(never.samples.len() > always.samples.len() * 3 / 2);
    assert!(played(1.0, 2).samples == always.samples, "threads change nothing");
}

//! What makes more of each game in self-play.

use std::collections::HashSet;

use meeple_core::agent::{Agent, AgentError, Budget, Decision, Seated};
use meeple_core::{Encoder, Game, RandomAgent, Rng, Turn};
use meeple_games::{Bisca, Hearts, Just4Fun, Keezen, KuhnPoker, LeducPoker, Sueca, TicTacToe};
use meeple_network::samples::{Choice, Packed, Sample};
use meeple_network::selfplay::{
    Method, Opening, Opponents, Played, Players, Quick, SelfPlayError, SelfPlaySettings, Who, play,
};
use meeple_search::informed::Noise;
use meeple_search::ismcts::Keys;
use meeple_search::{Gumbel, RootRule, Temperature};

use super::encoder_of;
use super::selfplay::{alone, encoder, networks, on, played, settings};

#[test]
fn nothing_is_learnt_from_quick_decisions() {
    let all = played(&TicTacToe, &settings(60, 16), 1);
    let quick = Some(Quick { share: 0.75, iterations: 4, values: false });
    let some = played(&TicTacToe, &SelfPlaySettings { quick, ..settings(60, 16) }, 1);
    let decisions = some.statistics.mean_length() * 60.0;
    let taught = some.samples.len() as f64 / decisions;
    assert!((0.18..0.32).contains(&taught), "{taught} of {decisions} decisions");
    assert!(some.statistics.simulations < all.statistics.simulations * 3 / 4);
    // Outcomes lose their worth with every decision, also with those that are not learnt from.
    let fading = SelfPlaySettings { quick, target_discount: 0.5, ..settings(60, 16) };
    let lowest = |played: &Played| played.samples.iter().map(|sample| sample.payoffs[0].abs()).fold(1.0, f32::min);
    assert!(lowest(&played(&TicTacToe, &SelfPlaySettings { ternary: true, ..fading }, 1)) < 0.1);
}

/// Decisions without a search teach the value alone.
#[test]
fn the_value_may_learn_from_quick_decisions() {
    fn check<G: Game>(game: &G, settings: SelfPlaySettings) {
        let played = played(game, &settings, 1);
        let decisions = (played.statistics.mean_length() * settings.games as f64).round();
        assert_eq!(played.samples.len() as f64, decisions);
        let searched = played.samples.iter().filter(|sample| sample.targets().next().is_some()).count() as f64;
        assert!((0.18..0.32).contains(&(searched / decisions)), "{searched} of {decisions}");
        assert!(played.statistics.simulations as f64 <= searched * settings.iterations as f64);
    }
    let quick = Some(Quick { share: 0.75, iterations: 0, values: true });
    let settings = SelfPlaySettings { quick, ..settings(60, 16) };
    check(&TicTacToe, settings.clone());
    let ispuct = SelfPlaySettings { method: Method::Ispuct, determinizations: 4, group_rule: Some(0), ..settings };
    check(&Just4Fun::default(), ispuct);
}

#[test]
fn without_a_search_the_policy_decides() {
    let positions = |temperature: f64| {
        let quick = Some(Quick { share: 0.999_999, iterations: 0, values: true });
        let temperature = Temperature::constant(temperature);
        let played = played(&TicTacToe, &SelfPlaySettings { quick, temperature, ..settings(40, 16) }, 1);
        played.samples.iter().map(|sample| sample.key).collect::<HashSet<_>>().len()
    };
    let (greedy, drawn) = (positions(0.0), positions(1.0));
    // The network sees nothing on the empty board, and so prefers nothing; each of the nine squares has one game.
    assert!(greedy <= 1 + 9 * 8 && drawn > 2 * greedy, "{greedy} positions when greedy, {drawn} when drawn");
}

#[test]
fn surprising_positions_count_more() {
    let plain = played(&TicTacToe, &settings(20, 30), 1).samples;
    assert!(plain.iter().all(|sample| sample.weight == 1.0));
    let weighted = played(&TicTacToe, &SelfPlaySettings { surprise: 0.5, ..settings(20, 30) }, 1).samples;
    let weights = || weighted.iter().map(|sample| f64::from(sample.weight));
    assert!((weights().sum::<f64>() / weighted.len() as f64 - 1.0).abs() < 1e-3);
    assert!(weights().all(|weight| weight >= 0.5 - 1e-6) && weights().any(|weight| weight > 1.2));
    assert!(weighted.iter().zip(&plain).all(|(a, b)| a.policy == b.policy), "only the weights differ");
    // Searches that change nothing, as of the last field that is free, still count for something.
    let only = played(&TicTacToe, &SelfPlaySettings { surprise: 1.0, ..settings(20, 30) }, 1).samples;
    assert!(only.iter().all(|sample| sample.weight > 0.0) && only.iter().any(|sample| sample.weight < 0.01));
}

#[test]
fn games_begin_at_positions_of_the_archive() {
    let notation = TicTacToe.notation().unwrap();
    let settings = SelfPlaySettings { start_share: 1.0, ..settings(30, 8) };
    let first = played(&TicTacToe, &settings, 1);
    assert_eq!(first.archive.len(), 30);
    let archive: Vec<_> = first.archive.iter().map(|text| notation.parse_state(text).unwrap()).collect();
    assert!(archive.iter().all(|state| matches!(TicTacToe.turn(state), Turn::Player(_))));
    let empty = archive.iter().filter(|state| **state == TicTacToe.initial_state()).count();
    assert!(empty < 15, "positions of all parts of a game, not {empty} of the beginning");
    let late = vec![notation.parse_state("xox/oxo/.x.").unwrap()];
    let again = play(&TicTacToe, &*encoder(&TicTacToe), &settings, &late, networks(&TicTacToe, 1), &mut on).unwrap();
    assert!(again.statistics.mean_length() <= 2.0, "{}", again.statistics.mean_length());
}

/// A program that does not answer must not teach what was played in its place.
#[test]
fn an_agent_that_cannot_play_on_is_an_error() {
    struct Broken;
    impl<G: Game> Agent<G> for Broken {
        fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
            RandomAgent::default().decide(game, view, limit, rng)
        }
        fn failure(&self) -> Option<AgentError> {
            Some(AgentError("it is broken".to_string()))
        }
    }
    let error = play(&TicTacToe, &*encoder(&TicTacToe), &settings(5, 8), &[], alone(Broken), &mut on).unwrap_err();
    assert_eq!(error.to_string(), "it is broken");
}

/// Nothing is learnt from random moves at the beginning: games that begin with them have fewer samples, and none of
/// the empty board.
#[test]
fn openings_are_not_learnt_from() {
    let opening = Some(Opening { share: 1.0, moves: 4 });
    let played = played(&TicTacToe, &SelfPlaySettings { opening, ..settings(100, 8) }, 1);
    let stones = |sample: &Sample| {
        let mut input = vec![0.0; sample.input.len()];
        sample.input.unpack(&mut input);
        input.iter().filter(|&&mark| mark == 1.0).count()
    };
    let empty = played.samples.iter().filter(|sample| stones(sample) == 0).count();
    assert!((5..40).contains(&empty), "one of five games begins with the empty board, not {empty} of 100");
    assert_eq!(played.statistics.games, 100);
}

/// The policy of Gumbel's root also knows of actions that were never visited.
#[test]
fn samples_take_what_the_root_proposes() {
    let root = RootRule::Gumbel(Gumbel { considered: 2, ..Gumbel::default() });
    let samples = played(&TicTacToe, &SelfPlaySettings { root, ..settings(10, 8) }, 1).samples;
    for sample in samples.iter().filter(|sample| sample.legal.len() > 2) {
        assert!((sample.policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(sample.policy.iter().filter(|share| **share > 0.0).count() > 2, "{:?}", sample.policy);
    }
}

/// Nobody holds the card of another: whoever sees all seats sees different cards.
#[test]
fn samples_may_have_what_is_hidden() {
    let settings = SelfPlaySettings { method: Method::Ispuct, hidden: true, ..settings(50, 10) };
    let samples = played(&KuhnPoker, &settings, 1).samples;
    let shown = |packed: &Packed| {
        let mut input = vec![0.0; packed.len()];
        packed.unpack(&mut input);
        input
    };
    let cards = |input: &[f32]| input[..3].iter().position(|&mark| mark == 1.0).unwrap();
    for sample in &samples {
        assert_eq!(sample.hidden.len(), sample.input.len());
        assert_ne!(cards(&shown(&sample.input)), cards(&shown(&sample.hidden)));
    }
    assert!(
        played(&KuhnPoker, &SelfPlaySettings { hidden: false, ..settings }, 1)
            .samples
            .iter()
            .all(|sample| sample.hidden.is_empty())
    );
}

/// Every encoder can be asked for a seat that is not to move.
#[test]
fn every_hidden_hand_can_be_shown_to_a_critic() {
    fn check<G: Game>(game: &G) {
        let settings = SelfPlaySettings { hidden: true, move_cap: Some(3), ..settings(3, 4) };
        let random = alone(RandomAgent::default());
        let samples = play(game, &*encoder(game), &settings, &[], random, &mut on).unwrap().samples;
        let shape = encoder(game).hidden_shape(game);
        assert!(!samples.is_empty() && samples.iter().all(|sample| sample.hidden.len() == shape.len()));
    }
    check(&Just4Fun::default());
    check(&Hearts::default());
    check(&Sueca::default());
    check(&Bisca::default());
    check(&Keezen::default());
    check(&LeducPoker);
}

/// What a policy did can be weighed against what it might have done: the outputs it chose among, and how likely it was.
#[test]
fn drawn_decisions_tell_what_they_were_drawn_from() {
    let alone = |games: u64| SelfPlaySettings { method: Method::Policy, ..settings(games, 1) };
    fn check<G: Game>(game: &G, encoder: &dyn Encoder<G>, settings: &SelfPlaySettings) -> usize {
        let played = play(game, encoder, settings, &[], networks(game, 1), &mut on).unwrap();
        assert_eq!(played.ends.len() as u64, settings.games);
        assert_eq!(*played.ends.last().unwrap(), played.samples.len());
        let mut details = 0;
        for sample in &played.samples {
            let drawn = sample.drawn.as_deref().expect("every decision is drawn");
            assert!(drawn.seat < game.info().players && drawn.likelihood <= 1e-6);
            for Choice { among, taken } in &drawn.choices {
                assert!(among.len() > 1 && among.contains(taken));
                assert!(among.iter().all(|output| sample.legal.contains(output)));
            }
            match &drawn.choices[..] {
                // The policy that the sample has kept, halved if there are details.
                [Choice { among, taken }] if **among == *sample.legal => {
                    let place = sample.legal.binary_search(taken).unwrap();
                    assert!((sample.policy[place].ln() - drawn.likelihood).abs() < 1e-3);
                }
                choices => details += usize::from(choices.len() == 2),
            }
        }
        details
    }
    assert_eq!(check(&TicTacToe, &*encoder(&TicTacToe), &alone(30)), 0);
    assert_eq!(check(&Sueca::default(), &*encoder(&Sueca::default()), &alone(5)), 0);
    let game = Just4Fun::default();
    assert_eq!(check(&game, &*encoder_of(&game, "cards-fields"), &alone(5)), 0);
    // The last move of tic-tac-toe is forced, and nothing is learnt from it.
    let played = played(&TicTacToe, &alone(40), 1);
    let decisions = (played.statistics.mean_length() * 40.0).round() as usize;
    assert!(played.samples.len() < decisions && played.samples.iter().all(|sample| sample.legal.len() > 1));
}

/// Plays against others by the policy alone.
fn against<G: Game>(
    game: &G,
    settings: &SelfPlaySettings,
    threads: usize,
    share: f64,
    who: &dyn Fn() -> Who<G>,
) -> Played {
    let settings = SelfPlaySettings { method: Method::Policy, ..settings.clone() };
    let Players::Searches(mut searching) = networks(game, threads) else { unreachable!() };
    searching.iter_mut().for_each(|one| one.opponents = Some(Opponents { share, who: who() }));
    play(game, &*encoder(game), &settings, &[], Players::Searches(searching), &mut on).unwrap()
}

/// The only team whose decisions each game teaches, and what it was paid.
fn learners(played: &Played, teams: usize) -> Vec<(usize, f32)> {
    let mut start = 0;
    let of_game = |&end: &usize| {
        let samples = &played.samples[start..end];
        start = end;
        let team = |sample: &Sample| sample.drawn.as_ref().unwrap().seat % teams;
        assert!(samples.iter().all(|sample| team(sample) == team(&samples[0])), "the others teach nothing");
        (team(&samples[0]), samples[0].payoffs[0])
    };
    played.ends.iter().map(of_game).collect()
}

/// In games against others the searches have one team, each as often as the other, and the others teach nothing.
#[test]
fn opponents_are_played_against_and_not_learnt_from() {
    let game = Sueca::default();
    let against = |share: f64, threads: usize, together: usize| {
        let who = || Who::Agents((0..together).map(|_| Seated::fair(RandomAgent::default())).collect());
        against(&game, &settings(60, 1), threads, share, &who)
    };
    let played = against(1.0, 1, 8);
    assert_eq!(played.statistics.mean_length(), 40.0, "the decisions of opponents count as well");
    let of_first = learners(&played, 2).iter().filter(|(team, _)| *team == 0).count();
    assert!((16..=44).contains(&of_first), "{of_first}");
    let mixed = against(0.5, 1, 8).samples.len() as f64 / played.samples.len() as f64;
    assert!((1.3..1.7).contains(&mixed), "{mixed}");
    assert!(against(1.0, 2, 3).samples == played.samples, "neither threads nor batches change the samples");
}

/// A search that knows the cards beats the policy of the network that guides it.
#[test]
fn the_same_network_with_a_search_is_an_opponent_too() {
    let game = Just4Fun::default();
    let against = |method: Method, threads: usize, searches: usize| {
        let settings = SelfPlaySettings { searches, ..settings(40, 200) };
        let (temperature, noise) = (Temperature::constant(0.0), Noise::NONE);
        let rival = SelfPlaySettings { method, keys: Keys::Coarse(0), temperature, noise, ..settings.clone() };
        against(&game, &settings, threads, 1.0, &|| Who::Search(Box::new(rival.clone())))
    };
    let played = against(Method::CheatingIspuct, 1, 8);
    let lost = learners(&played, 2).iter().filter(|(_, payoff)| *payoff < 0.0).count();
    assert!(lost >= 30, "the policy has lost {lost} of 40 games");
    assert!(played.statistics.simulations > 40 * 5 * 200, "the simulations of opponents count as well");
    assert!(against(Method::CheatingIspuct, 2, 3).samples == played.samples, "the samples depend on the games alone");
    assert!(against(Method::Ispuct, 1, 8).samples != played.samples, "who knows the cards plays differently");
}

#[test]
fn opponents_that_do_not_fit_are_refused() {
    let game = Just4Fun::default();
    let Players::Searches(mut searching) = networks(&game, 1) else { unreachable!() };
    let who = Who::Search(Box::new(settings(1, 1)));
    searching[0].opponents = Some(Opponents { share: 1.0, who });
    let alone = SelfPlaySettings { method: Method::Policy, ..settings(1, 1) };
    let SelfPlayError(why) =
        play(&game, &*encoder(&game), &alone, &[], Players::Searches(searching), &mut on).unwrap_err();
    assert!(why.contains("puct needs perfect information"), "{why}");
}

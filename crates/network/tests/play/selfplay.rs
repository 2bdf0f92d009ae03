//! Games that networks play against themselves.

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::{Arc, Mutex};

use meeple_core::agent::{Agent, Budget, Decision, Seated};
use meeple_core::{
    Encoder, Game, GameInfo, Known, Outcome, Payoffs, Player, RandomAgent, Rng, Shape, Symmetries, Tensor, Turn,
    zero_sum,
};
use meeple_games::{Hearts, Just4Fun, TicTacToe, TinyChineseCheckers};
use meeple_network::description::Values;
use meeple_network::selfplay::{
    Augmentation, Method, Played, Players, Progress, Quick, SampleKey, Searching, SelfPlayError, SelfPlaySettings,
    Teacher, play,
};
use meeple_network::{NetworkAgent, NetworkEvaluator, Sample};
use meeple_search::informed::{FirstPlay, Noise};
use meeple_search::ismcts::Keys;
use meeple_search::{Evaluation, Evaluator, Gumbel, RootRule, Temperature};

use super::{encoder_of, small_model};

pub(super) fn on(_: &Progress) -> ControlFlow<()> {
    Continue(())
}

pub(super) fn networks<G: Game>(game: &G, threads: usize) -> Players<G> {
    let evaluators = NetworkEvaluator::for_threads(game, &small_model(game, Values::Viewer, 1), threads).unwrap();
    Players::Searches(evaluators.into_iter().map(|one| Searching::alone(one.with_cache(50))).collect())
}

/// An agent that is learnt from has all seats.
pub(super) fn alone<G: Game>(agent: impl Agent<G> + 'static) -> Players<G> {
    Players::Agents(vec![Teacher::alone(Seated::fair(agent))])
}

pub(super) fn encoder<G: Game>(game: &G) -> Box<dyn Encoder<G>> {
    encoder_of(game, game.encoders()[0].name())
}

pub(super) fn played<G: Game>(game: &G, settings: &SelfPlaySettings, threads: usize) -> Played {
    play(game, &*encoder(game), settings, &[], networks(game, threads), &mut on).unwrap()
}

pub(super) fn settings(games: u64, iterations: u64) -> SelfPlaySettings {
    SelfPlaySettings { games, iterations, seed: 5, ..SelfPlaySettings::default() }
}

/// Of thesis 000.
fn ispuct(games: u64, iterations: u64) -> SelfPlaySettings {
    SelfPlaySettings {
        method: Method::Ispuct,
        keys: Keys::Coarse(0),
        determinizations: 4,
        group_rule: Some(0),
        ..settings(games, iterations)
    }
}

fn input(sample: &Sample) -> Vec<f32> {
    let mut input = vec![0.0; sample.input.len()];
    sample.input.unpack(&mut input);
    input
}

#[test]
fn neither_threads_nor_batches_change_the_samples() {
    fn check<G: Game>(game: &G, settings: SelfPlaySettings) {
        let expected = played(game, &SelfPlaySettings { searches: 1, ..settings.clone() }, 1);
        assert_eq!(expected.statistics.games, settings.games);
        for (searches, threads) in [(3, 1), (64, 1), (1, 2), (4, 2)] {
            let found = played(game, &SelfPlaySettings { searches, ..settings.clone() }, threads);
            assert!(found.samples == expected.samples, "{searches} searches, {threads} threads, {settings:?}");
            assert_eq!(found.statistics.simulations, expected.statistics.simulations);
            assert_eq!(found.statistics.wins, expected.statistics.wins);
        }
        let other = played(game, &SelfPlaySettings { seed: 6, ..settings.clone() }, 2);
        assert!(other.samples != expected.samples);
        let single =
            |first_game| played(game, &SelfPlaySettings { first_game, games: 1, ..settings.clone() }, 1).samples;
        assert!(single(0) != single(1), "each game is another one");
        let later = SelfPlaySettings { first_game: 2, games: settings.games - 2, ..settings };
        let tail = played(game, &later, 2).samples;
        assert!(expected.samples.ends_with(&tail), "a game depends on its number alone");
    }
    check(&TicTacToe, settings(9, 12));
    check(&TicTacToe, SelfPlaySettings { reuse: true, symmetry: Augmentation::One, ..settings(9, 12) });
    check(&TicTacToe, SelfPlaySettings { leaves: 4, root_share: 0.3, ..settings(9, 12) });
    let game = Just4Fun::default();
    check(&game, ispuct(5, 12));
    // All games begin with the same board.
    check(&game, SelfPlaySettings { reuse: true, keys: Keys::Coarse(2), ..ispuct(5, 12) });
    let cheating = SelfPlaySettings { method: Method::CheatingIspuct, keys: Keys::State, ..ispuct(5, 12) };
    check(&game, cheating);
    let quick = Some(Quick { share: 0.5, iterations: 4, values: false });
    check(&game, SelfPlaySettings { method: Method::Policy, ..settings(5, 1) });
    let root = RootRule::Gumbel(Gumbel { considered: 4, ..Gumbel::default() });
    check(&TicTacToe, SelfPlaySettings { root, quick, surprise: 0.5, ..settings(9, 12) });
    check(&game, SelfPlaySettings { root, quick, start_share: 0.5, ..ispuct(5, 12) });
    check(&game, SelfPlaySettings { root: RootRule::Forced(2.0), ..ispuct(5, 12) });
}

#[test]
fn policies_are_shares_of_legal_actions() {
    fn check<G: Game>(samples: &[Sample], iterations: u64, encoder: &dyn Encoder<G>) {
        let mut decided = 0;
        for sample in samples {
            assert!((sample.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!(sample.legal.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(usize::from(*sample.legal.last().unwrap()) < encoder.policy_size());
            let visits = sample.policy.iter().map(|share| share * iterations as f32);
            assert!(sample.legal.len() == 1 || visits.clone().all(|visits| (visits - visits.round()).abs() < 1e-3));
            decided += usize::from(sample.legal.len() > 1 && sample.targets().count() == 1);
        }
        assert!(decided < samples.len() / 2, "{decided} of {}", samples.len());
    }
    check(&played(&TicTacToe, &settings(5, 40), 1).samples, 40, &*encoder(&TicTacToe));
    let game = Just4Fun::default();
    check(&played(&game, &ispuct(3, 40), 1).samples, 40, &*encoder(&game));
}

/// Half of what is learnt is about indices and half about details, both with the shares of the same actions.
#[test]
fn details_are_learnt_beside_indices() {
    let game = Just4Fun::default();
    let settings = SelfPlaySettings { group_rule: None, ..ispuct(3, 40) };
    let record = |name: &str| {
        play(&game, &*encoder_of(&game, name), &settings, &[], networks(&game, 1), &mut on).unwrap().samples
    };
    let (plain, detailed) = (record("cards-fields"), record("cards-combinations"));
    assert_eq!(plain.len(), detailed.len());
    let mut several = 0;
    for (plain, detailed) in plain.iter().zip(&detailed) {
        let indices = plain.legal.len();
        assert_eq!(detailed.legal[..indices], plain.legal[..]);
        let halves = plain.policy.iter().zip(&detailed.policy);
        assert!(halves.clone().all(|(whole, half)| (whole / 2.0 - half).abs() < 1e-6));
        let (legal, shares) = (&detailed.legal[indices..], &detailed.policy[indices..]);
        assert!(legal.iter().all(|output| (36..51).contains(output)) && legal.len() >= indices);
        assert!((shares.iter().sum::<f32>() - 0.5).abs() < 1e-5);
        several += usize::from(legal.len() > indices);
    }
    assert!(several > 20, "several combinations reach a field");
}

/// The marks of both players, the mover first.
fn marks(sample: &Sample) -> [Vec<bool>; 2] {
    let input = input(sample);
    [0, 1].map(|channel| input.iter().skip(channel).step_by(2).map(|&value| value == 1.0).collect())
}

fn has_line(marks: &[bool]) -> bool {
    let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    lines.iter().any(|line| line.iter().all(|&square: &usize| marks[square]))
}

#[test]
fn payoffs_are_those_of_the_game_for_its_viewer() {
    let mut games = Vec::new();
    let settings = settings(12, 10);
    let played = play(&TicTacToe, &*encoder(&TicTacToe), &settings, &[], networks(&TicTacToe, 1), &mut |progress| {
        games.push(*progress);
        Continue(())
    })
    .unwrap();
    assert_eq!(games.last().unwrap().samples, played.samples.len() as u64);
    games.sort_by_key(|progress| progress.number);
    let mut rest = &played.samples[..];
    for progress in &games {
        let (samples, others) = rest.split_at(progress.decisions as usize);
        rest = others;
        for (turn, sample) in samples.iter().enumerate() {
            assert_eq!(
                marks(sample).map(|marks| marks.iter().filter(|&&mark| mark).count()),
                [turn / 2, turn.div_ceil(2)]
            );
            let payoff = progress.payoffs[turn % 2];
            assert_eq!(sample.payoffs, zero_sum(payoff));
            assert_eq!(sample.weight, 1.0);
        }
        // Whoever moved last has won, or the board is full.
        let last = samples.last().unwrap();
        let [own, other] = marks(last);
        assert!(!has_line(&own) && !has_line(&other));
        let wins = last.legal.iter().any(|&square| {
            let mut after = own.clone();
            after[usize::from(square)] = true;
            has_line(&after)
        });
        assert!(if last.payoffs[0] == 1.0 { wins } else { last.payoffs[0] == 0.0 && samples.len() == 9 });
    }
    let statistics = played.statistics;
    assert!(rest.is_empty() && statistics.games == 12 && statistics.stopped == 0);
    assert_eq!(statistics.wins.iter().sum::<u64>() + statistics.draws, 12);
    assert_eq!(statistics.payoffs[0], statistics.wins[0] as f64 - statistics.wins[1] as f64);
    let decisions: u64 = games.iter().map(|progress| u64::from(progress.decisions)).sum();
    assert_eq!((statistics.decisions, statistics.samples), (decisions, decisions));
    assert_eq!(statistics.mean_length(), decisions as f64 / 12.0);
    // The last of nine moves is forced.
    let forced = games.iter().filter(|progress| progress.decisions == 9).count() as u64;
    assert_eq!(statistics.simulations, 10 * (statistics.decisions - forced));
    assert!(statistics.evaluations > 0 && statistics.evaluations <= statistics.simulations + statistics.decisions);
}

/// An encoded view, and the policy index of what was done.
type Shown = (Vec<f32>, usize);

/// Plays at random and writes down what it was shown and what it took.
struct Witness<G: Game> {
    random: RandomAgent<G::Action>,
    encoder: Box<dyn Encoder<G>>,
    seen: Arc<Mutex<Vec<Shown>>>,
}

impl<G: Game> Agent<G> for Witness<G> {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        let decision = self.random.decide(game, view, limit, rng);
        let mut input = vec![0.0; self.encoder.shape().len()];
        self.encoder.encode(game, view, &mut Tensor::zeroed(self.encoder.shape(), &mut input));
        self.seen.lock().unwrap().push((input, self.encoder.policy_index(game, view, decision.action)));
        decision
    }
}

/// The samples of random play, and what the players were shown and took.
fn witnessed<G: Game>(game: &G, settings: &SelfPlaySettings) -> (Vec<Sample>, Vec<Shown>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let witness = Witness { random: RandomAgent::default(), encoder: encoder(game), seen: seen.clone() };
    let players = alone(witness);
    let samples = play(game, &*encoder(game), settings, &[], players, &mut on).unwrap().samples;
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    assert_eq!(samples.len(), seen.len());
    (samples, seen)
}

#[test]
fn samples_hold_what_the_view_shows_and_what_was_done() {
    fn check<G: Game>(game: &G) {
        let (samples, seen) = witnessed(game, &settings(4, 1));
        for (sample, (view, action)) in samples.iter().zip(&seen) {
            assert_eq!(&input(sample), view);
            assert_eq!(sample.targets().collect::<Vec<_>>(), [(*action, 1.0)]);
        }
        let teacher = || Teacher::alone(Seated::fair(RandomAgent::default()));
        let players = Players::Agents(vec![teacher(), teacher()]);
        assert!(play(game, &*encoder(game), &settings(4, 1), &[], players, &mut on).unwrap().samples == samples);
    }
    check(&TicTacToe);
    check(&Just4Fun::default());
    check(&Hearts::default());
}

#[test]
fn what_an_agent_reports_is_learnt() {
    let agent = NetworkAgent::new(&TicTacToe, &small_model(&TicTacToe, Values::Viewer, 1), 1.0).unwrap();
    let players = alone(agent);
    let played = play(&TicTacToe, &*encoder(&TicTacToe), &settings(1, 1), &[], players, &mut on).unwrap();
    assert_eq!(played.samples[0].targets().count(), 9, "a prior for every action");
    assert!((played.samples[0].policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
}

#[test]
fn images_of_positions_are_samples_too() {
    let plain = played(&TicTacToe, &settings(2, 10), 1).samples;
    let all = played(&TicTacToe, &SelfPlaySettings { symmetry: Augmentation::All, ..settings(2, 10) }, 1).samples;
    assert_eq!(all.len(), 8 * plain.len());
    let mut mirrored = 0;
    for (sample, images) in plain.iter().zip(all.chunks(8)) {
        assert_eq!(sample, &images[0]);
        for (symmetry, image) in images.iter().enumerate() {
            let to = |square: usize| {
                let action = TicTacToe.action_from_code(square as u32);
                let action = TicTacToe.action(symmetry, &TicTacToe.initial_state(), action);
                TicTacToe.action_code(action) as usize
            };
            for (own, theirs) in marks(sample).iter().zip(marks(image)) {
                assert!((0..9).all(|square| own[square] == theirs[to(square)]));
            }
            let mut targets: Vec<_> = sample.targets().map(|(square, share)| (to(square), share)).collect();
            targets.sort_by_key(|&(square, _)| square);
            assert_eq!(image.targets().collect::<Vec<_>>(), targets);
            assert_eq!((image.payoffs, image.legal.len()), (sample.payoffs, sample.legal.len()));
            mirrored += usize::from(image.input != sample.input && image.key != sample.key);
        }
    }
    assert!(mirrored > 0);
}

#[test]
fn one_image_of_each_position_is_taken_at_random() {
    let settings = SelfPlaySettings { symmetry: Augmentation::One, ..settings(20, 1) };
    let (samples, seen) = witnessed(&TicTacToe, &settings);
    let mut used = [0; 8];
    for (sample, (view, action)) in samples.iter().zip(&seen) {
        let state = TicTacToe.initial_state();
        let to = |symmetry: usize, square: usize| {
            let action = TicTacToe.action_from_code(square as u32);
            TicTacToe.action_code(TicTacToe.action(symmetry, &state, action)) as usize
        };
        let input = input(sample);
        let is_image = |&symmetry: &usize| {
            let same = |square: usize| input[2 * to(symmetry, square)..][..2] == view[2 * square..][..2];
            (0..9).all(same) && sample.targets().next() == Some((to(symmetry, *action), 1.0))
        };
        let images: Vec<usize> = (0..8).filter(is_image).collect();
        assert!(!images.is_empty());
        if let [only] = images[..] {
            used[only] += 1;
        }
    }
    assert!(used.iter().all(|&count| count > 0), "{used:?}");
}

#[test]
fn keys_say_what_is_the_same() {
    let game = Just4Fun::default();
    let keys = |sample_key, games| {
        let samples = played(&game, &SelfPlaySettings { sample_key, ..ispuct(games, 4) }, 1).samples;
        samples.iter().map(|sample| sample.key).collect::<std::collections::HashSet<_>>().len()
    };
    assert!(keys(SampleKey::View, 6) >= keys(SampleKey::Coarse(1), 6));
    assert!(keys(SampleKey::Coarse(2), 6) < keys(SampleKey::Coarse(1), 6), "every game begins with an empty board");
    let first = played(&TicTacToe, &SelfPlaySettings { sample_key: SampleKey::Input, ..settings(3, 4) }, 1).samples;
    let same = first.iter().filter(|sample| sample.key == first[0].key).all(|sample| sample.input == first[0].input);
    assert!(same && first.iter().filter(|sample| sample.key == first[0].key).count() == 3);
}

/// Expects the same payoffs everywhere.
struct Fixed(f32);

impl<G: Game> Evaluator<G> for Fixed {
    fn evaluate(&mut self, _: &G, states: &[G::State], out: &mut Vec<Evaluation>, _: &mut Rng) {
        out.clear();
        out.resize(states.len(), Evaluation { payoffs: zero_sum(self.0), priors: Vec::new() });
    }
}

#[test]
fn value_targets_follow_the_settings() {
    let samples = |settings: SelfPlaySettings| {
        let players = Players::Searches(vec![Searching::alone(Fixed(0.25))]);
        play(&TicTacToe, &*encoder(&TicTacToe), &settings, &[], players, &mut on).unwrap().samples
    };
    let plain = samples(settings(1, 5));
    let outcome = plain[0].payoffs[0];
    assert_eq!(outcome.abs(), 1.0, "somebody wins");
    let discounted = samples(SelfPlaySettings { target_discount: 0.5, ..settings(1, 5) });
    for (place, (sample, plain)) in discounted.iter().zip(&plain).enumerate() {
        let factor = 0.5f32.powi((discounted.len() - 1 - place) as i32);
        assert_eq!(sample.payoffs, plain.payoffs.map(|payoff| factor * payoff));
    }
    // Five iterations from the empty board come to no end of a game.
    let mixed = samples(SelfPlaySettings { root_share: 0.5, ..settings(1, 5) });
    assert!((mixed[0].payoffs[0] - 0.5 * outcome - 0.125).abs() < 1e-6);
    assert!((mixed[1].payoffs[0] + 0.5 * outcome + 0.125).abs() < 1e-6);
}

#[test]
fn outcomes_may_count_by_their_sign() {
    let game = Just4Fun::new(meeple_games::Just4FunRules { players: 3, ..Default::default() }).unwrap();
    let payoffs = |ternary| {
        let players = alone(RandomAgent::default());
        let settings = SelfPlaySettings { ternary, ..settings(1, 1) };
        play(&game, &*encoder(&game), &settings, &[], players, &mut on).unwrap().samples[0].payoffs
    };
    let (plain, ternary) = (payoffs(false), payoffs(true));
    assert!(plain.contains(&-0.5));
    assert_eq!(ternary, plain.map(|payoff| if payoff == 0.0 { 0.0 } else { payoff.signum() }));
}

#[test]
fn long_games_are_stopped() {
    fn check<G: Game>(game: &G, payoff: f32) {
        let players = alone(RandomAgent::default());
        let settings = SelfPlaySettings { move_cap: Some(2), ..settings(3, 1) };
        let played = play(game, &*encoder(game), &settings, &[], players, &mut on).unwrap();
        let seats = game.info().players;
        assert_eq!((played.samples.len(), played.statistics.stopped), (6 * seats, 3));
        assert!(played.samples.iter().all(|sample| sample.payoffs[..seats].iter().all(|&found| found == payoff)));
    }
    check(&TinyChineseCheckers::default(), -1.0); // nobody has finished
    check(&TicTacToe, 0.0);
}

/// Two players move a token on to field 6, or let it be. Who arrives wins.
#[derive(Debug)]
struct Waiting;

impl Game for Waiting {
    type State = (u8, u8);
    type Action = u8;
    type View = (u8, u8);
    type Worlds = Known<(u8, u8)>;

    fn info(&self) -> GameInfo {
        GameInfo::two_player("waiting", usize::MAX)
    }

    fn initial_state(&self) -> (u8, u8) {
        (0, 0)
    }

    fn turn(&self, &(field, mover): &(u8, u8)) -> Turn {
        if field == 6 { Turn::Over } else { Turn::Player(usize::from(mover)) }
    }

    fn legal_actions(&self, _: &(u8, u8), out: &mut Vec<u8>) {
        *out = vec![0, 1];
    }

    fn apply(&self, (field, mover): &mut (u8, u8), action: u8) {
        (*field, *mover) = (*field + action, 1 - *mover);
    }

    fn payoffs(&self, &(_, mover): &(u8, u8)) -> Payoffs {
        zero_sum(if mover == 1 { 1.0 } else { -1.0 })
    }

    fn outcome(&self, state: &(u8, u8)) -> Outcome {
        Outcome { payoffs: self.payoffs(state), scores: Default::default(), reason: "arrived" }
    }

    fn view(&self, state: &(u8, u8), _: Option<Player>) -> (u8, u8) {
        *state
    }

    fn worlds(&self, view: &(u8, u8)) -> Known<(u8, u8)> {
        Known(*view)
    }

    fn action_code(&self, action: u8) -> u32 {
        u32::from(action)
    }

    fn action_from_code(&self, code: u32) -> u8 {
        code as u8
    }

    fn action_text(&self, _: &(u8, u8), action: u8) -> String {
        action.to_string()
    }

    fn render(&self, view: &(u8, u8)) -> String {
        format!("{view:?}")
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(Field)]
    }
}

struct Field;

impl Encoder<Waiting> for Field {
    fn name(&self) -> &'static str {
        "field"
    }

    fn shape(&self) -> Shape {
        Shape::vector(2)
    }

    fn encode(&self, _: &Waiting, &(field, mover): &(u8, u8), input: &mut Tensor<'_>) {
        input.vector().copy_from_slice(&[f32::from(field), f32::from(mover)]);
    }

    fn policy_size(&self) -> usize {
        2
    }

    fn policy_index(&self, _: &Waiting, _: &(u8, u8), action: u8) -> usize {
        usize::from(action)
    }
}

/// In how many of 20 games a position comes up again; nobody sees to the end of the game.
fn games_with_loops(cut_path_loops: bool, cut_game_loops: bool) -> usize {
    let settings = SelfPlaySettings {
        cut_path_loops,
        cut_game_loops,
        noise: Noise::NONE,
        temperature: Temperature::constant(0.0),
        first_play: FirstPlay::Parent,
        move_cap: Some(20),
        ..settings(20, 3)
    };
    let mut loops = 0;
    for first_game in 0..20 {
        let settings = SelfPlaySettings { first_game, games: 1, ..settings.clone() };
        let players = Players::Searches(vec![Searching::alone(Fixed(0.0))]);
        let samples = play(&Waiting, &Field, &settings, &[], players, &mut on).unwrap().samples;
        let mut keys: Vec<u64> = samples.iter().map(|sample| sample.key).collect();
        keys.sort_unstable();
        keys.dedup();
        loops += usize::from(keys.len() < samples.len());
    }
    loops
}

#[test]
fn nobody_returns_to_what_was_played() {
    assert!(games_with_loops(false, false) > 5);
    assert_eq!(games_with_loops(false, true), 0);
    assert!(games_with_loops(true, false) > 0, "a path does not know the game before it");
}

/// What is cut short is not evaluated.
#[test]
fn walks_may_be_kept_from_their_own_path() {
    let evaluations = |cut_path_loops| {
        let settings = SelfPlaySettings { cut_path_loops, move_cap: Some(1), ..settings(5, 30) };
        let players = Players::Searches(vec![Searching::alone(Fixed(0.0))]);
        play(&Waiting, &Field, &settings, &[], players, &mut on).unwrap().statistics.evaluations
    };
    assert_eq!(evaluations(false), 5 * 2 * (1 + 30), "no walk comes to the end of the game");
    assert!(evaluations(true) < evaluations(false));
}

#[test]
fn temperature_falls_with_the_turns_of_the_game() {
    let openings = |temperature: Temperature| {
        let settings = SelfPlaySettings { temperature, noise: Noise::NONE, ..settings(30, 30) };
        let samples = played(&TicTacToe, &settings, 1).samples;
        let second = |sample: &&Sample| marks(sample).concat().iter().filter(|&&mark| mark).count() == 1;
        let first_moves = samples.iter().filter(second).map(|sample| sample.key);
        first_moves.collect::<std::collections::HashSet<_>>().len()
    };
    assert!(openings(Temperature::constant(1.0)) > 4);
    let always_best = openings(Temperature::constant(0.0));
    assert!(always_best < openings(Temperature::varied(1)), "{always_best}");
}

#[test]
fn a_session_can_be_stopped() {
    let mut games = 0;
    let stopped = play(
        &TicTacToe,
        &*encoder(&TicTacToe),
        &SelfPlaySettings { searches: 2, ..settings(100_000, 20) },
        &[],
        networks(&TicTacToe, 1),
        &mut |_| {
            games += 1;
            if games < 3 { Continue(()) } else { Break(()) }
        },
    )
    .unwrap();
    assert!((3..10_000).contains(&stopped.statistics.games), "{}", stopped.statistics.games);
    assert_eq!(stopped.statistics.samples, stopped.samples.len() as u64);
}

#[test]
fn settings_that_do_not_fit_are_refused() {
    fn refusal<G: Game>(game: &G, settings: SelfPlaySettings) -> String {
        let SelfPlayError(why) = play(game, &*encoder(game), &settings, &[], networks(game, 1), &mut on).unwrap_err();
        why
    }
    let game = Just4Fun::default();
    assert!(refusal(&game, settings(1, 1)).contains("perfect information"));
    assert!(refusal(&game, SelfPlaySettings { keys: Keys::State, ..ispuct(1, 1) }).contains("knows the state"));
    assert!(refusal(&game, SelfPlaySettings { keys: Keys::Coarse(3), ..ispuct(1, 1) }).contains("coarse key"));
    assert!(refusal(&game, SelfPlaySettings { group_rule: Some(9), ..ispuct(1, 1) }).contains("groups"));
    assert!(refusal(&game, SelfPlaySettings { leaves: 2, ..ispuct(1, 1) }).contains("one leaf"));
    assert!(refusal(&game, SelfPlaySettings { keys: Keys::Path, reuse: true, ..ispuct(1, 1) }).contains("reuse"));
    assert!(refusal(&game, SelfPlaySettings { first_play: FirstPlay::Parent, ..ispuct(1, 1) }).contains("first_play"));
    assert!(refusal(&game, SelfPlaySettings { symmetry: Augmentation::All, ..ispuct(1, 1) }).contains("symmetries"));
    assert!(refusal(&game, SelfPlaySettings { cut_game_loops: true, ..ispuct(1, 1) }).contains("loops"));
    for broken in [
        SelfPlaySettings { searches: 0, ..settings(1, 1) },
        SelfPlaySettings { iterations: 0, ..settings(1, 1) },
        SelfPlaySettings { exploration: f64::NAN, ..settings(1, 1) },
        SelfPlaySettings { noise: Noise { share: 0.5, alpha: 0.0 }, ..settings(1, 1) },
        SelfPlaySettings { target_discount: 0.0, ..settings(1, 1) },
        SelfPlaySettings { root_share: 1.5, ..settings(1, 1) },
        SelfPlaySettings { move_cap: Some(0), ..settings(1, 1) },
        SelfPlaySettings { sample_key: SampleKey::Coarse(0), ..settings(1, 1) },
    ] {
        refusal(&TicTacToe, broken);
    }
    let nobody = play(&TicTacToe, &*encoder(&TicTacToe), &settings(1, 1), &[], Players::Agents(Vec::new()), &mut on);
    assert!(nobody.is_err());
}

//! Uniformly random games and exhaustive counts: the measure of a game's speed and of its rules.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::{Game, Rng, Turn, Worlds};

/// Plays random actions to the end and returns the number of decisions.
#[inline]
pub fn finish<G: Game>(game: &G, state: &mut G::State, buffer: &mut Vec<G::Action>, rng: &mut Rng) -> u32 {
    let mut decisions = 0;
    loop {
        match game.turn(state) {
            Turn::Player(_) => {
                let action = game.random_action(state, buffer, rng);
                game.apply(state, action);
                decisions += 1;
            }
            Turn::Chance => game.play_chance(state, rng),
            Turn::Over => return decisions,
        }
    }
}

/// The same through the action list, for comparison with the hook.
fn finish_by_list<G: Game>(game: &G, state: &mut G::State, buffer: &mut Vec<G::Action>, rng: &mut Rng) -> u32 {
    let mut decisions = 0;
    loop {
        match game.turn(state) {
            Turn::Player(_) => {
                game.legal_actions(state, buffer);
                let action = *rng.choose(buffer);
                game.apply(state, action);
                decisions += 1;
            }
            Turn::Chance => game.play_chance(state, rng),
            Turn::Over => return decisions,
        }
    }
}

/// Speed of random games from the initial state, deal included, on one thread.
#[derive(Clone, Debug, Serialize)]
pub struct PlayoutSpeed {
    pub games: u64,
    pub moves: u64,
    pub games_per_s: f64,
    /// Decisions per second; outcomes of chance take time but are not counted.
    pub moves_per_s: f64,
    /// The same through `legal_actions`.
    pub moves_per_s_by_list: f64,
    pub mean_length: f64,
    pub state_bytes: usize,
    /// Processor time of these games, in seconds.
    pub cpu_s: f64,
}

/// Measures both paths for the given time in all, in alternating slices so that both meet the
/// same machine. `cpu_clock` returns the processor time used so far.
pub fn measure<G: Game>(game: &G, time: Duration, rng: &mut Rng, cpu_clock: &dyn Fn() -> f64) -> PlayoutSpeed {
    let slice = time / 20;
    let mut by_hook = Tally::default();
    let mut by_list = Tally::default();
    for round in 0..20 {
        if round % 5 == 4 {
            by_list.run(game, slice, rng, cpu_clock, finish_by_list);
        } else {
            by_hook.run(game, slice, rng, cpu_clock, finish);
        }
    }
    PlayoutSpeed {
        games: by_hook.games,
        moves: by_hook.moves,
        games_per_s: by_hook.games as f64 / by_hook.seconds,
        moves_per_s: by_hook.moves as f64 / by_hook.seconds,
        moves_per_s_by_list: by_list.moves as f64 / by_list.seconds,
        mean_length: by_hook.moves as f64 / by_hook.games as f64,
        state_bytes: size_of::<G::State>(),
        cpu_s: by_hook.cpu_seconds,
    }
}

#[derive(Default)]
struct Tally {
    games: u64,
    moves: u64,
    seconds: f64,
    cpu_seconds: f64,
}

impl Tally {
    fn run<G: Game>(
        &mut self,
        game: &G,
        time: Duration,
        rng: &mut Rng,
        cpu_clock: &dyn Fn() -> f64,
        finish: impl Fn(&G, &mut G::State, &mut Vec<G::Action>, &mut Rng) -> u32,
    ) {
        let initial = game.initial_state();
        let mut state = initial.clone();
        let mut buffer = Vec::new();
        let (started, cpu_started) = (Instant::now(), cpu_clock());
        loop {
            for _ in 0..16 {
                state.clone_from(&initial);
                self.moves += u64::from(finish(game, &mut state, &mut buffer, rng));
                self.games += 1;
            }
            if started.elapsed() >= time {
                break;
            }
        }
        self.seconds += started.elapsed().as_secs_f64();
        self.cpu_seconds += cpu_clock() - cpu_started;
    }
}

/// Speed of determinization over the decisions of random games.
#[derive(Clone, Debug, Serialize)]
pub struct DeterminizeSpeed {
    pub views: u64,
    pub worlds: u64,
    pub prepare_ns: f64,
    pub sample_ns: f64,
}

/// Prepares the worlds of the views met in random games and samples each `samples` times.
pub fn measure_determinize<G: Game>(game: &G, time: Duration, samples: u32, rng: &mut Rng) -> DeterminizeSpeed {
    let mut buffer = Vec::new();
    let mut world = game.initial_state();
    let (mut views, mut preparing, mut sampling) = (0u64, Duration::ZERO, Duration::ZERO);
    while views == 0 || preparing + sampling < time {
        let mut state = game.initial_state();
        loop {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => game.play_chance(&mut state, rng),
                Turn::Player(player) => {
                    let view = game.view(&state, Some(player));
                    let started = Instant::now();
                    let worlds = std::hint::black_box(game.worlds(&view));
                    preparing += started.elapsed();
                    let started = Instant::now();
                    for _ in 0..samples {
                        worlds.sample_into(&mut world, rng);
                        std::hint::black_box(&world);
                    }
                    sampling += started.elapsed();
                    views += 1;
                    let action = game.random_action(&state, &mut buffer, rng);
                    game.apply(&mut state, action);
                }
            }
        }
    }
    let worlds = views * u64::from(samples);
    DeterminizeSpeed {
        views,
        worlds,
        prepare_ns: preparing.as_nanos() as f64 / views as f64,
        sample_ns: sampling.as_nanos() as f64 / worlds as f64,
    }
}

/// The number of action sequences of the given length from a state, outcomes of chance counted
/// like actions; games that end earlier do not count.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    let actions = actions_or_outcomes(game, state);
    if depth <= 1 {
        return if depth == 0 { 1 } else { actions.len() as u64 };
    }
    actions
        .into_iter()
        .map(|action| {
            let mut next = state.clone();
            game.apply(&mut next, action);
            perft(game, &next, depth - 1)
        })
        .sum()
}

/// All that can happen next; empty when the game is over.
pub fn actions_or_outcomes<G: Game>(game: &G, state: &G::State) -> Vec<G::Action> {
    let mut actions = Vec::new();
    match game.turn(state) {
        Turn::Player(_) => game.legal_actions(state, &mut actions),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance_outcomes(state, &mut outcomes);
            actions.extend(outcomes.into_iter().map(|(action, _)| action));
        }
        Turn::Over => {}
    }
    actions
}

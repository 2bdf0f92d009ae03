//! The training loop: self-play, learning, evaluation, one iteration after the other, in a folder
//! from which it goes on after any interruption.
//!
//! Iteration k draws its random numbers from streams of the seed and k, so that a run that was
//! interrupted ends as one that was not.

mod alone;
mod begin;
mod config;
mod cpu;
mod critic;
mod curves;
mod diagnosis;
mod evaluate;
mod folder;
mod judge;
mod learn;
mod lessons;
mod metrics;
mod page;
mod presets;
mod returns;
mod schedule;

use std::fmt;
use std::path::Path;
use std::time::Instant;

use meeple_arena::{MatchError, Stop};
use meeple_catalog::{Played, SelfPlayer, Session, SessionError};
use meeple_core::erased::AnyGame;
use meeple_core::rng::mix;
use meeple_core::{Information, RuleError};
use meeple_network::samples::{self, Extent, Sample, SampleError, Window};
use meeple_network::selfplay::Quick;
use meeple_network::{DescriptionError, Header, Model, ModelError, Training};

use crate::{Learner, OptimiserSettings, StepError};
use begin::{OTHER_KIND, is_same_kind};
use critic::Critic;
use diagnosis::diagnose;
use evaluate::agent_with_model;
use folder::State;
use learn::{calibration, policy_entropy};
use returns::trace_back;

pub use begin::initial_model;
pub use config::{
    Archive, Config, ConfigError, Evaluation, Gate, Learning, Opponent, QuickDecisions, Replay, SelfPlay, Setting,
    Symmetries, Weights, with_seed,
};
pub use cpu::process_cpu_seconds;
pub use diagnosis::{Advice, Diagnosis, Verdict};
pub use folder::{Folder, FolderError};
pub use metrics::{AnchorScore, Calibration, Metrics, SuiteScore};
pub use presets::{Scale, preset};
pub use schedule::Schedule;

/// A run under way.
pub struct Run {
    folder: Folder,
    config: Config,
    game: Box<dyn AnyGame>,
    player: Box<dyn SelfPlayer>,
    header: Header,
    learner: Learner,
    /// Sees all cards; it never plays.
    critic: Option<Critic>,
    /// The network that plays.
    playing: Model,
    window: Window,
    /// Texts of positions at which games may begin.
    archive: Vec<String>,
    state: State,
    metrics: Vec<Metrics>,
    threads: usize,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Run({}, iteration {})", self.folder.path().display(), self.state.iteration)
    }
}

/// Who is told how a run goes on.
pub trait Watch {
    /// A game of self-play has ended.
    fn game(&mut self, done: u64, games: u64) {
        let _ = (done, games);
    }

    /// An iteration is complete; `line` says so to people.
    fn iteration(&mut self, metrics: &Metrics, line: &str) {
        let _ = (metrics, line);
    }
}

/// Why a run cannot begin or go on. What was complete before stays.
#[derive(Debug)]
pub enum RunError {
    Config(ConfigError),
    Rules(RuleError),
    Folder(FolderError),
    Model(ModelError),
    Samples(SampleError),
    /// Learning went wrong in an iteration.
    Step(u32, StepError),
    Match(MatchError),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Config(error) => error.fmt(f),
            RunError::Rules(error) => error.fmt(f),
            RunError::Folder(error) => error.fmt(f),
            RunError::Model(error) => error.fmt(f),
            RunError::Samples(error) => error.fmt(f),
            RunError::Step(iteration, error) => {
                write!(f, "iteration {iteration}, {error}; the run is kept as it was after iteration {}", iteration - 1)
            }
            RunError::Match(error) => write!(f, "evaluation: {error}"),
        }
    }
}

impl std::error::Error for RunError {}

macro_rules! from {
    ($($error:ident => $variant:ident),*) => {
        $(impl From<$error> for RunError {
            fn from(error: $error) -> RunError {
                RunError::$variant(error)
            }
        })*
    };
}

from!(ConfigError => Config, RuleError => Rules, FolderError => Folder, ModelError => Model, SampleError => Samples,
      MatchError => Match);

impl From<DescriptionError> for RunError {
    fn from(DescriptionError(why): DescriptionError) -> RunError {
        RunError::Config(ConfigError(format!("network: {why}")))
    }
}

impl From<SessionError> for RunError {
    fn from(SessionError(why): SessionError) -> RunError {
        RunError::Config(ConfigError(format!("self_play: {why}")))
    }
}

/// Streams of random numbers of one iteration.
const SELF_PLAY: u64 = 1;
const LEARNING: u64 = 2;
const SUITES: u64 = 0;
const EVALUATION: u64 = 3;

impl Run {
    /// Begins a run in a new folder.
    pub fn create(path: &Path, config: &str) -> Result<Run, RunError> {
        let run = Run::assemble(Folder::new(path)?, Config::parse(config)?)?;
        run.check_sessions()?;
        run.folder.create()?;
        run.playing.save(&run.folder.model(0))?;
        run.check_agents()?;
        run.folder.begin(config)?;
        Ok(run)
    }

    /// Goes on with a run, by another configuration if one is given; its network must be the same.
    pub fn resume(path: &Path, config: Option<&str>) -> Result<Run, RunError> {
        let (folder, present) = Folder::open(path)?;
        let mut run = Run::assemble(folder, Config::parse(config.unwrap_or(&present))?)?;
        run.check_sessions()?;
        run.network_of(0)?;
        run.check_agents()?;
        run.state = run.folder.state()?;
        run.metrics = run.folder.metrics(run.state.iteration)?;
        if run.state.iteration > 0 {
            run.read_back()?;
        }
        if let Some(config) = config {
            run.folder.replace_config(config)?;
        }
        Ok(run)
    }

    /// Everything as it was after the last complete iteration.
    fn read_back(&mut self) -> Result<(), RunError> {
        let iteration = self.state.iteration;
        let learner = self.folder.learner(iteration);
        let bytes = std::fs::read(&learner).map_err(|error| FolderError::Io(learner.clone(), error))?;
        self.learner.restore(&bytes).map_err(|why| FolderError::Damaged(learner, why))?;
        if let Some(critic) = &mut self.critic {
            let file = self.folder.critic(iteration);
            if !file.is_file() {
                return Err(ConfigError("learning.critic: the run in this folder has none".to_string()).into());
            }
            let bytes = std::fs::read(&file).map_err(|error| FolderError::Io(file.clone(), error))?;
            critic.restore(&bytes).map_err(|why| FolderError::Damaged(file, why))?;
        }
        self.playing = self.network_of(self.state.playing)?;
        self.read_window()?;
        self.read_archive()
    }

    fn assemble(folder: Folder, config: Config) -> Result<Run, RunError> {
        let game = meeple_catalog::game(&config.game, &config.rules)?;
        let player = meeple_catalog::self_player(&config.game, &config.rules)?;
        let playing = initial_model(&config, &*player)?;
        let header = playing.header.clone();
        let threads = config.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let learning_threads = config.learning.threads.unwrap_or(threads);
        let learner = learner(&config, &playing, learning_threads)?;
        let hidden = match game.info().information {
            Information::Hidden => Some(player.hidden_shape(&header)?),
            Information::Perfect => None,
        };
        if config.open && hidden.is_none() {
            return Err(ConfigError("open: everybody sees everything in this game".to_string()).into());
        }
        let critic = Critic::new(&config, &header, hidden, learning_threads)?;
        config.check_lone_network(&header)?;
        config.check_returns(&header)?;
        Ok(Run {
            folder,
            game,
            player,
            header,
            learner,
            critic,
            playing,
            window: Window::new(Extent::Positions(usize::MAX)),
            archive: Vec::new(),
            state: State::default(),
            metrics: Vec::new(),
            threads,
            config,
        })
    }

    /// The network after an iteration, if it is one of this run.
    fn network_of(&self, iteration: u32) -> Result<Model, RunError> {
        let file = self.folder.model(iteration);
        let model = Model::load(&file)?;
        match is_same_kind(&model.header, &self.header) {
            true => Ok(model),
            false => Err(ConfigError(format!("{} {OTHER_KIND} than the run", file.display())).into()),
        }
    }

    /// Settings of a later iteration are checked before anything is played, too.
    fn check_sessions(&self) -> Result<(), RunError> {
        let mut checked = Vec::new();
        for iteration in self.config.self_play.turning_points(self.config.iterations) {
            let session = self.session(iteration);
            let changing = (session.agent.clone(), session.first, session.target_discount);
            if !checked.contains(&changing) {
                self.player.check(&session)?;
                checked.push(changing);
            }
        }
        Ok(())
    }

    /// Names of agents that nobody knows are errors before anything is played.
    fn check_agents(&self) -> Result<(), RunError> {
        let Config { evaluation, gate, .. } = &self.config;
        let model = self.folder.model(0);
        let own = std::iter::once(&evaluation.agent).chain(gate.as_ref().map(|gate| &gate.agent));
        let own = own.map(|agent| agent_with_model(agent, &model));
        let others = evaluation.anchors.iter().filter(|anchor| *anchor != PREVIOUS).cloned();
        for agent in own.chain(others) {
            self.game.agent(&agent).map_err(MatchError::Agents)?;
        }
        Ok(())
    }

    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Complete iterations.
    pub fn iteration(&self) -> u32 {
        self.state.iteration
    }

    /// Carries out all iterations that are left, or those until `stop` is requested: then `None`.
    pub fn go(mut self, stop: &Stop, watch: &mut dyn Watch) -> Result<Option<Diagnosis>, RunError> {
        while self.state.iteration < self.config.iterations {
            let Some(metrics) = self.iterate(stop, watch)? else { return Ok(None) };
            watch.iteration(&metrics, &metrics.line(self.config.iterations, self.seconds_left()));
        }
        Ok(Some(self.diagnosis()))
    }

    /// What the iterations so far say.
    pub fn diagnosis(&self) -> Diagnosis {
        diagnose(&self.metrics, self.state.iteration >= self.config.iterations)
    }

    /// By the last iterations.
    fn seconds_left(&self) -> f64 {
        let last: Vec<f64> = self.metrics.iter().rev().take(10).map(Metrics::seconds).collect();
        let mean = last.iter().sum::<f64>() / last.len().max(1) as f64;
        mean * f64::from(self.config.iterations - self.state.iteration)
    }

    /// `None` if it was stopped. Then, as after an error, the folder is as before it, but not the run
    /// in memory, which is over.
    fn iterate(&mut self, stop: &Stop, watch: &mut dyn Watch) -> Result<Option<Metrics>, RunError> {
        let iteration = self.state.iteration + 1;
        let cpu = process_cpu_seconds();
        let started = Instant::now();
        let Some((mut metrics, played)) = self.play(iteration, stop, watch)? else { return Ok(None) };
        let Played { mut samples, viewers, ends, archive, .. } = played;
        metrics.self_play_seconds = started.elapsed().as_secs_f64();
        if self.config.self_play.archive.is_some() {
            self.folder.write_archive(iteration, &archive)?;
        }
        metrics.calibration = calibration(&self.playing, &samples);
        metrics.policy_entropy = policy_entropy(&samples);
        if !metrics.alone {
            let trace = self.config.learning.value_trace.at(iteration);
            trace_back(&self.playing, &mut samples, &viewers, &ends, trace);
            samples::write(&self.folder.samples(iteration), &samples)?;
        }

        let before = self.learner.to_bytes();
        let started = Instant::now();
        match metrics.alone {
            true => self.learn_from_decisions(iteration, &samples, &ends, &mut metrics, stop)?,
            false => {
                self.extend_window(iteration, samples);
                self.learn_from_window(iteration, &mut metrics, stop)?;
            }
        }
        metrics.learning_seconds = started.elapsed().as_secs_f64();
        if stop.is_requested() {
            return Ok(None);
        }

        let model = self.model(iteration, &metrics, cpu);
        model.save(&self.folder.model(iteration))?;
        let started = Instant::now();
        let passed = self.pass_gate(iteration, &mut metrics, stop)?;
        let playing = if passed { iteration } else { self.state.playing };
        let evaluated = self.evaluate(iteration, playing, &mut metrics, stop)?;
        metrics.evaluation_seconds = started.elapsed().as_secs_f64();
        if stop.is_requested() {
            return Ok(None);
        }
        if passed {
            self.playing = model;
        } else {
            self.learner.restore(&before).expect("the learner's own state");
        }
        let metrics = self.complete(iteration, playing, metrics, evaluated, cpu)?;
        self.read_archive()?;
        Ok(Some(metrics))
    }

    fn session(&self, iteration: u32) -> Session<'_> {
        let SelfPlay {
            games,
            together,
            true_state,
            first,
            most_moves,
            cut_loops,
            symmetries,
            ternary,
            target_discount,
            root_value,
            quick,
            surprise,
            archive,
            opening,
            opponent,
            ..
        } = &self.config.self_play;
        Session {
            model: &self.playing,
            agent: self.config.self_play_agent(iteration),
            first: first.as_deref().filter(|_| iteration == 1),
            games: games.at(iteration).round() as u64,
            seed: self.seed(iteration, SELF_PLAY),
            threads: self.threads,
            together: *together,
            true_state: *true_state,
            most_moves: *most_moves,
            cut_loops: *cut_loops,
            symmetries: (*symmetries).into(),
            ternary: *ternary,
            target_discount: target_discount.as_ref().map(|discount| discount.at(iteration)),
            root_value: root_value.at(iteration),
            quick: quick.as_ref().map(|QuickDecisions { share, iterations, values }| Quick {
                share: *share,
                iterations: iterations.at(iteration).round() as u64,
                values: *values,
            }),
            surprise: *surprise,
            start_share: archive.map_or(0.0, |archive| archive.share),
            opening: *opening,
            opponent: opponent.as_ref().map(|Opponent { agent, share }| (&**agent, *share)),
            archive: &self.archive,
            hidden: self.critic.is_some(),
            key: &self.config.replay.merge,
        }
    }

    fn seed(&self, iteration: u32, stream: u64) -> u64 {
        mix(self.config.seed ^ mix(u64::from(iteration) << 8 | stream))
    }

    fn play(&self, iteration: u32, stop: &Stop, watch: &mut dyn Watch) -> Result<Option<(Metrics, Played)>, RunError> {
        let session = self.session(iteration);
        let started = Instant::now();
        let played = self.player.play(&session, &mut |done| {
            watch.game(done, session.games);
            !stop.is_requested()
        })?;
        if stop.is_requested() {
            return Ok(None);
        }
        let seconds = started.elapsed().as_secs_f64();
        let metrics = Metrics {
            iteration,
            alone: self.config.plays_alone(iteration),
            games: played.games,
            positions: played.positions,
            simulations: played.simulations,
            games_per_s: played.games as f64 / seconds,
            positions_per_s: played.positions as f64 / seconds,
            game_length: played.length,
            ..Metrics::default()
        };
        Ok(Some((metrics, played)))
    }

    fn extent(&self, iteration: u32) -> Extent {
        let Replay { positions, sessions, .. } = &self.config.replay;
        let positions = positions.as_ref().map_or(200_000, |positions| positions.at(iteration) as usize);
        sessions.map_or(Extent::Positions(positions), Extent::Sessions)
    }

    fn extend_window(&mut self, iteration: u32, samples: Vec<Sample>) {
        self.window.set_extent(self.extent(iteration));
        self.window.add(samples);
    }

    /// The window as it was, from the files of its sessions.
    fn read_window(&mut self) -> Result<(), RunError> {
        let first = if self.config.drops_first() { 2 } else { 1 };
        for iteration in self.folder.kept_samples(first, self.state.iteration) {
            let samples = samples::read(&self.folder.samples(iteration))?;
            if let Some(critic) = &self.critic
                && !samples.iter().all(|sample| critic.can_read(sample))
            {
                let why = "learning.critic: the positions of this run were recorded without one";
                return Err(ConfigError(why.to_string()).into());
            }
            self.extend_window(iteration, samples);
        }
        Ok(())
    }

    /// The positions at which games of the next iteration may begin.
    fn read_archive(&mut self) -> Result<(), RunError> {
        let Some(Archive { sessions, .. }) = self.config.self_play.archive else { return Ok(()) };
        self.archive = self.folder.archive(self.state.iteration, sessions)?;
        Ok(())
    }

    /// The network as it is now.
    fn model(&self, iteration: u32, metrics: &Metrics, cpu: f64) -> Model {
        let training = Training {
            seed: self.config.seed,
            iterations: iteration,
            games: self.state.games + metrics.games,
            positions: self.state.positions + metrics.positions,
            updates: self.state.updates + metrics.updates,
            cpu_hours: self.state.cpu_hours + (process_cpu_seconds() - cpu) / 3600.0,
        };
        let header = Header { training, ..self.header.clone() };
        Model::new(header, self.learner.parameters().clone()).expect("the description was laid out before")
    }

    fn complete(
        &mut self,
        iteration: u32,
        playing: u32,
        mut metrics: Metrics,
        evaluated: bool,
        cpu: f64,
    ) -> Result<Metrics, RunError> {
        self.state = State {
            iteration,
            games: self.state.games + metrics.games,
            positions: self.state.positions + metrics.positions,
            updates: self.state.updates + metrics.updates,
            seconds: self.state.seconds + metrics.seconds(),
            cpu_hours: self.state.cpu_hours + (process_cpu_seconds() - cpu) / 3600.0,
            playing,
            evaluated: if evaluated { Some(playing) } else { self.state.evaluated },
        };
        metrics.cpu_hours = self.state.cpu_hours;
        metrics.lost_weights = self.learner.parameters().lost_weights(self.learner.graph());
        metrics.warnings = metrics.find_warnings();
        if iteration == 1 && self.config.drops_first() {
            self.window.clear();
        }
        folder::write_whole(&self.folder.learner(iteration), &self.learner.to_bytes())?;
        if let Some(critic) = &self.critic {
            folder::write_whole(&self.folder.critic(iteration), &critic.to_bytes())?;
        }
        self.folder.add_metrics(&metrics)?;
        self.metrics.push(metrics.clone());
        for (name, picture) in curves::curves(&self.metrics) {
            self.folder.write(name, picture.as_bytes())?;
        }
        self.folder.write("report.md", page::page(&self.config, &self.metrics, &self.diagnosis()).as_bytes())?;
        self.folder.complete(&self.state)?;
        self.folder.remove_old_samples(iteration, self.window.sessions())?;
        Ok(metrics)
    }
}

/// What trains it, before its first step.
pub fn learner(config: &Config, model: &Model, threads: usize) -> Result<Learner, ConfigError> {
    let Learning { backend, optimiser, clip, .. } = &config.learning;
    let backend = backend.open(&model.graph, threads).map_err(ConfigError)?;
    let settings = OptimiserSettings { method: *optimiser, clip: Some(*clip as f32) };
    Ok(Learner::new(&model.graph, model.parameters.clone(), settings, backend, mix(config.seed ^ LEARNING)))
}

/// The anchor that is the network of the evaluation before.
const PREVIOUS: &str = "previous";

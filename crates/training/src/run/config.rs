//! What a training run does, as it stands in its configuration file.

use std::collections::BTreeMap;
use std::fmt;

use meeple_core::Rules;
use meeple_network::samples::Weighing;
use meeple_network::selfplay::{Augmentation, Opening};
use meeple_network::{Description, Preset};
use serde::{Deserialize, Serialize};

use super::schedule::Schedule;
use crate::{BackendKind, LossSettings, Method};

/// | field | meaning | default |
/// |---|---|---|
/// | `game`, `rules` | what is learnt | rules: the game's defaults |
/// | `encoder` | the input of the network, by name | the game's first |
/// | `open` | whether the network is also shown what is hidden from the player to move: one that imitates a player who sees all cards, and stands for such players in searches (`others`) | no |
/// | `seed` | of everything that is random | 1 |
/// | `iterations` | self-play and learning, one after the other, so often | |
/// | `threads` | of self-play and learning | those of the machine |
/// | `network` | a preset with its settings, or a description | |
/// | `begin_with` | a file or a short name: the run begins with what this network has learnt; it must be of the same kind, but a network without batch norm may begin with one that has it, and one whose encoder tells apart more actions with one that sees the same | new weights |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub game: String,
    #[serde(default)]
    pub rules: Rules,
    pub encoder: Option<String>,
    #[serde(default)]
    pub open: bool,
    #[serde(default = "one")]
    pub seed: u64,
    pub iterations: u32,
    pub threads: Option<usize>,
    pub network: toml::Table,
    pub begin_with: Option<String>,
    pub self_play: SelfPlay,
    #[serde(default)]
    pub replay: Replay,
    #[serde(default)]
    pub learning: Learning,
    #[serde(default)]
    pub evaluation: Evaluation,
    pub gate: Option<Gate>,
}

/// | field | meaning | default |
/// |---|---|---|
/// | `agent` | the search: `puct` or `ispuct`, with settings that do not change; or `network`: the policy plays alone and learns from how its decisions turned out; or any other agent, on all seats or against an opponent: the network learns what it does | |
/// | `settings` | of the agent, that may follow schedules; `temperature = T` stands for `final = "sampled(T)"`, so that it can fall in a straight line | none |
/// | `games` | in each iteration | 100 |
/// | `together` | games that a thread plays in lock-step, so that networks are asked for whole batches | 64 |
/// | `true_state` | search the true state in the place of what is known (thesis 000, section 7.4) | no |
/// | `first` | an agent that plays the first iteration, whose samples are dropped after it (thesis 004) unless `replay.keep_first` is set | none |
/// | `most_moves` | a game is stopped after so many moves of each player (thesis 004 has 40) | none |
/// | `cut_loops` | positions of the game that come up again in a search end it there (thesis 004) | no |
/// | `symmetries` | `none`, `one` chosen at random for each sample, or `all` | one |
/// | `ternary` | whether the value learns who won rather than the payoff | no |
/// | `target_discount` | what the outcome keeps of its worth for the value with every decision before the last | the search's |
/// | `root_value` | the share of the search's own value in what the value learns; a schedule | 0 |
/// | `quick` | `{ share = 0.75, iterations = 30 }`: so many decisions are made with few iterations, with 0 by the policy alone, and without noise, and nothing is learnt from them (playout-cap randomisation); with `values = true` the value learns from them | none |
/// | `surprise` | the share of a position's weight that grows with how much the search changed the policy | 0 |
/// | `opening` | `{ share = 0.5, moves = 12 }`: so many games begin with up to so many random moves, which nothing is learnt from | none |
/// | `opponent` | `{ agent = "ismcts:iterations=300", share = 0.5 }`: in so many games all seats but those of one team are played by another agent, which may cheat; `ispuct` or `cheating-ispuct` without a model is a search by the network that learns; nothing is learnt from what it does | none |
/// | `archive` | `{ share = 0.5, sessions = 5 }`: so many games begin at positions of the games of the last sessions | none |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    pub agent: String,
    #[serde(default)]
    pub settings: BTreeMap<String, Setting>,
    #[serde(default = "hundred")]
    pub games: Schedule,
    #[serde(default = "together")]
    pub together: usize,
    #[serde(default)]
    pub true_state: bool,
    pub first: Option<String>,
    pub most_moves: Option<u32>,
    #[serde(default)]
    pub cut_loops: bool,
    #[serde(default)]
    pub symmetries: Symmetries,
    #[serde(default)]
    pub ternary: bool,
    pub target_discount: Option<Schedule>,
    #[serde(default = "nothing")]
    pub root_value: Schedule,
    pub quick: Option<QuickDecisions>,
    #[serde(default)]
    pub surprise: f64,
    pub opening: Option<Opening>,
    pub opponent: Option<Opponent>,
    pub archive: Option<Archive>,
}

/// Somebody else who plays against the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opponent {
    pub agent: String,
    /// Of all games, 0..=1.
    #[serde(default = "all")]
    pub share: f64,
}

/// Decisions that bring a game on rather than teach something (Wu 2019, section 3.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuickDecisions {
    pub share: f64,
    pub iterations: Schedule,
    #[serde(default)]
    pub values: bool,
}

/// Games that begin in the middle of earlier ones (Trudeau and Bowling 2023).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    pub share: f64,
    /// Of which positions are kept, one of each game.
    #[serde(default = "five")]
    pub sessions: usize,
}

/// A value of an agent's setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "must be a number, a word, or a schedule of numbers or words, and nothing else"
)]
pub enum Setting {
    Number(Schedule),
    Flag(bool),
    Word(String),
    /// `{ steps = [[1, "sampled(1)"], [20, "sampled(0.5)"]] }`
    Words {
        steps: Vec<(u32, String)>,
    },
}

/// Settings that are whole numbers, which a straight line between two points does not know.
const WHOLE: [&str; 8] =
    ["iterations", "determinizations", "evaluations", "depth", "ahead", "playouts", "batch", "memory"];

impl Setting {
    fn at(&self, key: &str, iteration: u32) -> String {
        match self {
            Setting::Number(schedule) if WHOLE.contains(&key) => schedule.at(iteration).round().to_string(),
            Setting::Number(schedule) => schedule.at(iteration).to_string(),
            Setting::Flag(flag) => flag.to_string(),
            Setting::Word(word) => word.clone(),
            Setting::Words { steps } => {
                let reached = steps.iter().rev().find(|(from, _)| *from <= iteration).or(steps.first());
                reached.map(|(_, word)| word.clone()).unwrap_or_default()
            }
        }
    }

    fn turning_points(&self) -> Vec<u32> {
        match self {
            Setting::Number(schedule) => schedule.turning_points().collect(),
            Setting::Words { steps } => steps.iter().map(|&(iteration, _)| iteration).collect(),
            Setting::Flag(_) | Setting::Word(_) => Vec::new(),
        }
    }

    fn check(&self, name: &str) -> Result<(), String> {
        match self {
            Setting::Number(schedule) => schedule.check(name, -1e12..=1e12),
            Setting::Words { steps } if steps.is_empty() || !steps.is_sorted_by(|a, b| a.0 < b.0) => {
                Err(format!("{name}: the points of a schedule are in the order of their iterations"))
            }
            _ => Ok(()),
        }
    }
}

/// Which images of a position under the game's symmetries are learnt from, if it has any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetries {
    None,
    #[default]
    One,
    All,
}

impl From<Symmetries> for Augmentation {
    fn from(symmetries: Symmetries) -> Augmentation {
        match symmetries {
            Symmetries::None => Augmentation::None,
            Symmetries::One => Augmentation::One,
            Symmetries::All => Augmentation::All,
        }
    }
}

/// | field | meaning | default |
/// |---|---|---|
/// | `positions` | the most that are kept | 200,000, if `sessions` is not set |
/// | `keep_first` | whether the samples of `self_play.first` stay | no |
/// | `sessions` | iterations whose positions are kept, in the place of a number of positions (thesis 004 has 10) | none |
/// | `merge` | what samples have in common that are merged: `none`, `view`, `input`, or a coarse key of the game | none |
/// | `weights` | of n merged samples: `logarithmic` (log2 n + 1), `linear` (n) or `equal` (1) | logarithmic |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Replay {
    pub positions: Option<Schedule>,
    pub sessions: Option<usize>,
    pub keep_first: bool,
    pub merge: String,
    pub weights: Weights,
}

impl Default for Replay {
    fn default() -> Replay {
        Replay {
            positions: None,
            sessions: None,
            keep_first: false,
            merge: "none".to_string(),
            weights: Weights::Logarithmic,
        }
    }
}

/// How much a sample counts that n were merged into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weights {
    #[default]
    Logarithmic,
    Linear,
    Equal,
}

impl From<Weights> for Weighing {
    fn from(weights: Weights) -> Weighing {
        match weights {
            Weights::Logarithmic => Weighing::Logarithmic,
            Weights::Linear => Weighing::Count,
            Weights::Equal => Weighing::One,
        }
    }
}

/// | field | meaning | default |
/// |---|---|---|
/// | `backend` | `own`; with the features of the same names `burn`, `wgpu`, `cuda` | own |
/// | `threads` | of the backend; more than one pays for networks of some size on a quiet machine | those of the run |
/// | `optimiser` | `adam`, `rms-prop` or `momentum` | adam |
/// | `learning_rate` | | 0.001 |
/// | `batch` | samples in an update | 128 |
/// | `reuse` | how often a new position is learnt from on average: says how many updates there are | 4 |
/// | `updates` | updates in an iteration at most | no limit |
/// | `value`, `policy` | weights of their losses | 1 |
/// | `invalid` | weight of the share that the policy gives to illegal actions (thesis 000); not of a policy that plays alone | 0.1 |
/// | `decay` | weight of the squares of all weights. Rules that divide by the size of gradients, such as Adam, pull weights with small gradients to 0 by any decay: with 0.0001 half of the neurons of some layers fell silent | 0 |
/// | `critic` | the share of what a second network, which sees the cards of all seats, expects in what the value learns | 0, no critic |
/// | `clip` | gradients longer than this are shortened to it | 10 |
/// | `trace` | of a policy that plays alone: λ, how much of what a decision is judged by comes from one step later, and so on: 0 trusts the value, 1 the outcome (Schulman et al. 2016) | 0.9 |
/// | `value_trace` | of all others: λ of what the value learns: 1 is the outcome; with less a part comes from what the network itself expects at the later positions of the same seat, which know more and vary less (TD(λ), Sutton 1988), as it says it, without a discount; a critic learns from the same. It must have learnt something before; a schedule | 1 |
/// | `ratio` | of a policy that plays alone: how far the probability of what was done may move in an iteration, as a share (Schulman et al. 2017) | 0.2 |
/// | `entropy` | of the same: the weight of the policy's entropy, which keeps it from being sure too soon | 0.01 |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Learning {
    pub backend: BackendKind,
    pub threads: Option<usize>,
    pub optimiser: Method,
    pub learning_rate: Schedule,
    pub batch: Schedule,
    pub reuse: Schedule,
    pub updates: Option<Schedule>,
    pub value: Schedule,
    pub policy: Schedule,
    pub invalid: Schedule,
    pub decay: Schedule,
    pub critic: f64,
    pub clip: f64,
    pub trace: f64,
    pub value_trace: Schedule,
    pub ratio: f64,
    pub entropy: Schedule,
}

impl Default for Learning {
    fn default() -> Learning {
        Learning {
            backend: BackendKind::Own,
            threads: None,
            optimiser: Method::default(),
            learning_rate: 0.001.into(),
            batch: 128.0.into(),
            reuse: 4.0.into(),
            updates: None,
            value: 1.0.into(),
            policy: 1.0.into(),
            invalid: 0.1.into(),
            decay: 0.0.into(),
            critic: 0.0,
            clip: 10.0,
            trace: 0.9,
            value_trace: 1.0.into(),
            ratio: 0.2,
            entropy: 0.01.into(),
        }
    }
}

/// Matches of the network against fixed opponents.
///
/// | field | meaning | default |
/// |---|---|---|
/// | `every` | iterations between evaluations; the last one is always evaluated | 10 |
/// | `games` | against each opponent | 100 |
/// | `agent` | how the network plays there | network |
/// | `anchors` | opponents as texts; `previous` is the network of the evaluation before | random |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Evaluation {
    pub every: u32,
    pub games: u64,
    pub agent: String,
    pub anchors: Vec<String>,
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation { every: 10, games: 100, agent: "network".to_string(), anchors: vec!["random".to_string()] }
    }
}

/// A new network plays against the one before, in all seatings, and replaces it only if it gets
/// its share of what both are paid, counted from the lowest payoff (thesis 004, chapter 6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    pub games: u64,
    #[serde(default = "gate_share")]
    pub share: f64,
    /// How both play.
    pub agent: String,
}

/// What is wrong with a configuration, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(pub String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        let config: Config = toml::from_str(text).map_err(|error| ConfigError(error.to_string().trim().to_string()))?;
        config.check().map_err(ConfigError)?;
        Ok(config)
    }

    pub fn description(&self) -> Result<Description, ConfigError> {
        let explain = |error: toml::de::Error| ConfigError(format!("network: {}", error.message()));
        let Some(preset) = self.network.get("preset") else {
            return self.network.clone().try_into().map_err(explain);
        };
        let name = preset.as_str().unwrap_or_default();
        if !Preset::NAMES.contains(&name) {
            let names = Preset::NAMES.join(", ");
            return Err(ConfigError(format!("network: there is no preset {preset}; there are: {names}")));
        }
        let preset: Preset = self.network.clone().try_into().map_err(explain)?;
        Ok(preset.description())
    }

    /// The text of the agent that plays an iteration, without its model.
    pub fn self_play_agent(&self, iteration: u32) -> String {
        let settings = self.self_play.settings.iter();
        let settings = settings.map(|(key, setting)| format!("{key}={}", setting.at(key, iteration)));
        with_settings(&self.self_play.agent, settings)
    }

    /// How the parts of the loss count in an iteration.
    pub fn losses(&self, iteration: u32) -> LossSettings {
        let Learning { value, policy, invalid, decay, ratio, entropy, .. } = &self.learning;
        let parts = [value, policy, invalid, decay, entropy].map(|part| part.at(iteration) as f32);
        let [value, policy, invalid, decay, entropy] = parts;
        LossSettings { value, policy, invalid, decay, ratio: *ratio as f32, entropy }
    }

    fn check(&self) -> Result<(), String> {
        self.self_play.check()?;
        if let Some(positions) = &self.replay.positions {
            positions.check("replay.positions", 1.0..=1e9)?;
            if self.replay.sessions.is_some() {
                return Err("replay: set positions or sessions, not both".to_string());
            }
        }
        if self.replay.sessions == Some(0) {
            return Err("replay.sessions is 0, not at least 1".to_string());
        }
        if self.self_play.surprise > 0.0 && self.replay.merge != "none" {
            let why = "merged positions lose the weights of self_play.surprise: set replay.merge to none";
            return Err(why.to_string());
        }
        self.learning.check()?;
        self.check_alone()?;
        if self.iterations == 0 {
            return Err("iterations is 0: there is nothing to do".to_string());
        }
        let threads = [self.threads, self.learning.threads];
        if threads.into_iter().flatten().any(|threads| !(1..=1024).contains(&threads)) {
            return Err("threads is not between 1 and 1024".to_string());
        }
        if self.evaluation.every == 0 {
            return Err("evaluation.every is 0, not at least 1".to_string());
        }
        if self.evaluation.games == 0 || self.gate.as_ref().is_some_and(|gate| gate.games == 0) {
            return Err("games of an evaluation or a gate are 0, not at least 1".to_string());
        }
        if self.gate.as_ref().is_some_and(|gate| !(0.0..=1.0).contains(&gate.share)) {
            return Err("gate.share is not between 0 and 1".to_string());
        }
        Ok(())
    }
}

impl Config {
    /// Whether what is played in the first iteration is learnt from in that one only.
    pub(super) fn drops_first(&self) -> bool {
        self.self_play.first.is_some() && !self.replay.keep_first
    }
}

impl SelfPlay {
    /// The iterations at which the agent or what it teaches may be set otherwise than before.
    pub(super) fn turning_points(&self, iterations: u32) -> Vec<u32> {
        let mut points = vec![1, iterations];
        points.extend(self.settings.values().flat_map(Setting::turning_points));
        points.extend(self.target_discount.iter().flat_map(Schedule::turning_points));
        points.extend(self.root_value.turning_points());
        points.retain(|point| (1..=iterations).contains(point));
        points.sort_unstable();
        points.dedup();
        points
    }

    fn check(&self) -> Result<(), String> {
        self.games.check("self_play.games", 1.0..=1e7)?;
        self.root_value.check("self_play.root_value", 0.0..=1.0)?;
        for (key, setting) in &self.settings {
            setting.check(&format!("self_play.settings.{key}"))?;
        }
        if self.most_moves == Some(0) {
            return Err("self_play.most_moves is 0, not at least 1".to_string());
        }
        if let Some(discount) = &self.target_discount {
            discount.check("self_play.target_discount", 0.0..=1.0)?;
        }
        if !(1..=4096).contains(&self.together) {
            return Err(format!("self_play.together is {}, not between 1 and 4096", self.together));
        }
        if let Some(QuickDecisions { share, iterations, .. }) = &self.quick {
            iterations.check("self_play.quick.iterations", 0.0..=1e9)?;
            if !(0.0..1.0).contains(share) {
                return Err(format!("self_play.quick.share is {share}, not at least 0 and below 1"));
            }
        }
        if let Some(Opening { moves, .. }) = self.opening
            && !(1..=10_000).contains(&moves)
        {
            return Err(format!("self_play.opening.moves is {moves}, not between 1 and 10000"));
        }
        if let Some(Archive { sessions, .. }) = self.archive
            && !(1..=1000).contains(&sessions)
        {
            return Err(format!("self_play.archive.sessions is {sessions}, not between 1 and 1000"));
        }
        self.check_shares()
    }

    fn check_shares(&self) -> Result<(), String> {
        let shares = [
            ("surprise", self.surprise),
            ("archive.share", self.archive.map_or(0.0, |archive| archive.share)),
            ("opening.share", self.opening.map_or(0.0, |opening| opening.share)),
            ("opponent.share", self.opponent.as_ref().map_or(0.0, |opponent| opponent.share)),
        ];
        match shares.into_iter().find(|(_, share)| !(0.0..=1.0).contains(share)) {
            Some((name, share)) => Err(format!("self_play.{name} is {share}, not between 0 and 1")),
            None => Ok(()),
        }
    }
}

impl Learning {
    fn check(&self) -> Result<(), String> {
        self.optimiser.check().map_err(|why| format!("learning.optimiser: {why}"))?;
        self.learning_rate.check("learning.learning_rate", 0.0..=10.0)?;
        self.batch.check("learning.batch", 1.0..=65_536.0)?;
        self.reuse.check("learning.reuse", 0.0..=10_000.0)?;
        if let Some(updates) = &self.updates {
            updates.check("learning.updates", 0.0..=1e9)?;
        }
        let weights =
            [("value", &self.value), ("policy", &self.policy), ("invalid", &self.invalid), ("decay", &self.decay)];
        for (name, schedule) in weights {
            schedule.check(&format!("learning.{name}"), 0.0..=1e6)?;
        }
        if !(0.0..=1.0).contains(&self.critic) {
            return Err(format!("learning.critic is {}, not between 0 and 1", self.critic));
        }
        self.entropy.check("learning.entropy", 0.0..=1000.0)?;
        if !(0.0..=1.0).contains(&self.trace) {
            return Err(format!("learning.trace is {}, not between 0 and 1", self.trace));
        }
        self.value_trace.check("learning.value_trace", 0.0..=1.0)?;
        if self.ratio.is_nan() || self.ratio <= 0.0 {
            return Err(format!("learning.ratio is {}, not above 0", self.ratio));
        }
        if self.clip.is_nan() || self.clip <= 0.0 {
            return Err(format!("learning.clip is {}, not above 0", self.clip));
        }
        Ok(())
    }
}

/// The text of a configuration with another seed.
pub fn with_seed(config: &str, seed: u64) -> Result<String, ConfigError> {
    let mut table: toml::Table = config.parse().map_err(|error: toml::de::Error| ConfigError(error.to_string()))?;
    let seed = i64::try_from(seed).map_err(|_| ConfigError(format!("the seed {seed} is above {}", i64::MAX)))?;
    table.insert("seed".to_string(), seed.into());
    Ok(table.to_string())
}

/// An agent with more settings.
pub(super) fn with_settings(agent: &str, settings: impl Iterator<Item = String>) -> String {
    let mut text = agent.to_string();
    for (number, setting) in settings.enumerate() {
        text.push(if number == 0 && !agent.contains(':') { ':' } else { ',' });
        text.push_str(&setting);
    }
    text
}

fn one() -> u64 {
    1
}

pub(super) fn nothing() -> Schedule {
    0.0.into()
}

fn hundred() -> Schedule {
    100.0.into()
}

fn all() -> f64 {
    1.0
}

fn five() -> usize {
    5
}

fn together() -> usize {
    64
}

fn gate_share() -> f64 {
    0.55
}

//! Self-play for games whose types are not known: the one place where it is compiled for every game.

use std::fmt;
use std::ops::ControlFlow;

use meeple_core::agent::{AgentError, Seated};
use meeple_core::{Encoder, Game, Player, RuleError, RuleReader, Rules, Shape, Turn};
use meeple_network::samples::Sample;
use meeple_network::selfplay::{
    self, Augmentation, Method, Opening, Opponents, Players, Quick, SampleKey, Searching, SelfPlaySettings, Teacher,
    Who,
};
use meeple_network::{Description, Header, Model, ModelError, NetworkEvaluator};
use meeple_search::informed::FirstPlay;
use meeple_search::ismcts::{Keys, Reuse, Selection};
use meeple_search::{Choice, Evaluator, Gumbel, RootRule};

use crate::agents::{informed, ismcts, make_agent, network, text};

/// A game that can be learnt.
pub trait SelfPlayer: Send + Sync {
    /// For a network of this game with one of its encoders, or with its first one; if it is `open`, it is also shown what
    /// is hidden from the player to move.
    fn header(&self, encoder: Option<&str>, open: bool, description: Description) -> Result<Header, SessionError>;

    /// Whether what was learnt with another encoder goes on with this one.
    fn extends(&self, encoder: &str, other: &str) -> Result<bool, SessionError>;

    /// The size of what the viewers of samples for such a network do not see.
    fn hidden_shape(&self, header: &Header) -> Result<Shape, SessionError>;

    /// An error if a session could not be played.
    fn check(&self, session: &Session<'_>) -> Result<(), SessionError>;

    /// Plays a session. `watch` is told how many games are over and says whether to go on.
    fn play(&self, session: &Session<'_>, watch: &mut dyn FnMut(u64) -> bool) -> Result<Played, SessionError>;
}

/// What is played. Fields without a comment are those of [`SelfPlaySettings`].
#[derive(Clone, Debug)]
pub struct Session<'a> {
    pub model: &'a Model,
    /// The search: `puct` or `ispuct` with its settings, as agents are named, without a model; or `network`, the policy
    /// alone; or another agent, which is imitated.
    pub agent: String,
    /// An agent that plays in the place of the search.
    pub first: Option<&'a str>,
    pub games: u64,
    pub seed: u64,
    pub threads: usize,
    /// Games that a thread plays at once.
    pub together: usize,
    /// Whether the search knows the true state.
    pub true_state: bool,
    /// For each player.
    pub most_moves: Option<u32>,
    pub cut_loops: bool,
    /// Left out where the game has no symmetries.
    pub symmetries: Augmentation,
    pub ternary: bool,
    /// Of the value target; that of the search unless it is given.
    pub target_discount: Option<f64>,
    pub root_value: f64,
    /// Decisions that nothing is learnt from.
    pub quick: Option<Quick>,
    pub surprise: f64,
    pub start_share: f64,
    pub opening: Option<Opening>,
    /// An agent that plays against the search, cheating or not, and its share of the games.
    pub opponent: Option<(&'a str, f64)>,
    /// Texts of positions at which games may begin.
    pub archive: &'a [String],
    pub hidden: bool,
    /// What merged samples have in common: `none`, `view`, `input`, or a coarse key of the game.
    pub key: &'a str,
}

impl<'a> Session<'a> {
    /// Games of one thread from the beginning, with nothing special about them.
    pub fn plain(model: &'a Model, agent: String, games: u64, seed: u64) -> Session<'a> {
        Session {
            model,
            agent,
            first: None,
            games,
            seed,
            threads: 1,
            together: 64,
            true_state: false,
            most_moves: None,
            cut_loops: false,
            symmetries: Augmentation::None,
            ternary: false,
            target_discount: None,
            root_value: 0.0,
            quick: None,
            surprise: 0.0,
            start_share: 0.0,
            opening: None,
            opponent: None,
            archive: &[],
            hidden: false,
            key: "none",
        }
    }
}

#[derive(Debug)]
pub struct Played {
    pub samples: Vec<Sample>,
    /// The viewer of each.
    pub viewers: Vec<Player>,
    /// Where those of each game end.
    pub ends: Vec<usize>,
    /// Texts of positions for the archive.
    pub archive: Vec<String>,
    pub games: u64,
    pub positions: u64,
    pub simulations: u64,
    /// Decisions in a game.
    pub length: f64,
}

/// Why a session cannot be played, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionError(pub String);

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SessionError {}

impl From<RuleError> for SessionError {
    fn from(RuleError(why): RuleError) -> SessionError {
        SessionError(why)
    }
}

impl From<ModelError> for SessionError {
    fn from(error: ModelError) -> SessionError {
        SessionError(error.to_string())
    }
}

/// Views whose evaluations each thread remembers.
const CACHE: usize = 1 << 16;

/// Opponents of each thread at most: each has a memory of its own.
const OPPONENTS: usize = 32;

/// Searches by the network that learns.
const SEARCHES: [&str; 2] = ["puct", "ispuct"];

/// The search that knows the true state.
const CHEATING: &str = "cheating-ispuct";

/// What agents in self-play have unless it is given.
const DEFAULTS: [(&str, &str); 2] = [("noise", "0.25"), ("final", "sampled(1)")];

/// A number T that stands for `final=sampled(T)`: it can follow a straight line over the iterations of a run.
const TEMPERATURE: &str = "temperature";

/// Another network, where others are to move.
const OTHERS: &str = "others";

/// What can be set of the searches in self-play: of both, and of each.
const COMMON: [&str; 12] = [
    "iterations",
    "exploration",
    "fpu",
    "prior_temperature",
    "noise",
    "alpha",
    "discount",
    "reuse",
    "final",
    TEMPERATURE,
    "memory",
    "root",
];
const PUCT: [&str; 1] = ["batch"];
const ISPUCT: [&str; 13] = [
    "determinizations",
    "evaluations",
    "depth",
    "ahead",
    "ahead_temperature",
    "ahead_others",
    "ahead_hidden",
    OTHERS,
    "playouts",
    "playout_share",
    "keys",
    "actions",
    "cards",
];

pub(crate) struct Learnt<G: Game> {
    pub(crate) game: G,
    /// Rules that differ from the defaults.
    pub(crate) rules: Rules,
}

impl<G: Game> SelfPlayer for Learnt<G> {
    fn header(&self, encoder: Option<&str>, open: bool, description: Description) -> Result<Header, SessionError> {
        let encoder = self.encoder(encoder)?;
        let header = Header::new(&self.game, &self.rules.to_string(), &*encoder, description);
        Ok(if open { header.opened(&self.game, &*encoder) } else { header })
    }

    fn extends(&self, encoder: &str, other: &str) -> Result<bool, SessionError> {
        Ok(self.encoder(Some(encoder))?.extends().contains(&other))
    }

    fn hidden_shape(&self, header: &Header) -> Result<Shape, SessionError> {
        Ok(header.encoder(&self.game)?.hidden_shape(&self.game))
    }

    fn check(&self, session: &Session<'_>) -> Result<(), SessionError> {
        let searches = teacher(session).is_none();
        self.settings(session)?.check(&self.game, searches).map_err(|error| SessionError(error.0))?;
        self.players(session).map(drop)
    }

    fn play(&self, session: &Session<'_>, watch: &mut dyn FnMut(u64) -> bool) -> Result<Played, SessionError> {
        let settings = self.settings(session)?;
        let encoder = session.model.header.encoder(&self.game)?;
        let mut progress = |progress: &selfplay::Progress| match watch(progress.games) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        let archive = self.archive(session)?;
        let played = selfplay::play(&self.game, &*encoder, &settings, &archive, self.players(session)?, &mut progress)
            .map_err(|error| SessionError(error.0))?;
        Ok(Played {
            archive: played.archive,
            viewers: played.viewers,
            ends: played.ends,
            games: played.statistics.games,
            positions: played.samples.len() as u64,
            simulations: played.statistics.simulations,
            length: played.statistics.mean_length(),
            samples: played.samples,
        })
    }
}

impl<G: Game> Learnt<G> {
    fn encoder(&self, name: Option<&str>) -> Result<Box<dyn Encoder<G>>, SessionError> {
        let encoders = self.game.encoders();
        let names: Vec<&str> = encoders.iter().map(|encoder| encoder.name()).collect();
        let place = name.map_or(Some(0), |name| names.iter().position(|&known| known == name));
        match place.and_then(|place| encoders.into_iter().nth(place)) {
            Some(encoder) => Ok(encoder),
            None => Err(SessionError(format!(
                "there is no encoder `{}`; {} has: {}",
                name.unwrap_or_default(),
                self.game.info().name,
                names.join(", ")
            ))),
        }
    }

    /// The positions of the archive in which somebody is to move.
    fn archive(&self, session: &Session<'_>) -> Result<Vec<G::State>, SessionError> {
        let notation = match self.game.notation() {
            Some(notation) => notation,
            None if session.start_share == 0.0 => return Ok(Vec::new()),
            None => {
                return Err(SessionError("positions of this game cannot be written down for an archive".to_string()));
            }
        };
        let parse = |text: &String| notation.parse_state(text).map_err(|error| SessionError(error.to_string()));
        let mut states = session.archive.iter().map(parse).collect::<Result<Vec<G::State>, SessionError>>()?;
        states.retain(|state| matches!(self.game.turn(state), Turn::Player(_)));
        Ok(states)
    }

    fn players(&self, session: &Session<'_>) -> Result<Players<G>, SessionError> {
        let threads = session.threads.max(1);
        if let Some(agent) = teacher(session) {
            return (0..threads).map(|_| self.teacher(session, agent)).collect::<Result<_, _>>().map(Players::Agents);
        }
        if session.model.header.open {
            let why = "a network that sees all cards does not play: set agent to one that it imitates";
            return Err(SessionError(why.to_string()));
        }
        let evaluators = NetworkEvaluator::for_threads(&self.game, session.model, threads)?.into_iter();
        let searching = |evaluator: NetworkEvaluator<G>| {
            let opponents = session.opponent.map(|(agent, share)| -> Result<_, SessionError> {
                Ok(Opponents { share, who: self.opponents(session, agent)? })
            });
            Ok(Searching {
                others: self.others(&session.agent)?,
                opponents: opponents.transpose()?,
                ..Searching::alone(evaluator.with_cache(CACHE))
            })
        };
        evaluators.map(searching).collect::<Result<_, _>>().map(Players::Searches)
    }

    /// What values positions in which others are to move, if it is not the network that learns.
    fn others(&self, agent: &str) -> Result<Option<Box<dyn Evaluator<G>>>, SessionError> {
        let (_, given) = text::parse_agent(agent).map_err(|error| SessionError(error.0))?;
        let others = network::others(&self.game, given.0.get(OTHERS).map_or("", String::as_str), CACHE);
        others.map_err(SessionError::from)
    }

    /// The agent that is learnt from. The one of the first iteration has all seats.
    fn teacher(&self, session: &Session<'_>, agent: &str) -> Result<Teacher<G>, SessionError> {
        let make = |text: &str| make_agent(&self.game, &self.rules, text).map_err(|error| SessionError(error.0));
        let (teacher, _) = make(agent)?;
        if matches!(teacher, Seated::Cheating(_)) && !session.model.header.open {
            return Err(SessionError(format!(
                "agent `{agent}` sees what is hidden, and the network does not: set open"
            )));
        }
        let opponent = session.opponent.filter(|_| session.first.is_none());
        let opponent = opponent.map(|(text, share)| make(text).map(|(agent, _)| (agent, share))).transpose()?;
        Ok(Teacher { agent: teacher, opponent })
    }

    /// Those of one thread: agents, or a search by the network that learns, where its text names no other.
    fn opponents(&self, session: &Session<'_>, agent: &str) -> Result<Who<G>, SessionError> {
        let (name, given) = agent.split_once(':').unwrap_or((agent, ""));
        let searches = name == "ispuct" || name == CHEATING;
        if searches && !text::parse_settings(given)?.0.contains_key("model") {
            let rival = Session { agent: format!("ispuct:{given}"), true_state: name == CHEATING, ..session.clone() };
            let settings = self.settings(&rival)?;
            settings.check(&self.game, true).map_err(|error| SessionError(error.0))?;
            if self.others(&rival.agent)?.is_some() {
                return Err(SessionError(format!("opponent `{agent}`: {OTHERS} is for the search that learns")));
            }
            return Ok(Who::Search(Box::new(settings)));
        }
        let opponent = |_| make_agent(&self.game, &self.rules, agent).map(|(agent, _)| agent);
        let agents = (0..session.together.min(OPPONENTS)).map(opponent).collect::<Result<_, _>>();
        agents.map(Who::Agents).map_err(|error: AgentError| SessionError(error.0))
    }

    fn settings(&self, session: &Session<'_>) -> Result<SelfPlaySettings, SessionError> {
        let (name, given) = session.agent.split_once(':').unwrap_or((&session.agent, ""));
        let mut given = text::parse_settings(given)?;
        if name == "network" {
            return self.policy(&given, session);
        }
        if !SEARCHES.contains(&name) {
            return self.common(session, SelfPlaySettings::default());
        }
        let own: &[&str] = if name == "puct" { &PUCT } else { &ISPUCT };
        if let Some(key) = given.0.keys().find(|key| !COMMON.contains(&key.as_str()) && !own.contains(&key.as_str())) {
            let names: Vec<&str> = COMMON.iter().chain(own).copied().collect();
            return Err(SessionError(format!("self-play does not know `{key}`; settings are {}", names.join(", "))));
        }
        spell_out_temperature(&mut given)?;
        for (key, value) in DEFAULTS {
            given.0.entry(key.to_string()).or_insert_with(|| value.to_string());
        }
        given.0.remove(OTHERS);
        let mut reader = RuleReader::for_settings(&given);
        let search = match name {
            "puct" => self.puct(&mut reader)?,
            _ => self.ispuct(&mut reader, session)?,
        };
        reader.finish()?;
        self.common(session, search)
    }

    /// The policy plays alone, as it is.
    fn policy(&self, given: &Rules, session: &Session<'_>) -> Result<SelfPlaySettings, SessionError> {
        if let Some(key) = given.0.keys().next() {
            return Err(SessionError(format!("`{key}`: a policy that plays alone has no settings in self-play")));
        }
        let settings =
            self.common(session, SelfPlaySettings { method: Method::Policy, ..SelfPlaySettings::default() })?;
        Ok(SelfPlaySettings { symmetry: Augmentation::None, ..settings })
    }

    /// What all methods have in common, beside the settings of a search.
    fn common(&self, session: &Session<'_>, search: SelfPlaySettings) -> Result<SelfPlaySettings, SessionError> {
        let symmetries = if self.game.symmetries().is_some() { session.symmetries } else { Augmentation::None };
        Ok(SelfPlaySettings {
            games: session.games,
            seed: session.seed,
            searches: session.together,
            move_cap: session.most_moves,
            cut_path_loops: session.cut_loops,
            cut_game_loops: session.cut_loops,
            target_discount: session.target_discount.unwrap_or(search.discount),
            ternary: session.ternary,
            root_share: session.root_value,
            quick: session.quick,
            surprise: session.surprise,
            start_share: session.start_share,
            opening: session.opening,
            root: match search.root {
                RootRule::Gumbel(gumbel) => RootRule::Gumbel(Gumbel { noise: 1.0, ..gumbel }),
                other => other,
            },
            symmetry: symmetries,
            hidden: session.hidden,
            open: session.model.header.open,
            sample_key: self.sample_key(session.key)?,
            ..search
        })
    }

    fn puct(&self, reader: &mut RuleReader) -> Result<SelfPlaySettings, SessionError> {
        let settings = informed::network_settings(&self.game, reader)?;
        Ok(SelfPlaySettings {
            method: Method::Puct,
            leaves: settings.batch,
            iterations: iterations(settings.tree.budget.iterations)?,
            exploration: settings.tree.exploration,
            first_play: settings.selection.first_play,
            prior_temperature: settings.prior_temperature,
            noise: settings.noise,
            root: settings.root,
            discount: settings.discount,
            reuse: settings.reuse,
            temperature: temperature(settings.tree.choice)?,
            memory: settings.tree.memory,
            ..SelfPlaySettings::default()
        })
    }

    fn ispuct(&self, reader: &mut RuleReader, session: &Session<'_>) -> Result<SelfPlaySettings, SessionError> {
        let more: &[_] = if session.true_state { &[("state", Keys::State)] } else { &[] };
        let grouped = session.model.header.encoder(&self.game)?.detail_size() == 0;
        let settings = ismcts::network_settings(&self.game, reader, more, grouped)?;
        let Selection::Puct(puct) = settings.selection else { unreachable!("networks go with PUCT") };
        if settings.reuse == Reuse::Games {
            return Err(SessionError("reuse=games: games of self-play are played side by side, use game".to_string()));
        }
        let first_play = match puct.first_play {
            0.0 => FirstPlay::Zero,
            -1.0 => FirstPlay::Loss,
            1.0 => FirstPlay::Win,
            other => return Err(SessionError(format!("fpu={other}: must be -1, 0 or 1 in self-play"))),
        };
        Ok(SelfPlaySettings {
            method: if session.true_state { Method::CheatingIspuct } else { Method::Ispuct },
            iterations: iterations(settings.tree.budget.iterations)?,
            exploration: settings.tree.exploration,
            first_play,
            prior_temperature: puct.prior_temperature,
            noise: meeple_search::informed::Noise { share: puct.noise, alpha: puct.alpha },
            root: settings.root,
            discount: settings.discount,
            determinizations: settings.determinizations,
            evaluations: settings.evaluations,
            depth: settings.depth,
            ahead: settings.ahead,
            mixture: settings.mixture,
            keys: settings.keys,
            group_rule: settings.group_rule,
            reuse: settings.reuse != Reuse::None,
            temperature: temperature(settings.tree.choice)?,
            memory: settings.tree.memory,
            ..SelfPlaySettings::default()
        })
    }

    fn sample_key(&self, name: &str) -> Result<SampleKey, SessionError> {
        let coarse = self.game.coarse_keys();
        match name {
            "none" | "view" => Ok(SampleKey::View),
            "input" => Ok(SampleKey::Input),
            _ => coarse.iter().position(|&key| key == name).map(SampleKey::Coarse).ok_or_else(|| {
                let names = ["none", "view", "input"].into_iter().chain(coarse.iter().copied());
                SessionError(format!(
                    "samples are merged by one of {}, not by {name}",
                    names.collect::<Vec<_>>().join(", ")
                ))
            }),
        }
    }
}

/// The agent that plays in the place of a search, or of the policy, if there is one.
fn teacher<'a>(session: &'a Session<'_>) -> Option<&'a str> {
    let name = session.agent.split(':').next().unwrap_or_default();
    let imitated = name != "network" && !SEARCHES.contains(&name);
    session.first.or(imitated.then_some(&session.agent))
}

fn spell_out_temperature(given: &mut Rules) -> Result<(), SessionError> {
    let Some(text) = given.0.remove(TEMPERATURE) else { return Ok(()) };
    if !text.parse().is_ok_and(|temperature: f64| (0.0..=1000.0).contains(&temperature)) {
        return Err(SessionError(format!("temperature={text}: must be a number in 0..1000")));
    }
    match given.0.insert("final".to_string(), format!("sampled({text})")) {
        Some(_) => Err(SessionError("temperature and final say the same thing: set one of them".to_string())),
        None => Ok(()),
    }
}

fn iterations(iterations: Option<u64>) -> Result<u64, SessionError> {
    iterations.ok_or_else(|| SessionError("self-play counts iterations: set iterations".to_string()))
}

fn temperature(choice: Choice) -> Result<meeple_search::Temperature, SessionError> {
    match choice {
        Choice::Sampled(temperature) => Ok(temperature),
        _ => Err(SessionError("self-play draws its actions: set final to sampled(..) or varied(N)".to_string())),
    }
}

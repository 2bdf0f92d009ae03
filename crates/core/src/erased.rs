//! Games and agents whose types are not known: texts in, texts out. One virtual call per move.

mod agent;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::agent::{AgentError, Budget, Decision, Opinion, Seated};
use crate::analysis::{self, Characteristics};
use crate::game_tree::{GameTree, TreeError};
use crate::laws::{self, LawReport, Laws, Violation};
use crate::playout::{self, DeterminizeSpeed, PlayoutSpeed};
use crate::rules::Parameter;
use crate::scene::{Area, Choice, Face, Scene, scene_of};
use crate::suite::Bands;
use crate::{
    Case, Encoder, Fact, Game, GameInfo, Information, NotationError, Outcome, Player, Rng, Rules, SearchTree, Shape,
    Suite, Team, TreeLimits, Turn, Worlds,
};

pub use agent::{AgentMaker, AnyAgent, only_random};

/// A game with its parameters.
pub trait AnyGame: Send + Sync {
    fn info(&self) -> GameInfo;

    /// Every parameter with its meaning, default and value.
    fn parameters(&self) -> &[Parameter];

    /// The initial position.
    fn start(&self) -> Box<dyn AnyPosition>;

    /// A position from one line of text.
    fn parse_position(&self, text: &str) -> Result<Box<dyn AnyPosition>, NotationError>;

    /// What a seat knows, from one line of text with `?` for what it does not.
    fn parse_view(&self, text: &str) -> Result<Box<dyn AnyView>, NotationError>;

    /// How positions are written, if they can be.
    fn notation_help(&self) -> Option<String>;

    fn team(&self, player: Player) -> Team;

    /// The agent that a text names, such as `random` or `ismcts:iterations=1000`.
    fn agent(&self, text: &str) -> Result<AnyAgent, AgentError>;

    /// Everything that can be set for the agent that a text names.
    fn agent_settings(&self, text: &str) -> Result<Vec<Parameter>, AgentError>;

    /// The sets of positions that the game offers.
    fn suites(&self) -> Vec<SuiteInfo>;

    /// The positions of the suite with this name, if there is one; what is left to chance in them is drawn anew.
    fn suite_cases(&self, name: &str, rng: &mut Rng) -> Option<Vec<AnyCase>>;

    /// The names of the behaviours that [`AnyPosition::judge`] looks for.
    fn behaviours(&self) -> Vec<&'static str>;

    /// Name, input shape and number of policy outputs of each encoder.
    fn encoders(&self) -> Vec<(&'static str, Shape, usize)>;

    fn facts(&self) -> Vec<Fact>;

    fn characteristics(&self, games: u32, rng: &mut Rng) -> Characteristics;

    fn check(&self, laws: &Laws) -> Result<LawReport, Violation>;

    /// The whole game written out, if it has at most `limit` histories.
    fn tree(&self, limit: usize) -> Result<GameTree, TreeError>;

    fn measure_playouts(&self, time: Duration, rng: &mut Rng, cpu_clock: &dyn Fn() -> f64) -> PlayoutSpeed;

    fn measure_determinize(&self, time: Duration, samples: u32, rng: &mut Rng) -> DeterminizeSpeed;
}

impl dyn AnyGame + '_ {
    /// The parameters that differ from their defaults.
    pub fn rules(&self) -> Rules {
        changed(self.parameters())
    }
}

fn changed(parameters: &[Parameter]) -> Rules {
    let changed = parameters.iter().filter(|parameter| parameter.value != parameter.default);
    Rules(changed.map(|parameter| (parameter.name.to_string(), parameter.value.clone())).collect())
}

/// A position of a game whose type is not known.
pub trait AnyPosition: Send {
    fn turn(&self) -> Turn;

    /// The texts of all that can happen next: legal actions or outcomes of chance.
    fn actions(&self) -> Vec<String>;

    /// How many there are.
    fn action_count(&self) -> usize;

    /// The group of each legal action in the order of [`AnyPosition::actions`]. Where the game has no
    /// groups each action is one.
    fn action_groups(&self) -> Vec<u32>;

    /// Carries out the action with this text.
    fn apply(&mut self, text: &str) -> Result<(), ActionError>;

    /// Carries out one outcome of chance and returns its text.
    fn apply_chance(&mut self, rng: &mut Rng) -> String;

    /// Lets an agent of the same game decide from the view of the player to move.
    fn decide(&self, agent: &mut AnyAgent, limit: &Budget, rng: &mut Rng) -> Decision<String>;

    /// The tree of an agent that has just decided here, if it has one.
    fn search_tree(&self, agent: &AnyAgent, limits: TreeLimits) -> Option<SearchTree<String>>;

    /// What the network of an agent thinks here, from the view of the player to move, if it has one.
    fn opinion(&self, agent: &mut AnyAgent, rng: &mut Rng) -> Option<Opinion<String>>;

    /// Lets an agent decide and carries the action out. Without `detail` the report has its counts
    /// and no actions.
    fn act(&mut self, agent: &mut AnyAgent, limit: &Budget, rng: &mut Rng, detail: bool) -> Decision<String>;

    /// The behaviours, by number, for which the action with this text shows good or bad play here.
    fn judge(&self, action: &str) -> Result<Vec<(usize, bool)>, ActionError>;

    /// Whether everybody sees what is done by the action or outcome with this text.
    fn is_public(&self, text: &str) -> Result<bool, ActionError>;

    /// What a player does by the action with this text, in words, if the text is a code.
    fn label(&self, text: &str) -> Result<Option<String>, ActionError>;

    /// Only when the game is over.
    fn outcome(&self) -> Outcome;

    /// What a seat, or a spectator, knows, cut off from the truth.
    fn view(&self, viewer: Option<Player>) -> Box<dyn AnyView>;

    /// What a page draws for a seat, or for a spectator.
    fn scene(&self, viewer: Option<Player>) -> Scene;

    /// What a seat, or a spectator, sees, for the terminal.
    fn render(&self, viewer: Option<Player>) -> String;

    /// The whole position as one line, if the game has a notation.
    fn state_text(&self) -> Option<String>;

    /// A seat's view as one line, if the game has a notation.
    fn view_text(&self, viewer: Option<Player>) -> Option<String>;

    fn perft(&self, depth: u32) -> u64;

    fn clone_box(&self) -> Box<dyn AnyPosition>;
}

/// A set of positions of a game whose type is not known.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteInfo {
    pub name: &'static str,
    pub about: &'static str,
    pub bands: Option<Bands>,
}

/// A position with expected actions, as texts.
pub type AnyCase = Case<Box<dyn AnyPosition>, String>;

/// What a seat of a game whose type is not known can see.
pub trait AnyView: Send {
    /// The viewer, if it is to move.
    fn player(&self) -> Option<Player>;

    /// For the terminal.
    fn render(&self) -> String;

    /// Lets a fair agent decide for the viewer, who is to move; an agent that cheats has nothing to look at.
    fn decide(&self, agent: &mut AnyAgent, limit: &Budget, rng: &mut Rng) -> Result<Decision<String>, AgentError>;

    /// What a page draws.
    fn scene(&self) -> Scene;

    /// The viewer's legal actions, if it is to move.
    fn choices(&self) -> Vec<Choice>;

    /// How likely cards that are face down show a face, by so many worlds.
    fn beliefs(&self, worlds: u32, rng: &mut Rng) -> Vec<CardBelief>;

    /// As one line, if the game has a notation.
    fn text(&self) -> Option<String>;

    /// As [`AnyPosition::search_tree`].
    fn search_tree(&self, agent: &AnyAgent, limits: TreeLimits) -> Option<SearchTree<String>>;
}

/// How likely some place holds a card.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CardBelief {
    /// The name of the area.
    pub area: String,
    pub face: Face,
    /// The expected number of such cards there.
    pub count: f64,
}

/// An action text that does not fit the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionError(pub String);

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ActionError {}

/// Forgets the type of a game whose parameters were read.
pub fn erase<G: Game>(game: G, parameters: Vec<Parameter>, agents: AgentMaker<G>) -> Box<dyn AnyGame> {
    Box::new(Erased { game: Arc::new(game), parameters, agents })
}

struct Erased<G: Game> {
    game: Arc<G>,
    parameters: Vec<Parameter>,
    agents: AgentMaker<G>,
}

impl<G: Game> Erased<G> {
    fn at(&self, state: G::State) -> Box<dyn AnyPosition> {
        Box::new(Position { game: self.game.clone(), state })
    }

    fn notation(&self) -> Result<&dyn crate::Notation<G>, NotationError> {
        let missing = || NotationError::new(format!("{} has no notation", self.game.info().name));
        self.game.notation().ok_or_else(missing)
    }
}

impl<G: Game> AnyGame for Erased<G> {
    fn info(&self) -> GameInfo {
        self.game.info()
    }

    fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    fn start(&self) -> Box<dyn AnyPosition> {
        self.at(self.game.initial_state())
    }

    fn parse_position(&self, text: &str) -> Result<Box<dyn AnyPosition>, NotationError> {
        Ok(self.at(self.notation()?.parse_state(text)?))
    }

    fn parse_view(&self, text: &str) -> Result<Box<dyn AnyView>, NotationError> {
        let view = self.notation()?.parse_view(text)?;
        Ok(Box::new(Seen::new(self.game.clone(), view)))
    }

    fn notation_help(&self) -> Option<String> {
        self.game.notation().map(|notation| notation.help())
    }

    fn team(&self, player: Player) -> Team {
        self.game.team(player)
    }

    fn agent(&self, text: &str) -> Result<AnyAgent, AgentError> {
        Ok(AnyAgent::new((self.agents)(&self.game, &changed(&self.parameters), text)?.0))
    }

    fn agent_settings(&self, text: &str) -> Result<Vec<Parameter>, AgentError> {
        Ok((self.agents)(&self.game, &changed(&self.parameters), text)?.1)
    }

    fn suites(&self) -> Vec<SuiteInfo> {
        let suites = self.game.suites().into_iter();
        suites.map(|Suite { name, about, bands, .. }| SuiteInfo { name, about, bands }).collect()
    }

    fn suite_cases(&self, name: &str, rng: &mut Rng) -> Option<Vec<AnyCase>> {
        let suite = self.game.suites().into_iter().find(|suite| suite.name == name)?;
        let with_texts = |Case { name, position, expected, turns }| {
            let expected = expected.into_iter().map(|action| self.game.action_text(&position, action)).collect();
            Case { name, position: self.at(position), expected, turns }
        };
        Some((suite.cases)(&self.game, rng).into_iter().map(with_texts).collect())
    }

    fn behaviours(&self) -> Vec<&'static str> {
        self.game.behaviours().into_iter().map(|(name, _)| name).collect()
    }

    fn encoders(&self) -> Vec<(&'static str, Shape, usize)> {
        let encoders = self.game.encoders();
        let outputs = |encoder: &dyn Encoder<G>| encoder.policy_size() + encoder.detail_size();
        encoders.iter().map(|encoder| (encoder.name(), encoder.shape(), outputs(&**encoder))).collect()
    }

    fn facts(&self) -> Vec<Fact> {
        self.game.facts()
    }

    fn characteristics(&self, games: u32, rng: &mut Rng) -> Characteristics {
        analysis::characteristics(&*self.game, games, rng)
    }

    fn check(&self, laws: &Laws) -> Result<LawReport, Violation> {
        laws::check(&*self.game, laws)
    }

    fn tree(&self, limit: usize) -> Result<GameTree, TreeError> {
        GameTree::new(&*self.game, limit)
    }

    fn measure_playouts(&self, time: Duration, rng: &mut Rng, cpu_clock: &dyn Fn() -> f64) -> PlayoutSpeed {
        playout::measure(&*self.game, time, rng, cpu_clock)
    }

    fn measure_determinize(&self, time: Duration, samples: u32, rng: &mut Rng) -> DeterminizeSpeed {
        playout::measure_determinize(&*self.game, time, samples, rng)
    }
}

struct Position<G: Game> {
    game: Arc<G>,
    state: G::State,
}

impl<G: Game> AnyPosition for Position<G> {
    fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }

    fn actions(&self) -> Vec<String> {
        let actions = playout::actions_or_outcomes(&*self.game, &self.state);
        actions.into_iter().map(|action| self.game.action_text(&self.state, action)).collect()
    }

    fn action_count(&self) -> usize {
        playout::actions_or_outcomes(&*self.game, &self.state).len()
    }

    fn action_groups(&self) -> Vec<u32> {
        let actions = playout::actions_or_outcomes(&*self.game, &self.state);
        match self.game.action_groups() {
            Some(groups) => actions.iter().map(|&action| groups.group(&self.game, action)).collect(),
            None => (0..actions.len() as u32).collect(),
        }
    }

    fn apply(&mut self, text: &str) -> Result<(), ActionError> {
        let action = self.find(text)?;
        self.game.apply(&mut self.state, action);
        Ok(())
    }

    fn apply_chance(&mut self, rng: &mut Rng) -> String {
        let action = self.game.sample_chance(&self.state, rng);
        let text = self.game.action_text(&self.state, action);
        self.game.apply(&mut self.state, action);
        text
    }

    fn decide(&self, agent: &mut AnyAgent, limit: &Budget, rng: &mut Rng) -> Decision<String> {
        self.ask(agent, limit, rng).map(|action| self.game.action_text(&self.state, action))
    }

    fn search_tree(&self, agent: &AnyAgent, limits: TreeLimits) -> Option<SearchTree<String>> {
        let Turn::Player(player) = self.turn() else { return None };
        let tree = match agent.typed::<G>() {
            Seated::Fair(agent) => agent.tree(&self.game, &self.game.view(&self.state, Some(player)), limits),
            Seated::Cheating(agent) => agent.tree(&self.game, &self.state, limits),
        };
        tree.map(|tree| with_texts(&*self.game, &self.state, tree))
    }

    fn opinion(&self, agent: &mut AnyAgent, rng: &mut Rng) -> Option<Opinion<String>> {
        let (Turn::Player(player), Seated::Fair(agent)) = (self.turn(), agent.typed_mut::<G>()) else { return None };
        let opinion = agent.opinion(&self.game, &self.game.view(&self.state, Some(player)), rng)?;
        Some(opinion.map(|action| self.game.action_text(&self.state, action)))
    }

    fn act(&mut self, agent: &mut AnyAgent, limit: &Budget, rng: &mut Rng, detail: bool) -> Decision<String> {
        let mut decision = self.ask(agent, limit, rng);
        let action = decision.action;
        if !detail {
            decision.report.actions.clear();
            decision.report.principal_variation.clear();
        }
        let decision = decision.map(|action| self.game.action_text(&self.state, action));
        self.game.apply(&mut self.state, action);
        decision
    }

    fn judge(&self, action: &str) -> Result<Vec<(usize, bool)>, ActionError> {
        let action = self.find(action)?;
        let Turn::Player(player) = self.turn() else { return Ok(Vec::new()) };
        let view = self.game.view(&self.state, Some(player));
        let behaviours = self.game.behaviours().into_iter().enumerate();
        let judged = behaviours.filter_map(|(number, (_, behaviour))| {
            behaviour.judge(&self.game, &view, action).map(|good| (number, good))
        });
        Ok(judged.collect())
    }

    fn is_public(&self, text: &str) -> Result<bool, ActionError> {
        Ok(self.game.is_public(&self.state, self.find(text)?))
    }

    fn label(&self, text: &str) -> Result<Option<String>, ActionError> {
        let action = self.find(text)?;
        let scenery = self.game.scenery().filter(|_| matches!(self.turn(), Turn::Player(_)));
        Ok(scenery.and_then(|scenery| scenery.label(&self.game, action)))
    }

    fn outcome(&self) -> Outcome {
        self.game.outcome(&self.state)
    }

    fn view(&self, viewer: Option<Player>) -> Box<dyn AnyView> {
        let view = self.game.view(&self.state, viewer);
        match self.turn() {
            Turn::Player(_) => Box::new(Seen::new(self.game.clone(), view)),
            _ => Box::new(Seen { game: self.game.clone(), view, world: None }),
        }
    }

    fn scene(&self, viewer: Option<Player>) -> Scene {
        scene_of(&*self.game, &self.game.view(&self.state, viewer))
    }

    fn render(&self, viewer: Option<Player>) -> String {
        self.game.render(&self.game.view(&self.state, viewer))
    }

    fn state_text(&self) -> Option<String> {
        Some(self.game.notation()?.state_text(&self.state))
    }

    fn view_text(&self, viewer: Option<Player>) -> Option<String> {
        Some(self.game.notation()?.view_text(&self.game.view(&self.state, viewer)))
    }

    fn perft(&self, depth: u32) -> u64 {
        playout::perft(&*self.game, &self.state, depth)
    }

    fn clone_box(&self) -> Box<dyn AnyPosition> {
        Box::new(Position { game: self.game.clone(), state: self.state.clone() })
    }
}

/// A view, and a world that it allows, in which its actions have their texts; none if no player is to
/// move.
struct Seen<G: Game> {
    game: Arc<G>,
    view: G::View,
    world: Option<G::State>,
}

impl<G: Game> Seen<G> {
    /// Of a position in which a player is to move.
    fn new(game: Arc<G>, view: G::View) -> Seen<G> {
        let mut world = game.initial_state();
        game.worlds(&view).sample_into(&mut world, &mut Rng::from_seed(0));
        Seen { game, view, world: Some(world) }
    }
}

impl<G: Game> AnyView for Seen<G> {
    fn player(&self) -> Option<Player> {
        let world = self.world.as_ref()?;
        match self.game.turn(world) {
            Turn::Player(player) if self.game.view(world, Some(player)) == self.view => Some(player),
            _ => None,
        }
    }

    fn render(&self) -> String {
        self.game.render(&self.view)
    }

    fn decide(&self, agent: &mut AnyAgent, limit: &Budget, rng: &mut Rng) -> Result<Decision<String>, AgentError> {
        let Some(world) = &self.world else { return Err(AgentError("nobody is to move".into())) };
        match agent.typed_mut::<G>() {
            Seated::Fair(agent) => {
                let decision = agent.decide(&self.game, &self.view, limit, rng);
                Ok(decision.map(|action| self.game.action_text(world, action)))
            }
            Seated::Cheating(_) => Err(AgentError("an agent that cheats needs the whole position, not a view".into())),
        }
    }

    fn scene(&self) -> Scene {
        scene_of(&*self.game, &self.view)
    }

    fn choices(&self) -> Vec<Choice> {
        let (Some(_), Some(world)) = (self.player(), &self.world) else { return Vec::new() };
        let mut actions = Vec::new();
        self.game.view_actions(&self.view, &mut actions);
        let scenery = self.game.scenery();
        let choice = |action| Choice {
            action: self.game.action_text(world, action),
            picks: scenery.map_or(Vec::new(), |scenery| scenery.picks(&self.game, &self.view, action)),
            label: scenery.and_then(|scenery| scenery.label(&self.game, action)),
        };
        actions.into_iter().map(choice).collect()
    }

    fn beliefs(&self, worlds: u32, rng: &mut Rng) -> Vec<CardBelief> {
        let (Some(scenery), Some(world)) = (self.game.scenery(), &self.world) else { return Vec::new() };
        let is_hidden = |area: &Area| area.cards.iter().any(|card| card.face.is_none());
        let hidden: Vec<Area> = self.scene().areas.into_iter().filter(is_hidden).collect();
        let mut counts = BTreeMap::new();
        let (sampler, mut world) = (self.game.worlds(&self.view), world.clone());
        for _ in 0..if hidden.is_empty() { 0 } else { worlds } {
            sampler.sample_into(&mut world, rng);
            for (place, area) in hidden.iter().enumerate() {
                let seen = scenery.scene(&self.game, &self.game.view(&world, area.seat)).areas;
                let cards = seen.into_iter().find(|seen| seen.name == area.name).map(|seen| seen.cards);
                let mut known: Vec<&Face> = area.cards.iter().filter_map(|card| card.face.as_ref()).collect();
                for face in cards.into_iter().flatten().filter_map(|card| card.face) {
                    // What lies face up is no matter of belief.
                    match known.iter().position(|&other| *other == face) {
                        Some(open) => drop(known.swap_remove(open)),
                        None => *counts.entry((place, face)).or_insert(0u32) += 1,
                    }
                }
            }
        }
        let belief = |((place, face), count): ((usize, Face), u32)| CardBelief {
            area: hidden[place].name.clone(),
            face,
            count: f64::from(count) / f64::from(worlds),
        };
        counts.into_iter().map(belief).collect()
    }

    fn text(&self) -> Option<String> {
        Some(self.game.notation()?.view_text(&self.view))
    }

    fn search_tree(&self, agent: &AnyAgent, limits: TreeLimits) -> Option<SearchTree<String>> {
        let Seated::Fair(agent) = agent.typed::<G>() else { return None };
        let tree = agent.tree(&self.game, &self.view, limits)?;
        Some(with_texts(&*self.game, self.world.as_ref()?, tree))
    }
}

impl<G: Game> Position<G> {
    /// The decision of an agent. A fair one is shown the view of the player to move and nothing else.
    fn ask(&self, agent: &mut AnyAgent, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        let Turn::Player(player) = self.turn() else { panic!("nobody is to move") };
        match agent.typed_mut::<G>() {
            Seated::Fair(agent) => agent.decide(&self.game, &self.game.view(&self.state, Some(player)), limit, rng),
            Seated::Cheating(agent) => agent.decide(&self.game, &self.state, limit, rng),
        }
    }

    /// The action or outcome of chance with this text.
    fn find(&self, text: &str) -> Result<G::Action, ActionError> {
        let text = text.trim();
        let actions = playout::actions_or_outcomes(&*self.game, &self.state);
        let found = actions.into_iter().find(|&action| self.game.action_text(&self.state, action) == text);
        found.ok_or_else(|| ActionError(self.explain(text)))
    }

    /// Why a text is no action here.
    fn explain(&self, text: &str) -> String {
        let shown: String = text.chars().take(40).collect();
        let mut possible = self.actions();
        let count = possible.len();
        possible.truncate(12);
        let more = if count > 12 { format!(", ... ({count} in all)") } else { String::new() };
        match self.turn() {
            Turn::Over => format!("`{shown}` comes after the end of the game"),
            Turn::Chance => format!("`{shown}` cannot happen here; possible: {}{more}", possible.join(", ")),
            Turn::Player(player) => {
                format!("`{shown}` is not legal for seat {player}; legal: {}{more}", possible.join(", "))
            }
        }
    }
}

/// A tree that begins at a state with the texts of its actions. Where something is hidden or left to
/// chance no line can be replayed, and texts are those of the state.
fn with_texts<G: Game>(game: &G, state: &G::State, tree: SearchTree<G::Action>) -> SearchTree<String> {
    let info = game.info();
    let certain = info.information == Information::Perfect && !info.chance;
    let mut states = vec![state.clone()]; // of every node so far
    tree.map(|parent, action| {
        if !certain {
            return game.action_text(state, action);
        }
        let mut state = states[parent as usize].clone();
        let text = game.action_text(&state, action);
        game.apply(&mut state, action);
        states.push(state);
        text
    })
}

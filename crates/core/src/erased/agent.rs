//! Agents whose game is not known.

use std::any::Any;
use std::fmt;

use crate::agent::{AgentError, Seated};
use crate::rules::Parameter;
use crate::{Game, RandomAgent, Rules};

/// An agent for a game whose type is not known.
pub struct AnyAgent {
    player: Box<dyn AnySeated>,
    cheats: bool,
}

impl AnyAgent {
    pub fn new<G: Game>(player: Seated<G>) -> AnyAgent {
        let cheats = matches!(player, Seated::Cheating(_));
        AnyAgent { player: Box::new(player), cheats }
    }

    /// Tells the agent that another game begins.
    pub fn new_game(&mut self) {
        self.player.new_game();
    }

    /// As [`Agent::failure`](crate::agent::Agent::failure).
    pub fn failure(&self) -> Option<AgentError> {
        self.player.failure()
    }

    /// Whether the agent is shown the whole truth.
    pub fn cheats(&self) -> bool {
        self.cheats
    }

    pub(super) fn typed<G: Game>(&self) -> &Seated<G> {
        self.player.as_any().downcast_ref().expect("the agent plays another game")
    }

    pub(super) fn typed_mut<G: Game>(&mut self) -> &mut Seated<G> {
        self.player.as_any_mut().downcast_mut().expect("the agent plays another game")
    }
}

trait AnySeated: Send {
    fn new_game(&mut self);
    fn failure(&self) -> Option<AgentError>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<G: Game> AnySeated for Seated<G> {
    fn new_game(&mut self) {
        match self {
            Seated::Fair(agent) => agent.new_game(),
            Seated::Cheating(agent) => agent.new_game(),
        }
    }

    fn failure(&self) -> Option<AgentError> {
        match self {
            Seated::Fair(agent) => agent.failure(),
            Seated::Cheating(_) => None,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl fmt::Debug for AnyAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyAgent")
    }
}

/// Makes the agent that a text names, and tells what could be set. The rules are those of the game that differ from
/// their defaults.
pub type AgentMaker<G> = fn(&G, &Rules, &str) -> Result<(Seated<G>, Vec<Parameter>), AgentError>;

/// For games outside the catalogue: the random player and no other.
pub fn only_random<G: Game>(_: &G, _: &Rules, text: &str) -> Result<(Seated<G>, Vec<Parameter>), AgentError> {
    match text {
        "random" => Ok((Seated::fair(RandomAgent::default()), Vec::new())),
        _ => Err(AgentError(format!("there is no agent `{text}`; there is: random"))),
    }
}

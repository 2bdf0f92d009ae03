//! Solving the end of a game, around any agent.

use std::sync::Arc;

use meeple_core::agent::{Agent, Seated};
use meeple_core::{Belief, Game, RuleError, RuleReader};
use meeple_search::Reward;
use meeple_search::endgame::{Endgame, EndgameSettings};

/// The agent, with its endgames solved if the settings ask for it. Reward and belief are those of
/// the agent.
pub(super) fn with_endgame<G: Game>(
    game: &G,
    reader: &mut RuleReader,
    reward: Reward,
    belief: Option<Arc<dyn Belief<G>>>,
    agent: impl Agent<G> + 'static,
) -> Result<Seated<G>, RuleError> {
    let meaning = "worlds to solve near the end: all if there are no more, else samples; 0 is off";
    let worlds = reader.integer("endgame", meaning, 0..=1_000_000, 0)?;
    let default = EndgameSettings::default();
    let meaning = "positions to search in an endgame, before the usual search takes over";
    let nodes = reader.integer("endgame_nodes", meaning, 1..=1 << 40, default.nodes as usize)? as u64;
    if worlds == 0 {
        return Ok(Seated::fair(agent));
    }
    let settings = EndgameSettings { worlds, nodes, reward };
    Ok(Seated::fair(Endgame::new(game, settings, belief, Box::new(agent))))
}

//! The agents by text: `name` or `name:key=value,key=value`.

mod belief;
mod descent;
mod determinized;
mod endgame;
mod exec;
mod heuristic;
pub(crate) mod informed;
pub(crate) mod ismcts;
mod mcts;
mod minimax;
mod mo_ismcts;
pub(crate) mod network;
mod settings;
mod simple;
pub(crate) mod text;

use meeple_core::agent::{AgentError, Seated};
use meeple_core::rules::Parameter;
use meeple_core::{Game, Information, RandomAgent, RuleError, RuleReader, Rules};
use meeple_search::descent::Method;

pub use text::{parse_agent, split_agents, without_clock};

/// Every agent with one line for people who choose.
pub const AGENTS: &[(&str, &str)] = &[
    ("random", "uniform over the legal actions"),
    ("greedy", "one move ahead by a heuristic"),
    ("rules", "rules written by hand for the game"),
    ("alphabeta", "minimax by a heuristic or to the end of the game, for perfect information"),
    ("ubfm", "best-first minimax by a heuristic, for two sides with perfect information"),
    ("descent", "best-first minimax that reads every line to the end of the game"),
    ("mcts", "Monte Carlo tree search for perfect information: UCT, GRAVE, PUCT, implicit minimax"),
    ("determinized-uct", "a UCT tree for each of several sampled worlds, which vote"),
    ("ismcts", "information-set Monte Carlo tree search, for hidden cards and chance"),
    ("mo-ismcts", "ismcts with a tree for every player, for moves that not everybody sees"),
    ("cheating-mcts", "tree search that sees all cards: a yardstick, not a player"),
    ("ismcts-rollouts", "ismcts with PUCT and the settings of thesis 000"),
    ("cfr", "an equilibrium, for two players in games small enough to be solved"),
    ("network", "the policy of a network, without a search"),
    ("cheating-network", "the policy of a network that sees all cards: a yardstick, not a player"),
    ("puct", "tree search guided by a network, for perfect information"),
    ("ispuct", "information-set search guided by a network"),
    ("cheating-ispuct", "the same on the true cards, which the network does not see: a yardstick, not a player"),
    ("exec", "a program of yours: exec:./mybot.py"),
];

/// The agent that a text names, for one game, and what can be set. Programs are told the rules, as far as they
/// differ from their defaults.
pub(crate) fn make_agent<G: Game>(
    game: &G,
    rules: &Rules,
    text: &str,
) -> Result<(Seated<G>, Vec<Parameter>), AgentError> {
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    let explain = |RuleError(error): RuleError| AgentError(format!("agent `{text}`: {error}"));
    if name == "exec" {
        return Ok((exec::exec(game, rules, settings).map_err(explain)?, Vec::new()));
    }
    let mut reader = RuleReader::for_settings(&text::parse_settings(settings).map_err(explain)?);
    let agent = make(game, name, &mut reader).map_err(explain)?.ok_or_else(|| unknown(name))?;
    Ok((agent, reader.finish().map_err(explain)?))
}

fn make<G: Game>(game: &G, name: &str, reader: &mut RuleReader) -> Result<Option<Seated<G>>, RuleError> {
    let agent = match name {
        "random" => Seated::fair(RandomAgent::default()),
        "greedy" => simple::greedy(game, reader)?,
        "rules" => simple::rules(game, reader)?,
        "alphabeta" => minimax::alphabeta(game, reader)?,
        "ubfm" => descent::best_first(game, Method::Ubfm, reader)?,
        "descent" => descent::best_first(game, Method::Descent, reader)?,
        "mcts" => mcts::mcts(game, reader)?,
        "determinized-uct" => determinized::determinized_uct(game, reader)?,
        "ismcts" => ismcts::ismcts(game, reader)?,
        "mo-ismcts" => mo_ismcts::mo_ismcts(game, reader)?,
        "cheating-mcts" => ismcts::cheating_mcts(game, reader)?,
        "ismcts-rollouts" => ismcts::ismcts_rollouts(game, reader)?,
        "cfr" => simple::cfr(game, reader)?,
        "network" => network::network(game, reader)?,
        "cheating-network" => network::cheating_network(game, reader)?,
        "puct" => network::puct(game, reader)?,
        "ispuct" => network::ispuct(game, reader)?,
        "cheating-ispuct" => network::cheating_ispuct(game, reader)?,
        _ => return Ok(None),
    };
    Ok(Some(agent))
}

fn unknown(name: &str) -> AgentError {
    let names: Vec<&str> = AGENTS.iter().map(|&(name, _)| name).collect();
    AgentError(format!("there is no agent `{name}`; there are: {}", names.join(", ")))
}

/// An error unless every player sees everything and nothing is left to chance.
fn require_perfect_information<G: Game>(game: &G) -> Result<(), RuleError> {
    let info = game.info();
    if info.information == Information::Perfect && !info.chance {
        return Ok(());
    }
    Err(RuleError(format!(
        "this agent needs perfect information and no chance, which {} has not: use ismcts",
        info.name
    )))
}

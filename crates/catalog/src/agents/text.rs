//! How agents are written: `name` or `name:key=value,key=value`, values such as `nast(2,ucb1(0.7))`.

use meeple_core::agent::AgentError;
use meeple_core::erased::AnyGame;
use meeple_core::{RuleError, Rules};

pub(crate) fn parse_settings(text: &str) -> Result<Rules, RuleError> {
    let mut settings = Rules::default();
    for piece in split_outside_parentheses(text) {
        let (key, value) = piece
            .split_once('=')
            .ok_or_else(|| RuleError(format!("`{piece}` has no `=`: write key=value,key=value")))?;
        if settings.0.insert(key.trim().to_string(), value.trim().to_string()).is_some() {
            return Err(RuleError(format!("setting `{}` is given twice", key.trim())));
        }
    }
    Ok(settings)
}

/// The name of an agent and its settings, without looking whether there is such an agent.
pub fn parse_agent(text: &str) -> Result<(&str, Rules), AgentError> {
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    Ok((name, parse_settings(settings).map_err(|RuleError(error)| AgentError(format!("agent `{text}`: {error}")))?))
}

/// Splits `name(inner)` or `name`.
pub(super) fn call(text: &str) -> Option<(&str, &str)> {
    match text.split_once('(') {
        None => Some((text, "")),
        Some((name, rest)) => Some((name, rest.strip_suffix(')')?)),
    }
}

/// Splits a list of agents at commas outside parentheses. A piece with `=` before any `:` belongs
/// to the agent before it, any other piece starts a new agent.
pub fn split_agents(list: &str) -> Vec<String> {
    let mut agents: Vec<String> = Vec::new();
    for piece in split_outside_parentheses(list) {
        let key = piece.find('=').is_some_and(|equals| piece.find(':').is_none_or(|colon| equals < colon));
        match agents.last_mut() {
            Some(agent) if key => {
                agent.push(',');
                agent.push_str(piece);
            }
            _ => agents.push(piece.to_string()),
        }
    }
    agents
}

/// The agent without its clock, so that only a count of iterations ends its searches.
pub fn without_clock(game: &dyn AnyGame, agent: &str) -> Result<String, AgentError> {
    let settings = game.agent_settings(agent)?;
    if settings.iter().all(|setting| setting.name != "time" || setting.value == "none") {
        return Ok(agent.to_string());
    }
    let (name, set) = agent.split_once(':').unwrap_or((agent, ""));
    let others = split_outside_parentheses(set).into_iter();
    let others = others.filter(|piece| piece.split('=').next().is_none_or(|key| key.trim() != "time"));
    let pieces: Vec<&str> = others.chain([NO_CLOCK]).collect();
    Ok(format!("{name}:{}", pieces.join(",")))
}

/// The longest that can be set: a day.
const NO_CLOCK: &str = "time=1440m";

pub(super) fn split_outside_parentheses(list: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    for (position, character) in list.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth <= 0 => {
                pieces.push(list[start..position].trim());
                start = position + 1;
            }
            _ => {}
        }
    }
    pieces.push(list[start..].trim());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

//! The agents by text: `name` or `name:key=value,key=value`.

use std::fmt;

use meeple_core::erased::{AnyAgent, AnyGame};

/// An agent text that names nothing that plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentError(pub String);

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AgentError {}

/// Every agent with one line for people who choose.
pub const AGENTS: &[(&str, &str)] = &[("random", "uniform over the legal actions")];

/// The agent that a text names, for one game.
pub fn agent(text: &str, game: &dyn AnyGame) -> Result<AnyAgent, AgentError> {
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    match name {
        "random" if settings.is_empty() => Ok(game.random_agent()),
        "random" => Err(AgentError(format!("agent `{text}`: random has no settings"))),
        _ => {
            let names: Vec<&str> = AGENTS.iter().map(|&(name, _)| name).collect();
            Err(AgentError(format!("there is no agent `{name}`; there are: {}", names.join(", "))))
        }
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

fn split_outside_parentheses(list: &str) -> Vec<&str> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_between_agents() {
        for (list, agents) in [
            ("random", vec!["random"]),
            ("random, random", vec!["random", "random"]),
            ("mcts:iterations=10,exploration=1,random", vec!["mcts:iterations=10,exploration=1", "random"]),
            (
                "mcts:playout=nast(2,ucb1(0.7)),final=max,random",
                vec!["mcts:playout=nast(2,ucb1(0.7)),final=max", "random"],
            ),
            ("a:x=1,b:y=2", vec!["a:x=1", "b:y=2"]),
            ("", vec![]),
        ] {
            assert_eq!(split_agents(list), agents, "{list}");
        }
    }
}
